"""The empties of acts, which are dragged to move them: made where an act is, and removed with it."""

import bpy
import numpy as np
from bpy.types import Object

from ...animation.objects import copied
from ...character import held
from ..changes import changes
from ..walk import WalkSource
from ..way.acts import NeuraRigAct

SIZE = 0.3  # leg lengths


def make(obj: Object, item: NeuraRigAct, place: np.ndarray) -> Object:
    """Return a new empty for an act at a place `(3,)` in the world."""
    handle = held.empty(obj, f"{obj.name} {item.name}", [bpy.context.scene.collection])
    handle.empty_display_type = "SINGLE_ARROW"
    handle.empty_display_size = (
        SIZE * obj.neurarig.walk.leg_length / bpy.context.scene.unit_settings.scale_length
    )
    handle.location = place
    bpy.context.view_layer.update()
    return handle


def take_own(obj: Object, handle: Object) -> None:
    """Give a copied character an empty of its own in place of the original's, where an act is at it."""
    held.leave(obj, handle)
    items = [item for item in obj.neurarig.walk.acts if item.place == handle]
    if items:
        own = copied(handle)
        held.add(obj, own)
        with changes.unheard():
            for item in items:
                item.place = own


def remove(obj: Object, item: NeuraRigAct) -> None:
    """Remove the empty of an act, if it is ours and no other act is there."""
    handle = item.place
    if handle is not None and handle in held.of(obj):
        item.place = None
        if all(other.place != handle for other in obj.neurarig.walk.acts):
            held.remove(obj, handle)


def remove_all(obj: Object, source: WalkSource | None) -> None:
    """Remove the empties of all acts of a character, which stay where the walk `source` has them."""
    items, ours = obj.neurarig.walk.acts, held.of(obj)
    for number, item in enumerate(items):
        if item.place in ours and source is not None and len(source.acts) == len(items):
            item.distance = source.acts[number].distance
        remove(obj, item)
