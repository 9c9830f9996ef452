"""The armature that a button means."""

from collections.abc import Callable
from typing import Any

import bpy
from bpy.types import Context, Object, bpy_prop_collection

from . import record

PRINT_MARK = "neurarig_print"  # custom property of the objects of edited footprints
_last = 0  # session_uid of the character that was meant last
_pinned = (0, "")  # session_uid and name of the one that is meant whatever is selected


def armature_of(context: Context) -> Object | None:
    """Return the character that is pinned, else the armature of the active object, else of the selection:
    itself, or the one of a mesh, a prop, a path, or a thing of its walk.

    Where there is none, the character that is being worked on: the one that a walk, clip or targets hold;
    among several the last one meant.
    """
    global _last
    if context.view_layer and (pinned := pinned_in(context.view_layer.objects)):
        return pinned
    active = context.view_layer.objects.active if context.view_layer else None
    candidates = [active] if active else []
    candidates += [obj for obj in getattr(context, "selected_objects", ()) if obj is not active]
    found = next((found for obj in candidates if (found := armature_behind(obj))), None)
    if found is None and context.view_layer:
        held = characters(context)
        users = [obj for obj in held if not _things(obj).isdisjoint(candidates)]
        among = users or held
        found = next((obj for obj in among if obj.session_uid == _last or len(among) == 1), None)
        found = found or next(iter(users), None)
    _last = found.session_uid if found else _last
    return found


def characters(context: Context) -> list[Object]:
    """Return the characters that a walk, clip or targets hold."""
    return [obj for obj in context.view_layer.objects if obj.type == "ARMATURE" and record.is_attached(obj)]


def pinned_in(objects: bpy_prop_collection) -> Object | None:
    """Return the pinned character if it is among some objects."""
    global _pinned
    uid, name = _pinned
    found = objects.get(name) if uid else None
    if uid and (found is None or found.session_uid != uid):  # renamed, or not here
        found = next((obj for obj in objects if obj.session_uid == uid), None)
        _pinned = (uid, found.name) if found else _pinned
    return found


def pin(obj: Object | None) -> None:
    """Have a character meant whatever is selected; None: what is selected decides."""
    global _pinned
    _pinned = (obj.session_uid, obj.name) if obj else (0, "")


def _things(obj: Object) -> set[Object]:
    """Return the objects that a character's walk has to do with, besides its path."""
    walk = obj.neurarig.walk
    found = {walk.ground, walk.look_at, walk.face, walk.stand_on}
    found.update(thing for item in walk.acts for thing in (item.thing, item.place))
    return found | {marker.place for marker in walk.markers}


def armature_behind(obj: Object) -> Object | None:
    """Return the armature that an object is, moves with or leads; None if it has to do with none."""
    if obj.type == "ARMATURE":
        return obj
    if PRINT_MARK in obj and (
        walker := _walker(lambda walk: any(item.object == obj for item in walk.prints))
    ):
        return walker
    for modifier in obj.modifiers:
        if modifier.type == "ARMATURE" and modifier.object:
            return modifier.object
    above: Object | None = obj
    while above is not None:
        if above.type == "ARMATURE":
            return above
        if walker := _walker(lambda walk, path=above: walk.path == path):
            return walker
        above = above.parent
    return None


def _walker(is_theirs: Callable[[Any], bool]) -> Object | None:
    """Return the character of the scene to whose walk an object belongs."""
    objects = bpy.context.scene.objects
    return next((obj for obj in objects if obj.type == "ARMATURE" and is_theirs(obj.neurarig.walk)), None)
