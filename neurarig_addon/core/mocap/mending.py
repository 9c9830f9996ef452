"""What a recording needs before it is solved: what cannot be taken out, what trembles smoothed, what is missing for a moment bridged."""

import numpy as np

from ..neural.points import PARENTS, POINTS
from .outliers import without_outliers
from .smoothing import Smoothed, bridged, smoothed

EXACT = 0.001  # metres: what optical systems deliver is smoothed already, and kept as it is

_SPREAD = 1.4826  # median of absolute deviations -> standard deviation of a Gaussian


def mended(points: np.ndarray, fps: float, noise: float) -> Smoothed:
    """Return recorded points `(f, 27, 3)` in metres, NaN unseen, made ready; `noise`: metres that they are off along each axis."""
    known = without_outliers(points, fps, noise)
    return smoothed(known, fps, noise) if noise > EXACT else bridged(known, fps, noise)


def seeming_noise(points: np.ndarray) -> float:
    """Return how far points `(f, 27, 3)` seem to be off from frame to frame along each axis: bones do not change their lengths.

    Both ends of a bone tremble in both frames, so a change of length has four times the variance of a point.
    """
    lengths = np.linalg.norm(points[:, 1:] - points[:, PARENTS[1:]], axis=-1)
    changes = np.abs(np.diff(lengths, axis=0))
    bones = [column[np.isfinite(column)] for column in changes.T]
    spreads = [_SPREAD * float(np.median(column)) / 2.0 for column in bones if len(column) >= len(POINTS)]
    return float(np.median(spreads)) if spreads else 0.0
