"""The pelvis gives way before legs pull it down, as people sink before a step that is too long, too low or too early for them.

What legs ask of it at a moment alone comes suddenly, and knees take it with a kick.
"""

from collections.abc import Callable

import numpy as np

from .idle import ADULT_LEG

KNOT_S, LOOKS = 0.08, 3  # of an adult, from knot to knot of the curve; looks at what legs ask between two of them
REACH = 2  # knots to both sides that one has a say in


def giving_way(seconds: np.ndarray, leg_length: float, pulled: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """Return how far the pelvis gives way `(f,)` at times `(f,)`: a smooth curve that is nowhere less than what legs pull it down.

    `pulled(seconds)` gives metres `(n,)`, or not a number where the curve has to be 0.

    A cubic B-spline over a fixed grid, each of its knots as high as the most that is asked where it has a say: so it depends on the time
    alone, and on what is soon before and after.
    """
    every = KNOT_S * float(np.sqrt(leg_length / ADULT_LEG))
    at = seconds / every
    knot = np.floor(at).astype(int)
    first, last = int(knot.min()) - 1, int(knot.max()) + REACH
    asked = pulled(np.arange((first - REACH) * LOOKS, (last + REACH) * LOOKS + 1) * every / LOOKS)
    around = np.lib.stride_tricks.sliding_window_view(asked, 2 * REACH * LOOKS + 1)[::LOOKS]
    most = np.nan_to_num(around.max(axis=-1))
    s = at - knot
    weights = np.stack([(1.0 - s) ** 3, 4.0 - 6.0 * s * s + 3.0 * s**3, 1.0 + 3.0 * (s + s * s - s**3), s**3], axis=-1) / 6.0
    return (weights * most[knot[:, None] - first + np.arange(-1, REACH + 1)]).sum(axis=-1)
