"""Rotations as six numbers without a jump: the bone's own axis y first, then x, so that twist never disturbs what can be observed.

Zhou et al. 2019 give the first two columns; here they are columns y and x of a bone-aligned frame (see `frames`).
"""

import numpy as np

TINY = 1e-12


def to_sixd(aligned: np.ndarray) -> np.ndarray:
    """Return `(..., 6)`: columns y and x of frames `(..., 3, 3)`."""
    return np.concatenate([aligned[..., :, 1], aligned[..., :, 0]], axis=-1)


def from_sixd(numbers: np.ndarray) -> np.ndarray:
    """Return the frames `(..., 3, 3)` of six numbers of any length: y is kept, x is made square to it.

    Where y has no length, or x none beside it, the world's axes stand in, so that the result is always a rotation.
    """
    y = _unit(numbers[..., :3], np.array([0.0, 1.0, 0.0]))
    aside = numbers[..., 3:] - np.sum(numbers[..., 3:] * y, axis=-1, keepdims=True) * y
    smallest = np.eye(3)[np.argmin(np.abs(y), axis=-1)]
    x = _unit(aside, _unit(smallest - np.sum(smallest * y, axis=-1, keepdims=True) * y, y))
    return np.stack([x, y, np.cross(x, y)], axis=-1)


def _unit(vector: np.ndarray, otherwise: np.ndarray) -> np.ndarray:
    length = np.sqrt(np.sum(vector * vector, axis=-1, keepdims=True))
    return np.where(length > TINY, vector / np.maximum(length, TINY), otherwise)
