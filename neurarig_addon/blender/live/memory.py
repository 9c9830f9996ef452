"""Values remembered per object or collection: by identity, which outlives renaming and undo, until it is
deleted."""

from typing import Generic, TypeVar
from weakref import WeakSet

import bpy
from bpy.types import ID

Value = TypeVar("Value")
_all: "WeakSet[Memory]" = WeakSet()


class Memory(Generic[Value]):
    """Values by object or collection; numbers and names only, as undo and loading may free any Blender
    data."""

    def __init__(self) -> None:
        self._values: dict[int, Value] = {}
        _all.add(self)

    def __len__(self) -> int:
        return len(self._values)

    def __setitem__(self, obj: ID, value: Value) -> None:
        self._values[obj.session_uid] = value

    def get(self, obj: ID) -> Value | None:
        """Return the value of an object, None if there is none."""
        return self._values.get(obj.session_uid)

    def values(self) -> list[Value]:
        """Return all values."""
        return list(self._values.values())

    def items(self) -> list[tuple[int, Value]]:
        """Return all values, each with the session_uid of its object or collection."""
        return list(self._values.items())

    def forget(self, obj: ID | None = None) -> None:
        """Drop the value of an object (None: all values)."""
        if obj is None:
            self._values.clear()
        else:
            self._values.pop(obj.session_uid, None)

    def keep_only(self, there: set[int]) -> None:
        """Drop the values of all but these session_uids."""
        for uid in self._values.keys() - there:
            del self._values[uid]


def forget_deleted() -> None:
    """Drop the values of objects and collections that the file no longer has, in every memory."""
    there = {thing.session_uid for things in (bpy.data.objects, bpy.data.collections) for thing in things}
    for memory in _all:
        memory.keep_only(there)
