"""Going over softly: from nothing to all, and up to a limit."""

import numpy as np


def eased(share: np.ndarray) -> np.ndarray:
    """Return how far something has gone, 0..1, that begins and ends at rest."""
    share = np.clip(share, 0.0, 1.0)
    return share * share * (3.0 - 2.0 * share)


def within(value: np.ndarray, most: np.ndarray | float) -> np.ndarray:
    """Return values eased to `most` where they are larger."""
    return value / (1.0 + np.abs(value / most) ** 6) ** (1.0 / 6.0)


def over(value: np.ndarray, band: float) -> np.ndarray:
    """Return by how much values are above 0, never less than that, and as a parabola within `band` on both sides."""
    near = np.clip(value, -band, band) + band
    return np.maximum(value - band, 0.0) + near * near / (4.0 * band)
