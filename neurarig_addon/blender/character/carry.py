"""Carrying a character's armature object: its origin, how far it was moved from there, and back.

Everything is in the object's own channels (in its parent's space): a moving parent carries the character
along, and no evaluated
matrix, a frame late, is needed. An object with origin M, moved by the step K, stands at M K. Both are stored
with the
object, through files, undo, append and override, so that it is known where it was left.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
from bpy.types import Object
from mathutils import Matrix, Vector

from ...core.character.motion import Motion
from ...core.geometry.rotation import rotated
from ...core.posing.channels import from_mode, in_mode, rotation_path
from ..animation.keyframes import Channel, continuous_rotation
from ..animation.objects import is_deleted
from . import turning

GROUP = "Object Transforms"
NOTICEABLE = 1e-5  # relative: float32 rounding of a written place


def origin(obj: Object) -> Matrix:
    """Return the origin M: the matrix of an object before it is carried."""
    return Matrix(obj.neurarig.origin)


def step(obj: Object) -> Matrix:
    """Return K: how far an object was moved from its origin."""
    return Matrix(obj.neurarig.step)


def unturned(obj: Object) -> Matrix:
    """Return an object's own matrix with its axes before it is carried."""
    return origin(obj) if obj.neurarig.is_carried and not is_unturned(step(obj)) else obj.matrix_basis


def moved_channels(obj: Object) -> tuple[str, ...]:
    """Return the properties of an object that carry it now."""
    if not obj.neurarig.is_carried:
        return ()
    return ("location",) if is_unturned(step(obj)) else ("location", rotation_path(obj.rotation_mode))


def stand(obj: Object, moved: Matrix | None = None) -> None:
    """Note an object's current place as the one it is carried from; `moved`: the part K of it that is
    ours."""
    obj.neurarig.origin = _numbers(obj.matrix_basis if moved is None else _without(obj, moved))
    obj.neurarig.is_carried = False


def begin_at(obj: Object, location: Vector) -> None:
    """Move an object's origin to a location in its parent's space, keeping rotation and scale."""
    basis = obj.matrix_basis.copy()
    basis.translation = location
    obj.neurarig.origin = _numbers(basis)


def moved_by(obj: Object, moved: Matrix) -> None:
    """Note that an object was moved by K."""
    own = obj.neurarig
    own.step = _numbers(moved)
    if not own.is_carried:
        own.is_carried = True


def left_where_it_is(obj: Object) -> None:
    """Note an object's current place, left by a bake, as where it was carried to."""
    moved_by(obj, origin(obj).inverted_safe() @ obj.matrix_basis)


def is_elsewhere(obj: Object) -> bool:
    """Return whether a carried object is not where it was carried to, so the user has moved it.

    If keys, strips or drivers rotate or scale it, its rotation and scale do not count.
    """
    expected, now = origin(obj) @ step(obj), obj.matrix_basis
    if (now.translation - expected.translation).length > NOTICEABLE * (1.0 + expected.translation.length):
        return True
    axes = list(zip(now.to_3x3().col, expected.to_3x3().col, strict=True))
    return any((a - b).length > NOTICEABLE * b.length for a, b in axes) and not turning.is_animated(obj)


def put_back(obj: Object, keyed: Collection[str] = ()) -> None:
    """Return an object to its place before it was carried; a move by the user meanwhile is kept.

    `keyed`: the object's properties that a bake moves, whose current values do not come from the user.
    """
    if not obj.neurarig.is_carried:
        return
    moved = step(obj)
    at = origin(obj) if keyed or not is_elsewhere(obj) else _without(obj, moved)
    _put_at(obj, at, rotation_path(obj.rotation_mode) in keyed or not is_unturned(moved))
    obj.neurarig.is_carried = False


@contextmanager
def at_origin(obj: Object) -> Iterator[None]:
    """Stand a carried object where nothing carries it during the block, as channels without keys count when
    an action is read."""
    if not obj.neurarig.is_carried:
        yield
        return
    rotation = rotation_path(obj.rotation_mode)
    before = tuple(obj.location), tuple(getattr(obj, rotation))
    _put_at(obj, origin(obj), turns=True)
    try:
        yield
    finally:
        if not is_deleted(obj):
            obj.location = before[0]
            setattr(obj, rotation, before[1])


def _put_at(obj: Object, at: Matrix, turns: bool) -> None:
    obj.location = at.translation - obj.delta_location
    if turns:
        setattr(
            obj,
            rotation_path(obj.rotation_mode),
            in_mode(own_turn(obj, np.array(at))[None], obj.rotation_mode)[0],
        )


def channels(obj: Object, moved: np.ndarray) -> list[Channel]:
    """Return the channels of location and rotation after K `moved` `(f, 4, 4)`, keyed even at rest; the
    rotation does not jump."""
    locations, turns = _carried(obj, moved)
    values = ("location", locations), continuous_rotation(turns, obj.rotation_mode)
    return [
        Channel(path, rows, np.full(rows.shape[1], np.inf), GROUP, together=rows.shape[1] == 4)
        for path, rows in values
    ]


class ObjectWay(NamedTuple):
    """An object's way, row by row, as lists of numbers: K, and the property values that produce it."""

    steps: list[list[float]]
    values: tuple[tuple[str, list[list[float]]], ...]

    @classmethod
    def of(cls, obj: Object, moved: np.ndarray) -> "ObjectWay":
        """Return the way of an object by K `moved` `(f, 4, 4)`: each row a function of its own K alone."""
        locations, turns = _carried(obj, moved)
        values = (
            ("location", locations),
            (rotation_path(obj.rotation_mode), in_mode(turns, obj.rotation_mode)),
        )
        return cls(
            np.swapaxes(moved, 1, 2).reshape(-1, 16).tolist(),
            tuple((name, rows.tolist()) for name, rows in values),
        )

    def go_to(self, obj: Object, row: int) -> None:
        """Move the object to a row; it is tagged even if it is already there, as another scene may show it
        elsewhere."""
        own = obj.neurarig
        own.step = self.steps[row]
        if not own.is_carried:
            own.is_carried = True
        for name, rows in self.values:
            setattr(obj, name, rows[row])


def way_key(obj: Object) -> tuple:
    """Return a key that stays the same while each K moves an object the same way."""
    mode = obj.rotation_mode
    return (
        mode,
        *_numbers(origin(obj)),
        *obj.delta_location,
        *getattr(obj, f"delta_{rotation_path(mode)}", ()),
    )


def _carried(obj: Object, moved: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the locations `(f, 3)` and rotations `(f, 3, 3)` of an object's own channels after K `moved`
    `(f, 4, 4)`."""
    at = np.array(origin(obj))
    locations = at[:3, 3] - np.array(obj.delta_location) + rotated(at[:3, :3], moved[:, :3, 3])
    return locations, own_turn(obj, at) @ moved[:, :3, :3]


def steps(root: Motion, walk_to_armature: np.ndarray) -> np.ndarray:
    """Return K `(f, 4, 4)` for a root's motion G in the walk frame: A G A^-1, with A from walk frame to
    armature space."""
    ground = np.tile(np.eye(4), (len(root.position), 1, 1))
    ground[:, :3, :3] = root.rotation
    ground[:, :3, 3] = root.position - root.rotation @ root.rest
    return walk_to_armature @ ground @ np.linalg.inv(walk_to_armature)


def is_unturned(moved: Matrix) -> bool:
    """Return whether K turns nothing."""
    return bool(np.abs(np.array(moved)[:3, :3] - np.eye(3)).max() < NOTICEABLE)


def own_turn(obj: Object, basis: np.ndarray) -> np.ndarray:
    """Return the rotation `(3, 3)` of an object's own channels for a matrix `basis`: without the delta
    rotation."""
    turn = basis[:3, :3] / np.linalg.norm(basis[:3, :3], axis=0)
    # Blender does not let scripts set a delta axis-angle
    delta = getattr(obj, f"delta_{rotation_path(obj.rotation_mode)}", None)
    return turn if delta is None else from_mode(np.array(delta), obj.rotation_mode).T @ turn


def _without(obj: Object, moved: Matrix) -> Matrix:
    """Return an object's matrix without K `moved`; the rotation and scale of an animated one are those
    noted."""
    if not turning.is_animated(obj):
        return obj.matrix_basis @ moved.inverted_safe()
    found = origin(obj)
    found.translation += obj.matrix_basis.translation - (found @ moved).translation
    return found


def _numbers(matrix: Matrix) -> list[float]:
    return [value for column in matrix.col for value in column]
