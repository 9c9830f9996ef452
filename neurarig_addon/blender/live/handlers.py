"""Blender's handlers that the modes share: each function at most once in a list, changes of frame, renamed
bones, who is in which scene."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import bpy
from bpy.app.handlers import persistent
from bpy.types import Armature, Depsgraph, Object, Scene

from ..animation.scratch import is_passing
from ..character import names
from .memory import forget_deleted

Place = tuple[int, int]  # a scene by its session_uid, and how many objects the file has


def place(scene: Scene) -> Place:
    """Return what stays the same while nobody comes to a scene or leaves it."""
    return scene.session_uid, len(bpy.data.objects)


class Roster:
    """Driven objects, remembered by name and identity.

    `belongs` returns whether an object is driven; `adopt` is called with all that belong after every search.
    `empty_at`: the place where the last search found nobody.
    """

    def __init__(self, belongs: Callable[[Object], bool], adopt: Callable[[list[Object]], None]) -> None:
        self._belongs, self._adopt = belongs, adopt
        self.clear()

    def clear(self) -> None:
        """Search again when next asked."""
        self._searched: Place = (0, -1)  # 0 is not a session_uid
        self.empty_at: Place | None = None
        self._found: list[tuple[str, int]] = []

    def of(self, scene: Scene, here: Place | None = None, may_have_changed: bool = True) -> list[Object]:
        """Return the scene's driven objects, without those in Edit Mode, whose bones are still changing.

        `here`: the scene's place, if known.  `may_have_changed`: objects may have been added or removed.
        """
        if not may_have_changed:
            is_known = self._searched[0] == scene.session_uid
        else:
            is_known = self._searched == (here or place(scene))
        known = self._known() if is_known else None
        if known is not None:
            return known
        found = self._in(scene) if is_passing(scene) else self._search(scene)
        return [obj for obj in found if obj.mode != "EDIT"]

    def _known(self) -> list[Object] | None:
        objects, there = [], bpy.data.objects
        for name, uid in self._found:
            obj = there.get(name)
            if obj is None or obj.session_uid != uid:
                return None
            if obj.mode != "EDIT":
                objects.append(obj)
        return objects

    def _search(self, scene: Scene) -> list[Object]:
        forget_deleted()
        objects = self._in(scene)
        self._found = [(obj.name, obj.session_uid) for obj in objects]
        self._searched = place(scene)
        self.empty_at = None if objects else self._searched
        return objects

    def _in(self, scene: Scene) -> list[Object]:
        objects = [obj for obj in scene.objects if self._belongs(obj)]
        self._adopt(objects)
        return objects


Handlers = Iterable[tuple[list, object]]
Before = Callable[[Scene, Place], bool]
After = Callable[[Scene, Depsgraph], None]


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
def _on_frame(scene: Scene, _depsgraph=None) -> None:
    here, waiting = place(scene), []
    for roster, before, after in _modes:
        if roster.empty_at != here and (before is None or before(scene, here)) and after is not None:
            waiting.append(after)
    if waiting:
        _waiting[here[0]] = waiting


@persistent
def _on_frame_evaluated(scene: Scene, depsgraph: Depsgraph) -> None:
    if _waiting:
        for after in _waiting.pop(scene.session_uid, ()):
            after(scene, depsgraph)


_FRAME_HANDLERS = (
    (bpy.app.handlers.frame_change_pre, _on_frame),
    (bpy.app.handlers.frame_change_post, _on_frame_evaluated),
)


@persistent
def _on_edit(scene: Scene, depsgraph: Depsgraph) -> None:
    if not depsgraph.id_type_updated("ARMATURE"):
        return
    edited = {
        update.id.original.session_uid for update in depsgraph.updates if isinstance(update.id, Armature)
    }
    for obj in scene.objects if is_passing(scene) else bpy.data.objects:
        if obj.type == "ARMATURE" and obj.data.session_uid in edited:
            names.follow_bones(obj)


HANDLERS = ((bpy.app.handlers.depsgraph_update_post, _on_edit),)
