"""Prepares a recording for solving: removes impossible places, smooths jitter, bridges short gaps."""

import numpy as np

from ..neural.points import PARENTS, POINTS
from .outliers import without_outliers
from .smoothing import Smoothed, bridged, smoothed

EXACT = 0.001  # metres of noise: optical systems deliver smoothed points, which are kept as they are

_SPREAD = 1.4826  # median of absolute deviations -> standard deviation of a Gaussian


def mended(points: np.ndarray, fps: float, noise: float) -> Smoothed:
    """Return recorded points `(f, 27, 3)` in metres, NaN unseen, ready to be solved; `noise`: error in metres along each axis."""
    known = without_outliers(points, fps, noise)
    return smoothed(known, fps, noise) if noise > EXACT else bridged(known, fps, noise)


def seeming_noise(points: np.ndarray) -> float:
    """Return the noise of points `(f, 27, 3)` along each axis, estimated from frame to frame: bones do not change their lengths.

    Both ends of a bone are noisy in both frames, so a change of length has four times the variance of a point.
    """
    lengths = np.linalg.norm(points[:, 1:] - points[:, PARENTS[1:]], axis=-1)
    changes = np.abs(np.diff(lengths, axis=0))
    bones = [column[np.isfinite(column)] for column in changes.T]
    spreads = [_SPREAD * float(np.median(column)) / 2.0 for column in bones if len(column) >= len(POINTS)]
    return float(np.median(spreads)) if spreads else 0.0
