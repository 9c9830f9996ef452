"""Carrying the armature object forward, and letting the animator move it while it travels."""

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ..character import carry
from ..live.memory import Memory
from .source import WalkSource

# How an object was turned and sized when it was left: keys may turn a travelling character, and so may the animator.
_left: Memory[Matrix] = Memory()


def is_undisturbed(obj: bpy.types.Object) -> bool:
    """Say whether the object is where it was left; one that does not travel may be anywhere."""
    if not obj.neurarig.is_carried:
        return True
    left = _left.get(obj)
    return left is not None and not _is_moved(obj) and not _is_turned(obj, left)


def carry_to(obj: bpy.types.Object, source: WalkSource, travel: float, turned_too: bool) -> None:
    """Move the object `travel` metres from its origin; a place that the user gave it since the last call moves the origin.

    With `turned_too` a turned or resized object keeps its place as well (an edit); without, its path turns about the origin, so that
    with a keyed rotation the place is still a function of the frame.
    """
    if source.travels_with != "OBJECT":
        carry.put_back(obj)
        return
    left = _left.get(obj)
    if not obj.neurarig.is_carried:
        carry.begin_at(obj, _place(obj))
    elif _is_moved(obj) or (turned_too and left is not None and _is_turned(obj, left)):
        carry.begin_at(obj, _place(obj) - _shift(obj))
    carry.moved_by(obj, Matrix.Translation(source.metre_forward * travel))
    target = carry.origin(obj).translation + _shift(obj) - obj.delta_location
    if obj.location != target:
        obj.location = target
    _left[obj] = obj.matrix_basis.copy()


def forget(obj: bpy.types.Object | None = None) -> None:
    """Drop what is remembered of an object (None: of all)."""
    _left.forget(obj)


def path(obj: bpy.types.Object, source: WalkSource, travel: np.ndarray) -> np.ndarray:
    """Return the object's location `(f, 3)` in its parent's space after `travel` `(f,)` metres."""
    start = np.array(carry.origin(obj).translation - obj.delta_location)
    return start + travel[:, None] * np.array(obj.matrix_basis.to_3x3() @ Vector(source.metre_forward))


def _place(obj: bpy.types.Object) -> Vector:
    return obj.matrix_basis.translation


def _shift(obj: bpy.types.Object) -> Vector:
    """Return how far the object was carried, in its parent's space and as it is turned now."""
    return obj.matrix_basis.to_3x3() @ carry.step(obj).translation


def _is_moved(obj: bpy.types.Object) -> bool:
    expected = carry.origin(obj).translation + _shift(obj)
    left = _left.get(obj)
    if left is not None and _is_turned(obj, left):  # it was left in another direction
        expected = left.translation
    return not _near(_place(obj), expected)


def _is_turned(obj: bpy.types.Object, left: Matrix) -> bool:
    now = obj.matrix_basis
    return any(not _near(a, b) for a, b in zip(now.to_3x3().col, left.to_3x3().col, strict=True))


def _near(a: Vector, b: Vector) -> bool:
    return (a - b).length <= carry.NOTICEABLE * (1.0 + b.length)
