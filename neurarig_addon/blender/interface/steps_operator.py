"""Long operators: at once without a window, with progress and Esc in one."""

from collections.abc import Generator
from time import monotonic
from typing import Any

import bpy

from ...core.errors import NeuraRigError
from ..character.selection import armature_of
from . import under_way
from .operator import CharacterOperator

SLICE = 0.2  # seconds of work between events: a window may take long to draw


class StepsOperator(under_way.Work, CharacterOperator):
    """An operator whose work is a generator that yields the share done.

    `steps` begins the work, `done` gets its result and returns the sentence to report.  Esc closes the generator, which must then
    leave the file as it was.  If started in a window, `invoke` sets `in_window` before it calls `execute`.
    """

    in_window = False

    def steps(self, context: bpy.types.Context, obj: bpy.types.Object) -> Generator[float, None, Any]:
        """Begin the work."""
        raise NotImplementedError

    def done(self, context: bpy.types.Context, obj: bpy.types.Object, result: Any) -> str:
        """Return the sentence to report of the result."""
        raise NotImplementedError

    def act(self, context: bpy.types.Context, obj: bpy.types.Object) -> str:
        steps = self.steps(context, obj)
        window = context.window_manager
        window.progress_begin(0.0, 1.0)
        try:
            while True:
                window.progress_update(next(steps))
        except StopIteration as finished:
            return self.done(context, obj, finished.value)
        finally:
            window.progress_end()

    def execute(self, context: bpy.types.Context) -> set[str]:
        if not self.in_window:
            return super().execute(context)
        self.in_window = False
        self.character = armature_of(context)
        try:
            under_way.require_idle(self.character)
            self._work = self.steps(context, self.character)
        except NeuraRigError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self._timer = context.window_manager.event_timer_add(0.0, window=context.window)
        context.window_manager.progress_begin(0.0, 1.0)
        context.window_manager.modal_handler_add(self)
        self.begin_work()
        self._show(context, 0.0)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        self.look()
        if self.stopped:
            self._tidy(context)
            self.report({"WARNING"}, self.stopped)
            return {"CANCELLED"}
        if event.type == "ESC":
            self.close()
            self._tidy(context)
            self.report({"INFO"}, f"{self.doing} cancelled. Nothing was changed.")
            return {"CANCELLED"}
        if event.type != "TIMER":
            return {"RUNNING_MODAL"}
        return self._go_on(context)

    def cancel(self, context: bpy.types.Context) -> None:
        """Close the work if Blender closes the window."""
        if hasattr(self, "_timer"):
            self.close()
            self._tidy(context)

    def close(self) -> None:
        """End the work early."""
        self._work.close()

    def _go_on(self, context: bpy.types.Context) -> set[str]:
        until, share = monotonic() + SLICE, 0.0
        try:
            while monotonic() < until:
                share = next(self._work)
            self.know()
            self._show(context, share)
            return {"RUNNING_MODAL"}
        except StopIteration as finished:
            self._tidy(context)
            self.report({"INFO"}, self.done(context, self.character, finished.value))
            return {"FINISHED"}
        except NeuraRigError as error:
            self._tidy(context)
            self.report({"ERROR"}, str(error))
        except ReferenceError:
            self._tidy(context)
            self.report({"ERROR"}, f"{self.doing} stopped: the character or scene was deleted.")
        except BaseException:
            self._tidy(context)
            raise
        return {"CANCELLED"}

    def _show(self, context: bpy.types.Context, share: float) -> None:
        context.window_manager.progress_update(share)
        context.workspace.status_text_set(f"{self.doing}: {share:.0%}    Esc: Cancel")

    def _tidy(self, context: bpy.types.Context) -> None:
        self.end_work()
        context.window_manager.event_timer_remove(self._timer)
        context.window_manager.progress_end()
        context.workspace.status_text_set(None)
