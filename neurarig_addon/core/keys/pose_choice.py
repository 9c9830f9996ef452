"""Which frames near the named poses are the best to key: those between which a foot's motion is easiest to draw."""

from collections.abc import Callable, Iterable

import numpy as np

from .pose_fit import fitted

ROUNDS = 10
SHARPLY = 4  # power of errors: the worst decide
ENOUGH = 90  # frames that are looked at

Shifts = tuple[int, ...]


def best_shifts(
    frames: np.ndarray,
    values: np.ndarray,
    limits: np.ndarray,
    breaks: np.ndarray,
    rows_of: Callable[[Shifts], np.ndarray],
    poses: int,
    steps: Iterable[int],
) -> Shifts:
    """Return by how many frames to shift each of some `poses` of a step, one pose after the other, from none.

    `values` `(f, n)` with `limits` `(n,)`: the motion at `frames` `(f,)`.  `rows_of`: the rows to key, with poses shifted.
    `steps`: the shifts to try.
    """
    few = slice(0, ENOUGH)
    tried: dict[tuple[int, ...], float] = {}

    def error(shifts: Shifts) -> float:
        rows = rows_of(shifts)
        rows = np.union1d(rows[rows < len(frames[few])], [0, len(frames[few]) - 1])
        key = tuple(rows.tolist())
        if key not in tried:
            curve = fitted(frames[few], values[few], rows, limits, np.intersect1d(breaks, rows), ROUNDS)
            off = np.abs(curve.at(frames[few]) - values[few]) / limits
            tried[key] = float((off.max(axis=1) ** SHARPLY).mean())
        return tried[key]

    best = (0,) * poses
    for pose in reversed(range(poses)):
        choices = [(*best[:pose], step, *best[pose + 1 :]) for step in (0, *steps)]
        best = min(choices, key=error)
    return best
