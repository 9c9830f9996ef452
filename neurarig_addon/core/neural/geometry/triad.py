"""Orientation from two directions (Black's TRIAD), and from several with a prior (Kabsch)."""

import numpy as np

from ...rotation import SKEW
from .vectors import lengths

# Not parallel to any axis of a degenerate input: with this share of it, two parallel directions still make a frame.
_ASIDE = 1e-9 * np.array([0.36, 0.48, 0.8])


def triads(primary: np.ndarray, secondary: np.ndarray) -> np.ndarray:
    """Return frames `(..., 3, 3)`: x along `primary`, y as near to `secondary` as may be, both `(..., 3)` of any length but zero."""
    return triads_along(primary / lengths(primary), secondary)


def triads_along(along: np.ndarray, secondary: np.ndarray) -> np.ndarray:
    """Return frames `(..., 3, 3)` as `triads`; x is `along`, which is one long."""
    return triad_rows(along, secondary).swapaxes(-1, -2)


def triad_rows(along: np.ndarray, secondary: np.ndarray) -> np.ndarray:
    """Return the axes `(..., 3, 3)` of frames as `triads`, one in each row; x is `along`, which is one long."""
    onto = along.reshape(-1, 3).dot(SKEW).reshape(along.shape + (3,))  # rows @ this: their cross products with `along`
    third = -((secondary + _ASIDE)[..., None, :] @ onto)
    third /= lengths(third)
    return np.concatenate([along[..., None, :], third @ onto, third], axis=-2)


def nearest_rotation(matrix: np.ndarray) -> np.ndarray:
    """Return the rotations `(..., 3, 3)` nearest to matrices, by singular values; also the Kabsch solution of a covariance."""
    left, _, right = np.linalg.svd(matrix)
    left[..., 2] *= np.sign(np.linalg.det(left @ right))[..., None]
    return left @ right
