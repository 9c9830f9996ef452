"""A path walked as it was keyed, without a speed of its own."""

from dataclasses import dataclass

import numpy as np

from .curve import Curve
from .path import Along, Unpaced


@dataclass(frozen=True)
class Timed(Unpaced):
    """A curve walked from `start` metres on, at exactly the wanted speed."""

    curve: Curve
    start: float

    turns = varies = True
    starts = False

    @property
    def extent(self) -> tuple[float, float]:
        """See Path."""
        first, last = self.curve.extent
        return first - self.start, last - self.start

    @property
    def lap(self) -> float:
        """See Path."""
        return self.curve.lap

    @property
    def drawn(self) -> "Timed":
        """Return the path itself."""
        return self

    def at(self, distance: np.ndarray) -> Along:
        """See Path."""
        return self.curve.at(np.asarray(distance) + self.start)

    def heading_at(self, distance: np.ndarray) -> np.ndarray:
        """See Path."""
        return self.curve.heading_at(np.asarray(distance) + self.start)

    def curvature(self, distance: np.ndarray) -> np.ndarray:
        """See Path."""
        return self.curve.curvature(np.asarray(distance) + self.start)

    def knots(self, start: float, end: float) -> np.ndarray:
        """See Path: at the rows of the curve's table."""
        places = self.curve.spacing * np.arange(len(self.curve.places)) - self.start
        return places[(places >= start) & (places <= end)]
