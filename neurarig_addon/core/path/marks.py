"""Marks on a path: pauses, and times of arrival."""

from dataclasses import dataclass, replace

import numpy as np

from ..errors import NeuraRigError

EITHER, NEXT = 2, 3  # feet of a mark besides left and right


@dataclass(frozen=True)
class Mark:
    """A place on a path: `distance` metres from its beginning, or nearest to `place` `(3,)`, or its end.

    `pause`: seconds to wait there; 0 walks on. `due`: time of arrival in seconds since the walk's start, None
    for any.  `turn`: radians of a turn on the spot there, left positive, turned back again except at the
    end.  `way`: metres until there including turns, set by the path.
    `foot`: 0 left, 1 right or EITHER: the foot that stands there in the middle of its stance; NEXT: the other
    one than at the mark before;
    None where it does not matter.  `act`, `marker`: number of the act, and of the waypoint, for which
    the mark is, -1 for none.
    """

    distance: float = 0.0
    pause: float = 0.0
    due: float | None = None
    place: np.ndarray | None = None
    is_end: bool = False
    turn: float = 0.0
    way: float = 0.0
    foot: int | None = None
    act: int = -1
    marker: int = -1


def leaps_of(marks: tuple[Mark, ...]) -> np.ndarray:
    """Return the distances `(n, 2)` between which acts go through the air: from the first to the last mark of
    each."""
    ways: dict[int, list[float]] = {}
    for mark in marks:
        if mark.act >= 0:
            ways.setdefault(mark.act, []).append(mark.way)
    return np.array([(min(each), max(each)) for each in ways.values() if len(each) > 1]).reshape(-1, 2)


def placed(
    marks: tuple[Mark, ...], line: np.ndarray, spacing: float, is_closed: bool, starts: bool = False
) -> tuple[Mark, ...]:
    """Return marks placed on a line `(n, 3)` with `spacing` metres, in order along it; `starts`: it begins
    with a stand.

    Stands in neighbouring places are at the same place: between them there is no speed.
    Raises NeuraRigError for a mark beyond the end, and for any on a closed line.
    """
    if marks and is_closed:
        raise NeuraRigError(
            "A closed path repeats, so it cannot have markers or an arrival. Open it, or remove them."
        )
    length = spacing * (len(line) - 1)
    placed_marks = []
    for mark in marks:
        if mark.is_end:
            row = len(line) - 1
        elif mark.place is not None:
            row = int(np.argmin(np.linalg.norm(line[:, :2] - mark.place[:2], axis=-1)))
        elif not np.isfinite(mark.distance) or mark.distance < 0.0 or mark.distance > length + spacing:
            raise NeuraRigError(
                f"The marker at {mark.distance:.4g} m is not on the path, which is {length:.4g} m long."
                " Move it."
            )
        else:
            row = min(round(mark.distance / spacing), len(line) - 1)
        placed_marks.append((row, mark))
    stood, last, together = 0 if starts else -2, len(line) - 1, []
    for row, mark in sorted(placed_marks, key=lambda one: one[0]):
        if mark.pause > 0.0 or mark.turn:
            row = stood if row == stood + 1 else last if row == last - 1 else row
            stood = row
        together.append(replace(mark, distance=row * spacing, place=None))
    return tuple(sorted(together, key=lambda mark: mark.distance))
