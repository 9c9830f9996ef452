"""The armature that a button means."""

import bpy


def armature_of(context: bpy.types.Context) -> bpy.types.Object | None:
    """Return the armature of the active object, else of the selection: itself, or the one that deforms or carries a mesh."""
    active = context.view_layer.objects.active if context.view_layer else None
    candidates = [active] if active else []
    candidates += [obj for obj in getattr(context, "selected_objects", ()) if obj is not active]
    return next((found for obj in candidates if (found := _armature_behind(obj))), None)


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
