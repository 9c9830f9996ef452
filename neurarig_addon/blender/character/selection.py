"""The armature that a button means."""

import bpy


def armature_of(context: bpy.types.Context) -> bpy.types.Object | None:
    """Return the armature of the active object, else of the selection: itself, or who deforms a mesh, carries it or walks along a curve."""
    active = context.view_layer.objects.active if context.view_layer else None
    candidates = [active] if active else []
    candidates += [obj for obj in getattr(context, "selected_objects", ()) if obj is not active]
    return next((found for obj in candidates if (found := _armature_behind(obj))), None)


def _armature_behind(obj: bpy.types.Object) -> bpy.types.Object | None:
    if obj.type == "ARMATURE":
        return obj
    if obj.type == "CURVE" and (walker := _walks_along(obj)):
        return walker
    for modifier in obj.modifiers:
        if modifier.type == "ARMATURE" and modifier.object:
            return modifier.object
    while obj.parent:
        obj = obj.parent
        if obj.type == "ARMATURE":
            return obj
    return None


def _walks_along(path: bpy.types.Object) -> bpy.types.Object | None:
    """Return who walks along a curve, so that the sliders are at hand while its points are edited."""
    objects = bpy.context.scene.objects
    return next((obj for obj in objects if obj.type == "ARMATURE" and obj.neurarig.walk.path == path), None)
