"""A foot as a control that stays on its print, and a roll over heel, tip and joint of the toes that has the motion.

The pivots hang on one another: the control carries the heel, that the tip of the toes, that the joint of the toes, and that the ankle.
The toes hang on the tip.  With the turns h, t and b of the three,

    toes = control · R(heel, h) R(tip, t)        foot = toes · R(joint, b)

h and t are about the foot's own left axis, and b is how the foot is turned against its toes, nearly about the same axis.  On its print a
foot is the rocker of `ground/rocker`: h is its pitch while the toes are up, h + t always that of the toes.  So the control, solved from
these, stands still there, whatever the angles do, and a heel, ball or tip that stands stays where it is.
"""

from collections.abc import Mapping

import numpy as np

from ...character.body import Body
from ...character.motion import Motion
from ...geometry.rotation import about_y, about_z, rotated, transposed
from ...ground.pivots import SWING
from ...ground.sole import Sole
from ...skeleton.roles import SIDES, sided
from ..pose import WalkPose

PIVOTS = ("heel", "tip", "roll")  # roles of the pivots, the outermost first
SOFTLY = np.radians(12.0)  # in the middle of a swing the heel takes over within this pitch on either side of level


def roll_points(body: Body) -> np.ndarray:
    """Return heel, tip and joint of the toes at rest `(2, 3, 3)`, metres; not a number where a foot has no such points."""
    joint = np.where(Sole.of(body).bends[:, None], body.toe_joint, body.toe)
    return np.stack([body.heel, body.toe, joint], axis=1)


def roll_pitches(pose: WalkPose) -> np.ndarray:
    """Return the pitches `(f, 2, 2)` of what hangs on the heel, and of what hangs on the tip of a walk's feet, radians.

    In the air the heel takes over softly, the more so the farther from the ground.
    """
    foot, toes = np.moveaxis(pose.pitch, -1, 0)
    gone, duty = pose.phase - np.floor(pose.phase), np.minimum(pose.duty, 1.0 - 1e-6)
    share = np.clip((gone - duty) / (1.0 - duty), 0.0, 1.0)
    band = np.where(pose.pivot == SWING, 4.0 * share * (1.0 - share) * SOFTLY, 0.0)
    near = np.abs(foot) < band
    heel = np.where(near, -((band - foot) ** 2) / (4.0 * np.where(near, band, 1.0)), np.minimum(foot, 0.0))
    return np.stack([heel, toes], axis=-1)


def on_pivots(body: Body, motions: Mapping[str, Motion], pitches: np.ndarray) -> dict[str, Motion]:
    """Return motions with each foot's control in place of the foot, and its pivots `heel.L`, `tip.L`, `roll.L` ...

    `pitches` `(f, 2, 2)` as `roll_pitches` returns them.  Feet without the points stay as they are; toes are as they were.
    """
    found, bends = dict(motions), Sole.of(body).bends
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
        place = foot.position - sum(rotated(turn, end - start) for turn, start, end in zip(turns, points, ends, strict=True))
        held = Motion(control, place - rotated(control, points[0] - foot.rest), foot.rest)
        found[sided("foot", side)] = held
        for pivot, turn, point in zip(PIVOTS, turns, points, strict=True):
            held = Motion(turn, held.carry(point), point)
            found[sided(pivot, side)] = held
    return found
