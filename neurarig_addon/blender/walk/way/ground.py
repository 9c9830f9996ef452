"""Meshes as the ground of a walk: an object or a collection of them, with their modifiers, in the character's
walk frame."""

from dataclasses import dataclass

import numpy as np
from bpy.types import Collection, Depsgraph, Object

from ....core.errors import NeuraRigError
from ....core.ground import moving_ground
from ....core.ground.terrain import CLIMB, Terrain, TerrainPart
from ....core.ground.triangles import Sheet, Triangles, upright
from ...animation.objects import above
from ...character import record
from ...live.memory import Memory
from . import world
from .meshes import Sampled, read_ground
from .world import Look

HAVE_FACES = {"MESH", "CURVE", "SURFACE", "META", "FONT"}
UPRIGHT = 6  # digits to which a ground's up direction must agree to count as not tilted


@dataclass(frozen=True)
class _Shape:
    """A ground's triangles, turned upright by `turn` `(4, 4)` from its own space; `known_by`: the key of what
    they were made from."""

    known_by: tuple
    turn: np.ndarray
    triangles: Triangles
    sheet: Sheet | None


_shapes: Memory[_Shape] = Memory()
_members: Memory[tuple[int, ...]] = Memory()  # members of collections


def note_edits(depsgraph: Depsgraph) -> None:
    """Note which known grounds a depsgraph update has changed, whether or not anything walks on them now."""
    if not len(_shapes):
        return
    for update in depsgraph.updates:
        thing = update.id.original
        if update.is_updated_geometry and isinstance(thing, Object) and _shapes.get(thing) is not None:
            world.reshaped(thing)


def is_walked_on(obj: Object) -> bool:
    """Return whether a character walks on a chosen ground rather than the level."""
    settings = obj.neurarig.walk
    return settings.ground is not None or settings.ground_collection is not None


def key(obj: Object) -> tuple:
    """Return a key that changes whenever a character's ground does; empty on level ground."""
    settings = obj.neurarig.walk
    return tuple(
        (each.session_uid, world.edits(each))
        for each in (settings.ground, settings.ground_collection)
        if each is not None
    )


def members(obj: Object) -> list[Object]:
    """Return the objects that a character walks on: its ground, hidden or not, or what is visible and does
    not walk in its collection."""
    settings = obj.neurarig.walk
    chosen = [settings.ground] if settings.ground is not None else []
    return list(
        dict.fromkeys(
            [*chosen, *(in_collection(settings.ground_collection) if settings.ground_collection else [])]
        )
    )


def in_collection(collection: Collection) -> list[Object]:
    """Return the objects of a collection that are ground."""
    return [
        thing
        for thing in collection.all_objects
        if thing.type in HAVE_FACES and not is_hidden(thing) and walker_of(thing) is None
    ]


def has_other_members(collection: Collection) -> bool:
    """Return whether the ground objects of a collection have changed since the last call."""
    now = tuple(thing.session_uid for thing in in_collection(collection))
    before, _members[collection] = _members.get(collection), now
    return before is not None and before != now


def walker_of(thing: Object) -> Object | None:
    """Return the character that an object belongs to; None if it is not one that we pose."""
    for modifier in thing.modifiers:
        if (
            modifier.type == "ARMATURE"
            and modifier.object is not None
            and record.is_attached(modifier.object)
        ):
            return modifier.object
    return next(
        (each for each in (thing, *above(thing)) if each.type == "ARMATURE" and record.is_attached(each)),
        None,
    )


def is_hidden(thing: Object) -> bool:
    """Return whether an object is hidden in the viewport."""
    return thing.hide_viewport or thing.hide_get()


def terrain_of(
    obj: Object,
    look: Look,
    to_world: np.ndarray,
    leg_length: float,
    moving: dict[Object, Sampled],
) -> "Terrain | moving_ground.MovingTerrain":
    """Return a character's ground; `to_world` `(4, 4)` from its walk frame, `moving`: the objects of it that
    move.

    Raises NeuraRigError, naming the object, if it has no faces.
    """
    settings, parts = obj.neurarig.walk, []
    if settings.ground_collection is not None:
        has_other_members(settings.ground_collection)
    for thing in members(obj):
        if thing in moving:
            continue
        part = _part(thing, look, to_world)
        if len(part.triangles.faces_up) or (len(part.triangles.walls) and thing != settings.ground):
            parts.append(part)
        elif thing == settings.ground:
            raise NeuraRigError(f"'{thing.name}' has no faces to walk on. Choose another ground, or none.")
    if moving:
        to_walk, first = np.linalg.inv(to_world), next(iter(moving.values())).first
        move = tuple(
            moving_ground.MovingPart(to_walk @ each.places, each.points, each.corners, each.rim)
            for each in moving.values()
        )
        return moving_ground.MovingTerrain(tuple(parts), move, first, look.frame, CLIMB * leg_length)
    if not any(len(part.triangles.faces_up) for part in parts):
        raise NeuraRigError(
            f"The collection '{settings.ground_collection.name}' has no visible faces to walk on. Choose"
            " another ground, or none."
        )
    return Terrain(tuple(parts), CLIMB * leg_length)


def _part(thing: Object, look: Look, to_world: np.ndarray) -> TerrainPart:
    place = look.place(thing)
    if abs(np.linalg.det(place[:3, :3])) < 1e-30:
        return TerrainPart(Triangles.of(np.zeros((0, 3)), np.zeros((0, 3), dtype=int)), np.eye(4))
    into = np.linalg.inv(place) @ to_world
    up = into[:3, 2] / np.linalg.norm(into[:3, 2])
    shape = _shape(thing, look, up)
    return TerrainPart(shape.triangles, shape.turn @ into, shape.sheet)


def _shape(thing: Object, look: Look, up: np.ndarray) -> _Shape:
    """Return a ground's triangles turned upright; built once per edit and tilt."""
    known = _known(thing, look, up)
    if known is not None:
        return known
    # Blender may apply an edit only now, and have walkers on it read the ground
    evaluated = look.evaluated(thing)
    known = _known(thing, look, up)
    if known is None:
        turn, mesh = upright(up), read_ground(evaluated)
        points = mesh.points @ turn[:3, :3].T
        triangles = Triangles.of(points, mesh.corners)
        sheet = Sheet.of(triangles, len(mesh.corners), points[mesh.rim])
        known = _shapes[thing] = _Shape(_known_by(thing, look, up), turn, triangles, sheet)
    return known


def _known(thing: Object, look: Look, up: np.ndarray) -> _Shape | None:
    known = _shapes.get(thing)
    return known if known is not None and known.known_by == _known_by(thing, look, up) else None


def _known_by(thing: Object, look: Look, up: np.ndarray) -> tuple:
    return world.shapes(thing), look.shape_of(thing), *np.round(up, UPRIGHT).tolist()
