"""The floor of a clip, found from where feet stand: files do not give its height, and early recordings tilt it."""

import numpy as np

BANDWIDTH = 0.02  # leg lengths: footholds closer in height than this share a floor
COMMON = 0.35  # share of the most frequent height's footholds that makes a lower height the floor
NEAR = 0.08  # leg lengths: footholds farther off are ignored
STEEPEST = np.tan(np.radians(2.5))  # largest tilt of a recording; steeper is a ramp
WIDE = 1.5  # leg lengths that footholds must spread along an axis to determine its tilt
FITS = 4
FARTHEST = 1e4  # bandwidths from the median height: farther is damage, and would take unbounded memory


def floor_plane(places: np.ndarray, leg_length: float) -> np.ndarray:
    """Return the floor `(3,)` as height, slope along x and slope along y, from places `(n, 3)` of contacts.

    The lowest frequent height, then a robust fit through the places near it (Cauchy weights).
    Height 0 without places.
    """
    if not len(places):
        return np.zeros(3)
    plane = np.array([lowest_frequent(places[:, 2], BANDWIDTH * leg_length), 0.0, 0.0])
    middle = np.median(places[:, :2], axis=0)
    across = places[:, :2] - middle
    wide = np.ptp(np.percentile(across, [5, 95], axis=0), axis=0) > WIDE * leg_length
    terms = np.column_stack([np.ones(len(places)), across * wide])
    for _ in range(FITS):
        apart = places[:, 2] - terms @ plane
        weight = np.where(np.abs(apart) < NEAR * leg_length, 1.0 / (1.0 + (apart / (BANDWIDTH * leg_length)) ** 2), 0.0)
        plane = np.linalg.lstsq(terms * weight[:, None], places[:, 2] * weight, rcond=1e-6)[0]
        plane[1:] = np.clip(plane[1:], -STEEPEST, STEEPEST) * wide
    plane[0] -= plane[1:] @ middle
    return plane


def height_of(plane: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Return the floor's height `(...)` under places `(..., 2 or more)`."""
    return plane[0] + places[..., 0] * plane[1] + places[..., 1] * plane[2]


def lowest_frequent(heights: np.ndarray, bandwidth: float) -> float:
    """Return the lowest height at which many of the heights `(n,)` cluster."""
    usual = np.sort(heights)[(len(heights) - 1) // 2]
    heights = heights[np.abs(heights - usual) <= FARTHEST * bandwidth]
    low = float(heights.min())
    bins = ((heights - low) / (0.5 * bandwidth)).astype(int)
    counts = np.convolve(np.bincount(bins), [0.5, 1.0, 1.0, 1.0, 0.5], mode="same")
    peaks = counts >= np.maximum(np.concatenate([[0.0], counts[:-1]]), np.concatenate([counts[1:], [0.0]]))
    first = int(np.flatnonzero(peaks & (counts >= COMMON * counts.max()))[0])
    near = np.abs(heights - low - (first + 0.5) * 0.5 * bandwidth) <= bandwidth
    return float(np.median(heights[near])) if near.any() else low + (first + 0.5) * 0.5 * bandwidth
