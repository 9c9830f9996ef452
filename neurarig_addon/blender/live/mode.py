"""Characters posed live: which they are, which handlers call when, and what happens if one cannot be posed.

The walk, the clip and the targets each have their own mode, and define what a frame, an edit, a file and an
undo mean to it.
"""

import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import bpy
from bpy.types import Depsgraph, Object, Scene

from ...core.errors import NeuraRigError
from ..animation.scratch import is_passing
from ..character import controls, moving, record
from ..character.changes import Changes
from . import handlers
from .handlers import Place, Roster
from .memory import Memory

GOES_ON = "Until then it keeps its last valid motion."


class LiveMode:
    """One way of posing characters live.

    `holder`: its holder (see `record`). `what`: its name in a sentence. `adopt`: called with an object that
    is found for the first time.
    `forgets`: called when the mode forgets everything: when another file is opened, and at the end.
    `paused`: objects posed by other code for now, by session_uid.
    """

    def __init__(
        self,
        holder: str,
        what: str,
        adopt: Callable[[Object], None] | None = None,
        forgets: Iterable[Callable[[], None]] = (),
    ) -> None:
        self._holder, self._what, self._forgets = holder, what, tuple(forgets)
        self._adopt_one = adopt or (lambda obj: None)
        self._handlers: list[tuple[list, Callable[..., None]]] = []
        self._listening: list[tuple[Changes, Callable[[Object], None]]] = []
        self._adopted: Memory[bool] = Memory()
        self._reported: Memory[str] = Memory()
        self.paused: set[int] = set()
        self.roster = Roster(self.poses, self._adopt)

    def poses(self, obj: Object) -> bool:
        """Return whether this mode poses an object."""
        return (
            obj.type == "ARMATURE"
            and obj.session_uid not in self.paused
            and record.is_live(obj, self._holder)
        )

    def _adopt(self, objects: list[Object]) -> None:
        """Prepare objects that are new through a file, undo or copying."""
        for obj in objects:
            if self._adopted.get(obj) is None:
                self._adopted[obj] = True
                controls.keep_to_itself(obj, record.attachment(obj))
                moving.mark(obj)
                self._adopt_one(obj)

    def objects(self, scene: Scene, here: Place | None = None) -> list[Object]:
        """Return the objects of a scene to pose now; `here`: see `Roster.of`."""
        return self.roster.of(scene, here)

    def edited(self, scene: Scene, depsgraph: Depsgraph) -> list[Object]:
        """Return the objects of an edited scene, to pose now; added or removed objects show as an edit of the
        scene."""
        came_or_went = depsgraph.id_type_updated("SCENE")
        if came_or_went and not is_passing(scene):
            self.roster.clear()
        return self.roster.of(scene, may_have_changed=came_or_went)

    def each(self, scene: Scene, act: Callable[..., Any], *arguments: Any) -> None:
        """Call `act` for every object of a scene; an object for which it fails is turned off, the others go
        on."""
        for obj in self.objects(scene):
            self.guarded(act, obj, *arguments)

    def guarded(self, act: Callable[..., Any], obj: Object, *arguments: Any) -> Any:
        """Return `act(obj, ...)`; if it fails, turn the object off, as a handler cannot raise to anyone, and
        return None."""
        try:
            return act(obj, *arguments)
        except Exception as error:
            self.turn_off(obj, error)
            return None

    def turn_off(self, obj: Object, error: Exception) -> None:
        """Stop posing an object that cannot be posed, and keep the reason for the panel."""
        if isinstance(error, NeuraRigError):
            reason = str(error)
        else:
            traceback.print_exception(error)
            reason = (
                f"{self._what} of '{obj.name}' stopped on an internal error, {type(error).__name__}: {error}"
            )
        print(f"NeuraRig: {reason}")
        state = record.settings_of(obj, self._holder)
        state.error = reason
        state.live = False

    def tell(self, obj: Object, reason: str) -> None:
        """Keep for the panel why an object holds its last motion instead of following its settings; '' once
        it follows them again."""
        reported = self._reported.get(obj)
        state = record.settings_of(obj, self._holder) if reported != reason else None
        if state is not None:
            sentence = f"{reason} {GOES_ON}" if reason else ""
            if state.error != sentence and (reason or state.error.endswith(GOES_ON)):
                state.error = sentence
            self._reported[obj] = reason

    def begin(
        self,
        listening: Mapping[Changes, Callable[[Object], None]],
        before: handlers.Before | None = None,
        after: handlers.After | None = None,
        **on: Callable[..., None],
    ) -> None:
        """Register the listeners of changes, and each persistent function of `on` in Blender's handler list
        of that name.

        `before`, `after`: what is done on each change of frame, see `handlers.follow`.
        """
        handlers.follow(self.roster, before, after)
        self._handlers = [(getattr(bpy.app.handlers, name), function) for name, function in on.items()]
        self._listening = list(listening.items())
        handlers.add(self._handlers)
        for changes, listener in self._listening:
            changes.listeners.append(listener)

    def end(self) -> None:
        """Unregister handlers and listeners, and forget everything."""
        handlers.forget(self.roster)
        handlers.remove(self._handlers)
        for changes, listener in self._listening:
            changes.listeners.remove(listener)
        self._listening = []
        self.forget()

    def forget(self) -> None:
        """Forget everything."""
        self.paused.clear()
        self.look_again()
        for forget in self._forgets:
            forget()

    def opened(self) -> Iterator[tuple[Scene, list[Object]]]:
        """Forget everything, and yield the scenes of a file that was opened, with their objects to pose.

        Each is evaluated first: until then nothing in it has a place in the world.
        """
        self.forget()
        for scene in bpy.data.scenes:
            if objects := self.objects(scene):
                scene.view_layers[0].update()
                yield scene, objects

    def look_again(self) -> None:
        """Search for the objects again when next asked, and adopt them again."""
        self._adopted.forget()
        self._reported.forget()
        self.roster.clear()
