"""What turns a character's eyes: the eye bones where only their parents move them, or the controls that
Rigify's eyes look at."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

import bpy
from bpy.types import Constraint, Driver, Object

from ....core.posing.rig_table import GAZE
from ....core.skeleton.roles import EYES, RoleMap
from ....core.skeleton.skeleton import Skeleton
from ...animation import compat
from ...animation.keyframes import bone_path
from ...animation.renames import bone_of
from .attachment import BY_LOCATION, BY_ROTATION
from .snapshot import POSE_PROPERTIES

# Rigify's control of both eyes, what carries it, and the head's control
BOTH, BOTH_HANG_FROM, HEAD = "eyes", "MCH-eyes_parent", "head"
FOLLOW = "eyes_follow"  # its switch: 1 for eyes that are carried by the head


def eye_drives(obj: Object, skeleton: Skeleton, roles: RoleMap) -> list[list]:
    """Return the drives of both eye bones; none where the head does not carry one, or the rig has its own way
    to turn it."""
    head, bones = roles.get("head"), [roles.eyes.get(role, "") for role in EYES]
    if not head or any(bone not in skeleton.index for bone in bones):
        return []
    if not all(
        skeleton.is_below(skeleton.index[bone], skeleton.index[head]) and not _is_moved(obj, bone)
        for bone in bones
    ):
        return []
    return [[bone, role, *BY_ROTATION] for bone, role in zip(bones, EYES, strict=True)]


def _is_moved(obj: Object, bone: str) -> bool:
    """Return whether a constraint or driver moves a bone."""
    if any(not constraint.mute for constraint in obj.pose.bones[bone].constraints):
        return True
    paths = {bone_path(bone, key) for key in POSE_PROPERTIES}
    return any(driver.data_path in paths for driver in compat.drivers(obj))


def looked_at(obj: Object, roles: RoleMap) -> list[list]:
    """Return the drives of the controls that a Rigify rig's eyes look at; none where it has no such eyes."""
    bones, found = obj.pose.bones, []
    for role in EYES if roles.eyes and BOTH in bones and BOTH_HANG_FROM in bones else ():
        control = role  # Rigify calls it as we call the role
        solver = bones.get(f"MCH-{role}")
        if (
            control in bones
            and solver
            and any(
                constraint.type == "DAMPED_TRACK" and constraint.subtarget == control
                for constraint in solver.constraints
            )
        ):
            found.append([control, role.replace("eye.", GAZE), *BY_LOCATION])
    return found if len(found) == len(EYES) else []


def follows_head(drives: Iterable[list]) -> list[tuple[str, str, str, Any]]:
    """Return the switch that has Rigify's eyes carried by the head, if they are among the drives."""
    return [(BOTH, "", FOLLOW, 1.0)] if _has_gaze(drives) else []


def carries_gaze(drives: Iterable[list]) -> list[str]:
    """Return the control that would add motion to what Rigify's eyes look at, if that is among the drives."""
    return [BOTH] if _has_gaze(drives) else []


def carried_with_head(drives: Iterable[list]) -> Mapping[str, str]:
    """Return the bone that carries the controls of Rigify's eyes, with the control that carries it."""
    return {BOTH_HANG_FROM: HEAD} if _has_gaze(drives) else {}


def _has_gaze(drives: Iterable[list]) -> bool:
    return any(role.startswith(GAZE) for _, role, *_ in drives)


def aimed_at(obj: Object, bones: Collection[str]) -> list[str]:
    """Return a sentence for each constraint, driver and child that is about to lose one of these bones of an
    armature object."""
    gone = [
        f"{what} has lost its target, '{bone}' of '{obj.name}'." for what, bone in _aims(obj) if bone in bones
    ]
    return list(dict.fromkeys(gone))


def _aims(obj: Object) -> Iterator[tuple[str, str]]:
    """Yield what aims at a bone of an object, in words, and that bone's name."""
    users = bpy.data.user_map(subset=[obj])[obj]  # by Blender: bones of a whole crowd take a while in Python
    for user in sorted(users, key=lambda user: user.name):
        if isinstance(user, Object):
            if user.parent == obj and user.parent_type == "BONE":
                yield f"'{user.name}', whose parent is a bone,", user.parent_bone
            for owner in (user, *(user.pose.bones if user.pose else ())):
                for constraint in owner.constraints:
                    for bone in _targets(constraint, obj):
                        yield f"The constraint '{constraint.name}' of '{owner.name}'", bone
        for block in (user, getattr(user, "node_tree", None)):
            if animated := getattr(block, "animation_data", None):
                for curve in animated.drivers:
                    for bone in _read(curve.driver, obj):
                        yield f"The driver of '{curve.data_path}' of '{block.name}'", bone


def _targets(constraint: Constraint, obj: Object) -> Iterator[str]:
    if getattr(constraint, "target", None) == obj:
        yield getattr(constraint, "subtarget", "")
    if getattr(constraint, "pole_target", None) == obj:
        yield constraint.pole_subtarget
    yield from (target.subtarget for target in getattr(constraint, "targets", ()) if target.target == obj)


def _read(driver: Driver, obj: Object) -> Iterator[str]:
    """Yield the bones of an object that a driver reads."""
    for target in (
        target for variable in driver.variables for target in variable.targets if target.id == obj
    ):
        yield from (target.bone_target, bone_of(target.data_path))
