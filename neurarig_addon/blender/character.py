"""The armature that a button means, and its list of roles."""

import bpy

from ..core.roles import RoleMap, all_roles
from .walk.properties import changes


def armature_of(context: bpy.types.Context) -> bpy.types.Object | None:
    """Return the armature of the active object, else of the selection: itself, or the one that deforms or carries a mesh."""
    active = context.view_layer.objects.active if context.view_layer else None
    candidates = [active] if active else []
    candidates += [obj for obj in getattr(context, "selected_objects", ()) if obj is not active]
    return next((found for obj in candidates if (found := _armature_behind(obj))), None)


def store_roles(obj: bpy.types.Object, roles: RoleMap) -> None:
    """Fill the role list: every role that a biped can have, in the panel's order, empty where the rig has no such bone."""
    listed = all_roles(max(3, len(roles.spine())), max(1, len(roles.neck())))
    with changes.as_one(obj):
        items = obj.neurarig.roles
        items.clear()
        for role in listed:
            item = items.add()
            item.name = item.role = role
            item.bone = roles.get(role) or ""


def _armature_behind(obj: bpy.types.Object) -> bpy.types.Object | None:
    if obj.type == "ARMATURE":
        return obj
    for modifier in obj.modifiers:
        if modifier.type == "ARMATURE" and modifier.object:
            return modifier.object
    while obj.parent:
        obj = obj.parent
        if obj.type == "ARMATURE":
            return obj
    return None
