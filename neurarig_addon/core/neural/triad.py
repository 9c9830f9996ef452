"""Orientation from two directions (Black's TRIAD), and from several with a prior (Kabsch)."""

import numpy as np

# Not parallel to any axis of a degenerate input: with this share of it, two parallel directions still make a frame.
_ASIDE = 1e-9 * np.array([0.36, 0.48, 0.8])
_CYCLE = np.array([1, 2, 0, 1])
_ONES = np.ones((3, 1))


def triads(primary: np.ndarray, secondary: np.ndarray) -> np.ndarray:
    """Return frames `(..., 3, 3)`: x along `primary`, y as near to `secondary` as may be, both `(..., 3)` of any length but zero."""
    secondary = secondary + _ASIDE
    third = crossed(primary, secondary)
    frames = np.empty(third.shape + (3,))
    frames[..., 0] = primary / np.sqrt(_square(primary))
    frames[..., 2] = third / np.sqrt(_square(third))
    frames[..., 1] = crossed(frames[..., 2], frames[..., 0])
    return frames


def crossed(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the cross products `(..., 3)`; several times faster than `np.cross`."""
    first, second = first.take(_CYCLE, axis=-1), second.take(_CYCLE, axis=-1)
    return first[..., :3] * second[..., 1:] - first[..., 1:] * second[..., :3]


def nearest_rotation(matrix: np.ndarray) -> np.ndarray:
    """Return the rotations `(..., 3, 3)` nearest to matrices, by singular values; also the Kabsch solution of a covariance."""
    left, _, right = np.linalg.svd(matrix)
    left[..., 2] *= np.sign(np.linalg.det(left @ right))[..., None]
    return left @ right


def _square(vector: np.ndarray) -> np.ndarray:
    return (vector * vector) @ _ONES
