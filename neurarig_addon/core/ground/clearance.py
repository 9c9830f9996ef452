"""Clearance: keeps swinging soles off the ground, softly, so that velocities stay continuous."""

import numpy as np

from ..easing import b_spline

CLEARANCE = 0.022  # leg lengths: lowest height of the sole in mid swing
# Clearance follows a parabola over the swing to this power; on a floor for heel, toe joint and tip.  People's heels are low well before
# they land: from this share of the swing on they only stay out of the ground.
GROUND_NARROW, FLOOR_NARROW, HEEL_LANDS = 2.0, np.array([4.0, 2.5, 2.5]), 0.7
LEFT_BAND = 0.02  # leg lengths in mid swing: band in which what is still in the ground is raised
# The knots of a lift: one before a swing, at its tenths, and one after; those that may be above 0, so that it begins and ends level; and
# the last of these, which is felt until the foot is down.
KNOTS = 13
AT_KNOTS = (np.arange(KNOTS) - 1.0) / (KNOTS - 3)
RAISED_AT = (AT_KNOTS > 0.15) & (AT_KNOTS < 0.75)
LAST_KNOT = np.isclose(AT_KNOTS, 0.8)
UNSEEN = 1e-3  # leg lengths of penetration ignored, as toes leave and heels land on the ground


def softly_above(values: np.ndarray, band: np.ndarray | float) -> np.ndarray:
    """Return the larger of values and 0, its corner rounded within `band`."""
    return np.where(values <= -band, 0.0, np.where(values >= band, values, (values + band) ** 2 / (4.0 * band)))


def lift_knots(share: np.ndarray, heights: np.ndarray, leg_length: float, wish: np.ndarray, late: float) -> np.ndarray:
    """Return the lift of swings `(swings, KNOTS)`, to be read by `lift_at`, so that soles clear the floor.

    `share` `(n,)` of a swing at which heel, toe joint and tip are at `heights` `(swings, n, 3)`; `wish` `(swings, n)`: the clearance,
    times the natural (at most 1).  Each knot is as high as the largest demand near it, the last one `late` times that; there is none at
    the swing's ends.
    """
    lands = (share[:, None] > HEEL_LANDS) & np.array([True, False, False])
    missing = over_ground(share, np.where(lands, np.inf, heights), leg_length, wish, FLOOR_NARROW)
    near = np.abs(share - AT_KNOTS[:, None]) < 1.001 * (AT_KNOTS[1] - AT_KNOTS[0])
    return np.where(near, missing[:, None], 0.0).max(axis=-1) * (RAISED_AT + late * LAST_KNOT)


def lift_at(knots: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Return the lifts in metres `(...)` after shares of swings with knots `(..., KNOTS)`: a cubic B-spline, smooth to its curvature."""
    at = np.minimum(share, 1.0 - 1e-9) * (KNOTS - 3)
    row = np.floor(at).astype(int)
    return b_spline(knots, row + 1, at - row)


def clearance_lift(share: np.ndarray, heights: np.ndarray, leg_length: float) -> np.ndarray:
    """Return how far to raise the foot `(...)` so that no sole point at `heights` `(..., points)` is in the ground.

    For what `lift_knots` leaves.  Approached softly, and the points' lifts combine in a norm instead of a maximum, so that velocities
    stay continuous.
    """
    window = ((4.0 * share * (1.0 - share)) ** 2)[..., None]
    lifts = softly_above(-heights, LEFT_BAND * leg_length * window + 1e-9)
    return np.sum(lifts**4, axis=-1) ** 0.25


def over_ground(
    share: np.ndarray, heights: np.ndarray, leg_length: float, wish: np.ndarray, narrow: np.ndarray | float = GROUND_NARROW
) -> np.ndarray:
    """Return how much higher feet must be `(...)` for sole points at `heights` `(..., points)` to clear the ground well.

    `narrow`: exponent of the parabola over the swing that the clearance follows, one or one a point `(points,)`.
    """
    window = (4.0 * share * (1.0 - share))[..., None] ** narrow
    wanted = CLEARANCE * leg_length * np.clip(wish, 0.0, 1.0)[..., None] * window - UNSEEN * leg_length
    return np.maximum((wanted - np.where(np.isnan(heights), np.inf, heights)).max(axis=-1), 0.0)
