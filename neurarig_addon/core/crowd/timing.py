"""From a trajectory to a path and its times: a line through few points, and marks at which the walker is when the trajectory was."""

from dataclasses import dataclass

import numpy as np

from ..errors import NeuraRigError
from ..path.marks import Mark

STEP = 0.3  # metres: sway within a step is no path
STANDS = 0.2  # m/s below which an agent stands
SHORT_STAND = 0.8  # seconds
OFF_LINE, OFF_TIME = 0.04, 0.25  # metres from the line, and along it, that points may be left out
END = 1.2  # metres: within so many before a stop only the stop has a time; as many more are for stopping after a last place in motion


@dataclass(frozen=True)
class TimedLine:
    """A line `(n, 3)` in metres and how it is walked.

    `marks`: on it, with times.  `begins`: seconds for which the agent stands before it sets off; all other times count from then.
    `end`: the time at the end, None where the agent does not stop.  `stands`: whether it starts from standing.
    """

    line: np.ndarray
    marks: tuple[Mark, ...]
    begins: float
    end: float | None
    stands: bool


def timed_line(seconds: np.ndarray, places: np.ndarray) -> TimedLine:
    """Return the path of a trajectory: seconds `(n,)`, rising, and places `(n, 3)` in metres.

    Raises NeuraRigError if it is shorter than a step.
    """
    rows = _strided(places)
    if len(rows) < 3 or seconds[rows[-1]] <= seconds[rows[0]]:
        raise NeuraRigError("It moves less than a step; leave it out, or place a character there.")
    at = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(places[rows, :2], axis=0), axis=-1))])
    times = seconds[rows] - seconds[0]
    paused = np.append(_pauses(times, at), 0.0)
    begins, paused[0] = float(paused[0]), 0.0
    times[1:] -= begins
    moving = times - np.concatenate([[0.0], np.cumsum(paused[:-1])])
    kept = few(np.column_stack([moving * at[-1] / moving[-1], at]), OFF_TIME) | (paused > 0.0)
    stops = bool(seconds[-1] - seconds[rows[-1]] > 2.0 * STEP * moving[-1] / at[-1])
    kept &= (at > 0.0) & ((at < at[-1] - END) | (not stops))
    marks = tuple(Mark(round(float(at[row]), 2), round(float(paused[row]), 1), float(times[row])) for row in np.flatnonzero(kept))
    line = places[rows][few(places[rows, :2], OFF_LINE)]
    if stops:
        return TimedLine(line, marks, begins, float(times[-1]), begins > 0.0)
    onward = line[-1] - line[-2]
    beyond = line[-1] + END * onward / float(np.linalg.norm(onward[:2]))
    return TimedLine(np.vstack([line, beyond]), marks, begins, None, begins > 0.0)


def _strided(places: np.ndarray) -> np.ndarray:
    """Return the rows at which a trajectory is a step farther than at the one before."""
    rows = [0]
    for row in range(1, len(places)):
        if np.linalg.norm(places[row, :2] - places[rows[-1], :2]) >= STEP:
            rows.append(row)
    return np.array(rows)


def _pauses(times: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Return the seconds of standing before each next row `(n - 1,)`."""
    step, way = np.diff(times), np.diff(at)
    usual = float(np.median(step / way))
    stands = (way < STANDS * step) & (step - usual * way > SHORT_STAND)
    return np.where(stands, step - usual * way, 0.0)


def few(points: np.ndarray, off: float) -> np.ndarray:
    """Return which points of a line `(n, 2)` to keep so that all others are at most `off` away from it."""
    kept = np.zeros(len(points), dtype=bool)
    kept[[0, -1]] = True
    left = [(0, len(points) - 1)]
    while left:
        first, last = left.pop()
        if last - first < 2:
            continue
        between, way = points[first + 1 : last] - points[first], points[last] - points[first]
        share = np.clip(between @ way / max(float(way @ way), 1e-12), 0.0, 1.0)
        away = np.linalg.norm(between - share[:, None] * way, axis=-1)
        if away.max() > off:
            row = first + 1 + int(np.argmax(away))
            kept[row] = True
            left += [(first, row), (row, last)]
    return kept
