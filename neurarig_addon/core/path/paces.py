"""How fast people walk along a path: slower in bends, gradually to a stop and to full speed."""

from itertools import pairwise

import numpy as np

# Curvature that halves the energy left for speed, in radians a leg length: 1.1 rad/m for a leg of 0.92 m to the sole, 0.845 to the ankle.
TIGHT = 1.1 * 0.845
# Leg lengths of stopping and of getting going: 0.8 m/s^2 at a usual speed.  A walk that stops again after a short way
# gets going faster: with this, short walks have the mean speeds of people, v0 (1 - exp(-(d / 3.3 m)^0.55)) (Seethapathi and Srinivasan).
BRAKING, SHORT_BRAKING, SHORT = 1.2, 0.7, 1.1
TURNING = 0.3  # the same for turns on the spot


def bend_paces(bends: np.ndarray, leg_length: float) -> np.ndarray:
    """Return squared relative speeds `(n,)` in bends of a curvature `(n,)`: 1 / (1 + (k / k0)^2)."""
    return 1.0 / (1.0 + (bends * leg_length / TIGHT) ** 2)


def paced(squared: np.ndarray, moves: np.ndarray, spacing: float, halts: np.ndarray, is_closed: bool) -> np.ndarray:
    """Return relative speeds `(n,)` at rows `spacing` leg lengths apart, which move or only turn `(n - 1,)`.

    Their squares never exceed `squared` `(n,)`, are 0 at the rows `halts`, and change with limited acceleration.
    """
    count = len(squared)
    squared = squared.copy()
    squared[halts] = 0.0
    if is_closed:
        laps = np.concatenate([squared[:-1], squared, squared[1:]])
        ramp = spacing / BRAKING * np.arange(len(laps))
    else:
        laps, ramp = squared, np.concatenate([[0.0], np.cumsum(_changes(moves, spacing, halts))])
    speeding = np.minimum.accumulate(laps - ramp) + ramp
    slowing = np.minimum.accumulate((laps + ramp)[::-1])[::-1] - ramp
    paces = np.sqrt(np.maximum(np.minimum(speeding, slowing), 0.0))
    paces[halts] = 0.0
    return paces[count - 1 :][:count] if is_closed else paces


def _changes(moves: np.ndarray, spacing: float, halts: np.ndarray) -> np.ndarray:
    """Return the allowed change of squares `(n - 1,)` from row to row, `spacing` leg lengths apart."""
    braking = np.where(moves, BRAKING, TURNING)
    for first, last in pairwise(halts):
        braking[first:last] -= moves[first] * (BRAKING - SHORT_BRAKING) * np.exp(-(last - first) * spacing / SHORT)
    return spacing / braking
