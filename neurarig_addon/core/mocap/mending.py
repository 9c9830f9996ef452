"""What a recording needs before it is solved: what cannot be taken out, what trembles smoothed, what is missing for a moment bridged."""

import numpy as np

from .outliers import without_outliers
from .smoothing import Smoothed, bridged, smoothed

EXACT = 0.001  # metres: what optical systems deliver is smoothed already, and kept as it is


def mended(points: np.ndarray, fps: float, noise: float) -> Smoothed:
    """Return recorded points `(f, 27, 3)` in metres, NaN unseen, made ready; `noise`: metres that they are off along each axis."""
    known = without_outliers(points, fps, noise)
    return smoothed(known, fps, noise) if noise > EXACT else bridged(known, fps, noise)
