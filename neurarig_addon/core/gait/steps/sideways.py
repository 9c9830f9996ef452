"""Where feet stand relative to the path: beside it, turned with the legs; sidesteps open and close and never cross."""

from dataclasses import dataclass

import numpy as np

from ..walker import Walker
from ..way.facing import legs_turned, way_of_legs

SIDE_SIGN = np.array([1.0, -1.0])  # y of the left and right foot
OPENS = 0.2  # cycles: the leading foot is where the root will be this much later, the trailing one where it was this much before
CLOSEST = 0.5  # share of the distance between the feet by which they may close in a slight sidestep


@dataclass(frozen=True)
class Apart:
    """For prints `(steps, 2)`: the legs' turn off the path in radians, and metres `aside` of it in the legs' frame, left positive."""

    aside: np.ndarray
    turned: np.ndarray


def sideways(walker: Walker, contact: np.ndarray, middle: np.ndarray, aside: np.ndarray) -> Apart:
    """Return how prints lie relative to the path.

    `contact`, `middle`: foot phases at contact and at mid-stance; `aside`: metres when walking ahead `(steps, 2)`.
    """
    if walker.facing is None:
        return Apart(aside, np.zeros_like(aside))
    pace = walker.rhythm
    facing = walker.facing.of_prints(pace.phase_when(contact))
    way = way_of_legs(facing)
    stride = pace.stride_at(pace.seconds_when(contact))
    hip = 0.5 * abs(walker.body.hip[0, 1] - walker.body.hip[1, 1])
    share = np.sin(way) ** 2
    aside = aside + share * SIDE_SIGN * np.maximum(hip - np.abs(aside), 0.0)
    step, near = 0.5 * stride * np.sin(way), CLOSEST * 2.0 * np.abs(aside)
    turning = walker.facing.turning(pace.phase_when(middle))  # who passes through a sidestep in a turn does not open the legs
    opens = SIDE_SIGN * OPENS * (1.0 - turning) * np.sign(step) * step**2 / (step**2 + near**2)
    opened = (pace.distance_when(middle + opens) - pace.distance_when(middle)) * np.sin(way)
    return Apart(aside + opened, facing + legs_turned(facing))
