"""Where a walk leads: from the metres that the root has gone to its place, heading and curvature."""

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from ..character.motion import Motion
from ..geometry.rotation import about_z
from .marks import Mark


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

    def turned(self, angle: np.ndarray | float) -> "Along":
        """Return the same places, headed an angle `(...)` farther to the left."""
        return replace(self, heading=self.heading + angle)

    @property
    def root(self) -> Motion:
        """The motion of a root that stands upright at these places `(f,)`."""
        return Motion(about_z(self.heading), self.place, np.zeros(3))


class Path(Protocol):
    """A way over the ground; `turns`: it has a curvature somewhere; `varies`: pace or curvature change along it; `starts`: from standing.

    `marks`: on it, in their order.  `extent`: the distances between which it leads somewhere else than straight on.  `lap`: metres after
    which it repeats itself, or 0.

    People slow down in bends and stop at ends.  So a path says how far a walker has come, by the metres that he would have gone straight on
    (his effort): whatever speed is keyed, it is the speed on a straight.
    """

    @property
    def turns(self) -> bool: ...
    @property
    def starts(self) -> bool: ...
    @property
    def marks(self) -> tuple[Mark, ...]: ...
    @property
    def varies(self) -> bool: ...
    @property
    def extent(self) -> tuple[float, float]: ...
    @property
    def lap(self) -> float: ...

    @property
    def drawn(self) -> "Path":
        """The path as it was drawn, seen from above: without the heights of ground that it is laid on, which are dear to know."""
        ...

    def at(self, distance: np.ndarray) -> Along:
        """Return the places after `distance` `(...)` metres since the walk's start, before it for negative ones."""
        ...

    def heading_at(self, distance: np.ndarray) -> np.ndarray:
        """Return the heading `(...)` alone after `distance` `(...)` metres, which costs a fraction of `at`."""
        ...

    def curvature(self, distance: np.ndarray) -> np.ndarray:
        """Return the curvature `(...)` alone after `distance` `(...)` metres."""
        ...

    def gone(self, effort: np.ndarray) -> np.ndarray:
        """Return the metres `(...)` gone on the path after efforts `(...)`."""
        ...

    def effort(self, distance: float) -> float:
        """Return the effort that leads to a mark after `distance` metres."""
        ...

    def advance(self, distance: np.ndarray) -> np.ndarray:
        """Return how many metres the place changes for each metre of way `(...)`: 1, and 0 where a walker turns on the spot."""
        ...

    def pace(self, distance: np.ndarray) -> np.ndarray:
        """Return the speeds `(...)` after metres gone, over those straight on: 1 and less."""
        ...

    def knots(self, start: float, end: float) -> np.ndarray:
        """Return the efforts `(n,)`, rising, between two of them at which `gone` and the curvature change."""
        ...


class Unpaced:
    """What a path is that leaves the speed alone: nothing waits on it, and a metre of effort is a metre of it."""

    @property
    def marks(self) -> tuple[Mark, ...]:
        """See Path: none."""
        return ()

    def gone(self, effort: np.ndarray) -> np.ndarray:
        """Return the effort itself."""
        return effort

    def effort(self, distance: float) -> float:
        """Return the distance itself."""
        return distance

    def advance(self, distance: np.ndarray) -> np.ndarray:
        """Return 1 everywhere."""
        return np.ones(np.shape(distance))

    def pace(self, distance: np.ndarray) -> np.ndarray:
        """Return 1 everywhere."""
        return np.ones(np.shape(distance))


@dataclass(frozen=True)
class Straight(Unpaced):
    """Straight on without an end, `heading` radians to the left of ahead."""

    heading: float = 0.0

    turns = varies = starts = False
    extent = (-np.inf, np.inf)
    lap = 0.0

    @property
    def drawn(self) -> "Straight":
        """Return the path itself."""
        return self

    def at(self, distance: np.ndarray) -> Along:
        """Return places on a line through the origin."""
        nothing = np.zeros(np.shape(distance))
        ahead = np.array([np.cos(self.heading), np.sin(self.heading), 0.0])
        return Along(np.asarray(distance)[..., None] * ahead, nothing + self.heading, nothing)

    def heading_at(self, distance: np.ndarray) -> np.ndarray:
        """Return the same heading everywhere."""
        return np.full(np.shape(distance), self.heading)

    def curvature(self, distance: np.ndarray) -> np.ndarray:
        """Return 0 everywhere."""
        return np.zeros(np.shape(distance))

    def knots(self, start: float, end: float) -> np.ndarray:
        """Return none."""
        return np.zeros(0)


STRAIGHT = Straight()
