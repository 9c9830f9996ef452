"""How long spans between keys may be: from each row, as long as one cubic of time stays within a track's limits."""

import numpy as np

from .track import Track

LENGTHS = (4, 5, 6, 7, 8, 10, 12, 14, 17, 20, 24, 29, 35, 42, 50, 60, 72, 86, 103, 124)  # lengths tried, in frames
BEGUN_WITH = 0.5  # share of the needed spans keyed at first: the remaining errors show where the rest is needed
CUBIC = 4  # coefficients of a cubic, which passes through as many samples exactly


class Spans:
    """Estimated number of spans from a track's first row to each row: `passed` `(f,)`."""

    def __init__(self, track: Track, limits: np.ndarray) -> None:
        longest = _longest(track, limits)
        self.passed = np.concatenate([[0.0], np.cumsum(1.0 / longest[:-1])])

    def between(self, first: int, last: int) -> np.ndarray:
        """Return rows for keys between two rows that make the spans equally hard."""
        begun, ended = self.passed[[first, last]]
        wanted = np.linspace(begun, ended, max(int(BEGUN_WITH * (ended - begun)), 1) + 1)[1:-1]
        rows = np.unique(np.searchsorted(self.passed, wanted))
        return rows[(rows > first) & (rows < last)]


def _longest(track: Track, limits: np.ndarray) -> np.ndarray:
    """Return the length in frames `(f,)` of the longest possible span from each row; limits `(f,)` in metres or radians."""
    samples = len(limits)
    found = np.minimum(np.arange(samples, 0, -1), CUBIC - 1).astype(float)
    values, weights = track.values * track.size, 1.0 / limits
    for length in LENGTHS:
        if length >= samples:
            break
        fits = _fits(values, weights, length)
        found[: samples - length][fits] = length
        if fits[-1]:
            found[samples - length :] = length  # a part of what fits
        if not fits.any():
            break
    return found


def _fits(values: np.ndarray, weights: np.ndarray, length: int) -> np.ndarray:
    """Return for each row whether a cubic through the next `length` samples is within the limits `(f - length,)`."""
    basis = np.linalg.qr(np.vander(np.linspace(-1.0, 1.0, length + 1), CUBIC))[0]
    windows = np.lib.stride_tricks.sliding_window_view(values, length + 1, axis=0)
    off = windows - windows @ basis @ basis.T
    weighted = np.lib.stride_tricks.sliding_window_view(weights, length + 1)
    within: np.ndarray = (np.sqrt(np.einsum("rcs,rcs->rs", off, off)) * weighted).max(axis=1) <= 1.0
    return within
