"""Orientation from two directions (Black's TRIAD), and from several with a prior (Kabsch)."""

import numpy as np

from .vectors import crossed, lengths

# Not parallel to any axis of a degenerate input: with this share of it, two parallel directions still make a frame.
_ASIDE = 1e-9 * np.array([0.36, 0.48, 0.8])


def triads(primary: np.ndarray, secondary: np.ndarray) -> np.ndarray:
    """Return frames `(..., 3, 3)`: x along `primary`, y as near to `secondary` as may be, both `(..., 3)` of any length but zero."""
    return triads_along(primary / lengths(primary), secondary)


def triads_along(along: np.ndarray, secondary: np.ndarray) -> np.ndarray:
    """Return frames `(..., 3, 3)` as `triads`; x is `along`, which is one long."""
    third = crossed(along, secondary + _ASIDE)
    third /= lengths(third)
    axes = np.empty(third.shape[:-1] + (3, 3))
    axes[..., 0, :] = along
    axes[..., 1, :] = crossed(third, along)
    axes[..., 2, :] = third
    return axes.swapaxes(-1, -2)


def nearest_rotation(matrix: np.ndarray) -> np.ndarray:
    """Return the rotations `(..., 3, 3)` nearest to matrices, by singular values; also the Kabsch solution of a covariance."""
    left, _, right = np.linalg.svd(matrix)
    left[..., 2] *= np.sign(np.linalg.det(left @ right))[..., None]
    return left @ right
