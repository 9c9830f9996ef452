"""The triangles of an object as ground, read in bulk from its evaluated mesh."""

from typing import NamedTuple

import bpy
import numpy as np


class GroundMesh(NamedTuple):
    """Points `(n, 3)` in the object's own space, the `corners` `(m, 3)` of its triangles, and the ends `(k, 2)` of its rim edges.

    Rim edges have a face on one side only, or faces whose fronts are on different sides.
    """

    points: np.ndarray
    corners: np.ndarray
    rim: np.ndarray


NOTHING = GroundMesh(np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int32), np.zeros((0, 2), dtype=np.int32))


def read_ground(thing: bpy.types.Object) -> GroundMesh:
    """Return the mesh of an evaluated object."""
    mesh = thing.to_mesh()
    try:
        if mesh is None:
            return NOTHING
        mesh.calc_loop_triangles()
        points = _all(mesh.vertices, "co", 3, np.float32)
        return GroundMesh(points.astype(float), _all(mesh.loop_triangles, "vertices", 3, np.int32), _rim(mesh))
    finally:
        thing.to_mesh_clear()


def _rim(mesh: bpy.types.Mesh) -> np.ndarray:
    """Return the ends of the rim edges: along all other edges as many faces run one way as the other."""
    ends, edge = _all(mesh.edges, "vertices", 2, np.int32), _all(mesh.loops, "edge_index", 1, np.int32)[:, 0]
    way = np.where(ends[edge, 0] == _all(mesh.loops, "vertex_index", 1, np.int32)[:, 0], 1.0, -1.0)
    return ends[np.bincount(edge, weights=way, minlength=len(ends)) != 0.0]


def _all(items: bpy.types.bpy_prop_collection, name: str, size: int, kind: type) -> np.ndarray:
    """Return a property of all items of a collection, `(n, size)`."""
    values = np.empty(size * len(items), dtype=kind)
    items.foreach_get(name, values)
    return values.reshape(-1, size)
