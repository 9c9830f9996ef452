"""Characters that are posed live: who they are, who calls when, and what happens where one cannot be posed.

The walk, the clip and the targets each have a mode of their own, and say themselves what a frame, an edit, a file and an undo mean.
"""

import traceback
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import bpy

from ...core.errors import NeuraRigError
from ..animation.alone import is_passing
from ..character import controls, moving, record
from ..character.changes import Changes
from . import handlers
from .memory import Memory
from .roster import Roster

GOES_ON = "Until then it keeps its last valid motion."


class LiveMode:
    """One way of posing characters live.

    `holder`: whose it is (see `record`).  `what`: its name in a sentence.  `adopt`: told of an object that is seen for the first time.
    `forgets`: dropped with what the mode remembers, when another file is opened and at the end.
    `paused`: those whom somebody else poses, by session_uid.
    """

    def __init__(
        self,
        holder: str,
        what: str,
        adopt: Callable[[bpy.types.Object], None] | None = None,
        forgets: Iterable[Callable[[], None]] = (),
    ) -> None:
        self._holder, self._what, self._forgets = holder, what, tuple(forgets)
        self._adopt_one = adopt or (lambda obj: None)
        self._handlers: list[tuple[list, Callable[..., None]]] = []
        self._listening: list[tuple[Changes, Callable[[bpy.types.Object], None]]] = []
        self._adopted: Memory[bool] = Memory()
        self._told: Memory[str] = Memory()
        self.paused: set[int] = set()
        self.roster = Roster(self.poses, self._adopt)

    def poses(self, obj: bpy.types.Object) -> bool:
        """Return whether an object is posed so."""
        return obj.type == "ARMATURE" and obj.session_uid not in self.paused and record.is_live(obj, self._holder)

    def _adopt(self, objects: list[bpy.types.Object]) -> None:
        """Take objects as file, undo or copying brought them."""
        for obj in objects:
            if self._adopted.get(obj) is None:
                self._adopted[obj] = True
                controls.keep_to_itself(obj, record.attachment(obj))
                moving.mark(obj)
                self._adopt_one(obj)

    def objects(self, scene: bpy.types.Scene) -> list[bpy.types.Object]:
        """Return the objects of a scene that are posed now: one in Edit Mode, whose bones are not what they will be, waits."""
        return [obj for obj in self.roster.of(scene) if obj.mode != "EDIT"]

    def edited(self, scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> list[bpy.types.Object]:
        """Return the objects of a scene in which something was edited; objects that came or went show as an edit of the scene."""
        came_or_went = depsgraph.id_type_updated("SCENE")
        if came_or_went and not is_passing(scene):
            self.roster.clear()
        return [obj for obj in self.roster.of(scene, came_or_went) if obj.mode != "EDIT"]

    def each(self, scene: bpy.types.Scene, act: Callable[..., Any], *arguments: Any) -> None:
        """Have something done for every object of a scene: one for which it fails is turned off and the others go on."""
        for obj in self.objects(scene):
            self.guarded(act, obj, *arguments)

    def guarded(self, act: Callable[..., Any], obj: bpy.types.Object, *arguments: Any) -> Any:
        """Return what `act(obj, ...)` does; where it fails the object is turned off, as a handler has nobody to tell, and it is None."""
        try:
            return act(obj, *arguments)
        except Exception as error:
            self.turn_off(obj, error)
            return None

    def turn_off(self, obj: bpy.types.Object, error: Exception) -> None:
        """Stop posing an object that cannot be posed, and keep the reason for the panel."""
        if isinstance(error, NeuraRigError):
            reason = str(error)
        else:
            traceback.print_exception(error)
            reason = f"{self._what} of '{obj.name}' stopped on an internal error, {type(error).__name__}: {error}"
        print(f"NeuraRig: {reason}")
        state = record.settings_of(obj, self._holder)
        state.error = reason
        state.live = False

    def tell(self, obj: bpy.types.Object, reason: str) -> None:
        """Keep for the panel why an object is posed as it was before and not as it is set; '' once it is posed as it is set again."""
        told = self._told.get(obj)
        state = record.settings_of(obj, self._holder) if told != reason else None
        if state is not None:
            sentence = f"{reason} {GOES_ON}" if reason else ""
            if state.error != sentence and (reason or state.error.endswith(GOES_ON)):
                state.error = sentence
            self._told[obj] = reason

    def begin(self, listening: Mapping[Changes, Callable[[bpy.types.Object], None]], **on: Callable[..., None]) -> None:
        """Have changes call who listens to them, and Blender each persistent function `on` the list of handlers that names it."""
        self._handlers = [(getattr(bpy.app.handlers, name), function) for name, function in on.items()]
        self._listening = list(listening.items())
        handlers.add(self._handlers)
        for changes, listener in self._listening:
            changes.listeners.append(listener)

    def end(self) -> None:
        """Have nobody called any more, and remember nothing."""
        handlers.remove(self._handlers)
        for changes, listener in self._listening:
            changes.listeners.remove(listener)
        self._listening = []
        self.forget()

    def forget(self) -> None:
        """Remember nothing."""
        self.paused.clear()
        self.look_again()
        for forget in self._forgets:
            forget()

    def look_again(self) -> None:
        """Search for the objects anew when next asked, and adopt them anew."""
        self._adopted.forget()
        self._told.forget()
        self.roster.clear()
