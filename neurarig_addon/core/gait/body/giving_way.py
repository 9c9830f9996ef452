"""The pelvis sinks before the legs pull it down, as people do before a step that is too long, too low or too early.

Following each moment's demand alone would be sudden and make the knees kick.
"""

from collections.abc import Callable

import numpy as np

from ...easing import b_spline
from ..sliders.idle import ADULT_LEG

KNOT_S, LOOKS = 0.08, 3  # seconds between the curve's knots, for an adult; samples of the legs' demand between two knots
REACH = 2  # reach of a knot on both sides, in knots


def giving_way(seconds: np.ndarray, leg_length: float, pulled: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """Return how far the pelvis sinks `(f,)` at times `(f,)`: a smooth curve, nowhere less than the legs demand.

    `pulled(seconds)` returns metres `(n,)` the legs pull it down, NaN where the curve must be 0.

    A cubic B-spline on a fixed grid; each knot is as high as the largest demand within its reach.  So the curve depends on time
    alone, not on the frames asked for.
    """
    every = KNOT_S * float(np.sqrt(leg_length / ADULT_LEG))
    at = seconds / every
    knot = np.floor(at).astype(int)
    first, last = int(knot.min()) - 1, int(knot.max()) + REACH
    asked = pulled(np.arange((first - REACH) * LOOKS, (last + REACH) * LOOKS + 1) * every / LOOKS)
    around = np.lib.stride_tricks.sliding_window_view(asked, 2 * REACH * LOOKS + 1)[::LOOKS]
    most = np.nan_to_num(around.max(axis=-1))
    return b_spline(most, knot - first, at - knot)
