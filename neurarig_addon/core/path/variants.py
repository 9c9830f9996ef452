"""Paths that follow another one and change a part of it: one that is slowed down in places, as on stairs."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..easing import running
from .path import Along, Path

BISECTIONS = 60


class _Same:
    """A part of a path that its variant leaves as it is."""

    def __set_name__(self, variant: type, name: str) -> None:
        self.name = name

    def __get__(self, variant: "Variant", kind: type) -> Any:
        return getattr(variant.path, self.name)


def _same(count: int) -> Any:
    return [_Same() for _ in range(count)]


@dataclass(frozen=True)
class Variant:
    """The same as `path`; see `Path`."""

    path: Path

    turns, varies, starts, marks, extent, lap, spots, drawn = _same(8)
    at, heading_at, curvature, distance_of, effort, advance, pace, knots = _same(8)


@dataclass(frozen=True, eq=False)
class Round(Variant):
    """A path whose turns on the spot are made evenly, not all at once."""

    @property
    def drawn(self) -> "Round":
        """See Path."""
        return replace(self, path=self.path.drawn)

    def heading_at(self, distance: np.ndarray) -> np.ndarray:
        """See Path."""
        heading = self.path.heading_at(distance)
        for spot in self.path.spots:
            first, last = self.path.heading_at(spot)
            share = (np.asarray(distance) - spot[0]) / (spot[1] - spot[0])
            heading = np.where((share > 0.0) & (share < 1.0), first + share * (last - first), heading)
        return heading

    def at(self, distance: np.ndarray) -> Along:
        """See Path."""
        return replace(self.path.at(distance), heading=self.heading_at(distance))


@dataclass(frozen=True, eq=False)
class InFront(Variant):
    """The way of what is `ahead` metres in front of a root that is `turned` off its path by radians `(...)`
    at distances `(...)`, left positive: farther on that path, before or behind, and beside it; round it as
    on a bar, where the path turns on the spot. `height`: of the ground at places `(..., 3)`, NaN without."""

    ahead: float
    turned: Callable[[np.ndarray], np.ndarray]
    height: Callable[[np.ndarray], np.ndarray]

    @property
    def drawn(self) -> "InFront":
        """See Path."""
        return replace(self, path=self.path.drawn)

    def at(self, distance: np.ndarray) -> Along:
        """See Path."""
        along, aside = self.path.at(self._along(distance)), self.ahead * np.sin(self.turned(distance))
        place = along.place + aside[..., None] * along.left
        if len(self.spots):
            place = place + (self.ahead * np.cos(self.turned(distance)))[..., None] * along.ahead
        high = self.height(place)
        place[..., 2] = np.where(np.isfinite(high), high, place[..., 2])
        return replace(along, place=place)

    def heading_at(self, distance: np.ndarray) -> np.ndarray:
        """See Path."""
        return self.path.heading_at(self._along(distance))

    def curvature(self, distance: np.ndarray) -> np.ndarray:
        """See Path."""
        return self.path.curvature(self._along(distance))

    def _along(self, distance: np.ndarray) -> np.ndarray:
        """Return the distances on the root's path that it is beside."""
        return (
            distance if len(self.spots) else distance + self.ahead * np.cos(self.turned(np.asarray(distance)))
        )


@dataclass(frozen=True, eq=False)
class Slowed(Variant):
    """A path with factors `shares` `(n,)` on the pace at distances `at_distance` `(n,)`, rising."""

    at_distance: np.ndarray
    shares: np.ndarray

    @property
    def varies(self) -> bool:
        """See Path."""
        return True

    def pace(self, distance: np.ndarray) -> np.ndarray:
        """See Path."""
        return self.path.pace(distance) * np.interp(distance, self.at_distance, self.shares)

    def distance_of(self, effort: np.ndarray) -> np.ndarray:
        """See Path."""
        return self.path.distance_of(self._own_effort(np.asarray(effort, dtype=float)))

    def effort(self, distance: float) -> float:
        """See Path."""
        ours, theirs = self._efforts
        own = self.path.effort(distance)
        return float(np.interp(own, theirs, ours)) + max(own - theirs[-1], 0.0) + min(own - theirs[0], 0.0)

    def knots(self, start: float, end: float) -> np.ndarray:
        """See Path."""
        ours, theirs = self._efforts
        inner = self.path.knots(*self._own_effort(np.array([start, end])))
        between = np.interp(inner, theirs, ours) + np.where(
            inner > theirs[-1], inner - theirs[-1], np.minimum(inner - theirs[0], 0.0)
        )
        return np.unique(np.concatenate([between, ours[(ours >= start) & (ours <= end)]]))

    def _own_effort(self, effort: np.ndarray) -> np.ndarray:
        """Return the efforts with which the unslowed path leads equally far."""
        ours, theirs = self._efforts
        beyond = np.where(effort > ours[-1], effort - ours[-1], np.minimum(effort - ours[0], 0.0))
        return np.interp(effort, ours, theirs) + beyond

    @cached_property
    def _efforts(self) -> tuple[np.ndarray, np.ndarray]:
        """The efforts at the distances: ours, and those of the unslowed path; equal at the walk's start."""
        theirs = _effort_at(self.path, self.at_distance)
        ours = running(2.0 * np.diff(theirs) / (self.shares[1:] + self.shares[:-1]))
        start = float(np.interp(0.0, theirs, ours))
        return ours - start + float(np.clip(0.0, theirs[0], theirs[-1])), theirs


def _effort_at(path: Path, distance: np.ndarray) -> np.ndarray:
    """Return the efforts `(n,)` with which a path leads to the given distances."""
    low, high = np.full(len(distance), -1.0), np.full(len(distance), 1.0)
    while (short := path.distance_of(high) < distance).any() and high.max() < 1e6:
        high = np.where(short, 2.0 * high, high)
    while (far := path.distance_of(low) > distance).any() and low.min() > -1e6:
        low = np.where(far, 2.0 * low, low)
    for _ in range(BISECTIONS):
        middle = 0.5 * (low + high)
        short = path.distance_of(middle) < distance
        low, high = np.where(short, middle, low), np.where(short, high, middle)
    return high
