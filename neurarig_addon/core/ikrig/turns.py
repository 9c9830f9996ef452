"""Rotations as the format stores them: unit quaternions w, x, y, z whose sign does not flip between frames."""

import numpy as np

from ..geometry import rotation

_OPPOSITE = 1e-9  # 1 + cosine: below it two directions are opposite, and any perpendicular axis serves


def quaternions(matrix: np.ndarray) -> np.ndarray:
    """Return rotations `(..., f, 3, 3)` as quaternions `(..., f, 4)` with signs continuous over the frames; the first has w >= 0."""
    return steady(rotation.to_quaternion(matrix))


def steady(quaternion: np.ndarray) -> np.ndarray:
    """Return quaternions `(..., f, 4)` with signs continuous over the frames; the first has w >= 0."""
    flips = rotation.dot(quaternion[..., 1:, :], quaternion[..., :-1, :]) < 0.0
    first = quaternion[..., :1, 0] < 0.0
    odd = np.logical_xor.accumulate(np.concatenate([first, flips], axis=-1), axis=-1)
    return np.where(odd[..., None], -quaternion, quaternion)


def matrices(quaternion: np.ndarray) -> np.ndarray:
    """Return quaternions `(..., 4)` of any length as rotations `(..., 3, 3)`; zero gives the identity."""
    length = np.sqrt(rotation.dot(quaternion, quaternion))[..., None]
    unit = np.where(length > rotation.TINY, quaternion / np.maximum(length, rotation.TINY), [1.0, 0.0, 0.0, 0.0])
    return rotation.from_quaternion(unit)


def shortest(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return the shortest rotations `(f, 4)` from direction `start` `(3,)` to `end` `(f, 3)`; the identity if either is zero."""
    start, end = rotation.normalized(start), rotation.normalized(end)
    turn = np.concatenate([1.0 + end @ start[:, None], np.cross(start, end)], axis=-1)
    turn[turn[:, 0] < _OPPOSITE] = [0.0, *rotation.perpendicular(start)]
    turn[~(end.any(axis=-1) & start.any())] = [1.0, 0.0, 0.0, 0.0]
    return steady(turn / np.sqrt(rotation.dot(turn, turn))[..., None])
