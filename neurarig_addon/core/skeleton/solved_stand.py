"""A standing pose for a character that has none: trunk upright, legs straight down, feet flat and ahead."""

import numpy as np

from ..geometry.rotation import UP, about_y, between, frame, normalized
from .role_carriers import carrier_role
from .roles import LEG_PARTS, SIDES, RoleMap, sided
from .skeleton import Skeleton
from .standing_pose import Standing, trunk_direction

_BENT = 0.1  # sine: a knee bent more than this shows its hinge
_FLATTEST, _STEEPEST, _USUAL = np.radians([0.0, 50.0, 25.0])  # radians by which feet flat on the ground point down from the ankle


def solved(skeleton: Skeleton, roles: RoleMap) -> Standing:
    """Return the standing of a character with any rest pose; empty if a leg lacks its thigh, shin or foot.

    Trunk, arms and head turn as a whole.  It stands at the height of the armature's origin, or of its lowest joint if that is lower.
    """
    if not all(roles.has(sided(part, side)) for part in LEG_PARTS[:3] for side in SIDES):
        return {}
    trunk = trunk_direction(skeleton.heads, skeleton, roles)
    across = _joint(skeleton, roles, "thigh.L") - _joint(skeleton, roles, "thigh.R")
    across = normalized(across - trunk * (across @ trunk))
    if not (trunk.any() and across.any()):
        return {}
    upright = between(trunk, UP)
    turns = {role: upright for role, bone in roles.bones.items() if bone}
    for side in SIDES:
        turns |= _leg_turns(skeleton, roles, side, trunk, across)
    return _on_ground(skeleton, roles, _moved(skeleton, roles, turns))


def _leg_turns(skeleton: Skeleton, roles: RoleMap, side: str, trunk: np.ndarray, across: np.ndarray) -> dict[str, np.ndarray]:
    """Return the world rotations of a leg's roles; at rest `trunk` points up the trunk, `across` from the right hip to the left."""
    hip, knee, ankle = (_joint(skeleton, roles, sided(part, side)) for part in LEG_PARTS[:3])
    thigh, shin = normalized(knee - hip), normalized(ankle - knee)
    hinge = between(-trunk, thigh) @ across
    bend = np.cross(thigh, shin)
    if np.linalg.norm(bend) > _BENT:
        hinge = normalized(bend) * (1.0 if bend @ hinge >= 0.0 else -1.0)
    left = between(trunk, UP) @ across
    straight = frame(-UP, left)
    turns = {"thigh": straight @ frame(thigh, hinge).T, "shin": straight @ frame(shin, hinge).T}
    turns["foot"] = turns["toe"] = _foot_turn(skeleton, roles, side, hinge, left, turns["shin"])
    return {sided(part, side): turn for part, turn in turns.items() if roles.has(sided(part, side))}


def _foot_turn(skeleton: Skeleton, roles: RoleMap, side: str, hinge: np.ndarray, left: np.ndarray, shin: np.ndarray) -> np.ndarray:
    """Return the world rotation of a flat foot: the pitch that its shin gives if that is a flat foot's, else level toes, else the usual."""
    foot, toe = (skeleton.index.get(roles.get(sided(part, side)) or "") for part in ("foot", "toe"))
    end = skeleton.tails[foot] if toe is None else skeleton.heads[toe]
    line = normalized(end - skeleton.heads[foot])
    if np.linalg.norm(np.cross(line, hinge)) < _BENT:
        return shin
    axes = frame(np.cross(left, UP), left)
    pitch = _pitch(axes.T @ shin @ line)
    if not _FLATTEST <= pitch <= _STEEPEST and toe is not None:
        ahead = frame(line - hinge * (line @ hinge), hinge).T @ (skeleton.tails[toe] - skeleton.heads[toe])
        pitch = -_pitch(ahead)
    pitch = pitch if _FLATTEST <= pitch <= _STEEPEST else _USUAL
    return axes @ about_y(np.array(pitch)) @ frame(line - hinge * (line @ hinge), hinge).T


def _pitch(line: np.ndarray) -> float:
    """Return the angle in radians by which a direction along x, with z up, points down."""
    return float(np.arctan2(-line[2], line[0]))


def _moved(skeleton: Skeleton, roles: RoleMap, turns: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return the rigid motions `(4, 4)` of roles in the world that rotate each role by `turns` and keep joints together."""
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


def _on_ground(skeleton: Skeleton, roles: RoleMap, moved: dict[str, np.ndarray]) -> Standing:
    """Return world motions in armature space, raised or lowered so that the lowest foot is on the ground."""
    feet = [(moved[role], skeleton.index[bone]) for role, bone in roles.bones.items() if role in moved and role.startswith(("foot", "toe"))]
    lowest = min(float((move[:3, :3] @ end + move[:3, 3])[2]) for move, row in feet for end in (skeleton.heads[row], skeleton.tails[row]))
    ground = min(0.0, *(float(_joint(skeleton, roles, role)[2]) for role in moved))
    rise = np.eye(4)
    rise[2, 3] = ground - lowest
    to_armature = np.linalg.inv(skeleton.to_world)
    return {role: to_armature @ rise @ move @ skeleton.to_world for role, move in moved.items()}


def _joint(skeleton: Skeleton, roles: RoleMap, role: str) -> np.ndarray:
    return skeleton.heads[skeleton.index[roles.bones[role]]]
