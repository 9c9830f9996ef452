"""The direction that the figure faces, and so which of its sides is the left one."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..geometry.rotation import ON_GROUND, UP, dot, normalized, norms
from ..skeleton.roles import BIPED, SIDES, RoleMap, mirrored, sided
from ..skeleton.skeleton import Skeleton
from ..skeleton.standing_pose import stands
from .figure import Figure
from .legs import foot_reach
from .pairs import LimbPair

# Weights of the signs. Feet with joints are always right, a foot of one bone may be drawn to its heel; knees
# are wrong on birds; names
# decide if the body shows little.
_FEET, _LEAN, _DRAWN_FEET, _NAMES, _KNEES, _ELBOWS, _FACE, _FRONT_VIEW = (
    5.0,
    4.0,
    2.5,
    2.0,
    1.0,
    1.0,
    0.7,
    0.05,
)
_CLEAR_FOOT = 0.08  # leg lengths: a foot that reaches less far forward does not count
_CLEAR_SOLE = 0.03  # leg lengths: a sole whose middle is nearer to below the ankle shows no direction
_CLEAR_BEND = 0.01  # limb lengths: a joint nearer to the straight line does not count
# distance of the head ahead of the hips, as a share of its height above them: more is a bird's trunk, not a
# person's
_LEANING = 0.6


def first_is_left(figure: Figure, legs: LimbPair, arms: LimbPair | None, head: int, named: float) -> bool:
    """Return whether the first leg of the pair is the left one.

    `named` is +1 if the names call the first leg left, -1 if right, 0 if they do not say.
    """
    forward = np.cross(legs.across, UP)  # if the first leg is the left one
    votes = _NAMES * named + _FRONT_VIEW * np.sign(forward @ figure.turn @ [0.0, -1.0, 0.0])
    votes += (_FEET if _has_joints(figure, legs) else _DRAWN_FEET) * np.sign(_feet(figure, legs, forward))
    votes += _KNEES * _bend(legs.points, forward)
    if arms is not None:
        votes -= _ELBOWS * _bend(arms.points, forward)
    if head >= 0:
        votes += _lean_and_face(figure, legs, head, forward)
    return bool(votes >= 0.0)


def _feet(figure: Figure, legs: LimbPair, forward: np.ndarray) -> float:
    reach = np.sum(
        [foot_reach(figure, [int(row) for row in leg if row >= 0]) for leg in legs.rows if leg[2] >= 0]
        or [np.zeros(3)],
        axis=0,
    )
    ahead = float(reach @ forward) / 2.0
    return ahead if abs(ahead) > _CLEAR_FOOT * legs.length else 0.0


def shows_no_toes(skeleton: Skeleton, roles: RoleMap) -> bool:
    """Return whether both feet are single bones, which may be drawn either way: only a sole then shows which
    way they point."""
    feet = [roles.get(sided("foot", side)) for side in SIDES]
    return (
        roles.kind == BIPED
        and all(
            bone in skeleton.index and not skeleton.children[skeleton.index[bone]] for bone in feet if bone
        )
        and all(feet)
    )


def facing_its_soles(skeleton: Skeleton, roles: RoleMap, soles: Mapping[str, np.ndarray]) -> RoleMap:
    """Return the roles, with left and right swapped if the soles of a character that stands reach behind both
    ankles.

    `soles`: 'L'/'R' -> armature-space rest points `(n, 3)` of the mesh that follows that foot.
    """
    if any(not len(soles.get(side, ())) for side in SIDES) or not stands(skeleton, roles):
        return roles
    hips, ankles = (
        np.array([skeleton.heads[skeleton.index[roles.bones[sided(part, side)]]] for side in SIDES])
        for part in ("thigh", "foot")
    )
    forward = normalized(np.cross((hips[0] - hips[1]) * ON_GROUND, UP))
    under = [skeleton.in_world(soles[side]) for side in SIDES]
    middles = np.array([(points.min(axis=0) + points.max(axis=0)) / 2.0 for points in under])
    ahead = (middles - ankles) @ forward
    if (ahead > -_CLEAR_SOLE * norms(hips - ankles)).any():
        return roles
    return replace(roles, bones={mirrored(role): bone for role, bone in roles.bones.items()}, eyes={})


def _has_joints(figure: Figure, legs: LimbPair) -> bool:
    """Return whether a foot goes on with another bone: a foot of one bone shows its direction by its tail
    alone."""
    return any(figure.below_count[row] > 0 for row in legs.rows[:, 2].tolist() if row >= 0)


def _bend(points: np.ndarray, forward: np.ndarray) -> float:
    """Return +1 if the middle joints of `points` `(2, 3, 3)` are forward of the straight line, -1 behind it,
    0 on it."""
    line = points[:, 2] - points[:, 0]
    share = dot(points[:, 1] - points[:, 0], line) / np.maximum(dot(line, line), 1e-12)
    off = points[:, 1] - points[:, 0] - share[:, None] * line
    ahead = float(np.mean(off @ forward) / np.mean(norms(line)))
    return float(np.sign(ahead)) if abs(ahead) > _CLEAR_BEND else 0.0


def _lean_and_face(figure: Figure, legs: LimbPair, head: int, forward: np.ndarray) -> float:
    """Return the votes of a head far ahead of the hips, and of face bones ahead of the head."""
    away = figure.heads[head] - legs.middle
    ahead = float(away @ forward)
    votes = _LEAN * np.sign(ahead) if abs(ahead) > _LEANING * abs(away[2]) else 0.0
    face: Sequence[int] = figure.below(head)[1:]
    if len(face) > 1:
        votes += _FACE * np.sign(float((figure.heads[face].mean(axis=0) - figure.heads[head]) @ forward))
    return float(votes)
