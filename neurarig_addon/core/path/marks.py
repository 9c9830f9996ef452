"""Marks on a path: where a walk stands for a while, and when it is to be where."""

from dataclasses import dataclass, replace

import numpy as np

from ..errors import NeuraRigError


@dataclass(frozen=True)
class Mark:
    """A place on a path: `distance` metres from its beginning, or where it comes nearest to `place` `(3,)`, or its end.

    `pause`: seconds for which the walk stands there; 0 walks on.  `due`: seconds since the walk's start at which it is to be there, None
    where it comes when it comes.  `turn`: radians, left positive, by which it turns on the spot there, and back again but at the
    end.  `way`: metres of way until there, turns included; the path says so.
    """

    distance: float = 0.0
    pause: float = 0.0
    due: float | None = None
    place: np.ndarray | None = None
    is_end: bool = False
    turn: float = 0.0
    way: float = 0.0


def placed(marks: tuple[Mark, ...], line: np.ndarray, spacing: float, is_closed: bool) -> tuple[Mark, ...]:
    """Return marks at places of a line `(n, 3)`, `spacing` metres apart, in the order of the way.

    Raises NeuraRigError for one beyond the end, and for any on a closed line.
    """
    if marks and is_closed:
        raise NeuraRigError("A closed path repeats, so it cannot have markers or an arrival. Open it, or remove them.")
    length = spacing * (len(line) - 1)
    found = []
    for mark in marks:
        if mark.is_end:
            row = len(line) - 1
        elif mark.place is not None:
            row = int(np.argmin(np.linalg.norm(line[:, :2] - mark.place[:2], axis=-1)))
        elif not np.isfinite(mark.distance) or mark.distance < 0.0 or mark.distance > length + spacing:
            raise NeuraRigError(f"The marker at {mark.distance:.4g} m is not on the path, which is {length:.4g} m long. Move it.")
        else:
            row = min(round(mark.distance / spacing), len(line) - 1)
        found.append(replace(mark, distance=row * spacing, place=None))
    return tuple(sorted(found, key=lambda mark: mark.distance))
