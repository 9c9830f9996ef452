"""Carrying the armature object forward, and letting the animator move it while it travels.

Everything is in the object's own channels (`location` in its parent's space), so a parent that moves carries the walk with it and no
evaluated matrix, a frame late, is needed.
"""

from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix, Vector

from .source import WalkSource

NOTICEABLE = 1e-5  # relative; a location differs from what was written by less than this through float32 alone


@dataclass(frozen=True)
class _Placed:
    """Where we left an object: its travel in metres and its own matrix; `travel` None while it stands where the user put it."""

    travel: float | None
    basis: Matrix


_placed: dict[int, _Placed] = {}  # by session_uid


def forget(obj: bpy.types.Object | None = None) -> None:
    """Drop what is remembered of an object (None: of all): it is then taken to stand where its origin and the frame say."""
    if obj is None:
        _placed.clear()
    else:
        _placed.pop(obj.session_uid, None)


def stands(obj: bpy.types.Object) -> None:
    """Note that the object stands where the user put it: a travel that begins later begins there."""
    _placed[obj.session_uid] = _Placed(None, obj.matrix_basis.copy())


def is_known(obj: bpy.types.Object) -> bool:
    """Say whether it is remembered where the object was left."""
    return obj.session_uid in _placed


def is_undisturbed(obj: bpy.types.Object) -> bool:
    """Say whether the object is where it was left; one that does not travel may be anywhere."""
    placed = _placed.get(obj.session_uid)
    if placed is None or placed.travel is None:
        return placed is not None
    return _near(obj.location, placed.basis.translation, NOTICEABLE) and not _turned(obj, placed.basis)


def is_found(obj: bpy.types.Object, source: WalkSource, travel: float, turned: Matrix | None = None) -> None:
    """Note that an object seen for the first time (opened, undone, duplicated) should be `travel` metres from its origin."""
    if source.travels_with != "OBJECT":
        stands(obj)
        return
    basis = (turned or obj.matrix_basis).copy()
    basis.translation = _origin(obj) + _shift(basis, source, travel)
    _placed[obj.session_uid] = _Placed(travel, basis)


def carry(obj: bpy.types.Object, source: WalkSource, travel: float, turned_too: bool, turned: Matrix | None = None) -> None:
    """Move the object `travel` metres from its origin; a place that the user gave it since the last call moves the origin.

    `turned`: the object's own matrix on this frame, where that is animated.
    With `turned_too` a turned or resized object keeps its place as well (an edit); without, its path turns about the origin, so that
    with a keyed rotation the place is still a function of the frame.
    """
    placed = _placed.get(obj.session_uid)
    if source.travels_with != "OBJECT":
        if placed is not None and placed.travel is not None:
            put_back(obj, source)
        if placed is None or placed.travel is not None:
            stands(obj)
        return
    if placed is None or placed.travel is None:
        set_origin(obj, obj.location)
    else:
        _follow_user(obj, source, placed, turned_too)
    basis = (turned or obj.matrix_basis).copy()
    target = _origin(obj) + _shift(basis, source, travel)
    if not _near(obj.location, target, 0.0):
        obj.location = target
    basis.translation = obj.location
    _placed[obj.session_uid] = _Placed(travel, basis)


def put_back(obj: bpy.types.Object, source: WalkSource | None) -> None:
    """Return the object to where it would stand had it not travelled."""
    placed = _placed.pop(obj.session_uid, None)
    if placed is None or placed.travel is None:
        return
    if source is not None:
        _follow_user(obj, source, placed, turned_too=True)
    obj.location = _origin(obj)


def set_origin(obj: bpy.types.Object, location: Vector) -> None:
    """Have the travel begin at a location in the parent's space."""
    origin = obj.matrix_basis.copy()
    origin.translation = location
    obj.neurarig.walk.origin = [value for column in origin.col for value in column]


def path(obj: bpy.types.Object, source: WalkSource, travel: np.ndarray, turned: np.ndarray | None = None) -> np.ndarray:
    """Return the object's location `(f, 3)` in its parent's space after `travel` `(f,)` metres.

    `turned` `(f, 3, 3)`: the object's own axes, where they are animated.
    """
    axes = np.array(obj.matrix_basis.to_3x3()) if turned is None else turned
    return np.array(_origin(obj)) + travel[:, None] * (axes @ source.metre_forward)


def _follow_user(obj: bpy.types.Object, source: WalkSource, placed: _Placed, turned_too: bool) -> None:
    moved = not _near(obj.location, placed.basis.translation, NOTICEABLE)
    if moved or (turned_too and _turned(obj, placed.basis)):
        set_origin(obj, obj.location - _shift(obj.matrix_basis if turned_too else placed.basis, source, placed.travel))


def _turned(obj: bpy.types.Object, basis: Matrix) -> bool:
    now = obj.matrix_basis
    return any(not _near(a, b, NOTICEABLE) for a, b in zip(now.to_3x3().col, basis.to_3x3().col, strict=True))


def _near(a: Vector, b: Vector, tolerance: float) -> bool:
    return (a - b).length <= tolerance * (1.0 + b.length)


def _origin(obj: bpy.types.Object) -> Vector:
    return Matrix(obj.neurarig.walk.origin).translation


def _shift(basis: Matrix, source: WalkSource, travel: float) -> Vector:
    """Return what `travel` metres forward are in the parent's space of an object with this matrix."""
    return basis.to_3x3() @ Vector(source.metre_forward * travel)
