"""Steps added to a walk and removed again: later edited prints are renumbered."""

from collections.abc import Callable
from dataclasses import replace

import bpy

from ....core.gait.inputs.print_edits import PrintEdit
from ....core.gait.prints.added_steps import Key, moved_back, moved_up, require_room
from ....core.gait.walker import Walker
from . import edits, handles


def make_room(obj: bpy.types.Object, walker: Walker, key: Key, on_ground: bool) -> None:
    """Add a print to a character's edited ones; raises NeuraRigError if its walk has no room for a step there."""
    require_room(walker, key)
    _renumber(obj, lambda other: moved_back(walker, key, other), descending=True)
    edits.put(edits.taken(obj, *key, on_ground), PrintEdit(*key, added=True))


def close_up(obj: bpy.types.Object, walker: Walker, key: Key) -> None:
    """Renumber the edited prints after an added one that was removed."""
    _renumber(obj, lambda other: moved_up(walker, key, other), descending=False)


def _renumber(obj: bpy.types.Object, to: Callable[[Key], Key], descending: bool) -> None:
    """Renumber edited prints; if two get the same number, the first stays."""
    own = obj.neurarig.walk.prints
    order = sorted(((edits.edit_of(item).key, row) for row, item in enumerate(own)), key=lambda each: each[0][1], reverse=descending)
    removed: list[int] = []
    for key, row in order:
        side, number = to(key)
        if (side, number) == key:
            continue
        if edits.found(obj, side, number) is not None:
            removed.append(row)
            continue
        edits.put(own[row], replace(edits.edit_of(own[row]), side=side, number=number))
        handles.name_again(obj, own[row])
    handles.remove(obj, [own[row] for row in removed])
    for row in sorted(removed, reverse=True):
        own.remove(row)
