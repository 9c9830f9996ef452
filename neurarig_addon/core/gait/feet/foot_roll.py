"""A foot as a control that stays on its print, and a roll over heel, tip and toe joint that carries the
motion.

The pivots form a chain: control > heel > tip of the toes > toe joint > ankle.
The toes hang on the tip.  With the rotations h, t and b of the three,

    toes = control · R(heel, h) R(tip, t)        foot = toes · R(joint, b)

h and t are about the foot's own left axis; b is the rotation of the foot against its toes, nearly about the
same axis. On its print a
foot is the rocker of `body/rocker`: h is its pitch while the toes are up, h + t is always the toes' pitch.
So the control, solved from
these, stands still there whatever the angles do, and so does the standing heel, ball or tip.

A rig's own heel control rolls backward the whole foot about the heel, forward all but the toes about the toe
joint. With its angle a,

    toes = control · R(heel, min(a, 0))        foot = control · R(a)

So the control stands still on its print while the foot is flat or rises over its ball, and while it rolls
over the heel if the rig's
pivot is where the heel touches the ground.  On the tips of the toes the control itself is turned.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ...body.sole import Sole
from ...character.body import Body
from ...character.motion import Motion
from ...geometry.rotation import about_y, about_z, from_axis_angle, rotated, transposed, twist
from ...skeleton.roles import SIDES, sided

PIVOTS = ("heel", "tip", "roll")  # roles of the pivots, outermost first


def roll_points(body: Body) -> np.ndarray:
    """Return heel, tip and toe joint at rest `(2, 3, 3)`, metres; NaN where a foot has no such points."""
    joint = np.where(Sole.of(body).bends[:, None], body.toe_joint, body.toe)
    return np.stack([body.heel, body.toe, joint], axis=1)


def on_pivots(body: Body, motions: Mapping[str, Motion], pitches: np.ndarray) -> dict[str, Motion]:
    """Return motions with each foot replaced by its control and the pivots `heel.L`, `tip.L`, `roll.L` ...

    `pitches` `(f, 2, 2)`: of what each foot's heel pivot and tip pivot carry, radians. Feet without pivots,
    and toes, stay as they are.
    """
    controls, bends = dict(motions), Sole.of(body).bends
    for row, (side, points) in enumerate(zip(SIDES, roll_points(body), strict=True)):
        if not np.isfinite(points).all():
            continue
        foot = motions[sided("foot", side)]
        toes = motions.get(sided("toe", side), foot) if bends[row] else foot
        flat = about_z(-body.foot_heading[row])
        on_heel, on_tip = (flat.T @ about_y(pitch) @ flat for pitch in pitches[:, row].T)
        control = toes.rotation @ transposed(on_tip)
        turns = control @ on_heel, toes.rotation, foot.rotation
        # From the ankle back along the chain to where the control is.
        ends = [*points[1:], body.ankle[row]]
        place = foot.position - sum(
            rotated(turn, end - start) for turn, start, end in zip(turns, points, ends, strict=True)
        )
        held = Motion(control, place - rotated(control, points[0] - foot.rest), foot.rest)
        controls[sided("foot", side)] = held
        for pivot, turn, point in zip(PIVOTS, turns, points, strict=True):
            held = Motion(turn, held.carry(point), point)
            controls[sided(pivot, side)] = held
    return controls


@dataclass(frozen=True)
class HeelControl:
    """The points about which a foot rolls, `heel` and `joint` `(3,)`, and its `axis` `(3,)`, at rest in the
    walk frame, metres."""

    heel: np.ndarray
    joint: np.ndarray
    axis: np.ndarray


def heel_angles(
    heels: Mapping[str, HeelControl], motions: Mapping[str, Motion], backward: np.ndarray
) -> np.ndarray:
    """Return the angles `(f, 2)` of heel controls, radians, 0 for a foot without.

    `heels`: by side.  `backward` `(f, 2)`: how far each foot rolls about its heel, radians, never positive.
    """
    angles = np.zeros_like(backward)
    for row, side in enumerate(SIDES):
        if side in heels:
            foot = motions[sided("foot", side)]
            toes = motions.get(sided("toe", side), foot)
            on_print = toes.rotation @ transposed(from_axis_angle(heels[side].axis, backward[:, row]))
            angles[:, row] = twist(transposed(on_print) @ foot.rotation, heels[side].axis)
    return angles


def under_heel_controls(
    heels: Mapping[str, HeelControl], motions: Mapping[str, Motion], angles: np.ndarray
) -> dict[str, Motion]:
    """Return motions with each foot replaced by its control, what rolls about the heel, `heel.L`, and the
    heel control, `roll.L`.

    `heels`: by side.  `angles` `(f, 2)` of the heel controls, radians.
    """
    controls = dict(motions)
    for row, side in enumerate(SIDES):
        if side not in heels:
            continue
        roll, foot, angle = heels[side], motions[sided("foot", side)], angles[:, row]
        control = foot.rotation @ transposed(from_axis_angle(roll.axis, angle))
        backward = control @ from_axis_angle(roll.axis, np.minimum(angle, 0.0))
        place = (
            foot.position
            - rotated(backward, roll.joint - roll.heel)
            - rotated(foot.rotation, foot.rest - roll.joint)
        )
        controls[sided("foot", side)] = Motion(
            control, place - rotated(control, roll.heel - foot.rest), foot.rest
        )
        controls[sided("heel", side)] = Motion(backward, place, roll.heel)
        controls[sided("roll", side)] = foot
    return controls
