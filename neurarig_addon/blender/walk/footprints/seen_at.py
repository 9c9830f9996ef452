"""Where the objects of prints are: as they stand, or, where they move by themselves, as each foot touches its print."""

from collections.abc import Sequence
from typing import NamedTuple

import bpy
import numpy as np
from mathutils import Matrix

from ....core.gait.prints.print_places import touches_of
from ..ground import deck, world
from ..walk import WalkSource
from . import edits
from .settings import NeuraRigPrint


class SeenAt(NamedTuple):
    """Of some prints: where their objects are in the world, and where the character's walk frame is then, all `(n, 4, 4)`."""

    objects: np.ndarray
    walk_to_world: np.ndarray


def is_held_elsewhere(handle: bpy.types.Object) -> bool:
    """Say whether something of the user's decides where an object is."""
    return handle.parent is not None or len(handle.constraints) > 0 or world.is_animated(handle)


def basis_at(handle: bpy.types.Object) -> Matrix:
    """Return where an object is as it stands, also where nothing has evaluated it yet: after a file was opened."""
    return handle.matrix_world if is_held_elsewhere(handle) else handle.matrix_basis


def seen_at(obj: bpy.types.Object, items: Sequence[NeuraRigPrint], source: WalkSource) -> SeenAt:
    """Return where the objects of some of a character's prints are.

    What is keyed, or hangs on something that moves, is looked at on the frame of its touch, so that a pose depends on the frame alone.
    """
    stands = np.repeat(deck.stand(obj, world.AS_IS)[None], len(items), axis=0)
    objects = np.array([basis_at(item.object) for item in items], dtype=float)
    moving = [row for row, item in enumerate(items) if is_held_elsewhere(item.object) and world.may_move(item.object)]
    if moving:
        carriers = [*world.above(obj), *filter(None, [deck.of(obj)])]
        touches = touches_of(source.walker, [edits.edit_of(items[row]).key for row in moving])
        for row, touch in zip(moving, touches.tolist(), strict=True):
            handle = items[row].object
            with world.at_start(handle.users_scene[0], touch, [handle, *carriers]) as look:
                objects[row], stands[row] = look.place(handle), deck.stand(obj, look)
    return SeenAt(objects, stands @ source.walk_to_armature)
