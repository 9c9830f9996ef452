"""A foot under a rig's own heel control: backward it rolls the whole foot about the heel, forward all but the toes about the toe joint.

With the control's angle a about its axis,

    toes = control · R(heel, min(a, 0))        foot = control · R(a)

So the control stands still on its print while the foot is flat or rises over its ball, and while it rolls over the heel if the rig's
pivot is where the heel touches the ground.  On the tips of the toes the control itself is turned.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ...character.motion import Motion
from ...geometry.rotation import dot, from_axis_angle, rotated, to_quaternion, transposed
from ...skeleton.roles import SIDES, sided

ROLES = ("heel", "roll")  # of what rolls about the heel, and of the heel control


@dataclass(frozen=True)
class HeelControl:
    """The points about which a foot rolls, `heel` and `joint` `(3,)`, and its `axis` `(3,)`, at rest in the walk frame, metres."""

    heel: np.ndarray
    joint: np.ndarray
    axis: np.ndarray


def under_heel_controls(heels: Mapping[str, HeelControl], motions: Mapping[str, Motion], pitches: np.ndarray) -> dict[str, Motion]:
    """Return motions with each foot replaced by its control, what rolls about the heel, `heel.L`, and the heel control, `roll.L`.

    `heels`: by side.  `pitches` `(f, 2)`: how far each foot rolls about its heel, radians, never positive (`foot_roll.roll_pitches`).
    """
    found = dict(motions)
    for row, side in enumerate(SIDES):
        if side not in heels:
            continue
        roll, foot = heels[side], motions[sided("foot", side)]
        toes = motions.get(sided("toe", side), foot)
        on_print = toes.rotation @ transposed(from_axis_angle(roll.axis, pitches[:, row]))
        angle = _twist(transposed(on_print) @ foot.rotation, roll.axis)
        control = foot.rotation @ transposed(from_axis_angle(roll.axis, angle))
        backward = control @ from_axis_angle(roll.axis, np.minimum(angle, 0.0))
        place = foot.position - rotated(backward, roll.joint - roll.heel) - rotated(foot.rotation, foot.rest - roll.joint)
        found[sided("foot", side)] = Motion(control, place - rotated(control, roll.heel - foot.rest), foot.rest)
        found[sided("heel", side)] = Motion(backward, place, roll.heel)
        found[sided("roll", side)] = foot
    return found


def _twist(turns: np.ndarray, axis: np.ndarray) -> np.ndarray:
    """Return the angle `(f,)` about an axis by which rotations `(f, 3, 3)` turn, without what they tilt it by."""
    quaternion = to_quaternion(turns)
    return 2.0 * np.arctan2(dot(quaternion[:, 1:], axis), quaternion[:, 0])
