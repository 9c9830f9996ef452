"""How far a walk has come at which time."""

from dataclasses import dataclass

import numpy as np

from ..sliders.style import Clock
from .knots import extended

VARIED_S = 600.0  # seconds before and after the walk's start for which varied strides are computed


@dataclass(frozen=True)
class Course:
    """Knots `(n,)` of a walk: seconds since its start, m/s and metres on its path."""

    seconds: np.ndarray
    speed: np.ndarray
    distance: np.ndarray

    @property
    def moves(self) -> bool:
        """Whether it leads anywhere."""
        return float(self.distance[-1]) > float(self.distance[0])

    def frames(self, clock: Clock) -> np.ndarray:
        """Return the knots' frames `(n,)`."""
        return clock.start + self.seconds * clock.fps

    def finely(self, every: float) -> "Course":
        """Return the same with knots at least every so many seconds, also beyond its ends."""
        first, last = min(float(self.seconds[0]), -VARIED_S), max(float(self.seconds[-1]), VARIED_S)
        knots = np.union1d(self.seconds, np.arange(np.ceil(first / every), last / every) * every)
        return Course(knots, np.interp(knots, self.seconds, self.speed), extended(knots, self.seconds, self.distance))
