"""What the things that hands take stand on: it is in the way of who takes them."""

from collections.abc import Hashable
from itertools import chain

import numpy as np
from bpy.types import Object, Scene

from ...animation.objects import above, object_of
from ...live.memory import Memory
from . import ground, world

NEAR = 0.05  # metres between the underside of a thing and the top of what it stands on
NOTHING = 0, 0
_found: Memory[tuple[int, Hashable]] = Memory()  # by thing: what it stands on, and where that was


def under(scene: Scene, thing: Object, box: np.ndarray) -> Object | None:
    """Return the smallest object on whose top a thing stands, None if there is none; `box` `(8, 3)`: the
    thing's corners in the world."""
    # all at once: this is asked on each plan, in scenes of thousands
    others = [other for other in scene.objects if other.type in ground.HAVE_FACES]
    boxes = np.array([[*chain.from_iterable(other.bound_box)] for other in others]).reshape(-1, 8, 3)
    places = np.array([[*chain.from_iterable(other.matrix_world)] for other in others]).reshape(-1, 4, 4)
    corners = boxes @ places[:, :3, :3].swapaxes(1, 2) + places[:, None, :3, 3]
    begin, end, middle = corners.min(axis=1), corners.max(axis=1), box[:, :2].mean(axis=0)
    is_under = np.all((begin[:, :2] < middle) & (middle < end[:, :2]), axis=1)
    is_under &= np.abs(end[:, 2] - box[:, 2].min()) < NEAR
    sizes = np.prod((end - begin)[:, :2], axis=1)
    ranked = (others[row] for row in sorted(np.flatnonzero(is_under), key=sizes.__getitem__))
    apart = (other for other in ranked if other not in (thing, *above(thing)) and thing not in above(other))
    best = next((one for one in apart if not ground.is_hidden(one) and not ground.walker_of(one)), None)
    _found[thing] = (best.session_uid, world.own_place(best)) if best else NOTHING
    return best


def moved(thing: Object) -> Hashable:
    """Return where that is on which a thing was found to stand, None as long as it is still there."""
    uid, place = _found.get(thing) or NOTHING
    now = uid and (other := object_of(uid)) and world.own_place(other)
    return None if now == place else (uid, now)
