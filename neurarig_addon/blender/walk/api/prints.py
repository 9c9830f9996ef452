"""Footprints for scripts; `blender.api` hands these on.

api.edit_print(hero, "LEFT", 4, aside=0.1, yaw=0.3)
api.take_prints(hero, [("LEFT", 4), ("RIGHT", 4)])    # as objects, to drag
api.add_print(hero, "LEFT", 4)                         # one step more after it
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import bpy
import numpy as np
from bpy.types import Object

from ....core.errors import NeuraRigError
from ....core.gait.inputs.print_edits import PrintEdit, PrintEdits, require_edit
from ....core.gait.prints.print_places import next_after, prints_at, prints_within
from ..changes import changes
from ..footprints import act_handles, edits, handles
from ..footprints.edits import NAMES, SIDES, NeuraRigPrint
from ..source.source import source_of
from ..way.path import travels_with
from . import print_sets
from .print_sets import lies_on_ground, put_edits, require_walk

MOST_OBJECTS = 400  # most prints made into objects at once: more would slow Blender down

Key = tuple[str, int]
PAIRS = (tuple(SIDES)[:2], tuple(SIDES)[2:])


def edit_print(obj: Object, side: str, number: int, **values: Any) -> None:
    """Change one print of a walk; values that are not given stay.

    Args:
        side: 'LEFT' or 'RIGHT', on four legs 'LEFT_FORE' or 'RIGHT_FORE' too. number: heel strikes of that
        foot since the walk's start, from 0. values:
        `along`, `aside`, `height` (metres), `yaw`, `slope`, `bank`, `ball_pivot` (radians), `touch`, `lift`
        (cycles later), `held`,
            `on_ground`.

    Raises NeuraRigError without a walk, or if there is no such print or value.
    """
    require_walk(obj)
    on_ground = values.pop("on_ground", None)
    if "added" in values:
        raise NeuraRigError("Whether a print is added cannot be edited. Use add_print and reset_prints.")
    known = edits.find(obj, _side(side), number)
    try:
        wanted = replace(edits.edit_of(known) if known else PrintEdit(_side(side), number), **values)
    except TypeError:
        raise NeuraRigError(
            f"A print has no '{', '.join(sorted(values))}'; it has {', '.join(_names())}."
        ) from None
    require_edit(wanted)
    _require_stands(obj, [wanted.side])
    with changes.as_one(obj):
        item = edits.find_or_add(obj, wanted.side, number, lies_on_ground(obj))
        if on_ground is not None:
            item.on_ground = bool(on_ground)
        edits.put(item, wanted)
        edits.touched(obj)
    handles.place_again(obj, source_of(obj))


def take_prints(obj: Object, prints: Sequence[Key] | None = None) -> list[Object]:
    """Make objects of prints, to be dragged, and return them; by default of those that the feet are on, or
    reach next.

    Raises NeuraRigError without a walk that travels, or for too many at once.
    """
    require_walk(obj)
    require_shown(obj)
    source = source_of(obj)
    keys = [(_side(side), row) for side, row in prints or ()]
    if prints is None:
        keys = prints_at(
            source.walker, *source.walk_frames(np.array([bpy.context.scene.frame_current_final])).tolist()
        )
    if len(keys) > MOST_OBJECTS:
        raise NeuraRigError(f"{len(keys)} footprints at once are too many; choose at most {MOST_OBJECTS}.")
    for side, number in keys:
        require_edit(PrintEdit(side, number))
    _require_stands(obj, [side for side, _ in keys])
    with changes.as_one(obj):
        for side, number in keys:
            edits.find_or_add(obj, side, number, lies_on_ground(obj))
        edits.touched(obj)
    items = [item for side, number in keys if (item := edits.find(obj, side, number))]
    return handles.make(obj, bpy.context.scene, items, source_of(obj))


def require_shown(obj: Object) -> None:
    """Refuse a walk in place, which has no prints on the ground."""
    if not travels_with(obj):
        raise NeuraRigError(f"'{obj.name}' walks in place. Choose Travel or Path to edit its footprints.")


def add_print(obj: Object, side: str, number: int) -> Key:
    """Add a step after a print and return its print; steps around it become shorter and quicker, later prints
    are renumbered.

    Raises NeuraRigError without a walk that travels, or if it has no room for a step there.
    """
    require_walk(obj)
    require_edit(PrintEdit(_side(side), number))
    require_edit(PrintEdit(_side(side), number + 1, added=True))
    new = _side(side), number + 1
    with changes.as_one(obj):
        print_sets.make_room(obj, source_of(obj).planned, new, lies_on_ground(obj))
        edits.touched(obj)
    handles.place_again(obj, source_of(obj))
    return side, number + 1


def stood_on(obj: Object, frame: float) -> Key:
    """Return the print of the same foot before the one touched next after a frame."""
    require_walk(obj)
    source = source_of(obj)
    side, number = next_after(source.walker, *source.walk_frames(np.array([frame])).tolist())
    return NAMES[side], number - 1


def prints_between(obj: Object, first: float, last: float) -> list[Key]:
    """Return the prints on which a character stands between two frames."""
    require_walk(obj)
    source = source_of(obj)
    low, high = prints_within(source.walker, *source.walk_frames(np.array([first, last])).tolist())
    carried, feet = source.walker.gait.law.contacts.carried, 2 * len(source.walker.girdles)
    stand = [side for side, row in SIDES.items() if row != carried and row < feet]
    return [(side, number) for number in range(low, high + 1) for side in stand]


def prints_of(objects: Sequence[Object], obj: Object) -> list[Key]:
    """Return the prints of a character that the given objects stand for."""
    return [
        (item.side, item.number)
        for item in obj.neurarig.walk.prints
        if item.object is not None and item.object in objects
    ]


def neighbours(prints: Sequence[Key]) -> list[Key]:
    """Return the given prints and the steps before and after them, of both feet of a pair."""
    numbers = {number for _, number in prints}
    around = sorted({number + step for number in numbers for step in (-1, 0, 1)})
    order = [(side, number) for pair in PAIRS for number in around for side in pair]
    wanted = [row for row, key in enumerate(order) if key in prints]
    return [key for row, key in enumerate(order) if any(abs(row - one) <= 1 for one in wanted)]


def reset_prints(obj: Object, prints: Sequence[Key] | None = None) -> int:
    """Reset prints (None: all) to the plan, remove their objects, and return how many there were.

    Raises NeuraRigError without a walk.
    """
    require_walk(obj)
    own = obj.neurarig.walk.prints
    rows = [row for row, item in enumerate(own) if prints is None or (item.side, item.number) in prints]
    more = sorted(
        (edits.edit_of(own[row]).key for row in rows if own[row].added), key=lambda key: key[1], reverse=True
    )
    walker = source_of(obj).planned if more else None
    with changes.as_one(obj):
        handles.remove(obj, [own[row] for row in rows])
        for row in reversed(rows):
            own.remove(row)
        if walker is not None:
            for key in more:
                print_sets.close_up(obj, walker, key)
        edits.touched(obj)
    if more:
        handles.place_again(obj, source_of(obj))
    return len(rows)


def put_away_prints(obj: Object) -> None:
    """Remove the objects of a character's prints and acts; the edits stay, and acts where they are.

    Raises NeuraRigError without a walk.
    """
    require_walk(obj)
    with changes.as_one(obj):
        act_handles.remove_all(obj, source_of(obj))
    handles.remove(obj)
    _without_idle(obj)


def mirror_prints(obj: Object, prints: Sequence[Key]) -> int:
    """Apply the mirrored edits of the given prints to the other foot's prints of the same numbers; return how
    many.

    Raises NeuraRigError without a walk.
    """
    require_walk(obj)
    known = [edits.edit_of(item).mirrored for item in _items(obj, prints)]
    put_edits(obj, known)
    return len(known)


def copy_prints(obj: Object, other: Object, prints: Sequence[Key] | None = None) -> int:
    """Copy edits (None: all) to another character, in its size; return how many.

    Raises NeuraRigError if one of the two has no walk.
    """
    require_walk(obj)
    require_walk(other)
    if other == obj:
        raise NeuraRigError(f"'{obj.name}' cannot copy its prints to itself. Select another character too.")
    size = source_of(other).body.leg_length / source_of(obj).body.leg_length
    known = [
        edits.edit_of(item) for item in (obj.neurarig.walk.prints if prints is None else _items(obj, prints))
    ]
    put_edits(other, PrintEdits(tuple(known)).scaled(size).edits)
    return len(known)


def lay_prints(obj: Object, prints: Sequence[Key]) -> int:
    """Lay prints on the ground where they are; return how many."""
    require_walk(obj)
    items = _items(obj, prints)
    with changes.as_one(obj):
        for item in items:
            item.on_ground = True
            edits.put(item, replace(edits.edit_of(item), height=0.0, slope=0.0, bank=0.0))
        edits.touched(obj)
    handles.place_again(obj, source_of(obj))
    return len(items)


def _without_idle(obj: Object) -> None:
    """Forget prints that became objects but were not changed."""
    own = obj.neurarig.walk.prints
    idle = [
        row for row, item in enumerate(own) if edits.edit_of(item) == PrintEdit(SIDES[item.side], item.number)
    ]
    if idle:
        with changes.as_one(obj):
            for row in reversed(idle):
                own.remove(row)
            edits.touched(obj)


def _items(obj: Object, prints: Sequence[Key]) -> list[NeuraRigPrint]:
    found = [edits.find(obj, _side(side), number) for side, number in prints]
    if not found or None in found:
        raise NeuraRigError(
            f"'{obj.name}' is not editing that footprint. Select the objects of its footprints."
        )
    return [item for item in found if item is not None]


def _require_stands(obj: Object, sides: Sequence[int]) -> None:
    """Refuse prints of a foot that never stands."""
    walker = source_of(obj).walker
    carried = walker.gait.law.contacts.carried
    if max(sides, default=0) >= 2 * len(walker.girdles):
        raise NeuraRigError(f"'{obj.name}' has no fore feet. Its footprints are LEFT and RIGHT.")
    if carried is not None and carried in sides:
        raise NeuraRigError(
            f"The {NAMES[carried].lower()} foot of '{obj.name}' never touches the ground. Change Hop On to"
            " give it footprints."
        )


def _side(side: str) -> int:
    if side not in SIDES:
        raise NeuraRigError(f"A footprint is LEFT, RIGHT, LEFT_FORE or RIGHT_FORE, not '{side}'.")
    return SIDES[side]


def _names() -> list[str]:
    return [name for name in PrintEdit.__dataclass_fields__ if name not in ("side", "number", "added")]
