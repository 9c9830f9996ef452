"""The empties of acts, which are dragged to move them: made where an act is, and removed with it."""

import bpy
import numpy as np

from ..walk import WalkSource
from ..way.acts import NeuraRigAct

MARK = "neurarig_act"  # custom property of an empty of ours, with the character's name as value
SIZE = 0.3  # leg lengths


def make(obj: bpy.types.Object, item: NeuraRigAct, place: np.ndarray) -> bpy.types.Object:
    """Return a new empty for an act at a place `(3,)` in the world."""
    handle = bpy.data.objects.new(f"{obj.name} {item.name}", None)
    handle.empty_display_type = "SINGLE_ARROW"
    handle.empty_display_size = SIZE * obj.neurarig.walk.leg_length / bpy.context.scene.unit_settings.scale_length
    handle.location = place
    handle[MARK] = obj.name
    bpy.context.scene.collection.objects.link(handle)
    bpy.context.view_layer.update()
    return handle


def is_ours(obj: bpy.types.Object, item: NeuraRigAct) -> bool:
    """Return whether an act is where an empty of ours is, on which nothing of the user's hangs."""
    handle = item.place
    return handle is not None and handle.get(MARK) == obj.name and not handle.library and not len(handle.children)


def remove(obj: bpy.types.Object, item: NeuraRigAct) -> None:
    """Remove the empty of an act, if it is ours."""
    if is_ours(obj, item):
        handle, item.place = item.place, None
        bpy.data.objects.remove(handle)


def remove_all(obj: bpy.types.Object, source: WalkSource | None) -> None:
    """Remove the empties of all acts of a character, which stay where the walk `source` has them."""
    items = obj.neurarig.walk.acts
    for number, item in enumerate(items):
        if is_ours(obj, item) and source is not None and len(source.acts) == len(items):
            item.distance = source.acts[number].distance
        remove(obj, item)
