"""Characters that are posed live: who they are, who calls when, and what happens where one cannot be posed.

The walk, the clip and the targets each have a mode of their own, and say themselves what a frame, an edit, a file and an undo mean.
"""

import traceback
from collections.abc import Callable
from typing import Any

import bpy

from ...core.errors import NeuraRigError
from ..character import controls
from ..character.changes import Changes
from . import handlers
from .roster import Roster


class LiveMode:
    """One way of posing characters live.

    `what`: its name in a sentence.  `state`: an object's settings of it, which have `live` and `error`.  `attached`: how it is attached to
    an object, empty where it is not.  `adopt`: told of its objects whenever they were searched for.
    `paused`: those whom somebody else poses, by session_uid.
    """

    def __init__(
        self,
        what: str,
        state: Callable[[bpy.types.Object], Any],
        attached: Callable[[bpy.types.Object], str],
        adopt: Callable[[list[bpy.types.Object]], None] | None = None,
    ):
        self._what, self._state, self._attached = what, state, attached
        self._handlers: list[tuple[list, Callable[..., None]]] = []
        self._listening: tuple[Changes, Callable[[bpy.types.Object], None]] | None = None
        self.paused: set[int] = set()
        self.roster = Roster(self.poses, adopt or _keep_to_themselves)

    def poses(self, obj: bpy.types.Object) -> bool:
        """Say whether an object is posed so."""
        if obj.type != "ARMATURE" or obj.session_uid in self.paused:
            return False
        return self._state(obj).live and bool(self._attached(obj))

    def edited(self, scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> list[bpy.types.Object]:
        """Return the objects of a scene in which something was edited; objects that came or went show as an edit of the scene."""
        came_or_went = depsgraph.id_type_updated("SCENE")
        if came_or_went:
            self.roster.clear()
        return self.roster.of(scene, came_or_went)

    def each(self, scene: bpy.types.Scene, act: Callable[..., Any], *arguments: Any) -> None:
        """Have something done for every object of a scene: one for which it fails is turned off and the others go on."""
        for obj in self.roster.of(scene):
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
        state = self._state(obj)
        state.error = reason
        state.live = False

    def begin(self, changes: Changes, on_change: Callable[[bpy.types.Object], None], **on: Callable[..., None]) -> None:
        """Have changed settings call `on_change`, and Blender each persistent function `on` the list of handlers that names it."""
        self._handlers = [(getattr(bpy.app.handlers, name), function) for name, function in on.items()]
        self._listening = changes, on_change
        handlers.add(self._handlers)
        changes.listeners.append(on_change)

    def end(self) -> None:
        """Have nobody called any more."""
        handlers.remove(self._handlers)
        if self._listening is not None:
            changes, on_change = self._listening
            changes.listeners.remove(on_change)
        self.forget()

    def forget(self) -> None:
        """Remember no object."""
        self.paused.clear()
        self.roster.clear()


def _keep_to_themselves(objects: list[bpy.types.Object]) -> None:
    for obj in objects:
        controls.keep_to_itself(obj)
