"""Who is who on an armature, for scripts; `blender.api` hands this on."""

import bpy

from ...core.detect import detect
from ...core.roles import RoleMap
from ..character.read_armature import read_skeleton
from ..character.requirements import require_editable
from ..character.roles import store_roles
from ..walk import live


def detect_rig(obj: bpy.types.Object) -> RoleMap:
    """Find who is who on an armature and fill its role list.

    Raises NeuraRigError where it is no biped: the sentence names the bone and the remedy.
    """
    require_editable(obj)
    roles = detect(read_skeleton(obj, bpy.context.scene))
    store_roles(obj, roles)
    live.invalidate(obj)
    return roles
