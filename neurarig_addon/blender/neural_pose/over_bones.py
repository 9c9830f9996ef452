"""Hands, chest and head of a walking character with targets, as shown, and empties aligned with them."""

from collections.abc import Iterable

import bpy
import numpy as np
from mathutils import Matrix

from ...core.character.character import Character
from ...core.geometry.rotation import orthonormal
from ...core.over.goal import HANDS, HEAD
from ..character import record
from ..retarget import live as retarget_live
from ..walk.show import live as walk_live
from .target_settings import UNTURNED, NeuraRigTarget


def shown_bones(obj: bpy.types.Object, points: Iterable[str]) -> dict[str, Matrix]:
    """Return the shown world matrices of the bones at points, if the rig has them; without a hand bone, at the forearm's end."""
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    found = {}
    for point in points:
        bone = evaluated.pose.bones.get(_bone_of(obj, point))
        if bone is not None:
            at_end = Matrix.Translation(bone.tail - bone.head) if point in HANDS and not _role(obj, f"hand.{point[-1]}") else Matrix()
            found[point] = evaluated.matrix_world @ at_end @ bone.matrix
    return found


def _bone_of(obj: bpy.types.Object, point: str) -> str:
    """Return the bone at a point: for a hand without a bone, the forearm; '' if the rig has none."""
    if point in HANDS:
        return _role(obj, f"hand.{point[-1]}") or _role(obj, f"forearm.{point[-1]}")
    if point == HEAD:
        return _role(obj, "head")
    spine = [item.role for item in obj.neurarig.roles if item.bone and item.role.startswith("spine.")]
    return _role(obj, max(spine, key=lambda role: int(role[6:]), default=""))


def _role(obj: bpy.types.Object, role: str) -> str:
    return next((item.bone for item in obj.neurarig.roles if item.role == role), "")


def dress(obj: bpy.types.Object, item: NeuraRigTarget, shown: Matrix, character: Character) -> None:
    """Align one of our empties with the hand, and have it travel with the character: with its object, or its travelling bone."""
    empty = item.object
    if item.point in HANDS:
        rest = np.array(obj.data.bones[_bone_of(obj, item.point)].matrix_local, dtype=float)[:3, :3]
        to_armature = orthonormal(character.body.walk_to_armature[:3, :3])
        turn = orthonormal(np.array(obj.matrix_world.inverted_safe() @ shown, dtype=float)[:3, :3]) @ orthonormal(rest).T
        lies = to_armature.T @ turn @ to_armature @ np.array(item.grip).reshape(3, 3).T
        empty.rotation_euler = Matrix(to_armature @ lies).to_euler()
    root = walk_live.travelling_bone(obj) if record.holds(obj, record.WALK) else retarget_live.travelling_bone(obj)
    if root in obj.pose.bones and empty.parent == obj:
        bone = obj.pose.bones[root]
        empty.parent_type, empty.parent_bone = "BONE", root
        empty.matrix_parent_inverse = (bone.matrix @ Matrix.Translation((0.0, bone.length, 0.0))).inverted_safe()


def grip_of(character: Character, point: str) -> tuple[float, ...]:
    """Return the rotation of a hand's bone away from rest that brings its fingers along Y and its palm against Z."""
    role = f"hand.{point[-1]}"
    if point not in HANDS or role not in character.reference:
        return UNTURNED
    fingers_along_y = np.diag([1.0, 1.0, 1.0] if point == HANDS[0] else [-1.0, -1.0, 1.0])  # the right arm's fingers point along -Y
    return tuple((fingers_along_y @ character.reference[role]).ravel())
