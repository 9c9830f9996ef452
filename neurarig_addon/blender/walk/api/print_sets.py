"""A character's edited prints as a whole: looked up for its current walk, set, merged, renumbered, in
files."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from bpy.types import Object

from ....core.errors import NeuraRigError
from ....core.gait.inputs.print_edits import PrintEdit, PrintEdits
from ....core.gait.prints import print_file
from ....core.gait.prints.added_steps import Key, moved_back, moved_up, require_room
from ....core.gait.walker import Walker
from ..changes import changes
from ..footprints import edits, handles
from ..settings import requirements
from ..source.source import source_of
from ..way import ground


def make_room(obj: Object, walker: Walker, key: Key, on_ground: bool) -> None:
    """Add a print to a character's edited ones; raises NeuraRigError if its walk has no room for a step
    there."""
    require_room(walker, key)
    _renumber(obj, lambda other: moved_back(walker, key, other), descending=True)
    edits.put(edits.find_or_add(obj, *key, on_ground), PrintEdit(*key, added=True))


def close_up(obj: Object, walker: Walker, key: Key) -> None:
    """Renumber the edited prints after an added one that was removed."""
    _renumber(obj, lambda other: moved_up(walker, key, other), descending=False)


def _renumber(obj: Object, to: Callable[[Key], Key], descending: bool) -> None:
    """Renumber edited prints; if two get the same number, the first stays."""
    own = obj.neurarig.walk.prints
    order = sorted(
        ((edits.edit_of(item).key, row) for row, item in enumerate(own)),
        key=lambda each: each[0][1],
        reverse=descending,
    )
    removed: list[int] = []
    for key, row in order:
        side, number = to(key)
        if (side, number) == key:
            continue
        if edits.find(obj, side, number) is not None:
            removed.append(row)
            continue
        edits.put(own[row], replace(edits.edit_of(own[row]), side=side, number=number))
        handles.name_again(obj, own[row])
    handles.remove(obj, [own[row] for row in removed])
    for row in sorted(removed, reverse=True):
        own.remove(row)


def require_walk(obj: Object) -> None:
    """Refuse a character without a walk, and first move its prints to where their objects are."""
    requirements.require_walk(obj)
    handles.take_all(obj, lambda: source_of(obj))


def set_edits(obj: Object, known: PrintEdits) -> None:
    """Set a character's edits; no print is an object then."""
    handles.remove(obj)
    obj.neurarig.walk.prints.clear()
    for edit in known.edits:
        edits.put(edits.find_or_add(obj, edit.side, edit.number, lies_on_ground(obj)), edit)
    edits.touched(obj)


def put_edits(obj: Object, known: Sequence[PrintEdit]) -> None:
    """Merge edits, including added prints; raises NeuraRigError if the walk has no room for one."""
    walker, has = source_of(obj).planned, edits.edits_of(obj).added
    more = sorted((edit.key for edit in known if edit.added and edit.key not in has), key=lambda key: key[1])
    for key in more:
        require_room(walker, key)
    with changes.as_one(obj):
        for key in more:
            make_room(obj, walker, key, lies_on_ground(obj))
        for edit in known:
            edits.put(edits.find_or_add(obj, edit.side, edit.number, lies_on_ground(obj)), edit)
        edits.touched(obj)
    handles.place_again(obj, source_of(obj))


def lies_on_ground(obj: Object) -> bool:
    """Return whether a newly edited print lies on the ground, whatever its object's height and tilt."""
    return ground.is_walked_on(obj)


def save_prints(obj: Object, path: str | Path) -> int:
    """Write the edited prints of a character to a JSON file that fits characters of any size; return how many
    there are.

    Raises NeuraRigError without a walk, or if the file cannot be written.
    """
    require_walk(obj)
    known = edits.edits_of(obj)
    if not known:
        raise NeuraRigError(f"'{obj.name}' has no edited footprints to save. Edit one first.")
    print_file.save_prints(path, known, source_of(obj).body.leg_length)
    return len(known.edits)


def load_prints(obj: Object, path: str | Path) -> int:
    """Replace a character's edited prints by those of a file; return how many there are.

    Raises NeuraRigError without a walk, or if the file is damaged or asks for steps that have no room.
    """
    require_walk(obj)
    known = print_file.load_prints(path, source_of(obj).body.leg_length)
    with changes.as_one(obj):
        set_edits(obj, known)
    return len(known.edits)
