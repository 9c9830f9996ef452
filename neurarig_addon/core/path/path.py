"""Where a walk leads: from the root's distance to its place, heading and curvature."""

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from ..character.motion import Motion
from ..geometry.rotation import about_z
from .marks import Mark


def in_order(*knots: np.ndarray) -> np.ndarray:
    """Return all values of some arrays once, rising; quick where these rise already, as knots do."""
    every = np.sort(np.concatenate(knots), kind="stable")
    return every[np.concatenate([[True], every[1:] != every[:-1]])]


@dataclass(frozen=True)
class Along:
    """Places along a path, in the walk frame: `place` `(..., 3)` metres; `heading` `(...)` radians, left
    positive and unwrapped; `curvature` `(...)` radians per metre, left positive.
    """

    place: np.ndarray
    heading: np.ndarray
    curvature: np.ndarray

    @property
    def ahead(self) -> np.ndarray:
        """Unit vectors ahead `(..., 3)`, level."""
        return np.stack([np.cos(self.heading), np.sin(self.heading), 0.0 * self.heading], -1)

    @property
    def left(self) -> np.ndarray:
        """Unit vectors to the left `(..., 3)`, level."""
        return np.stack([-np.sin(self.heading), np.cos(self.heading), 0.0 * self.heading], -1)

    def turned(self, angle: np.ndarray | float) -> "Along":
        """Return the same places, with headings turned left by `(...)`."""
        return replace(self, heading=self.heading + angle)

    @property
    def root(self) -> Motion:
        """The motion of an upright root at these places `(f,)`."""
        return Motion(about_z(self.heading), self.place, np.zeros(3))


class Path(Protocol):
    """A path over the ground; `turns`: it is curved somewhere; `varies`: pace or curvature change along it;
    `starts`: from standing.

    `marks`: in order.  `extent`: the distances between which it is not straight.  `lap`: metres after
    which it repeats itself, or 0.  `spots` `(n, 2)`: the distances between which it turns on the spot.

    People slow down in bends and stop at ends. So a path maps effort, the metres a walker would have walked
    straight on, to the distance
    on the path: a keyed speed is always the speed on a straight.
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
    def spots(self) -> np.ndarray: ...

    @property
    def drawn(self) -> "Path":
        """The path as drawn, without the heights of the ground that it is laid on, which are expensive to
        compute."""
        ...

    def at(self, distance: np.ndarray) -> Along:
        """Return the places at `distance` `(...)` metres from the walk's start, negative before it."""
        ...

    def heading_at(self, distance: np.ndarray) -> np.ndarray:
        """Return the heading `(...)` alone after `distance` `(...)` metres, which costs a fraction of
        `at`."""
        ...

    def curvature(self, distance: np.ndarray) -> np.ndarray:
        """Return only the curvature `(...)` at `distance` `(...)` metres."""
        ...

    def distance_of(self, effort: np.ndarray) -> np.ndarray:
        """Return the distances `(...)` on the path after efforts `(...)`."""
        ...

    def effort(self, distance: float) -> float:
        """Return the effort that leads to a mark at `distance` metres."""
        ...

    def advance(self, distance: np.ndarray) -> np.ndarray:
        """Return the metres moved per metre of path `(...)`: 1, or 0 in turns on the spot."""
        ...

    def pace(self, distance: np.ndarray) -> np.ndarray:
        """Return the relative speeds `(...)` at distances."""
        ...

    def knots(self, start: float, end: float) -> np.ndarray:
        """Return the efforts `(n,)`, rising, at which the distance and the curvature change, between two
        efforts."""
        ...


class Unpaced:
    """A path that does not affect the speed: no pauses, and effort equals distance."""

    @property
    def marks(self) -> tuple[Mark, ...]:
        """See Path: none."""
        return ()

    @property
    def spots(self) -> np.ndarray:
        """See Path: none."""
        return np.zeros((0, 2))

    def distance_of(self, effort: np.ndarray) -> np.ndarray:
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
    """An endless straight path, `heading` radians left of ahead."""

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


def with_turns(path: Path, metres: float) -> float:
    """Return the distance on a path after metres of its line, which does not count turns on the spot."""
    for begin, end in path.spots.tolist():
        metres += end - begin if metres > begin else 0.0
    return metres


def without_turns(path: Path, distance: float) -> float:
    """Return the metres of a path's line up to a distance on it; the inverse of `with_turns`."""
    return distance - sum(float(np.clip(distance, begin, end)) - begin for begin, end in path.spots.tolist())
