"""The roles and controls of an armature, for scripts; exported by `blender.api`."""

import bpy
import numpy as np
from bpy.types import Object
from mathutils import Matrix

from ...core.controls.control_map import ControlMap
from ...core.errors import NeuraRigError
from ...core.skeleton.reversed_feet import with_feet_forward
from ...core.skeleton.roles import RoleMap
from ..animation.objects import tail_of
from ..animation.steps import Steps, at_once
from ..character import record, standing_pose, turning
from ..character.controls.probing.read_rig import probe
from ..character.controls.stored_map import store_map, stored_map
from ..character.read_armature import read_skeleton
from ..character.read_character import detect_roles, known_roles, named_roles, read_character
from ..character.requirements import require_editable, require_not_edited, require_pose_seen
from ..character.roles import kind_of, role_map, store_roles
from ..walk.show import live

# least volume of the axes, as a share of the cube of their largest number: below it they are flat
_FLAT = 1e-9


def detect_rig(obj: Object) -> RoleMap:
    """Detect the roles of an armature's bones, fill its role list and return it.

    Raises NeuraRigError if it is not a biped: the sentence names the object, the bone and the remedy.
    """
    require_editable(obj)
    require_not_edited(obj)
    roles = detect_roles(obj)
    store_roles(obj, roles)
    live.invalidate(obj)
    return roles


def list_roles(obj: Object) -> RoleMap:
    """Fill an armature's role list by the names of its bones, for a character that is not detected; bones
    already set are kept.

    Returns the roles, as then listed.  Raises NeuraRigError for anything but an armature that can be changed.
    """
    require_editable(obj)
    suggested = named_roles(obj)
    roles = RoleMap.of(suggested.listed | role_map(obj).listed, kind_of(obj))
    store_roles(obj, roles)
    live.invalidate(obj)
    return roles


def use_current_pose(obj: Object) -> None:
    """Use an armature's current pose as its character's standing pose, in place of its rest pose.

    Motion is then measured from it: for rest poses that do not stand, or an A-pose against a T-pose. It
    applies to walks,
    retargeting, as source and as target, and neural poses. Raises NeuraRigError if the pose does not stand,
    or the character is posed now.
    """
    require_editable(obj)
    require_pose_seen(obj)
    roles = known_roles(obj)
    standing_pose.choose(obj, with_feet_forward(read_skeleton(obj)), roles)
    store_roles(obj, roles)  # detected in the standing pose; in the rest pose they might not be


def use_rest_pose(obj: Object) -> None:
    """Use an armature's rest pose as its character's standing pose again; raises NeuraRigError if it is being
    posed now."""
    require_editable(obj)
    standing_pose.clear(obj)


@at_once
def find_controls(obj: Object) -> Steps[ControlMap]:
    """Find what each control of a rig does, by moving it on a copy, fill the list of controls and return it.

    Lines corrected by hand are kept.  Raises NeuraRigError if it is not a biped, or is being posed now.
    """
    require_editable(obj)
    require_not_edited(obj)
    record.require_free_for(obj, "")
    character = read_character(obj)
    found = yield from probe.steps(obj, character.skeleton, character.roles)
    store_roles(obj, character.roles)
    store_map(obj, character.roles, found)
    return stored_map(obj)


def apply_scale(obj: Object) -> list[str]:
    """Apply an armature object's uneven or mirrored scale to its bones, also if it comes from parents; at
    rest nothing moves.

    Returns warnings, a sentence each. Raises NeuraRigError if something holds the character, its bones or its
    scale.
    """
    notes = _scaled_bones(obj)
    live.invalidate(obj)
    return notes


def _scaled_bones(obj: Object) -> list[str]:
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
    locations = {
        bone.name: bone.bone.matrix_local.to_3x3() @ bone.location
        for bone in obj.pose.bones
        if any(bone.location)
    }
    _stand(obj, before, after)
    obj.data.transform(given)
    obj.data.update_tag()
    bpy.context.view_layer.update()
    for name, offset in locations.items():
        bone = obj.pose.bones[name]
        bone.location = bone.bone.matrix_local.to_3x3().inverted() @ given.to_3x3() @ offset
    bpy.context.view_layer.update()
    for child, holder in hung:
        child.matrix_parent_inverse = (
            (after @ _holder(child)).inverted() @ before @ holder @ child.matrix_parent_inverse
        )
    return _notes(obj)


def _require_applicable(obj: Object) -> None:
    require_editable(obj)
    record.require_free_for(obj, "")
    require_not_edited(obj)
    if obj.data.users > 1 or obj.data.library or obj.data.override_library:
        raise NeuraRigError(
            f"'{obj.name}' shares its bones. Use Object > Relations > Make Single User > Object & Data first."
        )
    if len(obj.constraints) or turning.is_animated(obj):
        raise NeuraRigError(
            f"'{obj.name}' is turned or scaled by keys, drivers or constraints. Remove or apply these first."
        )
    axes = np.array(obj.matrix_world.to_3x3())
    if not abs(np.linalg.det(axes)) > _FLAT * np.abs(axes).max() ** 3:
        raise NeuraRigError(f"'{obj.name}' has a scale of 0 along an axis. Set its scale to 1 first.")


def _turn(obj: Object) -> Matrix:
    """Return the rotation nearest to an object's world axes, with mirroring removed."""
    axes = np.array(obj.matrix_world.to_3x3())
    signs = np.where(np.array(obj.scale) * np.array(obj.delta_scale) < 0.0, -1.0, 1.0)
    if np.linalg.det(axes * signs) < 0.0:  # mirrored by a parent
        signs = signs * [-1.0, 1.0, 1.0]
    first, _, last = np.linalg.svd(axes * signs)
    return Matrix((first @ last).tolist())


def _stand(obj: Object, before: Matrix, after: Matrix) -> None:
    """Set an object's world matrix, under the same parent, by its own channels without deltas."""
    if obj.parent is not None:
        holder = before @ (obj.matrix_parent_inverse @ obj.matrix_basis).inverted()
        obj.matrix_parent_inverse = holder.inverted()
    obj.delta_location, obj.delta_scale = (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)
    obj.delta_rotation_euler, obj.delta_rotation_quaternion = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)
    obj.matrix_basis = after


def _holder(child: Object) -> Matrix:
    """Return the matrix a child is parented to, in its parent's space: the tail of a posed bone, or the
    parent itself."""
    bone = child.parent.pose.bones.get(child.parent_bone) if child.parent_type == "BONE" else None
    return tail_of(bone) if bone else Matrix()


def _notes(obj: Object) -> list[str]:
    data = obj.animation_data
    if data is None or data.action is None:
        return []
    return [
        f"Keys of '{data.action.name}' that move bones of '{obj.name}' in location were made for its old"
        " scale."
    ]
