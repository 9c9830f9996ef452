"""Where a walk leads: from the metres that the root has gone to its place, heading and curvature."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ..motion import Motion
from ..rotation import about_z

AHEAD = np.array([1.0, 0.0, 0.0])


@dataclass(frozen=True)
class Along:
    """Places along a path, in the walk frame: `place` `(..., 3)` metres; `heading` `(...)` radians, left positive and unwrapped;
    `curvature` `(...)` radians a metre, left positive.
    """

    place: np.ndarray
    heading: np.ndarray
    curvature: np.ndarray

    @property
    def ahead(self) -> np.ndarray:
        """Where the path leads `(..., 3)`, level."""
        return np.stack([np.cos(self.heading), np.sin(self.heading), 0.0 * self.heading], -1)

    @property
    def left(self) -> np.ndarray:
        """What lies to the left `(..., 3)`, level."""
        return np.stack([-np.sin(self.heading), np.cos(self.heading), 0.0 * self.heading], -1)

    @property
    def root(self) -> Motion:
        """The motion of a root that stands upright at these places `(f,)`."""
        return Motion(about_z(self.heading), self.place, np.zeros(3))


class Path(Protocol):
    """A way over the ground; `turns`: it has a curvature somewhere."""

    turns: bool

    def at(self, distance: np.ndarray) -> Along:
        """Return the places after `distance` `(...)` metres since the walk's start, before it for negative ones."""
        ...


class Straight:
    """Straight ahead, without an end."""

    turns = False

    def at(self, distance: np.ndarray) -> Along:
        """Return places on the x axis."""
        nothing = np.zeros(np.shape(distance))
        return Along(np.asarray(distance)[..., None] * AHEAD, nothing, nothing)


STRAIGHT = Straight()
