"""The roles and controls of an armature, for scripts; exported by `blender.api`."""

from collections.abc import Generator

import bpy

from ...core.controls.control_map import ControlMap
from ...core.skeleton.reversed_feet import with_feet_forward
from ...core.skeleton.roles import RoleMap
from ..animation.steps import finish_in_sight
from ..character import record, standing_pose
from ..character.controls.probing.read_rig import probe_steps
from ..character.controls.stored_map import store_map, stored_map
from ..character.read_armature import read_skeleton
from ..character.read_character import detect_roles, known_roles, named_roles, read_character
from ..character.requirements import require_editable, require_not_edited, require_pose_seen
from ..character.roles import role_map, store_roles
from ..walk.show import live
from . import apply_scale as scale


def detect_rig(obj: bpy.types.Object) -> RoleMap:
    """Detect the roles of an armature's bones, fill its role list and return it.

    Raises NeuraRigError if it is not a biped: the sentence names the object, the bone and the remedy.
    """
    require_editable(obj)
    require_not_edited(obj)
    roles = detect_roles(obj, bpy.context.scene)
    store_roles(obj, roles)
    live.invalidate(obj)
    return roles


def list_roles(obj: bpy.types.Object) -> RoleMap:
    """Fill an armature's role list by the names of its bones, for a character that is not detected; bones already set are kept."""
    require_editable(obj)
    suggested = named_roles(obj, bpy.context.scene)
    roles = RoleMap.of(suggested.listed | role_map(obj).listed)
    store_roles(obj, roles)
    live.invalidate(obj)
    return roles


def use_current_pose(obj: bpy.types.Object) -> None:
    """Use an armature's current pose as its character's standing pose, in place of its rest pose.

    Motion is then measured from it: for rest poses that do not stand, or an A-pose against a T-pose.  It applies to walks,
    retargeting, as source and as target, and neural poses.  Raises NeuraRigError if the pose does not stand, or the character is posed now.
    """
    require_editable(obj)
    require_pose_seen(obj)
    scene = bpy.context.scene
    roles = known_roles(obj, scene)
    standing_pose.choose(obj, with_feet_forward(read_skeleton(obj, scene)), roles)
    store_roles(obj, roles)  # detected in the standing pose; in the rest pose they might not be


def use_rest_pose(obj: bpy.types.Object) -> None:
    """Use an armature's rest pose as its character's standing pose again; raises NeuraRigError if it is being posed now."""
    require_editable(obj)
    standing_pose.clear(obj)


def find_controls(obj: bpy.types.Object) -> ControlMap:
    """Find what each control of a rig does, by moving it on a copy, fill the list of controls and return it.

    Lines corrected by hand are kept.  Raises NeuraRigError if it is not a biped, or is being posed now.
    """
    return finish_in_sight(find_controls_steps(obj))


def find_controls_steps(obj: bpy.types.Object) -> Generator[float, None, ControlMap]:
    """Find a rig's controls step by step, as `find_controls`: yields the share done; if closed early, nothing has changed."""
    require_editable(obj)
    require_not_edited(obj)
    record.require_free_for(obj, "")
    character = read_character(obj, bpy.context.scene)
    found = yield from probe_steps(obj, character.skeleton, character.roles)
    store_roles(obj, character.roles)
    store_map(obj, character.roles, found)
    return stored_map(obj)


def apply_scale(obj: bpy.types.Object) -> list[str]:
    """Apply an armature object's uneven or mirrored scale to its bones, also if it comes from parents; at rest nothing moves.

    Returns warnings, a sentence each.  Raises NeuraRigError if something holds the character, its bones or its scale.
    """
    notes = scale.apply_scale(obj)
    live.invalidate(obj)
    return notes
