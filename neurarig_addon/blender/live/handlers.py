"""Blender's handlers that the modes share: each function at most once in a list, changes of frame, renamed
bones."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import bpy
from bpy.app.handlers import persistent

from ..animation.scratch import is_passing
from ..character import names
from .roster import Place, Roster, place

Handlers = Iterable[tuple[list, object]]
Before = Callable[[bpy.types.Scene, Place], bool]
After = Callable[[bpy.types.Scene, bpy.types.Depsgraph], None]


def add(handlers: Handlers) -> None:
    """Add each function to its list, unless already there."""
    for functions, function in handlers:
        if function not in functions:
            functions.append(function)


def remove(handlers: Handlers) -> None:
    """Remove each function from its list, if it is there."""
    for functions, function in handlers:
        if function in functions:
            functions.remove(function)


class _Mode(NamedTuple):
    """What a mode does on each change of frame while its roster holds somebody of the scene, see `follow`."""

    roster: Roster
    before: Before | None
    after: After | None


_modes: list[_Mode] = []  # in the order in which they are called
# what is to be called once Blender has evaluated the frame, by the scene's session_uid
_waiting: dict[int, list[After]] = {}


def follow(roster: Roster, before: Before | None, after: After | None) -> None:
    """Have a mode's functions called while its roster holds somebody of the scene.

    `before` is called with the scene and where that is before Blender evaluates a frame, and returns whether
    anything is left to do afterwards; `after` with the scene and its depsgraph then, or always if there is no
    `before`.
    """
    forget(roster)
    _modes.append(_Mode(roster, before, after))
    add(_FRAME_HANDLERS)


def forget(roster: Roster) -> None:
    """Have the functions of a roster's mode called no more."""
    _modes[:] = [mode for mode in _modes if mode.roster is not roster]
    _waiting.clear()
    if not _modes:
        remove(_FRAME_HANDLERS)


@persistent
def _on_frame(scene: bpy.types.Scene, _depsgraph=None) -> None:
    here, waiting = place(scene), []
    for roster, before, after in _modes:
        if roster.empty_at != here and (before is None or before(scene, here)) and after is not None:
            waiting.append(after)
    if waiting:
        _waiting[here[0]] = waiting


@persistent
def _on_frame_evaluated(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    if _waiting:
        for after in _waiting.pop(scene.session_uid, ()):
            after(scene, depsgraph)


_FRAME_HANDLERS = (
    (bpy.app.handlers.frame_change_pre, _on_frame),
    (bpy.app.handlers.frame_change_post, _on_frame_evaluated),
)


@persistent
def _on_edit(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    if not depsgraph.id_type_updated("ARMATURE"):
        return
    edited = {
        update.id.original.session_uid
        for update in depsgraph.updates
        if isinstance(update.id, bpy.types.Armature)
    }
    for obj in scene.objects if is_passing(scene) else bpy.data.objects:
        if obj.type == "ARMATURE" and obj.data.session_uid in edited:
            names.follow_bones(obj)


_RENAME_HANDLERS = ((bpy.app.handlers.depsgraph_update_post, _on_edit),)


def register() -> None:
    """Start following; register before the live modes, which find bones by name."""
    add(_RENAME_HANDLERS)


def unregister() -> None:
    """Stop following."""
    remove(_RENAME_HANDLERS)
