"""What is remembered of objects and collections: by identity, which outlives renaming and undo, for no longer than they are there."""

from typing import Generic, TypeVar
from weakref import WeakSet

import bpy

Value = TypeVar("Value")
_all: "WeakSet[Memory]" = WeakSet()


class Memory(Generic[Value]):
    """Values by object or collection; numbers and names only, as undo and loading may take away any data of Blender's."""

    def __init__(self) -> None:
        self._values: dict[int, Value] = {}
        _all.add(self)

    def __len__(self) -> int:
        return len(self._values)

    def __setitem__(self, obj: bpy.types.ID, value: Value) -> None:
        self._values[obj.session_uid] = value

    def get(self, obj: bpy.types.ID) -> Value | None:
        """Return what is remembered of an object, None where it is nothing."""
        return self._values.get(obj.session_uid)

    def values(self) -> list[Value]:
        """Return all that is remembered."""
        return list(self._values.values())

    def items(self) -> list[tuple[int, Value]]:
        """Return all that is remembered, with the session_uid of what it is remembered of."""
        return list(self._values.items())

    def forget(self, obj: bpy.types.ID | None = None) -> None:
        """Drop what is remembered of an object (None: of all)."""
        if obj is None:
            self._values.clear()
        else:
            self._values.pop(obj.session_uid, None)

    def keep_only(self, there: set[int]) -> None:
        """Drop what is remembered of objects that are no longer there."""
        for uid in self._values.keys() - there:
            del self._values[uid]


def forget_the_gone() -> None:
    """Drop what is remembered of objects and collections that the file no longer has."""
    there = {thing.session_uid for things in (bpy.data.objects, bpy.data.collections) for thing in things}
    for memory in _all:
        memory.keep_only(there)
