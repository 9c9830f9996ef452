"""A curve object as the path of a walk: its first spline, in the walk frame of a character as it stands where nothing carries it."""

from itertools import pairwise

import bpy
import numpy as np
from mathutils.geometry import interpolate_bezier

from ...core.errors import NeuraRigError
from ...core.path.curve import Curve
from ..character import carry
from ..live.memory import Memory

RESOLUTION = 32  # points between two of a Bezier curve
LEVEL = np.array([1.0, 1.0, 0.0])

_edits: Memory[int] = Memory()  # how often a path or ground was seen to change


def follows_one(obj: bpy.types.Object) -> bool:
    """Say whether a character is set to walk along a path and has one; until it has, it walks on the spot."""
    settings = obj.neurarig.walk
    return settings.mode == "PATH" and settings.path is not None


def key(obj: bpy.types.Object) -> tuple:
    """Return what, unchanged, means that the path of a character is unchanged; empty for one that follows none."""
    if not follows_one(obj):
        return ()
    settings = obj.neurarig.walk
    path = settings.path
    return path.session_uid, edits(path), settings.slow_in_bends, settings.start_standing, *_stands(obj)


def edits(obj: bpy.types.Object) -> int:
    """Return how often a path or ground was seen to change."""
    return _edits.get(obj) or 0


def edited(obj: bpy.types.Object) -> None:
    """Have a path or ground read again that was edited or moved."""
    _edits[obj] = edits(obj) + 1


def curve_of(obj: bpy.types.Object, walk_to_armature: np.ndarray, leg_length: float) -> Curve:
    """Return the path that a character is set to; `walk_to_armature` `(4, 4)`, as its root control has moved it.

    Raises NeuraRigError, naming the object, where that is no path.
    """
    path = obj.neurarig.walk.path
    if path.type != "CURVE" or not path.data.splines:
        raise NeuraRigError(f"'{path.name}' has no curve to walk along. Draw one, or choose another path for '{obj.name}'.")
    points, is_closed = _points(path)
    world = np.array(path.matrix_world, dtype=float)
    to_walk = np.linalg.inv(stand(obj) @ walk_to_armature) @ world
    line = points @ to_walk[:3, :3].T + to_walk[:3, 3]
    try:
        settings = obj.neurarig.walk
        return Curve.through(line * LEVEL, leg_length, is_closed, settings.slow_in_bends, settings.start_standing)
    except NeuraRigError as error:
        raise NeuraRigError(f"'{path.name}' cannot be a path for '{obj.name}'. {error}") from None


def stand(obj: bpy.types.Object) -> np.ndarray:
    """Return the world matrix `(4, 4)` at which an object stands where nothing carries it."""
    own = carry.origin(obj) if obj.neurarig.is_carried else obj.matrix_basis
    return np.array(obj.parent.matrix_world @ obj.matrix_parent_inverse @ own if obj.parent else own, dtype=float)


def _stands(obj: bpy.types.Object) -> tuple[float, ...]:
    return tuple(stand(obj).ravel().tolist())


def _points(path: bpy.types.Object) -> tuple[np.ndarray, bool]:
    """Return the points `(n, 3)` of a curve object's first spline in its own space, and whether it is closed."""
    spline = path.data.splines[0]
    if spline.type == "POLY":
        return np.array([point.co[:3] for point in spline.points], dtype=float), spline.use_cyclic_u
    if spline.type == "BEZIER":
        points = [*spline.bezier_points, *([spline.bezier_points[0]] if spline.use_cyclic_u else [])]
        parts = [
            interpolate_bezier(first.co, first.handle_right, second.handle_left, second.co, RESOLUTION + 1)[:-1]
            for first, second in pairwise(points)
        ]
        ends = [] if spline.use_cyclic_u else [points[-1].co]
        return np.array([*(point for part in parts for point in part), *ends], dtype=float).reshape(-1, 3), spline.use_cyclic_u
    raise NeuraRigError(f"'{path.name}' is a {spline.type.title()} curve; convert it to Bezier or Poly (Set Spline Type) to walk along it.")
