"""An armature object as a character: bones, roles, proportions."""

import bpy

from ...core.character import Character
from ...core.detect import detect
from ...core.errors import about
from ...core.roles import REQUIRED, RoleMap
from .read_armature import read_skeleton, read_soles
from .roles import role_map


def read_character(obj: bpy.types.Object, scene: bpy.types.Scene) -> Character:
    """Return the character as its rest pose, roles and object stand now; nothing is remembered, so ask once and keep the answer.

    Roles are those of the object's list where it names pelvis and thighs, else they are detected.  Soles are those of its meshes.
    Raises NeuraRigError, naming the object, the bone and the remedy, for what is no biped or does not stand in its rest pose.
    """
    skeleton = read_skeleton(obj, scene)
    listed = role_map(obj)
    with about(obj.name):
        roles = listed if all(listed.has(role) for role in REQUIRED) else detect(skeleton)
        return Character.of(skeleton, roles, read_soles(obj, roles))


def detect_roles(obj: bpy.types.Object, scene: bpy.types.Scene) -> RoleMap:
    """Return who is who on an armature, whatever its list says; raises NeuraRigError, naming object and bone, for what is no biped."""
    with about(obj.name):
        return detect(read_skeleton(obj, scene))
