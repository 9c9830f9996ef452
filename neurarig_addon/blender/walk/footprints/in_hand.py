"""A character's edited prints as a whole: looked up for its current walk, set, and merged."""

from collections.abc import Sequence

import bpy

from ....core.gait.inputs.print_edits import PrintEdit, PrintEdits
from ....core.gait.prints.added_steps import require_room
from .. import requirements
from .. import source as walk_source
from ..changes import changes
from ..ground import ground
from ..walk import WalkSource
from . import added, edits, handles


def require_walk(obj: bpy.types.Object) -> None:
    """Refuse a character without a walk, and first move its prints to where their objects are."""
    requirements.require_walk(obj)
    handles.take_all(obj, lambda: source_of(obj))


def source_of(obj: bpy.types.Object) -> WalkSource:
    """Return the walk of a character."""
    return walk_source.source_of(obj, bpy.context.scene)


def set_edits(obj: bpy.types.Object, known: PrintEdits) -> None:
    """Set a character's edits; no print is an object then."""
    handles.remove(obj)
    obj.neurarig.walk.prints.clear()
    for edit in known.edits:
        edits.put(edits.taken(obj, edit.side, edit.number, lies_on_ground(obj)), edit)
    edits.touched(obj)


def put_edits(obj: bpy.types.Object, known: Sequence[PrintEdit]) -> None:
    """Merge edits, including added prints; raises NeuraRigError if the walk has no room for one."""
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
    """Return whether a newly edited print lies on the ground, whatever its object's height and tilt."""
    return ground.is_walked_on(obj)
