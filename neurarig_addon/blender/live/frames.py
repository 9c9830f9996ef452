"""Changes of frame: one look at the scene for all modes, and only those that pose somebody in it are called."""

from collections.abc import Callable
from typing import NamedTuple

import bpy
from bpy.app.handlers import persistent

from . import handlers
from .roster import Place, Roster, place

Before = Callable[[bpy.types.Scene, Place], bool]
After = Callable[[bpy.types.Scene, bpy.types.Depsgraph], None]


class _Mode(NamedTuple):
    """What a mode does on each change of frame while its roster holds somebody of the scene, see `follow`."""

    roster: Roster
    before: Before | None
    after: After | None


_modes: list[_Mode] = []  # in the order in which they are called
_waiting: dict[int, list[After]] = {}  # what is to be called once Blender has evaluated the frame, by the scene's session_uid


def follow(roster: Roster, before: Before | None, after: After | None) -> None:
    """Have a mode's functions called while its roster holds somebody of the scene.

    `before` is called with the scene and where that is before Blender evaluates a frame, and returns whether anything is left to do
    afterwards; `after` with the scene and its depsgraph then, or always if there is no `before`.
    """
    forget(roster)
    _modes.append(_Mode(roster, before, after))
    handlers.add(_HANDLERS)


def forget(roster: Roster) -> None:
    """Have the functions of a roster's mode called no more."""
    _modes[:] = [mode for mode in _modes if mode.roster is not roster]
    _waiting.clear()
    if not _modes:
        handlers.remove(_HANDLERS)


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


_HANDLERS = ((bpy.app.handlers.frame_change_pre, _on_frame), (bpy.app.handlers.frame_change_post, _on_frame_evaluated))
