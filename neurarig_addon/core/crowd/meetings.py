"""Where walkers come nearer to one another than their radii: as discs on the ground, at any time, also
between the samples."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ..geometry.rotation import norms, off_segments
from ..path.marks import Mark

HEAD_ON = -0.95  # cosine between two directions from which on two walkers come from opposite sides


@dataclass(frozen=True)
class CrowdWay:
    """How a walker goes, at evenly spaced times: metres along its path `(t,)`, and places on the ground `(t,
    2)`."""

    distance: np.ndarray
    places: np.ndarray


@dataclass(frozen=True)
class Meeting:
    """Two walkers whose discs begin to overlap: their numbers, the row of the time, and whether they come
    from opposite sides."""

    first: int
    second: int
    row: int
    is_head_on: bool


def gaps(places: np.ndarray, others: np.ndarray, reach: np.ndarray) -> np.ndarray:
    """Return the least metres `(n, t - 1)` between the discs of one walker `(t, 2)` and others `(n, t, 2)`
    from each time to the next.

    `reach` `(n,)`: sums of the two radii.  Between two times all go straight on.
    """
    apart = others - places
    return off_segments(np.zeros(2), apart[:, :-1], np.diff(apart, axis=1)) - reach[:, None]


def first_row(places: np.ndarray, others: np.ndarray, reach: np.ndarray) -> tuple[int, int] | None:
    """Return the row of the first overlap of one walker with any of others, and with which; None without
    one."""
    if not len(others):
        return None
    overlaps = gaps(places, others, reach) < 0.0
    rows = np.flatnonzero(overlaps.any(axis=0))
    return (int(rows[0]), int(np.argmax(overlaps[:, rows[0]]))) if len(rows) else None


def meetings(ways: Sequence[CrowdWay], radii: np.ndarray) -> list[Meeting]:
    """Return the first meeting of every two walkers that meet."""
    places = np.array([way.places for way in ways])
    low, high = places.min(axis=1) - radii[:, None], places.max(axis=1) + radii[:, None]
    all_meetings = []
    for one in range(len(ways)):
        near = ((low[one + 1 :] <= high[one]) & (high[one + 1 :] >= low[one])).all(axis=-1)
        for other in (one + 1 + np.flatnonzero(near)).tolist():
            met = first_row(places[one], places[other][None], radii[[other]] + radii[one])
            if met is not None:
                all_meetings.append(
                    Meeting(one, other, met[0], _is_head_on(places[one], places[other], met[0]))
                )
    return all_meetings


def arrivals(ways: Sequence[CrowdWay], radii: np.ndarray, meeting: Meeting) -> tuple[int, int]:
    """Return the rows at which two walkers that meet come to the place where they meet."""
    two = [ways[number].places for number in (meeting.first, meeting.second)]
    reach = float(radii[meeting.first] + radii[meeting.second])
    apart = norms(two[0] - two[1])
    until = meeting.row + int(np.argmax(np.append(apart[meeting.row + 1 :] > reach, True))) + 1
    nearest = meeting.row + int(np.argmin(apart[meeting.row : until + 1]))
    spot = 0.5 * (two[0][nearest] + two[1][nearest])
    first, second = (int(np.argmax(norms(each - spot) <= reach)) for each in two)
    return first, second


def nearest(ways: Sequence[CrowdWay], radii: np.ndarray) -> float:
    """Return the least metres between the discs of any two walkers at any time; negative where they overlap,
    infinite for one alone."""
    places = np.array([way.places for way in ways])
    least = np.inf
    for one in range(len(ways) - 1):
        least = min(least, float(gaps(places[one], places[one + 1 :], radii[one + 1 :] + radii[one]).min()))
    return least


def _is_head_on(one: np.ndarray, other: np.ndarray, row: int) -> bool:
    """Return whether two walkers `(t, 2)` go opposite ways when they meet."""
    first, second = (each[row + 1] - each[max(row - 4, 0)] for each in (one, other))
    return bool(first @ second < HEAD_ON * norms(first) * norms(second)) and bool(
        first.any() and second.any()
    )


BACK = (0.3, 0.6, 1.0, 1.5, 2.2, 3.0, 4.5, 6.0, 9.0)  # metres before the meeting at which it may stand
# seconds
PAUSES = np.concatenate([np.arange(0.4, 6.0, 0.4), np.arange(6.0, 15.0, 1.0), np.arange(15.0, 46.0, 3.0)])
SLOWEST = 0.7  # share of its speed below which it stands instead
STANDING = 1.5  # seconds of walking more slowly that are preferred to a stand
APART = 0.2  # metres from the start, or from the wait before
FAR = 1e9  # metres
ROOM = 0.05  # metres more than the radii, as a body needs some way to stop and to set off


@dataclass(frozen=True)
class Others:
    """The walkers that are not to be met: places `(n, t, 2)`, and the sums of radii `(n,)` with them."""

    places: np.ndarray
    reach: np.ndarray

    def met(self, places: np.ndarray) -> int | None:
        """Return the row of the first overlap of a walker `(t, 2)` with any of them, None without one."""
        met = first_row(places, self.places, self.reach)
        return None if met is None else met[0]

    def without_the_first(self, places: np.ndarray) -> "Others":
        """Return the same without the one that a walker `(t, 2)` meets first."""
        met = first_row(places, self.places, self.reach)
        kept = np.arange(len(self.reach)) != (-1 if met is None else met[1])
        return Others(self.places[kept], self.reach[kept])

    def wider(self, by: float) -> "Others":
        """Return the same with radii larger by some metres."""
        return Others(self.places, self.reach + by)


@dataclass(frozen=True)
class Wait:
    """A mark on a walker's path and what it costs in seconds; `later`: how far along the path it meets
    somebody then, at the earliest."""

    mark: Mark
    cost: float
    later: float


def waits(way: CrowdWay, others: Others, row: int, since: float, every: float, start: float) -> list[Wait]:
    """Return what keeps a walker from meeting others at a row, the least costly first; those after which it
    meets nobody come first.

    `since`: metres along its path that are settled by earlier waits. `every`: seconds from row to row;
    `start`: seconds from the
    first row to the start of its walk, from which marks count.
    """
    others = others.wider(ROOM)
    kept_waits = [*_slower(way, others, row, since, every, start), *_stands(way, others, row, since, every)]
    farther = float(way.distance[row]) + 0.5 * float(others.reach.min())
    return sorted(
        (wait for wait in kept_waits if wait.later > farther),
        key=lambda wait: (-min(wait.later, FAR), wait.cost),
    )


def _later(way: CrowdWay, others: Others, at: np.ndarray) -> float:
    """Return how far along its path a walker meets others that is at row `at` `(t,)` of its way at each time;
    infinite if never."""
    low = at.astype(int)
    share = (at - low)[:, None]
    places = way.places[low] + share * (way.places[np.minimum(low + 1, len(at) - 1)] - way.places[low])
    met = others.met(places)
    return np.inf if met is None else float(way.distance[low[met]])


def _stands(way: CrowdWay, others: Others, row: int, since: float, every: float) -> Iterator[Wait]:
    """Yield stands before a meeting."""
    rows, met = np.arange(len(way.distance)), float(way.distance[row])
    places = [distance for back in BACK if (distance := round(met - back, 2)) > max(since, 0.0) + APART]
    places += [0.0] if since == 0.0 and met > 0.0 else []
    clear = False
    for pause in PAUSES.tolist():
        for distance in places:
            stands = int(np.searchsorted(way.distance, distance))
            at = np.where(rows < stands, rows, np.maximum(rows - round(pause / every), stands))
            later = _later(way, others, at)
            yield Wait(Mark(distance, round(pause, 1)), STANDING + pause + 0.05 * (met - distance), later)
            clear |= later == np.inf
        if clear and pause > 2.0:
            return


def _slower(
    way: CrowdWay, others: Others, row: int, since: float, every: float, start: float
) -> Iterator[Wait]:
    """Yield slower ways up to a meeting."""
    begins = int(np.searchsorted(way.distance, since, side="right"))
    rows = np.arange(len(way.distance), dtype=float)
    ends = int(np.searchsorted(way.distance, way.distance[row] + float(others.reach.min())))
    if ends >= len(rows) - 1 or ends <= begins:
        return
    for late in PAUSES.tolist():
        delay = late / every
        if (ends - begins) / (ends - begins + delay) < SLOWEST:
            return
        slowed = begins + (rows - begins) * (ends - begins) / (ends - begins + delay)
        at = np.where(rows < begins, rows, np.where(rows < ends + delay, slowed, rows - delay))
        later = _later(way, others, at)
        mark = Mark(round(float(way.distance[ends]), 2), due=float(ends + delay) * every - start)
        yield Wait(mark, late, later)
        if later == np.inf:
            return
