"""Walks that can be posed only after Blender has evaluated the frame: with driven sliders, animated turns or
a deck."""

from collections.abc import Iterable
from typing import NamedTuple

import bpy

from ...character import turning
from ...character.turning import move
from ...live.memory import Memory
from .. import slider_curves
from ..way import deck
from ..way.path import travels_with

# what drivers may move, with its numbers per item
_FOLLOWED = slider_curves.SLIDERS_AT | {"neurarig.neural_pose.live": 1}


class _Drivers(NamedTuple):
    """An object's drivers: how many, and whether one drives a slider or its targets, or rotates or scales the
    object.

    Control rigs have many, so they are examined only after edits of the object and when their number changes.
    """

    count: int
    move_sliders: bool
    turn: bool

    @classmethod
    def of(cls, obj: bpy.types.Object, drivers: bpy.types.bpy_prop_collection) -> "_Drivers":
        known = _known.get(obj)
        if known is None or known.count != len(drivers):
            known = _known[obj] = cls(len(drivers), move(drivers, _FOLLOWED), turning.is_driven(drivers))
        return known


_known: Memory[_Drivers] = Memory()


def is_late(obj: bpy.types.Object) -> bool:
    """Return whether a walk is posed only once Blender has evaluated the frame."""
    if deck.of(obj) is not None:
        return True
    data = obj.animation_data
    if data is None:
        return False
    drivers = _Drivers.of(obj, data.drivers)
    return drivers.move_sliders or (
        (drivers.turn or turning.is_keyed(data)) and travels_with(obj) == "OBJECT"
    )


def look_again(edited: Iterable[bpy.types.ID]) -> None:
    """Have the drivers of edited objects examined again."""
    if not len(_known):
        return
    for thing in edited:
        _known.forget(thing)


def forget() -> None:
    """Have all objects' drivers examined again."""
    _known.forget()
