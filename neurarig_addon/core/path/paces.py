"""How fast people are along a path: slower in bends, and not at once to a stop or at full speed."""

from itertools import pairwise

import numpy as np

# Curvature that halves the energy left for speed, in radians a leg length: 1.1 rad/m for a leg of 0.92 m to the sole, 0.845 to the ankle.
TIGHT = 1.1 * 0.845
# Leg lengths in which a walk comes to a stop, and in which it gets going: 0.8 m/s^2 at a usual speed.  Who stops again after a short way
# gets going faster: with this, short walks have the mean speeds of people, v0 (1 - exp(-(d / 3.3 m)^0.55)) (Seethapathi and Srinivasan).
BRAKING, SHORT_BRAKING, SHORT = 1.2, 0.7, 1.1
TURNING = 0.3  # the same of turns on the spot


def bend_paces(bends: np.ndarray, leg_length: float) -> np.ndarray:
    """Return the squares of speeds over those straight on `(n,)` in bends of a curvature `(n,)`: 1 / (1 + (k / k0)^2)."""
    return 1.0 / (1.0 + (bends * leg_length / TIGHT) ** 2)


def paced(squared: np.ndarray, moves: np.ndarray, spacing: float, halts: np.ndarray, is_closed: bool) -> np.ndarray:
    """Return speeds over those straight on `(n,)` at places `spacing` leg lengths apart, that move or only turn `(n - 1,)`.

    Their squares are nowhere above `squared` `(n,)`, 0 at the rows `halts`, and change so slowly that nobody stops or sets off at once.
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
    """Return by how much squares may change `(n - 1,)` from row to row, `spacing` leg lengths apart."""
    braking = np.where(moves, BRAKING, TURNING)
    for first, last in pairwise(halts):
        braking[first:last] -= moves[first] * (BRAKING - SHORT_BRAKING) * np.exp(-(last - first) * spacing / SHORT)
    return spacing / braking
