"""Applying an object's uneven or mirrored scale to its bones: the scale of its own channels, its deltas and its parents.

In the world nothing moves at rest: bones keep their scaled shape, and children of the object stay where they are.
"""

import bpy
import numpy as np
from mathutils import Matrix

from ...core.errors import NeuraRigError
from ..character import record, turning
from ..character.requirements import require_editable, require_not_edited

_FLAT = 1e-9  # least volume of the axes, as a share of the cube of their largest number: below it they are flat


def apply_scale(obj: bpy.types.Object) -> list[str]:
    """Apply an armature object's scale to its bones; returns warnings, a sentence each.

    Raises NeuraRigError, with nothing changed, if something holds the character or the scale.
    """
    _require_applicable(obj)
    bpy.context.view_layer.update()
    before = obj.matrix_world.copy()
    turn = _turn(obj)
    given = (turn.inverted() @ before.to_3x3()).to_4x4()
    after = turn.to_4x4()
    after.translation = before.translation
    hung = [(child, _holder(child)) for child in bpy.data.objects if child.parent is obj]
    locations = {bone.name: bone.bone.matrix_local.to_3x3() @ bone.location for bone in obj.pose.bones if any(bone.location)}
    _stand(obj, before, after)
    obj.data.transform(given)
    obj.data.update_tag()
    bpy.context.view_layer.update()
    for name, offset in locations.items():
        bone = obj.pose.bones[name]
        bone.location = bone.bone.matrix_local.to_3x3().inverted() @ given.to_3x3() @ offset
    bpy.context.view_layer.update()
    for child, holder in hung:
        child.matrix_parent_inverse = (after @ _holder(child)).inverted() @ before @ holder @ child.matrix_parent_inverse
    return _notes(obj)


def _require_applicable(obj: bpy.types.Object) -> None:
    require_editable(obj)
    record.require_free_for(obj, "")
    require_not_edited(obj)
    if obj.data.users > 1 or obj.data.library or obj.data.override_library:
        raise NeuraRigError(f"'{obj.name}' shares its bones. Use Object > Relations > Make Single User > Object & Data first.")
    if len(obj.constraints) or turning.is_animated(obj):
        raise NeuraRigError(f"'{obj.name}' is turned or scaled by keys, drivers or constraints. Remove or apply these first.")
    axes = np.array(obj.matrix_world.to_3x3())
    if not abs(np.linalg.det(axes)) > _FLAT * np.abs(axes).max() ** 3:
        raise NeuraRigError(f"'{obj.name}' has a scale of 0 along an axis. Set its scale to 1 first.")


def _turn(obj: bpy.types.Object) -> Matrix:
    """Return the rotation nearest to an object's world axes, with mirroring removed."""
    axes = np.array(obj.matrix_world.to_3x3())
    signs = np.where(np.array(obj.scale) * np.array(obj.delta_scale) < 0.0, -1.0, 1.0)
    if np.linalg.det(axes * signs) < 0.0:  # mirrored by a parent
        signs = signs * [-1.0, 1.0, 1.0]
    first, _, last = np.linalg.svd(axes * signs)
    return Matrix((first @ last).tolist())


def _stand(obj: bpy.types.Object, before: Matrix, after: Matrix) -> None:
    """Set an object's world matrix, under the same parent, by its own channels without deltas."""
    if obj.parent is not None:
        holder = before @ (obj.matrix_parent_inverse @ obj.matrix_basis).inverted()
        obj.matrix_parent_inverse = holder.inverted()
    obj.delta_location, obj.delta_scale = (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)
    obj.delta_rotation_euler, obj.delta_rotation_quaternion = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)
    obj.matrix_basis = after


def _holder(child: bpy.types.Object) -> Matrix:
    """Return the matrix a child is parented to, in its parent's space: the tail of a posed bone, or the parent itself."""
    bone = child.parent.pose.bones.get(child.parent_bone) if child.parent_type == "BONE" else None
    return bone.matrix @ Matrix.Translation((0.0, bone.length, 0.0)) if bone else Matrix()


def _notes(obj: bpy.types.Object) -> list[str]:
    data = obj.animation_data
    if data is None or data.action is None:
        return []
    return [f"Keys of '{data.action.name}' that move bones of '{obj.name}' in location were made for its old scale."]
