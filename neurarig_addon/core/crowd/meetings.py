"""Where walkers come nearer to one another than their radii: as discs on the ground, at any time, also
between the samples."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..geometry.rotation import norms, off_segments

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
