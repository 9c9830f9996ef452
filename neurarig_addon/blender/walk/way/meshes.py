"""Meshes as ground: triangles read in bulk, and grounds that move or deform sampled on each frame of the
scene's range."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from bpy.types import Mesh, Object, Scene, bpy_prop_collection

from ...animation import compat
from ...animation.frame_range import played_range
from ...animation.scratch import alone, seen
from ...live.memory import Memory
from . import world

STILL = 1e-7  # metres, and parts of a matrix: smaller changes count as none
MOST_NUMBERS = 100_000_000  # most points of a deforming mesh: a larger one keeps its shape of the first frame


class GroundMesh(NamedTuple):
    """Points `(n, 3)` in the object's own space, the `corners` `(m, 3)` of its triangles, and the ends `(k,
    2)` of its rim edges.

    Rim edges have a face on one side only, or faces whose fronts are on different sides.
    """

    points: np.ndarray
    corners: np.ndarray
    rim: np.ndarray


NOTHING = GroundMesh(np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int32), np.zeros((0, 2), dtype=np.int32))


def read_ground(thing: Object) -> GroundMesh:
    """Return the mesh of an evaluated object."""
    mesh = thing.to_mesh()
    try:
        if mesh is None:
            return NOTHING
        mesh.calc_loop_triangles()
        points = _all(mesh.vertices, "co", 3, np.float32)
        return GroundMesh(
            points.astype(float), _all(mesh.loop_triangles, "vertices", 3, np.int32), _rim(mesh)
        )
    finally:
        thing.to_mesh_clear()


def _rim(mesh: Mesh) -> np.ndarray:
    """Return the ends of the rim edges: along all other edges as many faces run one way as the other."""
    ends, edge = _all(mesh.edges, "vertices", 2, np.int32), _all(mesh.loops, "edge_index", 1, np.int32)[:, 0]
    way = np.where(ends[edge, 0] == _all(mesh.loops, "vertex_index", 1, np.int32)[:, 0], 1.0, -1.0)
    return ends[np.bincount(edge, weights=way, minlength=len(ends)) != 0.0]


def _all(items: bpy_prop_collection, name: str, size: int, kind: type) -> np.ndarray:
    """Return a property of all items of a collection, `(n, size)`."""
    values = np.empty(size * len(items), dtype=kind)
    items.foreach_get(name, values)
    return values.reshape(-1, size)


@dataclass(frozen=True)
class Sampled:
    """An object on the frames from `first` on: world matrices `(k, 4, 4)`, points `(k or 1, n, 3)` in its own
    space.

    `corners`, `rim`: see `GroundMesh`.  `known_by`: the key it was read with.
    """

    known_by: tuple
    first: int
    places: np.ndarray
    points: np.ndarray
    corners: np.ndarray
    rim: np.ndarray

    @property
    def moves(self) -> bool:
        """Whether its place or shape differs on any of the frames."""
        return len(self.points) > 1 or bool(np.abs(self.places - self.places[0]).max() > STILL)


_sampled: Memory[Sampled] = Memory()


def frames_of(scene: Scene, start: float) -> tuple[int, int]:
    """Return the first and last frame on which moving ground is sampled: what the scene plays and the walk's
    start."""
    first, last = played_range(scene)
    return min(first, int(np.floor(start))), max(last, int(np.ceil(start)))


def sampled(scene: Scene, things: Iterable[Object], start: float, edits: tuple) -> dict[Object, Sampled]:
    """Return the grounds that move between the walk's `start` and the scene's end; `edits`: keys of their
    edits."""
    first, last = frames_of(scene, start)
    may = [thing for thing in things if world.may_move(thing)]
    keys = {
        thing: (first, last, scene.render.fps, edits, world.edits(thing), world.shapes(thing))
        for thing in may
    }
    unread = [
        thing for thing in may if (known := _sampled.get(thing)) is None or known.known_by != keys[thing]
    ]
    if unread:
        with alone(scene, *unread) as passing:
            for thing, found in _read(passing, unread, range(first, last + 1)).items():
                _sampled[thing] = Sampled(keys[thing], first, *found)
    found = {thing: known for thing in may if (known := _sampled.get(thing)) is not None}
    return {thing: known for thing, known in found.items() if known.moves and len(known.corners)}


def _read(passing: Scene, things: list[Object], frames: range) -> dict[Object, tuple]:
    places: dict[Object, list[np.ndarray]] = {thing: [] for thing in things}
    points: dict[Object, list[np.ndarray]] = {thing: [] for thing in things}
    meshes = {}
    for frame in frames:
        seen(passing, things[0], frame)
        depsgraph = passing.view_layers[0].depsgraph
        for thing in things:
            evaluated = thing.evaluated_get(depsgraph)
            places[thing].append(np.array(evaluated.matrix_world, dtype=float))
            if thing not in meshes:
                mesh = meshes[thing] = read_ground(evaluated)
                points[thing].append(mesh.points.astype(np.float32))
            elif _may_bend(thing) and meshes[thing].points.size * len(frames) < MOST_NUMBERS:
                now = read_ground(evaluated).points.astype(np.float32)
                points[thing].append(now if now.shape == points[thing][0].shape else points[thing][-1])
    return {
        thing: (np.array(places[thing]), _in_one_row(points[thing]), meshes[thing].corners, meshes[thing].rim)
        for thing in things
    }


def _may_bend(thing: Object) -> bool:
    """Return whether the shape of an object may change with time, not only its place."""
    shape_keys = getattr(thing.data, "shape_keys", None)
    return len(thing.modifiers) > 0 or any(compat.is_animated(block) for block in (thing.data, shape_keys))


def _in_one_row(points: list[np.ndarray]) -> np.ndarray:
    """Return points on each frame `(k, n, 3)`, or one row if they are the same on all."""
    first = points[0]
    if all(now is first or np.abs(now - first).max(initial=0.0) <= STILL for now in points):
        return first[None].astype(float)
    return np.array(points, dtype=float)
