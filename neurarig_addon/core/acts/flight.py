"""A jump's plan: how high and fast the middle of the body leaves the ground, flies freely and is caught, for the way that it has to go.

What people can do: a standing broad jump leaves the ground at about 3 m/s, a jump straight up at 2.9; off one foot a run keeps its speed.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from ..gait.kinds.natural import GRAVITY
from .act import STAND, STEP

DOWN = np.array([0.0, 0.0, -GRAVITY])
# In an adult's metres a second, x sqrt(leg in leg lengths of an adult): upward at take-off at most, and gained along the ground.
MOST_UP, MOST_GAINED = {STAND: 2.9, STEP: 1.9}, {STAND: 2.7, STEP: 1.2}
ADULT_LEG = 0.85
# Leg lengths that the middle rises above the higher end of a jump, more per leg length of way, of a climb less, and at least.
LEAST_RISE, RISE_BY_WAY, CLIMBS_LESS, LEAST_OVER = {STAND: 0.10, STEP: 0.03}, 0.10, 0.5, 0.04


@dataclass(frozen=True)
class Ballistic:
    """A flight from one place of the body's middle to another `(3,)`: how long it lasts, and its velocities at both ends `(3,)`."""

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


@dataclass(frozen=True)
class Knot:
    """A moment in seconds, and a place, velocity and acceleration `(c,)` then."""

    at: float
    place: np.ndarray
    rate: np.ndarray
    bend: np.ndarray


@dataclass(frozen=True)
class Quintics:
    """Curves through knots, smooth to the acceleration."""

    knots: tuple[Knot, ...]

    def __call__(self, at: np.ndarray) -> np.ndarray:
        """Return places `(f, c)` at times `(f,)`."""
        row = np.clip(np.searchsorted(self._at, at, side="right") - 1, 0, len(self.knots) - 2)
        since = (at - self._at[row])[:, None]
        return np.einsum("fpc,fp->fc", self._terms[row], since ** np.arange(6.0))

    @cached_property
    def _at(self) -> np.ndarray:
        return np.array([knot.at for knot in self.knots])

    @cached_property
    def _terms(self) -> np.ndarray:
        """The terms `(n - 1, 6, c)` of the polynomials, in seconds since each knot."""
        found = []
        for one, other in pairwise(self.knots):
            h = other.at - one.at
            away = other.place - one.place - h * one.rate - 0.5 * h * h * one.bend
            faster, bends = other.rate - one.rate - h * one.bend, other.bend - one.bend
            found.append(
                np.stack(
                    [
                        one.place,
                        one.rate,
                        0.5 * one.bend,
                        (10.0 * away - 4.0 * h * faster + 0.5 * h * h * bends) / h**3,
                        (-15.0 * away + 7.0 * h * faster - h * h * bends) / h**4,
                        (6.0 * away - 3.0 * h * faster + 0.5 * h * h * bends) / h**5,
                    ]
                )
            )
        return np.array(found)


def usual_rise(base: str, leg_length: float, way: float, climb: float) -> float:
    """Return how many metres the middle of a body rises above the higher end of a jump that goes `way` metres along the ground.

    `climb`: metres from the take-off up to the landing: on to a box it rises no higher than it must.
    """
    return max(LEAST_RISE[base] * leg_length + RISE_BY_WAY * way - CLIMBS_LESS * max(climb, 0.0), LEAST_OVER * leg_length)


def rise_in(seconds: float, climb: float) -> float:
    """Return how many metres a flight of so many seconds rises above its higher end, which may be a `climb` above the other."""
    up = climb / max(seconds, 1e-3) + 0.5 * GRAVITY * seconds
    return up * abs(up) / (2.0 * GRAVITY) - max(climb, 0.0)
