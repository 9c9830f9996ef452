"""Clearance: keeps swinging soles off the ground, softly, so that velocities stay continuous."""

import numpy as np

# Lowest height of the sole in mid swing, in leg lengths, and the band in which it is eased.
CLEARANCE, CLEARANCE_BAND = 0.022, 0.03
UNSEEN = 1e-3  # leg lengths of penetration ignored, as toes leave and heels land on the ground


def softly_above(values: np.ndarray, band: np.ndarray | float) -> np.ndarray:
    """Return the larger of values and 0, its corner rounded within `band`."""
    return np.where(values <= -band, 0.0, np.where(values >= band, values, (values + band) ** 2 / (4.0 * band)))


def clearance_lift(share: np.ndarray, heights: np.ndarray, leg_length: float, wish: np.ndarray) -> np.ndarray:
    """Return how far to raise the foot `(...)` to keep its sole points at `heights` `(..., points)` off the ground.

    The floor is 0 at both ends of the swing (`share` 0 and 1) and highest in the middle, `wish` times the natural (at most 1).  It
    is approached softly, and the points' lifts combine in a norm instead of a maximum, so that velocities stay continuous.
    """
    window = ((4.0 * share * (1.0 - share)) ** 2)[..., None]
    floor = CLEARANCE * leg_length * np.clip(wish, 0.0, 1.0)[..., None] * window
    lifts = softly_above(floor - heights, CLEARANCE_BAND * leg_length * window + 1e-9)
    return np.sum(lifts**4, axis=-1) ** 0.25


def over_ground(share: np.ndarray, heights: np.ndarray, leg_length: float, wish: np.ndarray) -> np.ndarray:
    """Return how much higher feet must be `(...)` for sole points at `heights` `(..., points)` to clear the ground well."""
    window = (4.0 * share * (1.0 - share)) ** 2
    wanted = CLEARANCE * leg_length * np.clip(wish, 0.0, 1.0) * window - UNSEEN * leg_length
    return np.maximum(wanted - np.nanmin(np.where(np.isnan(heights), np.inf, heights), axis=-1), 0.0)
