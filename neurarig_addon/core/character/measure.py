"""From bones to a body: joints and sole points in metres, in the walk frame."""

from dataclasses import dataclass

import numpy as np

from ..detection.feet import foot_joints, joints_below
from ..detection.figure import Figure
from ..errors import NeuraRigError
from ..geometry.rotation import normalized
from ..skeleton.roles import NECK, SIDES, RoleMap, sided
from ..skeleton.skeleton import Skeleton
from .body import Body

UP = np.array([0.0, 0.0, 1.0])
_EVEN = 0.01  # relative difference between the scales of the axes that still counts as even
_UPRIGHT = 0.8  # cosine between the legs and the vertical: about 37 degrees
_TURNED = np.cos(np.radians(25.0))  # feet that point farther off the hips than this are splayed or say nothing
_CLEAR = 0.06  # of the leg's length: a foot that reaches less far ahead says nothing about its heading
_LONGEST_FOOT = 0.9  # of the leg's length: soles larger than this belong to something else
_DEEPEST_SOLE = 0.4  # of the leg's length, under the ankle
_LOW = 0.3  # of the ankle's height above the sole: vertices below are the sole
# A foot whose bones say nothing gets human proportions, as shares of the leg's length.
_GUESSED_TIP, _GUESSED_ANKLE = 0.21, 0.08
_HEEL_TO_BALL = 0.4  # how far the heel is behind the ankle, of ankle to ball
_TIP_TO_BALL = 0.55  # how far the tip is before the ball, of ankle to ball
_BALL_AT = 0.7  # of the foot's length from the heel, where there is no toe joint


@dataclass(frozen=True)
class _Leg:
    """One leg in world metres: `rows` of thigh, shin (if any) and foot (if any); joints `(3,)`; `heading` horizontal, maybe zero."""

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
        return float(np.linalg.norm(self.knee - self.hip) + np.linalg.norm(self.ankle - self.knee))


def measure(skeleton: Skeleton, roles: RoleMap, soles: dict[str, np.ndarray] | None = None) -> Body:
    """Return the proportions of a character at rest.

    `soles`: 'L'/'R' -> armature-space rest points `(n, 3)` of the mesh that follows that foot; without them the bones tell.
    Each foot's contact points lie on its own sole; the lower sole is the ground.
    A NeuraRigError tells how to mend a rest pose that lies, or a scale that is uneven or mirrored.
    """
    refuse_uneven_scale(skeleton)
    figure = Figure(skeleton)
    given = {side: skeleton.in_world(np.asarray(points, dtype=float)) for side, points in (soles or {}).items()}
    legs = [_leg(figure, roles, side, given.get(side)) for side in SIDES]
    _refuse_lying(skeleton, legs, roles)
    axes = _axes(legs)
    contacts = [_contacts(figure, leg, axes, given.get(side)) for leg, side in zip(legs, SIDES, strict=True)]
    origin = np.mean([leg.hip for leg in legs], axis=0)
    origin[2] = min(float(points[:, 2].min()) for points in contacts)

    def in_walk(points: object) -> np.ndarray:
        return (np.asarray(points, dtype=float) - origin) @ axes

    heel, ball, toe = np.moveaxis(in_walk(contacts), 1, 0)
    arms = [[_arm_joint(skeleton, roles, part, side) for side in SIDES] for part in ("upper_arm", "forearm", "hand", "clavicle")]
    shoulder, elbow, wrist, clavicle = in_walk(arms)
    return Body(
        walk_to_armature=_walk_to_armature(skeleton, axes, origin),
        pelvis=in_walk(_head(skeleton, roles.get("pelvis"))),
        hip=in_walk([leg.hip for leg in legs]),
        knee=in_walk([leg.knee for leg in legs]),
        ankle=in_walk([leg.ankle for leg in legs]),
        heel=heel,
        ball=ball,
        toe=toe,
        toe_joint=in_walk([leg.toe_joint for leg in legs]),
        shoulder=shoulder,
        elbow=elbow,
        wrist=wrist,
        spine=in_walk(np.reshape([_head(skeleton, bone) for bone in roles.spine()], (-1, 3))),
        neck=in_walk(_head(skeleton, roles.get(NECK))),
        head=in_walk(_head(skeleton, roles.get("head"))),
        clavicle=clavicle,
        one_bone_legs=not all(roles.has(sided("shin", side)) for side in SIDES),
    )


def is_even(axes: np.ndarray) -> bool:
    """Say whether axes `(3, 3)` are all of one length and square to each other."""
    gram = axes.T @ axes
    scale = np.trace(gram) / 3.0
    return bool(scale > 0.0 and np.abs(gram - scale * np.eye(3)).max() <= 2.0 * _EVEN * scale)


def refuse_uneven_scale(skeleton: Skeleton) -> None:
    """Raise where an armature object is scaled unevenly, mirrored, or to nothing."""
    matrix = skeleton.to_world[:3, :3]
    if not is_even(matrix):
        raise NeuraRigError("The armature object is scaled unevenly: click Apply Scale below Generate Walk.")
    if np.linalg.det(matrix) < 0.0:
        raise NeuraRigError("The armature object is mirrored by a negative scale: click Apply Scale below Generate Walk.")


def _refuse_lying(skeleton: Skeleton, legs: list[_Leg], roles: RoleMap) -> None:
    for leg, side in zip(legs, SIDES, strict=True):
        bone = roles.get(sided("thigh", side))
        if leg.length <= 0.0:
            raise NeuraRigError(f"The leg '{bone}' has no length: move its joints in Edit Mode.")
    down = normalized(np.mean([normalized(leg.ankle - leg.hip) for leg in legs], axis=0))
    if -down[2] < _UPRIGHT:
        bone = roles.get(sided("thigh", "L"))
        trunk = _head(skeleton, roles.get("head")) - _head(skeleton, roles.get("pelvis"))
        if trunk @ down > 0.0:
            raise NeuraRigError(f"Legs and spine point the same way at rest (see '{bone}'): pose it standing, and it walks as it is posed.")
        raise NeuraRigError(f"The legs do not point down in the rest pose (see '{bone}'): pose it standing, and it walks as it is posed.")


def _leg(figure: Figure, roles: RoleMap, side: str, sole: np.ndarray | None) -> _Leg:
    """Return one leg's joints; a missing knee is half way, a missing foot leaves the ankle at the last bone's tail."""
    skeleton = figure.skeleton
    rows = [skeleton.index[bone] for bone in (roles.get(sided(part, side)) for part in ("thigh", "shin", "foot")) if bone in skeleton.index]
    has_foot = roles.has(sided("foot", side))
    hip = skeleton.heads[rows[0]]
    ankle = skeleton.heads[rows[-1]] if has_foot else skeleton.tails[rows[-1]]
    knee = _head(skeleton, roles.get(sided("shin", side))) if roles.has(sided("shin", side)) else (hip + ankle) / 2.0
    toe_joint = _head(skeleton, roles.get(sided("toe", side)))
    leg = _Leg(rows, has_foot, hip, knee, ankle, toe_joint, np.zeros(3))
    return _Leg(rows, has_foot, hip, knee, ankle, toe_joint, _heading(figure, leg, sole))


def _heading(figure: Figure, leg: _Leg, sole: np.ndarray | None) -> np.ndarray:
    """Return the horizontal unit vector `(3,)` along a foot, zero where nothing tells: toe joint, else foremost joint, else sole."""
    points = [leg.toe_joint] if np.isfinite(leg.toe_joint).all() else list(foot_joints(figure, leg.rows)) if leg.has_foot else []
    reach = _farthest(points, leg.ankle)
    if np.linalg.norm(reach) < _CLEAR * leg.length and sole is not None and len(sole):
        reach = (sole.min(axis=0) + sole.max(axis=0)) / 2.0 - leg.ankle
    flat = reach * [1.0, 1.0, 0.0]
    return normalized(flat) if np.linalg.norm(flat) > _CLEAR * leg.length / 2.0 else np.zeros(3)


def _farthest(points: list[np.ndarray], start: np.ndarray) -> np.ndarray:
    flat = [(point - start) * [1.0, 1.0, 0.0] for point in points]
    return max(flat, key=lambda vector: float(np.linalg.norm(vector)), default=np.zeros(3))


def _axes(legs: list[_Leg]) -> np.ndarray:
    """Return the walk frame's axes `(3, 3)` as columns in the world: forward, left, up.

    Forward is the mean of the feet's headings, or across the hips where the feet are splayed unevenly or point nowhere.
    """
    left, right = legs
    across = normalized((left.hip - right.hip + left.ankle - right.ankle) * [1.0, 1.0, 0.0])
    square = np.cross(across, UP)
    forward = normalized(left.heading + right.heading)
    if forward @ square < _TURNED or not (left.heading.any() and right.heading.any()):
        forward = square
    return np.stack([forward, np.cross(UP, forward), UP], axis=1)


def _contacts(figure: Figure, leg: _Leg, axes: np.ndarray, sole: np.ndarray | None) -> np.ndarray:
    """Return heel, ball and toe tip `(3, 3)` in the world, on the foot's own sole and along its own heading."""
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


def _sole_contacts(leg: _Leg, heading: np.ndarray, across: np.ndarray, sole: np.ndarray) -> tuple[np.ndarray | None, float, float]:
    """Return heel, ball and tip along the heading from the ankle, the shift aside, and the sole's height; None for no usable sole."""
    height = float(sole[:, 2].min())
    depth = leg.ankle[2] - height
    low = sole[sole[:, 2] <= height + _LOW * max(depth, _GUESSED_ANKLE * leg.length)]
    along, aside = (low - leg.ankle) @ heading, (low - leg.ankle) @ across
    heel, tip = float(along.min()), float(along.max())
    if depth > _DEEPEST_SOLE * leg.length or not _CLEAR * leg.length < tip - heel < _LONGEST_FOOT * leg.length or tip <= 0.0:
        return None, 0.0, height
    if heel > _CLEAR * leg.length / 2.0:  # it rests on its toes, or the mesh ends there: a heel is behind the ankle
        heel = -_HEEL_TO_BALL * _ball(leg, heading, 0.0, tip)
    ball = _ball(leg, heading, heel, tip)
    return np.array([heel, ball, tip]), float(aside.min() + aside.max()) / 2.0, height


def _ball(leg: _Leg, heading: np.ndarray, heel: float, tip: float) -> float:
    """Return where the ball is along the heading: under the toe joint where that lies within the foot."""
    joint = float((leg.toe_joint - leg.ankle) @ heading)
    return joint if np.isfinite(joint) and heel < joint < tip else heel + _BALL_AT * (tip - heel)


def _bone_contacts(figure: Figure, leg: _Leg, heading: np.ndarray) -> np.ndarray:
    """Return heel, ball and tip `(3,)` along the heading from the ankle, as bones and human proportions tell."""
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


def _heel_bone(figure: Figure, leg: _Leg, heading: np.ndarray) -> float:
    """Return where a heel bone below the ankle lies along the heading (negative), or 0 where the rig has none."""
    rows = joints_below(figure, leg.rows[-1])
    away = figure.skeleton.heads[rows] - leg.ankle if rows else np.zeros((0, 3))
    behind = (away @ heading < 0.0) & (away[:, 2] < 0.0) & (np.linalg.norm(away, axis=1) < 2.0 * _GUESSED_TIP * leg.length)
    return float((away @ heading)[behind].min()) if behind.any() else 0.0


def _sole_height(figure: Figure, leg: _Leg) -> float:
    """Return the height of the floor under one foot: its lowest joint, else a root that lies there, else what a human has."""
    near = leg.ankle[2] - _DEEPEST_SOLE * leg.length
    lowest = foot_joints(figure, leg.rows)[:, 2] if leg.has_foot else np.array([leg.ankle[2]])
    lowest = lowest[(lowest > near) & (lowest <= leg.ankle[2])]
    if len(lowest):
        return float(lowest.min())
    roots = figure.heads[figure.skeleton.parents < 0, 2]
    roots = roots[(roots <= leg.ankle[2]) & (roots > leg.ankle[2] - 2.0 * _GUESSED_ANKLE * leg.length)]
    return float(roots.min()) if len(roots) else float(leg.ankle[2] - _GUESSED_ANKLE * leg.length)


def _arm_joint(skeleton: Skeleton, roles: RoleMap, part: str, side: str) -> np.ndarray:
    """Return where an arm part starts; a hand that the rig lacks starts at the forearm's tail."""
    forearm = roles.get(sided("forearm", side))
    if part == "hand" and not roles.has(sided("hand", side)) and forearm:
        return skeleton.tails[skeleton.index[forearm]]
    return _head(skeleton, roles.get(sided(part, side)))


def _head(skeleton: Skeleton, bone: str | None) -> np.ndarray:
    """Return a bone's head in the world `(3,)`, NaN where there is no such bone."""
    return skeleton.heads[skeleton.index[bone]] if bone in skeleton.index else np.full(3, np.nan)


def _walk_to_armature(skeleton: Skeleton, axes: np.ndarray, origin: np.ndarray) -> np.ndarray:
    walk_to_world = np.eye(4)
    walk_to_world[:3, :3], walk_to_world[:3, 3] = axes, origin
    return np.linalg.inv(skeleton.to_world) @ walk_to_world
