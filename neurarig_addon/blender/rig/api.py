"""Who is who on an armature, for scripts; `blender.api` hands this on."""

from collections.abc import Generator

import bpy

from ...core.controls.control_map import ControlMap
from ...core.skeleton.roles import RoleMap
from ..animation.steps import finish_in_sight
from ..character import record, reference_pose
from ..character.controls.probing.probe import probe_steps
from ..character.controls.stored_map import store_map, stored_map
from ..character.read_armature import read_skeleton
from ..character.read_character import detect_roles, known_roles, named_roles, read_character
from ..character.requirements import require_editable
from ..character.roles import role_map, store_roles
from ..walk import live
from . import apply_scale as scale


def detect_rig(obj: bpy.types.Object) -> RoleMap:
    """Find who is who on an armature and fill its role list.

    Raises NeuraRigError where it is no biped: the sentence names the object, the bone and the remedy.
    """
    require_editable(obj)
    roles = detect_roles(obj, bpy.context.scene)
    store_roles(obj, roles)
    live.invalidate(obj)
    return roles


def list_roles(obj: bpy.types.Object) -> RoleMap:
    """Fill an armature's role list as far as the names of its bones tell, for a character that is not detected; bones already set stay."""
    require_editable(obj)
    suggested = named_roles(obj, bpy.context.scene)
    roles = RoleMap(suggested.bones | role_map(obj).bones)
    store_roles(obj, roles)
    live.invalidate(obj)
    return roles


def use_current_pose(obj: bpy.types.Object) -> None:
    """Take the pose in which an armature is seen now as the one in which its character stands, in place of its rest pose.

    Motion is then measured from there: for rest poses that do not stand, or an A-pose where the other has a T.  It counts for walks,
    retargeting, as source and as target, and neural poses.  Raises NeuraRigError where it does not stand so, or is being posed now.
    """
    require_editable(obj)
    scene = bpy.context.scene
    roles = known_roles(obj, scene)
    reference_pose.choose(obj, read_skeleton(obj, scene), roles)
    store_roles(obj, roles)  # found where it stands; at rest they might not be


def use_rest_pose(obj: bpy.types.Object) -> None:
    """Take an armature's rest pose as the one in which its character stands again; raises NeuraRigError where it is being posed now."""
    require_editable(obj)
    reference_pose.clear(obj)


def find_controls(obj: bpy.types.Object) -> ControlMap:
    """Find which of a rig's controls does what, by moving each on a copy, fill the list of controls and return it.

    Lines that were corrected by hand stay as they are.  Raises NeuraRigError for what is no biped, or is being posed now.
    """
    return finish_in_sight(find_controls_steps(obj))


def find_controls_steps(obj: bpy.types.Object) -> Generator[float, None, ControlMap]:
    """Find a rig's controls bit by bit, as `find_controls`: yields the share done; closed early it leaves all as it was."""
    require_editable(obj)
    record.require_free_for(obj, "")
    character = read_character(obj, bpy.context.scene)
    found = yield from probe_steps(obj, character.skeleton, character.roles)
    store_roles(obj, character.roles)
    store_map(obj, character.roles, found)
    return stored_map(obj)


def apply_scale(obj: bpy.types.Object) -> list[str]:
    """Give an armature object's uneven or mirrored scale to its bones, whatever parents it comes from; at rest nothing moves.

    Returns what is not as the user may expect it.  Raises NeuraRigError where something holds the character, its bones or its scale.
    """
    told = scale.apply_scale(obj)
    live.invalidate(obj)
    return told
