"""How hands, chest and head of a character that walks below its targets are shown, and empties that lie as they do."""

from collections.abc import Iterable

import bpy
import numpy as np
from mathutils import Matrix

from ...core.character.character import Character
from ...core.geometry.rotation import orthonormal
from ...core.over.goal import HANDS, HEAD
from ..character import record
from ..retarget import live as retarget_live
from ..walk import live as walk_live
from .target_settings import UNTURNED, NeuraRigTarget


def shown_bones(obj: bpy.types.Object, points: Iterable[str]) -> dict[str, Matrix]:
    """Return how the bones at points of a character are shown in the world, of those that the rig has; at its end that of a wrist."""
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    found = {}
    for point in points:
        bone = evaluated.pose.bones.get(_bone_of(obj, point))
        if bone is not None:
            at_end = Matrix.Translation(bone.tail - bone.head) if point in HANDS and not _role(obj, f"hand.{point[-1]}") else Matrix()
            found[point] = evaluated.matrix_world @ at_end @ bone.matrix
    return found


def _bone_of(obj: bpy.types.Object, point: str) -> str:
    """Return the bone at a point, '' where the rig has none: that of a hand, else of its forearm."""
    if point in HANDS:
        return _role(obj, f"hand.{point[-1]}") or _role(obj, f"forearm.{point[-1]}")
    if point == HEAD:
        return _role(obj, "head")
    spine = [item.role for item in obj.neurarig.roles if item.bone and item.role.startswith("spine.")]
    return _role(obj, max(spine, key=lambda role: int(role[6:]), default=""))


def _role(obj: bpy.types.Object, role: str) -> str:
    return next((item.bone for item in obj.neurarig.roles if item.role == role), "")


def dress(obj: bpy.types.Object, item: NeuraRigTarget, shown: Matrix, character: Character) -> None:
    """Have an empty of ours lie as the hand does, and go where the character does: with the object, or with the bone that travels."""
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
    """Return the turn of a hand's bone away from rest that brings its fingers along Y and its palm against Z."""
    role = f"hand.{point[-1]}"
    if point not in HANDS or role not in character.reference:
        return UNTURNED
    fingers_along_y = np.diag([1.0, 1.0, 1.0] if point == HANDS[0] else [-1.0, -1.0, 1.0])  # the right arm's point along -Y
    return tuple((fingers_along_y @ character.reference[role]).ravel())
