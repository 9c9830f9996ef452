"""A mesh object as the ground of a walk along a path, in the walk frame of a character as it stands where nothing carries it.

Looked at from above: what lies highest is the ground.
"""

from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Vector
from mathutils.bvhtree import BVHTree

from ...core.errors import NeuraRigError
from ...core.ground.surface import Surface
from ..live.memory import Memory
from . import path


@dataclass(frozen=True)
class _Mesh:
    """A ground's faces as they were at one of its edits, in its own space."""

    edit: int
    tree: BVHTree


_meshes: Memory[_Mesh] = Memory()


def is_walked_on(obj: bpy.types.Object) -> bool:
    """Say whether a character walks on a ground object; only along a path."""
    return path.follows_one(obj) and obj.neurarig.walk.ground is not None


def key(obj: bpy.types.Object) -> tuple:
    """Return what, unchanged, means that the ground of a character is unchanged; empty for one on level ground."""
    if not is_walked_on(obj):
        return ()
    ground = obj.neurarig.walk.ground
    return ground.session_uid, path.edits(ground)


def surface_of(obj: bpy.types.Object, walk_to_armature: np.ndarray) -> Surface:
    """Return the ground that a character is set to; `walk_to_armature` `(4, 4)`, as its root control has moved it.

    Raises NeuraRigError, naming the object, where that has no faces.
    """
    ground = obj.neurarig.walk.ground
    mesh = _mesh(ground)
    to_world = path.stand(obj) @ walk_to_armature
    to_ground = np.linalg.inv(np.array(ground.matrix_world, dtype=float)) @ to_world
    to_walk = np.linalg.inv(to_ground)
    corners = np.array([[x, y, z, 1.0] for x, y, z in ground.bound_box]) @ to_walk.T
    above, below = corners[:, 2].max() + 1.0, corners[:, 2].min() - 1.0
    down = Vector(to_ground[:3, :3] @ [0.0, 0.0, -1.0])
    reach = down.length * (above - below)
    rise = to_walk[2]

    def heights(places: np.ndarray) -> np.ndarray:
        starts = places @ to_ground[:3, :2].T + to_ground[:3, 2] * above + to_ground[:3, 3]
        hits = [mesh.tree.ray_cast(Vector(start), down, reach)[0] for start in starts.tolist()]
        return np.array([np.nan if hit is None else rise[0] * hit[0] + rise[1] * hit[1] + rise[2] * hit[2] + rise[3] for hit in hits])

    return Surface(heights)


def _mesh(ground: bpy.types.Object) -> _Mesh:
    """Return a ground's faces with its modifiers; built once for each of its edits."""
    known = _meshes.get(ground)
    if known is not None and known.edit == path.edits(ground):
        return known
    depsgraph = bpy.context.evaluated_depsgraph_get()
    evaluated = ground.evaluated_get(depsgraph)
    mesh = evaluated.to_mesh()
    try:
        if mesh is None or not mesh.polygons:
            raise NeuraRigError(f"'{ground.name}' has no faces to walk on. Choose another ground, or none.")
        tree = BVHTree.FromPolygons([vertex.co for vertex in mesh.vertices], [face.vertices for face in mesh.polygons])
    finally:
        evaluated.to_mesh_clear()
    _meshes[ground] = _Mesh(path.edits(ground), tree)
    return _meshes.get(ground)
