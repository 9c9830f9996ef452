"""The armature that a button means."""

import bpy

from . import record

PRINT_MARK = "neurarig_print"  # custom property of the objects of edited footprints
_last = 0  # session_uid of the character that was meant last


def armature_of(context: bpy.types.Context) -> bpy.types.Object | None:
    """Return the armature of the active object, else of the selection: itself, or the one of a mesh, a prop
    or a path.

    Where there is none, the character that is being worked on: the one that a walk, clip or targets hold;
    among several the last one meant.
    """
    global _last
    active = context.view_layer.objects.active if context.view_layer else None
    candidates = [active] if active else []
    candidates += [obj for obj in getattr(context, "selected_objects", ()) if obj is not active]
    found = next((found for obj in candidates if (found := armature_behind(obj))), None)
    if found is None and context.view_layer:
        held = [
            obj for obj in context.view_layer.objects if obj.type == "ARMATURE" and record.is_attached(obj)
        ]
        return next((obj for obj in held if obj.session_uid == _last or len(held) == 1), None)
    _last = found.session_uid if found else 0
    return found


def armature_behind(obj: bpy.types.Object) -> bpy.types.Object | None:
    """Return the armature that an object is, moves with or leads; None if it has to do with none."""
    if obj.type == "ARMATURE":
        return obj
    if PRINT_MARK in obj and (walker := _steps_on(obj)):
        return walker
    for modifier in obj.modifiers:
        if modifier.type == "ARMATURE" and modifier.object:
            return modifier.object
    above: bpy.types.Object | None = obj
    while above is not None:
        if above.type == "ARMATURE":
            return above
        if walker := _walks_along(above):
            return walker
        above = above.parent
    return None


def _walks_along(path: bpy.types.Object) -> bpy.types.Object | None:
    """Return the character that walks along an object, so that its sliders are shown while the path is
    edited."""
    objects = bpy.context.scene.objects
    return next((obj for obj in objects if obj.type == "ARMATURE" and obj.neurarig.walk.path == path), None)


def _steps_on(handle: bpy.types.Object) -> bpy.types.Object | None:
    """Return the character whose footprint an object is."""
    for obj in bpy.context.scene.objects:
        if obj.type == "ARMATURE" and any(item.object == handle for item in obj.neurarig.walk.prints):
            return obj
    return None
