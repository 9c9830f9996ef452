"""Rotations as six continuous numbers: the bone's own axis y first, then x, so that twist never disturbs what can be observed.

Zhou et al. 2019 give the first two columns; here they are columns y and x of a bone-aligned frame (see `frames`).
"""

from collections.abc import Callable

import numpy as np

from neurarig_addon.core.geometry.rotation import perpendicular
from neurarig_addon.core.geometry.vectors import dotted, lengths

TINY = 1e-12


def to_sixd(aligned: np.ndarray) -> np.ndarray:
    """Return `(..., 6)`: columns y and x of frames `(..., 3, 3)`."""
    return np.concatenate([aligned[..., :, 1], aligned[..., :, 0]], axis=-1)


def from_sixd(numbers: np.ndarray) -> np.ndarray:
    """Return the frames `(..., 3, 3)` of six numbers of any length: y is kept, x is made perpendicular to it.

    If y has no length, or x none across it, other axes stand in, so that the result is always a rotation.
    """
    y = _long(numbers[..., :3], lambda: np.array([0.0, 1.0, 0.0]))
    y = y / lengths(y)
    x = _long(numbers[..., 3:] - dotted(numbers[..., 3:], y) * y, lambda: perpendicular(y))
    x = x / lengths(x)
    return np.stack([x, y, np.cross(x, y)], axis=-1)


def _long(vectors: np.ndarray, otherwise: Callable[[], np.ndarray]) -> np.ndarray:
    """Return vectors `(..., 3)`, with `otherwise` in place of those without length."""
    has_length = lengths(vectors) > TINY
    return vectors if has_length.all() else np.where(has_length, vectors, otherwise())
