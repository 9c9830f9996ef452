"""The prints that a character has in hand, as a whole: looked up for its walk as it is now, set, and put to those that there are."""

from collections.abc import Sequence

import bpy

from ....core.gait.prints.added_steps import require_room
from ....core.gait.prints.print_edits import PrintEdit, PrintEdits
from .. import requirements
from .. import source as walk_source
from ..changes import changes
from ..ground import ground
from ..walk import WalkSource
from . import added, edits, handles


def require_walk(obj: bpy.types.Object) -> None:
    """Refuse a character without a walk, and have its prints be where their objects were put."""
    requirements.require_walk(obj)
    handles.take_all(obj, lambda: source_of(obj))


def source_of(obj: bpy.types.Object) -> WalkSource:
    """Return the walk of a character."""
    return walk_source.source_of(obj, bpy.context.scene)


def set_edits(obj: bpy.types.Object, known: PrintEdits) -> None:
    """Have a character's edits be these, and no print an object."""
    handles.remove(obj)
    obj.neurarig.walk.prints.clear()
    for edit in known.edits:
        edits.put(edits.taken(obj, edit.side, edit.number, lies_on_ground(obj)), edit)
    edits.touched(obj)


def put_edits(obj: bpy.types.Object, known: Sequence[PrintEdit]) -> None:
    """Edit a character's prints, with those that are added; raises NeuraRigError where its walk has no room for one."""
    walker, has = source_of(obj).planned, edits.edits_of(obj).added
    more = sorted((edit.key for edit in known if edit.added and edit.key not in has), key=lambda key: key[1])
    for key in more:
        require_room(walker, key)
    with changes.as_one(obj):
        for key in more:
            added.make_room(obj, walker, key, lies_on_ground(obj))
        for edit in known:
            edits.put(edits.taken(obj, edit.side, edit.number, lies_on_ground(obj)), edit)
        edits.touched(obj)
    handles.place_again(obj, source_of(obj))


def lies_on_ground(obj: bpy.types.Object) -> bool:
    """Say whether a print that is taken in hand lies on the ground, whatever its object's height and tilt."""
    return ground.is_walked_on(obj)
