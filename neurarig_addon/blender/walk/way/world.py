"""The things that lead a walk, path and ground: when they were edited, and how they are when the walk starts.

Animated ones are taken as on the walk's first frame, so that a pose depends on the frame alone.
"""

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, nullcontext

import bpy
import numpy as np
from bpy.types import ID, Modifier, Object, Scene
from mathutils import Matrix

from ....core.errors import NeuraRigError
from ...animation import compat
from ...animation.objects import above, tail_of
from ...animation.scratch import alone, seen
from ...character import carry, standing
from ...live.memory import Memory

# Modifiers whose result changes with the frame even without keys.
TIMED = {"ARMATURE", "BUILD", "CLOTH", "DYNAMIC_PAINT", "EXPLODE", "FLUID", "MESH_CACHE",
"MESH_SEQUENCE_CACHE", "NODES", "OCEAN",
         "PARTICLE_INSTANCE", "PARTICLE_SYSTEM", "SOFT_BODY", "WAVE"}  # fmt: skip

_edits: Memory[int] = Memory()
_shapes: Memory[int] = Memory()


def edits(thing: ID) -> int:
    """Return how often a path or ground was seen to change."""
    return _edits.get(thing) or 0


def shapes(thing: Object) -> int:
    """Return how often the geometry of a ground was seen to change."""
    return _shapes.get(thing) or 0


def edited(thing: ID) -> None:
    """Have an edited or moved path, ground or collection of grounds read again."""
    _edits[thing] = edits(thing) + 1


def reshaped(thing: Object) -> None:
    """Have the geometry of a ground read again."""
    _shapes[thing] = shapes(thing) + 1


class Look:
    """The things of a walk on its first frame; those that do not move, as they are now."""

    def __init__(self, frame: float, moving: dict[Object, Object]) -> None:
        self.frame, self._moving = frame, moving

    def evaluated(self, thing: Object) -> Object:
        """Return a thing as Blender evaluates it."""
        return self._moving.get(thing) or thing.evaluated_get(bpy.context.evaluated_depsgraph_get())

    def shape_of(self, thing: Object) -> tuple:
        """Return what decides the shape of a thing besides edits of its geometry."""
        return (self.frame, edits(thing)) if thing in self._moving else ()

    def place(self, thing: Object) -> np.ndarray:
        """Return a thing's matrix `(4, 4)` in the world; raises NeuraRigError if it is nowhere."""
        found = np.array(self._moving.get(thing, thing).matrix_world, dtype=float)
        if not np.isfinite(found).all():
            raise NeuraRigError(
                f"Place, turn or size of '{thing.name}' is not a number. Type another, or fix its driver."
            )
        return found

    def stand(self, obj: Object) -> np.ndarray:
        """Return a character's world matrix `(4, 4)` if nothing carries it."""
        own = np.array(origin(obj), dtype=float)
        if obj.parent is None:
            return own
        return (
            self.place(obj.parent)
            @ _hung(obj, self._moving.get(obj.parent, obj.parent))
            @ np.array(obj.matrix_parent_inverse)
            @ own
        )


def _hung(obj: Object, parent: Object) -> np.ndarray:
    """Return the matrix `(4, 4)` in its parent's space at which an object is parented: the origin, or a
    bone's tail."""
    bone = parent.pose.bones.get(obj.parent_bone) if obj.parent_type == "BONE" and parent.pose else None
    return np.eye(4) if bone is None else np.array(tail_of(bone))


AS_IS = Look(0.0, {})


@contextmanager
def at_start(scene: Scene, frame: float, things: Iterable[Object]) -> Iterator[Look]:
    """Yield a `Look` at the things on a frame."""
    moving = [thing for thing in dict.fromkeys(things) if may_move(thing)]
    with alone(scene, *moving) if moving else nullcontext() as passing:
        yield Look(frame, {thing: seen(passing, thing, frame) for thing in moving})


def origin(obj: Object) -> Matrix:
    """Return an object's own matrix if nothing carries it; for an animated one, its place on the walk's first
    frame."""
    if obj.neurarig.is_carried:
        return carry.origin(obj)
    found = standing.own_axes(obj).to_4x4()
    found.translation = obj.matrix_basis.translation
    for curve in compat.find_channels(*compat.playing(obj)):
        if curve.data_path == "location" and not curve.mute:
            axis = curve.array_index
            found.translation[axis] = curve.evaluate(obj.neurarig.walk.start_frame) + obj.delta_location[axis]
    return found


def may_move(thing: Object | None) -> bool:
    """Return whether an object may have another place or shape on another frame."""
    while thing is not None:
        if _may_move_itself(thing, ()):
            return True
        thing = thing.parent
    return False


def moves(thing: Object) -> bool:
    """Return whether an object certainly is animated: by keys, drivers, or modifiers that change with
    time."""
    shape_keys = getattr(thing.data, "shape_keys", None)
    if any(compat.is_animated(block) for block in (thing, thing.data, shape_keys, *above(thing))):
        return True
    return any(modifier.type in TIMED - {"ARMATURE", "NODES"} for modifier in thing.modifiers)


def _may_move_itself(thing: Object, asked: Collection[Object]) -> bool:
    shape_keys = getattr(thing.data, "shape_keys", None)
    if (
        any(compat.is_animated(block) for block in (thing, thing.data, shape_keys))
        or thing.rigid_body is not None
    ):
        return True
    if thing.parent is not None and thing.parent_type not in ("OBJECT", "LATTICE"):
        return True
    if any(not constraint.mute and constraint.influence > 0.0 for constraint in thing.constraints):
        return True
    return any(_may_change(modifier, (*asked, thing)) for modifier in thing.modifiers)


def _may_change(modifier: Modifier, asked: Collection[Object]) -> bool:
    if modifier.type in TIMED:
        return True
    held = (
        getattr(modifier, prop.identifier, None)
        for prop in modifier.bl_rna.properties
        if prop.type == "POINTER"
    )
    return any(isinstance(other, Object) and other not in asked and may_move(other) for other in held)


def is_keyed(thing: Object) -> bool:
    """Return whether an object may have other channels on another frame, whatever its constraints do."""
    data = thing.animation_data
    return compat.is_animated(thing) and (
        data.action is not None
        or len(data.nla_tracks) > 0
        or any(not one.data_path.startswith("constraints") for one in data.drivers)
    )


def own_place(thing: Object) -> tuple:
    """Return what decides where an object is, without what a hand does with it: its edits, and its place and
    its parents' without keys."""
    still = (each for each in (thing, *above(thing)) if not is_keyed(each))
    return (
        thing.session_uid,
        edits(thing),
        *(value for each in still for row in each.matrix_basis for value in row),
    )
