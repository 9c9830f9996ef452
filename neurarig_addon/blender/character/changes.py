"""Changed settings: listeners, and blocks in which several changes count as one."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import bpy

OVERRIDABLE = {"LIBRARY_OVERRIDABLE"}  # properties that a library override of a character may change
# what settings that change nothing, and cannot be keyed, have in common
PLAIN = {"options": set(), "override": OVERRIDABLE}
STATE = {"options": {"HIDDEN"}, "override": OVERRIDABLE}  # what properties that code sets have in common
LIST = {"override": {*OVERRIDABLE, "USE_INSERTION"}}  # of lists, to which a library override may add


class Changes:
    """The changes of one kind of settings; `listeners` are called with the object whose settings changed."""

    def __init__(self, *listeners: Callable[[bpy.types.Object], None]):
        self.listeners = list(listeners)
        self._blocks = 0
        # the `update=` of properties has to be a function
        self.changed = lambda settings, _context: self.tell(settings.id_data)

    def tell(self, obj: bpy.types.Object) -> None:
        """Call the listeners, unless a block of changes is open."""
        if not self._blocks:
            for listener in self.listeners:
                listener(obj)

    @property
    def keyable(self) -> dict[str, Any]:
        """What the settings whose changes are told have in common."""
        return {"override": OVERRIDABLE, "update": self.changed}

    @property
    def setting(self) -> dict[str, Any]:
        """What those of them that cannot be keyed have in common."""
        return PLAIN | self.keyable

    @property
    def is_open(self) -> bool:
        """Return whether a block of changes is open: code sets the properties, not the user."""
        return self._blocks > 0

    @contextmanager
    def as_one(self, obj: bpy.types.Object) -> Iterator[None]:
        """Set several properties of `obj` as one change: the listeners are called once, at the end."""
        self._blocks += 1
        try:
            yield
        finally:
            self._blocks -= 1
        self.tell(obj)

    @contextmanager
    def unheard(self) -> Iterator[None]:
        """Set properties without calling the listeners."""
        self._blocks += 1
        try:
            yield
        finally:
            self._blocks -= 1
