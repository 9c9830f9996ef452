"""Work running in windows, on which character, and what ends it: undo, or a change to the character
meanwhile."""

from typing import Any

import bpy
from bpy.app.handlers import persistent
from bpy.types import Object

from ...core.errors import NeuraRigError
from ..animation import scratch
from ..animation.objects import is_deleted
from .language import said

_going: list["Work"] = []


class Work:
    """Running work: `doing` in a word, on `character`, the `share` of it that is done; `stopped`: why it was
    ended from outside, '' while it runs."""

    doing = ""
    character: Object
    stopped = ""
    share = 0.0

    @property
    def how_far(self) -> str:
        """What it does and how far it is, in the language of the interface."""
        return said(f"{self.doing}: {self.share:.0%}    Esc: Cancel")

    def close(self) -> None:
        """End the work and leave the file as it was."""
        raise NotImplementedError

    def stop(self, why: str) -> None:
        """End the work from outside, once."""
        if not self.stopped:
            self.stopped = why
            self.close()

    def begin_work(self) -> None:
        """Count as running."""
        self._known = _known(self.character)
        _going.append(self)

    def end_work(self) -> None:
        """No longer count as running."""
        if self in _going:
            _going.remove(self)

    def look(self) -> None:
        """Stop if the character was deleted, or changed by anything but the work itself."""
        if is_deleted(self.character):
            self.stop(f"{self.doing} stopped: the character was deleted.")
        elif _known(self.character) != self._known:
            self.stop(f"{self.doing} stopped: '{self.character.name}' was changed.")

    def know(self) -> None:
        """Accept the character as the work itself has changed it."""
        if not is_deleted(self.character):
            self._known = _known(self.character)


def on(obj: Object) -> Work | None:
    """Return what is running on a character."""
    return next((work for work in _going if not is_deleted(work.character) and work.character == obj), None)


def refusal(obj: Object) -> str:
    """Return why nothing else can be done with a character now, '' if it can."""
    going = on(obj)
    return f"'{obj.name}' is busy: {going.doing}. Wait for it, or press Esc in its window" if going else ""


def require_idle(obj: Object) -> None:
    """Raise NeuraRigError if work on a character is running in a window."""
    if why := refusal(obj):
        raise NeuraRigError(f"{why}.")


def _known(obj: Object) -> tuple[Any, ...]:
    """Return the state of a character that only the running work may change."""
    own = obj.neurarig
    return own.attachment, frozenset(own.holders), obj.data.session_uid, obj.mode == "EDIT"


@persistent
def _before_undo(*_) -> None:
    """End running work before an undo, which replaces every object."""
    for work in list(_going):
        work.stop(f"{work.doing} stopped by undo.")


HANDLERS = (
    (bpy.app.handlers.undo_pre, _before_undo),
    (bpy.app.handlers.redo_pre, _before_undo),
    *scratch.HANDLERS,
)
