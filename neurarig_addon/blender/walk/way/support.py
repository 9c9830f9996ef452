"""What the things that hands take stand on: it is in the way of who takes them."""

from collections.abc import Hashable

import bpy
import numpy as np

from ....core.geometry.vectors import transformed
from ...animation.objects import above, object_of
from ...live.memory import Memory
from . import ground, world

NEAR = 0.05  # metres between the underside of a thing and the top of what it stands on

_found: Memory[tuple[int, Hashable]] = Memory()  # by thing: what it stands on, and where that was


def under(scene: bpy.types.Scene, thing: bpy.types.Object, box: np.ndarray) -> bpy.types.Object | None:
    """Return the smallest object on whose top a thing stands, None if there is none; `box` `(8, 3)`: the
    thing's corners in the world."""
    middle, low, best, least = box[:, :2].mean(axis=0), box[:, 2].min(), None, np.inf
    own = {thing, *above(thing)}
    for other in scene.objects:
        if other.type not in ground.HAVE_FACES or other in own or thing in above(other):
            continue
        corners = transformed(np.array(other.bound_box), np.array(other.matrix_world))
        begin, end = corners.min(axis=0), corners.max(axis=0)
        size = float(np.prod((end - begin)[:2]))
        is_under = abs(end[2] - low) < NEAR and np.all(begin[:2] < middle) and np.all(middle < end[:2])
        if is_under and size < least and not ground.is_hidden(other) and ground.walker_of(other) is None:
            best, least = other, size
    _found[thing] = (best.session_uid, world.own_place(best)) if best else (0, None)
    return best


def moved(thing: bpy.types.Object) -> Hashable:
    """Return where that is on which a thing was found to stand, None as long as it is still there."""
    uid, place = _found.get(thing) or (0, None)
    other = object_of(uid) if uid else None
    now = world.own_place(other) if other else None
    return None if now == place else (uid, now)
