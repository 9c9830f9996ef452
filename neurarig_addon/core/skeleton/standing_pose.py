"""The standing pose of a character that does not stand at rest: turned as a whole if it lies, else from a
pose of its own clip.

A `Standing` is role -> rigid motion `(4, 4)` of armature space that takes the role's bone from its rest pose
to the standing pose, with
the bones below carried along. It is empty if the rest pose stands. Without any such pose it is solved: trunk
upright, legs straight
down, feet flat and ahead.
"""

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

import numpy as np

from ..geometry.rotation import UP, about_y, between, frame, normalized, norms, orthonormal, rejected
from ..geometry.vectors import transformed
from .clip import Clip
from .roles import LEG_JOINTS, LEG_PARTS, SIDES, RoleMap, carrier_role, on_side, sided
from .skeleton import Skeleton

Standing = Mapping[str, np.ndarray]
_UPRIGHT = 0.8  # cosine between the legs and the vertical: about 37 degrees
_STRETCHED = 0.9  # least cosine between the trunk up and the legs down: neither sitting nor squatting
_ALONG_AXIS = 0.985  # cosine: legs nearer to an axis of the armature were modelled along it
# leg lengths: greater difference of the hip to ankle distance between the legs means that one is bent
_ONE_LEG = 0.12
_SQUAT = 0.7  # leg lengths from hip to ankle: less means knees bent by more than a right angle
_STRIDE = 0.5  # leg lengths: feet further apart than this, one ahead of the other, are in a stride
_SHORTEST = 1e-9


def stood(skeleton: Skeleton, roles: RoleMap, standing: Standing) -> Skeleton:
    """Return the skeleton with its standing pose as rest pose."""
    if not standing:
        return skeleton
    moves = {
        skeleton.index[bone]: standing[role]
        for role, bone in roles.bones.items()
        if role in standing and bone in skeleton.index
    }
    moved = np.tile(np.eye(4), (len(skeleton.names), 1, 1))
    for row, parent in enumerate(skeleton.parents.tolist()):
        if row in moves:
            moved[row] = moves[row]
        elif parent >= 0:
            moved[row] = moved[parent]
    return replace(skeleton, rest=moved @ skeleton.rest)


def soles_stood(soles: Mapping[str, np.ndarray], standing: Standing) -> dict[str, np.ndarray]:
    """Return soles moved with the feet into the standing pose, side -> points `(n, 3)` in armature space, and
    the skin of other roles with these; `soles`: the same at rest."""
    found, moved = {}, RoleMap({role: role for role in standing})
    for part, points in soles.items():
        role = sided("foot", part) if part in SIDES else part
        while role not in standing and role != "pelvis":
            role = carrier_role(moved, role)
        found[part] = transformed(points, standing.get(role, np.eye(4)))
    return found


def stands(skeleton: Skeleton, roles: RoleMap) -> bool:
    """Return whether both legs point down, are equally bent by less than a right angle, and neither is far
    ahead of the other."""
    reach = [_extension(skeleton, roles, side) for side in SIDES]
    is_even = np.ptp(reach) < _ONE_LEG and min(reach) >= _SQUAT and _stride(skeleton, roles) < _STRIDE
    return bool(-_legs(skeleton.heads, skeleton, roles)[2] >= _UPRIGHT and is_even)


def raised(skeleton: Skeleton, roles: RoleMap) -> Standing:
    """Return the rotation about its origin that raises a character lying stretched out or upside down; empty
    if it is upright or bent."""
    legs, trunk = _legs(skeleton.heads, skeleton, roles), trunk_direction(skeleton.heads, skeleton, roles)
    if -legs[2] >= _UPRIGHT or -(trunk @ legs) < _STRETCHED:
        return {}
    axes = normalized(skeleton.to_world[:3, :3].T)
    up = max((sign * axis for axis in axes for sign in (1.0, -1.0)), key=lambda axis: float(-axis @ legs))
    turn = np.eye(4)
    to_world = skeleton.to_world[:3, :3]
    turn[:3, :3] = np.linalg.solve(
        to_world, between(up if -up @ legs > _ALONG_AXIS else -legs, UP) @ to_world
    )
    return {role: turn for role, bone in roles.bones.items() if bone}


def as_in(clip: Clip, skeleton: Skeleton, roles: RoleMap) -> Standing:
    """Return the standing from the most upright frame of a clip of the character; empty if it does not stand
    in that frame.

    It stands at the pelvis' place at rest, on the ground of the clip.
    """
    clip = clip.read_as(skeleton)
    heads = clip.heads - clip.skeleton.to_world[:3, 3]
    best = int(np.argmax(uprightness(heads, skeleton, roles)))
    axes = orthonormal(np.linalg.solve(skeleton.to_world[:3, :3], clip.axes[best]))
    places = (
        heads[best]
        - np.array([1.0, 1.0, 0.0]) * (heads[best] - skeleton.heads)[skeleton.index[roles.bones["pelvis"]]]
    )
    places = places @ np.linalg.inv(skeleton.to_world[:3, :3]).T
    found = {}
    for role, bone in roles.bones.items():
        if bone:
            row = skeleton.index[bone]
            posed = np.eye(4)
            posed[:3, :3], posed[:3, 3] = axes[row], places[row]
            found[role] = posed @ np.linalg.inv(skeleton.rest[row])
    posed_skeleton = stood(skeleton, roles, found)
    upright = trunk_direction(posed_skeleton.heads, posed_skeleton, roles) @ UP > 0.0
    return found if upright and stands(posed_skeleton, roles) else {}


def jointed(skeleton: Skeleton, roles: RoleMap, standing: Standing) -> Standing:
    """Return a standing with its joints where they are while bones without a role rest, as in every pose that
    a character is given.

    In a clip, bones such as those between pelvis and thighs may be turned. It is on the same ground; empty if
    it does not stand so.
    """
    if not standing:
        return {}
    to_world, to_armature = skeleton.to_world, np.linalg.inv(skeleton.to_world)
    axes = orthonormal(to_world[:3, :3])
    moved = _moved(skeleton, roles, {role: axes @ move[:3, :3] @ axes.T for role, move in standing.items()})
    ground = _lowest(
        skeleton, roles, {role: to_world @ move @ to_armature for role, move in standing.items()}
    )
    found = _on_ground(skeleton, roles, moved, ground)
    return found if stands(stood(skeleton, roles, found), roles) else {}


def uprightness(heads: np.ndarray, skeleton: Skeleton, roles: RoleMap) -> np.ndarray:
    """Return how upright `(f,)` a character is with its joints at `heads` `(f, bones, 3)`: 5 with legs and
    trunk upright."""
    found = trunk_direction(heads, skeleton, roles)[..., 2]
    for side in SIDES:
        for upper, lower in pairwise(roles.rows(skeleton, on_side(LEG_JOINTS, side))):
            found = found - normalized(heads[..., lower, :] - heads[..., upper, :])[..., 2]
    return found


def _legs(heads: np.ndarray, skeleton: Skeleton, roles: RoleMap) -> np.ndarray:
    """Return the mean direction of both legs `(3,)`, from the hips to the ankles."""
    found = []
    for side in SIDES:
        rows = roles.rows(skeleton, on_side(LEG_JOINTS, side))
        end = heads[rows[-1]] if roles.has(sided("foot", side)) else skeleton.tails[rows[-1]]
        found.append(normalized(end - heads[rows[0]]))
    return normalized(np.mean(found, axis=0))


def _extension(skeleton: Skeleton, roles: RoleMap, side: str) -> float:
    """Return the distance from hip to ankle in leg lengths: 1 if the leg is straight, or lacks a bone."""
    rows = roles.rows(skeleton, on_side(LEG_JOINTS, side))
    if len(rows) < len(LEG_JOINTS):
        return 1.0
    hip, knee, ankle = skeleton.heads[rows]
    way = norms(knee - hip) + norms(ankle - knee)
    return float(norms(ankle - hip) / max(way, _SHORTEST))


def _stride(skeleton: Skeleton, roles: RoleMap) -> float:
    """Return the distance in leg lengths by which one ankle is ahead of the other, perpendicular to the line
    between the hips."""
    left, right = (skeleton.heads[roles.rows(skeleton, on_side(LEG_JOINTS, side))] for side in SIDES)
    ahead = normalized(np.cross(left[0] - right[0], UP))
    way = sum(float(norms(lower - upper)) for leg in (left, right) for upper, lower in pairwise(leg)) / 2.0
    return abs(float((left[-1] - right[-1]) @ ahead)) / max(way, _SHORTEST)


def trunk_direction(heads: np.ndarray, skeleton: Skeleton, roles: RoleMap) -> np.ndarray:
    """Return the direction of the trunk `(..., 3)`: from the hips to the shoulders, else to the head or the
    highest trunk bone."""

    def middle(part: str) -> np.ndarray:
        return np.mean(
            [heads[..., skeleton.index[roles.bones[sided(part, side)]], :] for side in SIDES], axis=0
        )

    if all(roles.has(sided("upper_arm", side)) for side in SIDES):
        top = middle("upper_arm")
    else:
        last = next(
            (bone for bone in (roles.get("head"), roles.get("neck"), *roles.spine()[::-1]) if bone),
            roles.bones["pelvis"],
        )
        top = heads[..., skeleton.index[last], :]
    line = top - middle("thigh")
    return line / np.maximum(norms(line)[..., None], _SHORTEST)


_BENT = 0.1  # sine: a knee bent more than this shows its hinge
# radians by which feet flat on the ground point down from the ankle
_FLATTEST, _STEEPEST, _USUAL = np.radians([0.0, 50.0, 25.0])


def solved(skeleton: Skeleton, roles: RoleMap) -> Standing:
    """Return the standing of a character with any rest pose; empty if a leg lacks its thigh, shin or foot.

    Trunk, arms and head turn as a whole. It stands at the height of the armature's origin, or of its lowest
    joint if that is lower.
    """
    if not all(roles.has(sided(part, side)) for part in LEG_PARTS[:3] for side in SIDES):
        return {}
    trunk = trunk_direction(skeleton.heads, skeleton, roles)
    across = _joint(skeleton, roles, "thigh.L") - _joint(skeleton, roles, "thigh.R")
    across = normalized(rejected(across, trunk))
    if not (trunk.any() and across.any()):
        return {}
    upright = between(trunk, UP)
    turns = {role: upright for role, bone in roles.bones.items() if bone}
    for side in SIDES:
        turns |= _leg_turns(skeleton, roles, side, trunk, across)
    moved = _moved(skeleton, roles, turns)
    return _on_ground(
        skeleton, roles, moved, min(0.0, *(float(_joint(skeleton, roles, role)[2]) for role in moved))
    )


def _leg_turns(
    skeleton: Skeleton, roles: RoleMap, side: str, trunk: np.ndarray, across: np.ndarray
) -> dict[str, np.ndarray]:
    """Return the world rotations of a leg's roles; at rest `trunk` points up the trunk, `across` from the
    right hip to the left."""
    hip, knee, ankle = (_joint(skeleton, roles, sided(part, side)) for part in LEG_PARTS[:3])
    thigh, shin = normalized(knee - hip), normalized(ankle - knee)
    hinge = between(-trunk, thigh) @ across
    bend = np.cross(thigh, shin)
    if norms(bend) > _BENT:
        hinge = normalized(bend) * (1.0 if bend @ hinge >= 0.0 else -1.0)
    left = between(trunk, UP) @ across
    straight = frame(-UP, left)
    turns = {"thigh": straight @ frame(thigh, hinge).T, "shin": straight @ frame(shin, hinge).T}
    turns["foot"] = turns["toe"] = _foot_turn(skeleton, roles, side, hinge, left, turns["shin"])
    return {sided(part, side): turn for part, turn in turns.items() if roles.has(sided(part, side))}


def _foot_turn(
    skeleton: Skeleton, roles: RoleMap, side: str, hinge: np.ndarray, left: np.ndarray, shin: np.ndarray
) -> np.ndarray:
    """Return the world rotation of a flat foot: the pitch that its shin gives if that is a flat foot's, else
    level toes, else the usual."""
    foot, toe = (skeleton.index.get(roles.get(sided(part, side)) or "") for part in ("foot", "toe"))
    end = skeleton.tails[foot] if toe is None else skeleton.heads[toe]
    line = normalized(end - skeleton.heads[foot])
    if norms(np.cross(line, hinge)) < _BENT:
        return shin
    axes = frame(np.cross(left, UP), left)
    pitch = _pitch(axes.T @ shin @ line)
    if not _FLATTEST <= pitch <= _STEEPEST and toe is not None:
        ahead = frame(rejected(line, hinge), hinge).T @ (skeleton.tails[toe] - skeleton.heads[toe])
        pitch = -_pitch(ahead)
    pitch = pitch if _FLATTEST <= pitch <= _STEEPEST else _USUAL
    return axes @ about_y(np.array(pitch)) @ frame(rejected(line, hinge), hinge).T


def _pitch(line: np.ndarray) -> float:
    """Return the angle in radians by which a direction along x, with z up, points down."""
    return float(np.arctan2(-line[2], line[0]))


def _moved(skeleton: Skeleton, roles: RoleMap, turns: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return the rigid motions `(4, 4)` of roles in the world that rotate each role by `turns` and keep
    joints together."""
    found: dict[str, np.ndarray] = {}

    def motion(role: str) -> np.ndarray:
        if role not in found:
            joint = _joint(skeleton, roles, role)
            carrier = motion(carrier_role(roles, role)) if role != "pelvis" else np.eye(4)
            found[role] = np.eye(4)
            found[role][:3, :3] = turns[role]
            found[role][:3, 3] = carrier[:3, :3] @ joint + carrier[:3, 3] - turns[role] @ joint
        return found[role]

    for role in turns:
        motion(role)
    return found


def _lowest(skeleton: Skeleton, roles: RoleMap, moved: Mapping[str, np.ndarray]) -> float:
    """Return the height in the world of the lowest end of the feet, else of the legs, with bones moved by
    world motions."""
    legs = [role for part in LEG_PARTS for side in SIDES if (role := sided(part, side)) in moved]
    feet = [role for role in legs if role.startswith(("foot", "toe"))]
    rows = [(moved[role], skeleton.index[roles.bones[role]]) for role in feet or legs]
    return min(
        float((move[:3, :3] @ end + move[:3, 3])[2])
        for move, row in rows
        for end in (skeleton.heads[row], skeleton.tails[row])
    )


def _on_ground(skeleton: Skeleton, roles: RoleMap, moved: dict[str, np.ndarray], ground: float) -> Standing:
    """Return world motions in armature space, raised or lowered so that the lowest foot is at a height of the
    world."""
    rise = np.eye(4)
    rise[2, 3] = ground - _lowest(skeleton, roles, moved)
    to_armature = np.linalg.inv(skeleton.to_world)
    return {role: to_armature @ rise @ move @ skeleton.to_world for role, move in moved.items()}


def _joint(skeleton: Skeleton, roles: RoleMap, role: str) -> np.ndarray:
    return skeleton.heads[skeleton.index[roles.bones[role]]]
