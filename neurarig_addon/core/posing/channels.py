"""Pose channels: the values of each bone's location and rotation properties, frame by frame."""

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from ..geometry import rotation
from ..geometry.rotation import TURN, continuous_quaternions, dot, norms, transposed, wrapped

QUATERNION = "QUATERNION"
AXIS_ANGLE = "AXIS_ANGLE"
LOCATION = "location"
PATHS = {QUATERNION: "rotation_quaternion", AXIS_ANGLE: "rotation_axis_angle"}
EULER_PATH = "rotation_euler"
# escapes in an RNA path
_ESCAPED = str.maketrans(
    {char: f"\\{code}" for char, code in zip('\\"\t\n\r\a\b\f', '\\"tnrabf', strict=True)}
)
GIMBAL_LOCK = 1e-6  # cosine of the middle angle below which the outer two share an axis


class Property(NamedTuple):
    """A property of a bone: its name, the rotation mode if it is a rotation, else '', and its columns in a
    table of values."""

    bone: str
    name: str
    mode: str
    columns: slice


@dataclass(frozen=True)
class Channels:
    """All driven bones of one armature: `values` `(f, n)`, one row per frame, and the `properties` of their
    columns."""

    properties: tuple[Property, ...]
    values: np.ndarray

    def of(self, bone: str, name: str) -> np.ndarray | None:
        """Return the values `(f, 3 or 4)` of a bone's property, None if it has none."""
        return next(
            (
                self.values[:, prop.columns]
                for prop in self.properties
                if (prop.bone, prop.name) == (bone, name)
            ),
            None,
        )

    @cached_property
    def stored(self) -> np.ndarray:
        """The values `(f, n)` as Blender's floats, so that they compare equal to what it stores."""
        return np.ascontiguousarray(self.values, dtype=np.float32)

    @cached_property
    def views(self) -> tuple[memoryview, ...]:
        """The rows of `stored` as memoryviews, which Blender slices and reads much faster than tuples and
        arrays."""
        return tuple(map(memoryview, self.stored))

    @cached_property
    def moves(self) -> list[bool]:
        """Whether each row differs from the one before as Blender stores them; true of the first."""
        return [True, *(self.stored[1:] != self.stored[:-1]).any(axis=1).tolist()]

    @cached_property
    def paths(self) -> tuple[tuple[str, slice], ...]:
        """Each property's RNA path from the pose of its armature, and its columns."""
        return tuple((_path(prop.bone, prop.name), prop.columns) for prop in self.properties)

    def row(self, row: int) -> tuple[float, ...]:
        """Return the values of a frame, as Blender stores them."""
        return tuple(self.stored[row].tolist())

    def bones(self) -> list[str]:
        """Return the names of the bones that have a property."""
        return list(dict.fromkeys(prop.bone for prop in self.properties))


@lru_cache(maxsize=4096)
def _path(bone: str, name: str) -> str:
    return f'bones["{bone.translate(_ESCAPED)}"].{name}'


def rotation_path(mode: str) -> str:
    """Return the property that holds the rotation of a bone in rotation mode `mode`."""
    return PATHS.get(mode, EULER_PATH)


def in_mode(matrices: np.ndarray, mode: str) -> np.ndarray:
    """Return rotations `(..., 3, 3)` as values of a rotation mode: `(..., 4)` or, for the six Euler orders,
    `(..., 3)`.

    A function of each matrix alone: quaternions have w >= 0, angles are in -pi..pi.
    """
    if mode == QUATERNION:
        return rotation.to_quaternion(matrices)
    if mode == AXIS_ANGLE:
        turn = rotation.rotation_vector(matrices)
        angle = norms(turn)[..., None]
        axis = np.where(
            angle > rotation.TINY, turn / np.maximum(angle, rotation.TINY), np.array([0.0, 1.0, 0.0])
        )
        return np.concatenate([angle, axis], -1)
    return _to_euler(matrices, mode)


def from_mode(values: np.ndarray, mode: str) -> np.ndarray:
    """Return the rotation matrices `(..., 3, 3)` of a rotation mode's values; the inverse of `in_mode`.

    Values need not be of unit length; zeros give what Blender gives: a quaternion of zeros is half a turn
    about x.
    """
    values = np.asarray(values, dtype=float)
    if mode == QUATERNION:
        length = norms(values)[..., None]
        return rotation.from_quaternion(
            np.where(length > rotation.TINY, values / np.maximum(length, rotation.TINY), [0.0, 1.0, 0.0, 0.0])
        )
    if mode == AXIS_ANGLE:
        axis = rotation.normalized(values[..., 1:])
        return rotation.from_axis_angle(axis, np.where(axis.any(axis=-1), values[..., 0], 0.0))
    turns = {axis: about(values[..., n]) for n, (axis, about) in enumerate(zip("XYZ", _ABOUT, strict=True))}
    first, second, third = (turns[axis] for axis in mode)
    return third @ second @ first


_ABOUT = (rotation.about_x, rotation.about_y, rotation.about_z)


class _Order(NamedTuple):
    """An Euler order: its axes, and for each of x, y, z the index in a matrix `(9,)` of its angle's sine and
    cosine, and the sine's sign.

    In gimbal lock the outer axes coincide: the first angle comes from `free_sine`, and the last is 0.
    """

    first: int
    middle: int
    last: int
    sines: np.ndarray
    cosines: np.ndarray
    signs: np.ndarray
    free_sine: int


def _order(name: str) -> _Order:
    i, j, k = ("XYZ".index(axis) for axis in name)
    signs, sines, cosines = np.empty(3), np.empty(3, dtype=int), np.empty(3, dtype=int)
    signs[[i, j, k]] = np.array([1.0, -1.0, 1.0]) * (1.0 if (j - i) % 3 == 1 else -1.0)
    sines[[i, j, k]] = 3 * k + j, 3 * k + i, 3 * j + i
    cosines[[i, j, k]] = 4 * k, 4 * j, 4 * i
    return _Order(i, j, k, sines, cosines, signs, 3 * j + k)


_ORDERS = {name: _order(name) for name in ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX")}


def _to_euler(m: np.ndarray, order: str) -> np.ndarray:
    """Return the angles `(..., 3)`, as x, y, z, of `third @ second @ first`: the smaller of the two
    solutions."""
    i, j, k, sines, cosines, signs, free_sine = _ORDERS[order]
    flat = m.reshape(m.shape[:-2] + (9,))
    cosine = flat.take(cosines, axis=-1)
    cosine[..., j] = np.hypot(flat[..., 4 * i], flat[..., 3 * j + i])
    near = np.arctan2(flat.take(sines, axis=-1) * signs, cosine)
    if near.size and np.maximum.reduce(np.abs(near), axis=None) < 0.5 * np.pi - GIMBAL_LOCK:
        return near  # the other solution has larger outer angles, and no middle angle is near a quarter turn
    locked = cosine[..., j] < GIMBAL_LOCK
    if locked.any():
        near[locked, i] = np.arctan2(-signs[i] * flat[locked, free_sine], flat[locked, 4 * j])
        near[locked, k] = 0.0
    # The other solution has the outer angles half a turn away and the middle one mirrored: each magnitude a
    # becomes pi - a, so the sums of magnitudes of the two solutions add up to 3 pi.
    take_far = (np.abs(near).sum(axis=-1) > 1.5 * np.pi) & ~locked
    if take_far.any():
        far = near[take_far] - np.copysign(np.pi, near[take_far])
        far[:, j] *= -1.0
        near[take_far] = far
    return near


def continuous(channels: Channels) -> Channels:
    """Return the same rotations, each row in the form nearest to the row before, as baked curves need between
    their keys."""
    if len(channels.values) < 2:
        return channels
    values = channels.values.copy()
    for prop in channels.properties:
        if prop.mode:
            values[:, prop.columns] = continuous_rows(values[:, prop.columns], prop.mode)
    return replace(channels, values=values)


def continuous_rows(rows: np.ndarray, mode: str) -> np.ndarray:
    """Return the values `(f, 3 or 4)` of a rotation mode, each row in the form nearest to the row before."""
    if len(rows) < 2:
        return rows
    if mode == QUATERNION:
        return continuous_quaternions(rows)
    return _nearest_axis_angles(rows) if mode == AXIS_ANGLE else _nearest_eulers(rows, mode)


def nearest(rows: np.ndarray, to: np.ndarray, mode: str) -> np.ndarray:
    """Return the values `(f, 3 or 4)` of quaternions or Euler angles, each row in the form nearest to the
    same row of others."""
    if mode == QUATERNION:
        return np.where(dot(rows, to)[..., None] < 0.0, -rows, rows)
    other = _other_eulers(rows, mode)
    rows = np.where((_turned_by(other - to) < _turned_by(rows - to))[:, None], other, rows)
    return rows - TURN * np.round((rows - to) / TURN)


def _nearest_axis_angles(rows: np.ndarray) -> np.ndarray:
    """Negate axis and angle together where the axis flips, then unwrap the angle."""
    turned_away = dot(rows[1:, 1:], rows[:-1, 1:]) < 0.0
    sign = np.concatenate([[1.0], np.where(np.cumsum(turned_away) % 2 == 1, -1.0, 1.0)])
    flipped = rows * sign[:, None]
    flipped[:, 0] = np.unwrap(flipped[:, 0])
    return flipped


def _nearest_eulers(rows: np.ndarray, order: str) -> np.ndarray:
    """Choose per row between the two Euler solutions, then whole turns.

    Exchanging both rows' solutions keeps their difference, so only where the solution changes between rows
    matters, not which it is.
    """
    if np.abs(np.diff(rows, axis=0)).sum(axis=-1).max() < np.pi / 2.0:
        return rows  # the other solution turns the outer angles by pi, so it cannot be nearer
    other = _other_eulers(rows, order)
    stays, crosses = (_way(rows[:-1], after[1:], order) for after in (rows, other))
    crossed = np.cumsum(np.concatenate([[False], crosses < stays])) % 2 == 1
    return np.unwrap(np.where(crossed[:, None], other, rows), axis=0)


def _other_eulers(rows: np.ndarray, order: str) -> np.ndarray:
    """Return the other angles `(f, 3)` of the same rotations."""
    i, j, k = ("XYZ".index(axis) for axis in order)
    other = rows.copy()
    other[:, [i, k]] += np.pi
    other[:, j] = np.pi - other[:, j]
    return other


def _way(before: np.ndarray, after: np.ndarray, order: str) -> np.ndarray:
    """Return how far `(f,)` a rotation turns whose angles `(f, 3)` go evenly from some to others, as seen on
    its way."""
    change = wrapped(after - before)
    seen = from_mode(before + np.linspace(0.0, 1.0, 5)[:, None, None] * change, order)
    turned = rotation.rotation_vector(transposed(seen[:-1]) @ seen[1:])
    return norms(turned).sum(axis=0)


def _turned_by(angles: np.ndarray) -> np.ndarray:
    """Return the total rotation `(f,)` of angles `(f, 3)`, without whole turns."""
    return np.abs(wrapped(angles)).sum(axis=-1)
