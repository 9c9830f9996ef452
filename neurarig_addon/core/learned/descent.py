"""L-BFGS: the way down of a smooth function of many numbers, from its values and gradients alone.

The two loops are those of Nocedal (1980); a step is found by halving and doubling until it meets the weak
Wolfe conditions (Lewis and Overton 2013), so that the curvature along it is positive.
"""

from collections import deque
from collections.abc import Callable, Iterator

import numpy as np

Function = Callable[[np.ndarray], tuple[float, np.ndarray]]  # place (n,) -> value, gradient (n,)

_HISTORY = 30
_ENOUGH_LOWER, _FLATTER = 1e-4, 0.9  # the Wolfe conditions, as usual for quasi-Newton steps
_MOST_TRIES = 25


def descend(function: Function, start: np.ndarray) -> Iterator[np.ndarray]:
    """Yield a lower place `(n,)` after each iteration; ends where no step leads lower."""
    place, (value, gradient) = start, function(start)
    # what the places and the gradients changed by
    pairs: deque[tuple[np.ndarray, np.ndarray]] = deque(maxlen=_HISTORY)
    while True:
        direction = -_by_curvature(gradient, pairs)
        # The first step knows no curvature yet: it goes no farther than 1.
        tried = 1.0 if pairs else min(1.0, 1.0 / max(float(np.abs(gradient).sum()), 1e-30))
        found = _step(function, place, direction, value, gradient, tried)
        if found is None:
            return
        before, place = place, found[0]
        pairs.append((place - before, found[2] - gradient))
        value, gradient = found[1], found[2]
        yield place


def _by_curvature(gradient: np.ndarray, pairs: deque[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    """Return the inverse curvature that the pairs show, times the gradient."""
    if not pairs:
        return gradient
    found, shares = gradient.copy(), []
    for moved, turned in reversed(pairs):
        shares.append((moved @ found) / (moved @ turned))
        found -= shares[-1] * turned
    moved, turned = pairs[-1]
    found *= (moved @ turned) / (turned @ turned)
    for (moved, turned), share in zip(pairs, reversed(shares), strict=True):
        found += (share - (turned @ found) / (moved @ turned)) * moved
    return found


def _step(
    function: Function,
    place: np.ndarray,
    direction: np.ndarray,
    value: float,
    gradient: np.ndarray,
    tried: float,
) -> tuple[np.ndarray, float, np.ndarray] | None:
    """Return the place, value and gradient after a step that meets the weak Wolfe conditions; None if there
    is none."""
    slope, low, high = float(direction @ gradient), 0.0, np.inf
    for _ in range(_MOST_TRIES):
        there = place + tried * direction
        lower, turned = function(there)
        if not lower < value + min(0.0, _ENOUGH_LOWER * tried * slope):  # also where it is not a number
            high = tried
        elif turned @ direction < _FLATTER * slope:
            low = tried
        else:
            return there, lower, turned
        tried = 0.5 * (low + high) if np.isfinite(high) else 2.0 * low
    return None
