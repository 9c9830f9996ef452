"""One leg of a skeleton at rest: its joints, its foot's heading, and the points of the foot that touch the
ground.

Heel, ball and toe tip are found from the foot's sole, its bones, or human proportions.
"""

from dataclasses import dataclass

import numpy as np

from ..detection.figure import Figure
from ..detection.legs import foot_joints, joints_below
from ..geometry.rotation import ON_GROUND, UP, normalized, norms
from ..skeleton.roles import LEG_JOINTS, RoleMap, sided
from ..skeleton.skeleton import Skeleton

_CLEAR = 0.06  # of the leg's length: a shorter reach of the foot gives no heading


@dataclass(frozen=True)
class Leg:
    """One leg in world metres: `rows` of thigh, shin (if any) and foot (if any); joints `(3,)`; `heading`
    horizontal, zero if unknown."""

    rows: list[int]
    has_foot: bool
    hip: np.ndarray
    knee: np.ndarray
    ankle: np.ndarray
    toe_joint: np.ndarray
    heading: np.ndarray

    @property
    def length(self) -> float:
        """Thigh plus shin in metres."""
        return float(norms(self.knee - self.hip) + norms(self.ankle - self.knee))


def read_leg(figure: Figure, roles: RoleMap, side: str, sole: np.ndarray | None) -> Leg:
    """Return one leg's joints; a missing knee is half way, without a foot the ankle is at the last bone's
    tail."""
    skeleton = figure.skeleton
    rows = [
        skeleton.index[bone]
        for bone in (roles.get(sided(part, side)) for part in LEG_JOINTS)
        if bone in skeleton.index
    ]
    has_foot = roles.has(sided("foot", side))
    hip = skeleton.heads[rows[0]]
    ankle = skeleton.heads[rows[-1]] if has_foot else skeleton.tails[rows[-1]]
    knee = (
        head_of(skeleton, roles.get(sided("shin", side)))
        if roles.has(sided("shin", side))
        else (hip + ankle) / 2.0
    )
    toe_joint = head_of(skeleton, roles.get(sided("toe", side)))
    leg = Leg(rows, has_foot, hip, knee, ankle, toe_joint, np.zeros(3))
    return Leg(rows, has_foot, hip, knee, ankle, toe_joint, _heading(figure, leg, sole))


def _heading(figure: Figure, leg: Leg, sole: np.ndarray | None) -> np.ndarray:
    """Return the horizontal unit vector `(3,)` along a foot: to the toe joint, else the farthest joint, else
    the sole; zero if unknown."""
    points = (
        [leg.toe_joint]
        if np.isfinite(leg.toe_joint).all()
        else list(foot_joints(figure, leg.rows))
        if leg.has_foot
        else []
    )
    reach = _farthest(points, leg.ankle)
    if norms(reach) < _CLEAR * leg.length and sole is not None and len(sole):
        reach = (sole.min(axis=0) + sole.max(axis=0)) / 2.0 - leg.ankle
    flat = reach * ON_GROUND
    return normalized(flat) if norms(flat) > _CLEAR * leg.length / 2.0 else np.zeros(3)


def _farthest(points: list[np.ndarray], start: np.ndarray) -> np.ndarray:
    flat = [(point - start) * ON_GROUND for point in points]
    return max(flat, key=lambda vector: float(norms(vector)), default=np.zeros(3))


def head_of(skeleton: Skeleton, bone: str | None) -> np.ndarray:
    """Return a bone's head in the world `(3,)`, NaN if there is no such bone."""
    return skeleton.heads[skeleton.index[bone]] if bone in skeleton.index else np.full(3, np.nan)


_LONGEST_FOOT = 0.9  # of the leg's length: larger soles belong to something else
_DEEPEST_SOLE = 0.4  # of the leg's length, below the ankle
_LOW = 0.3  # of the ankle's height above the sole: lower vertices are the sole
# Human proportions for a foot without usable bones, as shares of the leg's length.
_GUESSED_TIP, _GUESSED_ANKLE = 0.21, 0.08
_HEEL_TO_BALL = 0.4  # heel behind the ankle, as a share of ankle to ball
_TIP_TO_BALL = 0.55  # tip ahead of the ball, as a share of ankle to ball
_BALL_AT = 0.7  # share of the foot's length from the heel, if there is no toe joint


def contact_points(figure: Figure, leg: Leg, axes: np.ndarray, sole: np.ndarray | None) -> np.ndarray:
    """Return heel, ball and toe tip `(3, 3)` in the world, on the foot's own sole and along its own
    heading."""
    heading = leg.heading if leg.heading @ axes[:, 0] > 0.0 else axes[:, 0]
    across = np.cross(UP, heading)
    shares, aside, height = None, 0.0, 0.0
    if not leg.has_foot:
        shares, height = np.zeros(3), _sole_height(figure, leg)
    elif sole is not None and len(sole):
        shares, aside, height = _sole_contacts(leg, heading, across, sole)
    if shares is None:
        shares, height = _bone_contacts(figure, leg, heading), _sole_height(figure, leg)
    points = leg.ankle + shares[:, None] * heading + aside * across
    points[:, 2] = height
    return points


def _sole_contacts(
    leg: Leg, heading: np.ndarray, across: np.ndarray, sole: np.ndarray
) -> tuple[np.ndarray | None, float, float]:
    """Return heel, ball and tip along the heading from the ankle, the sideways shift, and the sole's height;
    None for an unusable sole."""
    height = float(sole[:, 2].min())
    depth = leg.ankle[2] - height
    low = sole[sole[:, 2] <= height + _LOW * max(depth, _GUESSED_ANKLE * leg.length)]
    along, aside = (low - leg.ankle) @ heading, (low - leg.ankle) @ across
    heel, tip = float(along.min()), float(along.max())
    if (
        depth > _DEEPEST_SOLE * leg.length
        or not _CLEAR * leg.length < tip - heel < _LONGEST_FOOT * leg.length
        or tip <= 0.0
    ):
        return None, 0.0, height
    # the foot rests on its toes, or the mesh ends there: put the heel behind the ankle
    if heel > _CLEAR * leg.length / 2.0:
        heel = -_HEEL_TO_BALL * _ball(leg, heading, 0.0, tip)
    ball = _ball(leg, heading, heel, tip)
    return np.array([heel, ball, tip]), float(aside.min() + aside.max()) / 2.0, height


def _ball(leg: Leg, heading: np.ndarray, heel: float, tip: float) -> float:
    """Return the ball's place along the heading: under the toe joint if that is within the foot."""
    joint = float((leg.toe_joint - leg.ankle) @ heading)
    return joint if np.isfinite(joint) and heel < joint < tip else heel + _BALL_AT * (tip - heel)


def _bone_contacts(figure: Figure, leg: Leg, heading: np.ndarray) -> np.ndarray:
    """Return heel, ball and tip `(3,)` along the heading from the ankle, from bones and human proportions."""
    ends = (foot_joints(figure, leg.rows) - leg.ankle) @ heading
    tip = float(ends.max(initial=0.0))
    joint = float((leg.toe_joint - leg.ankle) @ heading)
    if np.isfinite(joint) and joint > 0.0:
        tip = tip if tip > 1.1 * joint else joint * (1.0 + _TIP_TO_BALL)
    elif tip < _CLEAR * leg.length:
        tip = _GUESSED_TIP * leg.length
    before = joint if np.isfinite(joint) and joint > 0.0 else tip / (1.0 + _TIP_TO_BALL)
    heel = _heel_bone(figure, leg, heading)
    heel = heel if heel < 0.0 else -_HEEL_TO_BALL * before
    return np.array([heel, _ball(leg, heading, heel, tip), tip])


def _heel_bone(figure: Figure, leg: Leg, heading: np.ndarray) -> float:
    """Return the place of a heel bone below the ankle along the heading (negative), or 0 if the rig has
    none."""
    rows = joints_below(figure, leg.rows[-1])
    away = figure.skeleton.heads[rows] - leg.ankle if rows else np.zeros((0, 3))
    behind = (away @ heading < 0.0) & (away[:, 2] < 0.0) & (norms(away) < 2.0 * _GUESSED_TIP * leg.length)
    return float((away @ heading)[behind].min()) if behind.any() else 0.0


def _sole_height(figure: Figure, leg: Leg) -> float:
    """Return the height of the floor under one foot: its lowest joint, else a root near it, else by human
    proportions."""
    near = leg.ankle[2] - _DEEPEST_SOLE * leg.length
    lowest = foot_joints(figure, leg.rows)[:, 2] if leg.has_foot else np.array([leg.ankle[2]])
    lowest = lowest[(lowest > near) & (lowest <= leg.ankle[2])]
    if len(lowest):
        return float(lowest.min())
    roots = figure.heads[figure.skeleton.parents < 0, 2]
    roots = roots[(roots <= leg.ankle[2]) & (roots > leg.ankle[2] - 2.0 * _GUESSED_ANKLE * leg.length)]
    return float(roots.min()) if len(roots) else float(leg.ankle[2] - _GUESSED_ANKLE * leg.length)
