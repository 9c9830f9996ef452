"""A path that follows another one; subclasses change parts of it."""

from dataclasses import dataclass

import numpy as np

from .marks import Mark
from .path import Along, Path


@dataclass(frozen=True)
class Borne:
    """The same as `path`; see `Path`."""

    path: Path

    @property
    def turns(self) -> bool:
        """See Path."""
        return self.path.turns

    @property
    def varies(self) -> bool:
        """See Path."""
        return self.path.varies

    @property
    def starts(self) -> bool:
        """See Path."""
        return self.path.starts

    @property
    def marks(self) -> tuple[Mark, ...]:
        """See Path."""
        return self.path.marks

    @property
    def extent(self) -> tuple[float, float]:
        """See Path."""
        return self.path.extent

    @property
    def lap(self) -> float:
        """See Path."""
        return self.path.lap

    @property
    def drawn(self) -> Path:
        """See Path."""
        return self.path.drawn

    def at(self, distance: np.ndarray) -> Along:
        """See Path."""
        return self.path.at(distance)

    def heading_at(self, distance: np.ndarray) -> np.ndarray:
        """See Path."""
        return self.path.heading_at(distance)

    def curvature(self, distance: np.ndarray) -> np.ndarray:
        """See Path."""
        return self.path.curvature(distance)

    def distance_of(self, effort: np.ndarray) -> np.ndarray:
        """See Path."""
        return self.path.distance_of(effort)

    def effort(self, distance: float) -> float:
        """See Path."""
        return self.path.effort(distance)

    def advance(self, distance: np.ndarray) -> np.ndarray:
        """See Path."""
        return self.path.advance(distance)

    def pace(self, distance: np.ndarray) -> np.ndarray:
        """See Path."""
        return self.path.pace(distance)

    def knots(self, start: float, end: float) -> np.ndarray:
        """See Path."""
        return self.path.knots(start, end)
