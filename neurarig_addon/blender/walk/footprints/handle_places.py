"""Where the objects of prints are: now or, for animated ones, at touchdown."""

from collections.abc import Sequence
from typing import NamedTuple

import bpy
import numpy as np
from mathutils import Matrix

from ....core.gait.prints.print_places import touches_of
from ...animation import compat
from ..walk import WalkSource
from ..way import deck, world
from . import edits
from .edits import NeuraRigPrint


class SeenAt(NamedTuple):
    """For some prints: world matrices of their objects, and of the character's walk frame at that time, all
    `(n, 4, 4)`."""

    objects: np.ndarray
    walk_to_world: np.ndarray


def is_held_elsewhere(handle: bpy.types.Object) -> bool:
    """Return whether something of the user's decides where an object is."""
    return handle.parent is not None or len(handle.constraints) > 0 or compat.is_animated(handle)


def basis_at(handle: bpy.types.Object) -> Matrix:
    """Return an object's current matrix, even if it has not been evaluated yet, as after opening a file."""
    return handle.matrix_world if is_held_elsewhere(handle) else handle.matrix_basis


def seen_at(obj: bpy.types.Object, items: Sequence[NeuraRigPrint], source: WalkSource) -> SeenAt:
    """Return where the objects of the given prints are.

    Keyed objects, or children of moving ones, are evaluated on the frame of touchdown, so that a pose depends
    on the frame alone.
    """
    stands = np.repeat(deck.stand(obj, world.AS_IS)[None], len(items), axis=0)
    objects = np.array([basis_at(item.object) for item in items], dtype=float)
    moving = [
        row
        for row, item in enumerate(items)
        if is_held_elsewhere(item.object) and world.may_move(item.object)
    ]
    if moving:
        carriers = [*world.above(obj), *filter(None, [deck.of(obj)])]
        touches = source.shown_frames(
            touches_of(source.walker, [edits.edit_of(items[row]).key for row in moving])
        )
        for row, touch in zip(moving, touches.tolist(), strict=True):
            handle = items[row].object
            with world.at_start(handle.users_scene[0], touch, [handle, *carriers]) as look:
                objects[row], stands[row] = look.place(handle), deck.stand(obj, look)
    return SeenAt(objects, stands @ source.walk_to_armature)
