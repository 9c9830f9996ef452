"""How fast people are along a path: slower in bends, and not at once to a stop or at full speed."""

from itertools import pairwise

import numpy as np

# Curvature that halves the energy left for speed, in radians a leg length: 1.1 rad/m for a leg of 0.92 m to the sole, 0.845 to the ankle.
TIGHT = 1.1 * 0.845
# Leg lengths in which a walk comes to a stop, and in which it gets going: 0.8 m/s^2 at a usual speed.  Who stops again after a short way
# gets going faster: with this, short walks have the mean speeds of people, v0 (1 - exp(-(d / 3.3 m)^0.55)) (Seethapathi and Srinivasan).
BRAKING, SHORT_BRAKING, SHORT = 1.2, 0.7, 1.1


def bend_paces(bends: np.ndarray, leg_length: float) -> np.ndarray:
    """Return the squares of speeds over those straight on `(n,)` in bends of a curvature `(n,)`: 1 / (1 + (k / k0)^2)."""
    return 1.0 / (1.0 + (bends * leg_length / TIGHT) ** 2)


def paced(squared: np.ndarray, spacing: float, leg_length: float, halts: np.ndarray, is_closed: bool) -> np.ndarray:
    """Return speeds over those straight on `(n,)` at places `spacing` metres apart.

    Their squares are nowhere above `squared` `(n,)`, 0 at the rows `halts`, and change so slowly that nobody stops or sets off at once.
    """
    count = len(squared)
    squared = squared.copy()
    squared[halts] = 0.0
    if is_closed:
        laps = np.concatenate([squared[:-1], squared, squared[1:]])
        ramp = spacing / (BRAKING * leg_length) * np.arange(len(laps))
    else:
        laps, ramp = squared, np.concatenate([[0.0], np.cumsum(_changes(count, spacing / leg_length, halts))])
    speeding = np.minimum.accumulate(laps - ramp) + ramp
    slowing = np.minimum.accumulate((laps + ramp)[::-1])[::-1] - ramp
    paces = np.sqrt(np.maximum(np.minimum(speeding, slowing), 0.0))
    paces[halts] = 0.0
    return paces[count - 1 :][:count] if is_closed else paces


def _changes(count: int, spacing: float, halts: np.ndarray) -> np.ndarray:
    """Return by how much squares may change `(count - 1,)` from row to row, `spacing` leg lengths apart."""
    braking = np.full(count - 1, BRAKING)
    for first, last in pairwise(halts):
        braking[first:last] -= (BRAKING - SHORT_BRAKING) * np.exp(-(last - first) * spacing / SHORT)
    return spacing / braking
