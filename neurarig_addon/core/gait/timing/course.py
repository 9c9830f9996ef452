"""How far a walk has come along its path over time: at the wanted speed, with the pauses of its markers."""

from dataclasses import dataclass

import numpy as np

from ...easing import running
from ...path.path import Path, in_order
from .speed import SpeedWish

VARIED_S = 600.0  # seconds before and after the walk's start for which varied strides are computed
LONGEST_ON_A_LOOP_S = 600.0  # seconds computed of a closed path
SAME_TIME_S = 1e-6  # knots nearer to one another are merged


def zero(seconds: np.ndarray) -> int:
    """Return the index of the knot at the walk's start."""
    return int(np.argmin(np.abs(seconds)))


def integral(rate: np.ndarray, seconds: np.ndarray, since: int | None = None) -> np.ndarray:
    """Return the integral `(knots,)` of a rate since a knot, by default the walk's start."""
    steps = 0.5 * (rate[1:] + rate[:-1]) * np.diff(seconds)
    total = running(steps)
    return total - total[zero(seconds) if since is None else since]


def extended(x: np.ndarray, knots: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Interpolate linearly, and extrapolate linearly beyond the ends."""
    x = np.asarray(x, dtype=float)
    inside = np.interp(x, knots, values)
    first = (values[1] - values[0]) / max(knots[1] - knots[0], 1e-12)
    last = (values[-1] - values[-2]) / max(knots[-1] - knots[-2], 1e-12)
    return inside + np.minimum(x - knots[0], 0.0) * first + np.maximum(x - knots[-1], 0.0) * last


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

    def finely(self, every: float) -> "Course":
        """Return the same with knots at least every so many seconds, also beyond its ends."""
        first, last = min(float(self.seconds[0]), -VARIED_S), max(float(self.seconds[-1]), VARIED_S)
        knots = np.union1d(self.seconds, np.arange(np.ceil(first / every), last / every) * every)
        return Course(
            knots, np.interp(knots, self.seconds, self.speed), extended(knots, self.seconds, self.distance)
        )


def progress(path: Path, wish: SpeedWish, longest: float = LONGEST_ON_A_LOOP_S) -> Course:
    """Return the course along a path, waiting where its markers say so.

    While waiting the effort is unused. A closed path is computed for `longest` seconds beyond the wish on
    both sides;
    beyond that it continues evenly.
    """
    waits = _waits(path, wish)
    lost = np.array([0.0, *np.cumsum([wish.between(wait.begin, wait.end) for wait in waits])])
    ends = np.array([wait.end for wait in waits])

    def effort_at(seconds: np.ndarray) -> np.ndarray:
        effort = wish.at(seconds) - lost[np.searchsorted(ends, seconds, side="right")]
        for wait in waits:
            effort = np.where((seconds >= wait.begin) & (seconds <= wait.end), wait.effort, effort)
        return effort

    first, last = (wish.speed[row] * longest for row in (0, -1))
    knots = path.knots(wish.effort[0] - first, wish.effort[-1] + last)
    knots = knots + lost[np.searchsorted([wait.effort for wait in waits], knots, side="left")]
    times = _times(wish, knots)
    fixed = np.concatenate([wish.seconds, [wait.begin for wait in waits], ends])
    around = np.array(
        [fixed.min() - 1.0, fixed.max() + 1.0, times.min(initial=0.0) - 1.0, times.max(initial=0.0) + 1.0]
    )
    every = in_order(times, fixed, around)
    kept = np.concatenate([[True], np.diff(every) > SAME_TIME_S])
    if not kept.all():
        kept[~kept] = np.isin(every[~kept], fixed)
        every = every[kept]
    distance = path.distance_of(effort_at(every))
    speed = wish.speed_at(every) * path.pace(distance)
    for wait in waits:
        here = (every >= wait.begin) & (every <= wait.end)
        distance[here], speed[here] = wait.distance, 0.0
    return Course(every, speed, distance)


@dataclass(frozen=True)
class _Wait:
    """A pause: from when to when, at which effort, how far along the path."""

    begin: float
    end: float
    effort: float
    distance: float


def _waits(path: Path, wish: SpeedWish) -> list[_Wait]:
    """Return the pauses on a path that are reached, in order."""
    waits: list[_Wait] = []
    lost = 0.0
    for mark in path.marks:
        if mark.pause <= 0.0:
            continue
        effort = path.effort(mark.way)
        begin = wish.when(effort + lost)
        if waits:
            begin = max(begin, waits[-1].end)
        if not np.isfinite(begin):
            break
        wait = _Wait(begin, begin + mark.pause, effort, mark.way)
        lost += wish.between(wait.begin, wait.end)
        waits.append(wait)
    return waits


def _times(wish: SpeedWish, efforts: np.ndarray) -> np.ndarray:
    """Return the times at which efforts `(n,)`, rising, are reached; beyond the wish at its last speeds."""
    before, after = efforts[efforts < wish.effort[0]], efforts[efforts > wish.effort[-1]]
    return np.concatenate(
        [
            wish.seconds[0] + (before - wish.effort[0]) / max(wish.speed[0], 1e-9),
            np.interp(efforts[len(before) : len(efforts) - len(after)], wish.effort, wish.seconds),
            wish.seconds[-1] + (after - wish.effort[-1]) / max(wish.speed[-1], 1e-9),
        ]
    )
