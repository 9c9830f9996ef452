"""A flight of the body's middle: free from the take-off to the landing, and as high as its way asks."""

from dataclasses import dataclass

import numpy as np

from ..gait.kinds.natural import GRAVITY
from .act import STAND, STEP

DOWN = np.array([0.0, 0.0, -GRAVITY])
# Leg lengths that the middle rises above the higher end of a jump, more per leg length of way, of a climb
# less, and at least.
LEAST_RISE, RISE_BY_WAY, CLIMBS_LESS, LEAST_OVER = (
    {STAND: 0.10, STEP: 0.03},
    {STAND: 0.10, STEP: 0.07},
    0.5,
    0.04,
)


@dataclass(frozen=True)
class Ballistic:
    """A flight from one place of the body's middle to another `(3,)`: how long it lasts, and its velocities
    at both ends `(3,)`."""

    begin: np.ndarray
    end: np.ndarray
    seconds: float

    @classmethod
    def over(cls, begin: np.ndarray, end: np.ndarray, rise: float) -> "Ballistic":
        """Return the flight that rises so many metres above the higher end."""
        top = max(begin[2], end[2]) + rise
        seconds = (np.sqrt(2.0 * (top - begin[2]) / GRAVITY) + np.sqrt(2.0 * (top - end[2]) / GRAVITY)).item()
        return cls(begin, end, seconds)

    @property
    def leaves(self) -> np.ndarray:
        """The velocity at take-off."""
        return (self.end - self.begin) / self.seconds - 0.5 * DOWN * self.seconds

    @property
    def rise(self) -> float:
        """Metres that it rises above the higher end."""
        return float(self.begin[2] - max(self.begin[2], self.end[2]) + self.leaves[2] ** 2 / (2.0 * GRAVITY))

    @property
    def lands(self) -> np.ndarray:
        """The velocity at landing."""
        return self.leaves + DOWN * self.seconds


def usual_rise(base: str, leg_length: float, way: float, climb: float) -> float:
    """Return how many metres the middle of a body rises above the higher end of a jump that goes `way` metres
    along the ground.

    `climb`: metres from the take-off up to the landing: on to a box it rises no higher than it must.
    """
    return max(
        LEAST_RISE[base] * leg_length + RISE_BY_WAY[base] * way - CLIMBS_LESS * max(climb, 0.0),
        LEAST_OVER * leg_length,
    )


def rise_in(seconds: float, climb: float) -> float:
    """Return how many metres a flight of so many seconds rises above its higher end, which may be a `climb`
    above the other."""
    up = climb / max(seconds, 1e-3) + 0.5 * GRAVITY * seconds
    return up * abs(up) / (2.0 * GRAVITY) - max(climb, 0.0)
