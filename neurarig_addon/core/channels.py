"""Pose channels: the values of each bone's location and rotation properties, frame by frame."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

import numpy as np

from . import rotation

QUATERNION = "QUATERNION"
AXIS_ANGLE = "AXIS_ANGLE"
PATHS = {QUATERNION: "rotation_quaternion", AXIS_ANGLE: "rotation_axis_angle"}
EULER_PATH = "rotation_euler"
GIMBAL_LOCK = 1e-6  # cosine of the middle angle below which the outer two turn about one axis


@dataclass(frozen=True)
class BoneChannels:
    """One bone: `location` `(f, 3)` or None, and `rotation` `(f, 3 or 4)` or None for the property `rotation_path`."""

    location: np.ndarray | None
    rotation_path: str
    rotation: np.ndarray | None
    rotation_mode: str = QUATERNION


@dataclass(frozen=True)
class Channels:
    """All driven bones of one armature at the same frames."""

    bones: Mapping[str, BoneChannels]

    @cached_property
    def properties(self) -> tuple[tuple[str, str, list[tuple[float, ...]]], ...]:
        """Return (bone, property, value of every row), rounded to Blender's floats so that they compare equal to what it stores."""
        found, parts = [], []
        for bone, values in self.bones.items():
            for prop, rows in (("location", values.location), (values.rotation_path, values.rotation)):
                if rows is not None:
                    found.append((bone, prop))
                    parts.append(rows)
        if not parts:
            return ()
        # One conversion for all: a live pose has one row of many short properties.
        table = np.concatenate(parts, axis=1).astype(np.float32).tolist()
        ends = list(accumulate(rows.shape[1] for rows in parts))
        begins = [0, *ends[:-1]]
        return tuple(
            (bone, prop, [tuple(row[begin:end]) for row in table]) for (bone, prop), begin, end in zip(found, begins, ends, strict=True)
        )


def rotation_path(mode: str) -> str:
    """Return the property that holds the rotation of a bone in rotation mode `mode`."""
    return PATHS.get(mode, EULER_PATH)


def in_mode(matrices: np.ndarray, mode: str) -> np.ndarray:
    """Return rotations `(..., 3, 3)` as values of a rotation mode: `(..., 4)` or, for the six euler orders, `(..., 3)`.

    A function of each matrix alone: quaternions have w >= 0, angles lie in -pi..pi.
    """
    if mode == QUATERNION:
        quaternion = rotation.to_quaternion(matrices)
        return np.where(quaternion[..., :1] < 0.0, -quaternion, quaternion)
    if mode == AXIS_ANGLE:
        turn = rotation.rotation_vector(matrices)
        angle = np.linalg.norm(turn, axis=-1, keepdims=True)
        axis = np.where(angle > rotation.TINY, turn / np.maximum(angle, rotation.TINY), np.array([0.0, 1.0, 0.0]))
        return np.concatenate([angle, axis], -1)
    return _to_euler(matrices, mode)


def from_mode(values: np.ndarray, mode: str) -> np.ndarray:
    """Return rotation matrices `(..., 3, 3)` of a rotation mode's values; the inverse of `in_mode`.

    Values of any length; for those that say nothing Blender has an answer too: a quaternion of zeros is half a turn about x.
    """
    values = np.asarray(values, dtype=float)
    if mode == QUATERNION:
        length = np.linalg.norm(values, axis=-1, keepdims=True)
        return rotation.from_quaternion(np.where(length > rotation.TINY, values / np.maximum(length, rotation.TINY), [0.0, 1.0, 0.0, 0.0]))
    if mode == AXIS_ANGLE:
        axis = rotation.normalized(values[..., 1:])
        return rotation.from_axis_angle(axis, np.where(axis.any(axis=-1), values[..., 0], 0.0))
    turns = {axis: about(values[..., n]) for n, (axis, about) in enumerate(zip("XYZ", _ABOUT, strict=True))}
    first, second, third = (turns[axis] for axis in mode)
    return third @ second @ first


_ABOUT = (rotation.about_x, rotation.about_y, rotation.about_z)


def _to_euler(m: np.ndarray, order: str) -> np.ndarray:
    """Return the angles `(..., 3)`, as x, y, z, of `third @ second @ first`; of the two solutions the smaller."""
    i, j, k = ("XYZ".index(axis) for axis in order)
    sign = 1.0 if (j - i) % 3 == 1 else -1.0
    cos_middle = np.hypot(m[..., i, i], m[..., j, i])
    locked = cos_middle < GIMBAL_LOCK
    sine_middle = -m[..., k, i]
    near = (
        np.where(locked, np.arctan2(-m[..., j, k], m[..., j, j]), np.arctan2(m[..., k, j], m[..., k, k])),
        np.arctan2(sine_middle, cos_middle),
        np.where(locked, 0.0, np.arctan2(m[..., j, i], m[..., i, i])),
    )
    far = (
        np.arctan2(-m[..., k, j], -m[..., k, k]),
        np.arctan2(sine_middle, -cos_middle),
        np.arctan2(-m[..., j, i], -m[..., i, i]),
    )
    take_near = locked | (sum(np.abs(angle) for angle in near) <= sum(np.abs(angle) for angle in far))
    angles = np.empty(m.shape[:-2] + (3,))
    for axis, (one, other) in zip((i, j, k), zip(near, far, strict=True), strict=True):
        angles[..., axis] = sign * np.where(take_near, one, other)
    return angles


def taken(channels: Channels, rows: np.ndarray) -> Channels:
    """Return some rows of channels."""
    return Channels(
        {
            name: BoneChannels(
                None if bone.location is None else bone.location[rows],
                bone.rotation_path,
                None if bone.rotation is None else bone.rotation[rows],
                bone.rotation_mode,
            )
            for name, bone in channels.bones.items()
        }
    )


def continuous(channels: Channels) -> Channels:
    """Return the same rotations, each row in the form nearest to the row before: what a baked curve needs between its keys."""
    return Channels({name: _continuous_bone(bone) for name, bone in channels.bones.items()})


def _continuous_bone(bone: BoneChannels) -> BoneChannels:
    if bone.rotation is None or len(bone.rotation) < 2:
        return bone
    if bone.rotation_path == PATHS[QUATERNION]:
        rows = _nearest_quaternions(bone.rotation)
    elif bone.rotation_path == PATHS[AXIS_ANGLE]:
        rows = _nearest_axis_angles(bone.rotation)
    else:
        rows = _nearest_eulers(bone.rotation, bone.rotation_mode)
    return BoneChannels(bone.location, bone.rotation_path, rows, bone.rotation_mode)


def _nearest_quaternions(rows: np.ndarray) -> np.ndarray:
    turned_away = np.sum(rows[1:] * rows[:-1], axis=-1) < 0.0
    sign = np.where(np.cumsum(turned_away) % 2 == 1, -1.0, 1.0)
    return rows * np.concatenate([[1.0], sign])[:, None]


def _nearest_axis_angles(rows: np.ndarray) -> np.ndarray:
    """Flip axis and angle together where the axis turns over, then unwind the angle."""
    turned_away = np.sum(rows[1:, 1:] * rows[:-1, 1:], axis=-1) < 0.0
    sign = np.concatenate([[1.0], np.where(np.cumsum(turned_away) % 2 == 1, -1.0, 1.0)])
    flipped = rows * sign[:, None]
    flipped[:, 0] = np.unwrap(flipped[:, 0])
    return flipped


def _nearest_eulers(rows: np.ndarray, order: str) -> np.ndarray:
    """Choose per row between the two euler solutions, then whole turns.

    Both solutions turned into the other ones differ by as much as before, so only whether a row changes sides matters, not to which.
    """
    if np.abs(np.diff(rows, axis=0)).sum(axis=-1).max() < np.pi / 2.0:
        return rows  # the other solution turns the outer angles by pi, so it cannot be nearer
    i, j, k = ("XYZ".index(axis) for axis in order)
    other = rows.copy()
    other[:, [i, k]] += np.pi
    other[:, j] = np.pi - other[:, j]
    stays, crosses = _turned_by(rows[1:] - rows[:-1]), _turned_by(other[1:] - rows[:-1])
    crossed = np.cumsum(np.concatenate([[False], crosses < stays])) % 2 == 1
    return np.unwrap(np.where(crossed[:, None], other, rows), axis=0)


def _turned_by(angles: np.ndarray) -> np.ndarray:
    """Return by how much angles `(f, 3)` turn `(f,)`, whole turns left out."""
    return np.abs(angles - 2.0 * np.pi * np.round(angles / (2.0 * np.pi))).sum(axis=-1)
