"""Where feet stand apart from the path: beside it, turned as the legs are; who goes sideways opens and closes them and never crosses."""

from dataclasses import dataclass

import numpy as np

from ..walker import Walker
from .facing import legs_turned, way_of_legs

SIDE_SIGN = np.array([1.0, -1.0])  # y of the left and right foot
OPENS = 0.2  # cycles: the foot that leads is as far aside as the root will be so much later, the other one as it was so much before
CLOSEST = 0.5  # of the distance between the feet: how far they may come nearer to each other for that they go sideways a little


@dataclass(frozen=True)
class Apart:
    """Of prints `(steps, 2)`: radians that legs are `turned` off the path, and metres `aside` of it as they see it, left positive."""

    aside: np.ndarray
    turned: np.ndarray


def sideways(walker: Walker, contact: np.ndarray, middle: np.ndarray, aside: np.ndarray) -> Apart:
    """Return how prints are apart from the path.

    `contact`, `middle`: foot phases at contact and in the middle of the stance; `aside`: metres of who goes ahead `(steps, 2)`.
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
    opens = SIDE_SIGN * OPENS * np.sign(step) * step**2 / (step**2 + near**2)
    opened = (pace.distance_when(middle + opens) - pace.distance_when(middle)) * np.sin(way)
    return Apart(aside + opened, facing + legs_turned(facing))
