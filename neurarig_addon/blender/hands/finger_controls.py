"""The bones that an animator poses to move a finger's bones: the finger's own, or the rig's controls in the same places."""

import bpy
import numpy as np

_SAME_PLACE, _SAME_LENGTH, _SAME_WAY = 0.05, 0.15, 0.99  # of a bone's length; cosine


def posed_bone(obj: bpy.types.Object, name: str) -> bpy.types.PoseBone | None:
    """Return the bone that an animator turns to turn a finger's bone: itself, unless constraints move it; None if there is none."""
    bone = obj.pose.bones[name]
    if _is_free(bone):
        return bone
    twins = [other for other in obj.pose.bones if other != bone and _is_free(other) and _lies_as(other.bone, bone.bone)]
    return max(twins, key=lambda other: (other.custom_shape is not None, not other.bone.use_deform), default=None)


def _is_free(bone: bpy.types.PoseBone) -> bool:
    """Return whether a bone can be turned by hand and stays as it is turned."""
    locked = all(bone.lock_rotation) or bone.bone.hide_select
    return not locked and not any(not constraint.mute and constraint.influence > 0.0 for constraint in bone.constraints)


def _lies_as(one: bpy.types.Bone, other: bpy.types.Bone) -> bool:
    """Return whether two bones lie in the same place at rest."""
    apart = (one.head_local - other.head_local).length
    along = one.matrix_local.col[1].xyz.dot(other.matrix_local.col[1].xyz)
    longer = abs(one.length - other.length)
    return apart < _SAME_PLACE * other.length and along > _SAME_WAY and longer < _SAME_LENGTH * other.length


def rest_axes(bone: bpy.types.PoseBone) -> np.ndarray:
    """Return a bone's axes at rest `(3, 3)`, as columns, in armature space."""
    return np.array(bone.bone.matrix_local, dtype=float)[:3, :3]
