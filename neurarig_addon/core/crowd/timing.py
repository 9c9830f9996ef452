"""From a trajectory to a line through few points, and how far along it the agent is at each time, as a person
can follow it."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..easing import cubic, running
from ..errors import NeuraRigError
from ..geometry.rotation import dot, norms, off_segments

STEP = 0.3  # metres: sway within a step is no path
OFF_LINE = 0.04  # metres from the line that points may be left out
EVERY = 0.1  # seconds between moments of the schedule
OFF_TIME = 0.01  # metres that the motion between keys may be off
CHANGES = 1.25  # m/s^2: just less than a walk follows (0.13 g, see `gait/timing/speed`)
STANDS = 0.02  # m/s below which an agent stands
FASTEST = 100.0  # m/s: more is another unit, or damage
ROUNDS = 400  # of the search for the nearest schedule


@dataclass(frozen=True)
class TimedLine:
    """A line `(n, 3)` in metres and how it is walked: at `seconds` `(k,)` an agent is at `distance` `(k,)`
    with `speed` `(k,)` in m/s.

    `off`: metres that this is away from the trajectory at most, where that changes its speed faster than a
    person does.
    """

    line: np.ndarray
    seconds: np.ndarray
    distance: np.ndarray
    speed: np.ndarray
    off: float


def timed_line(seconds: np.ndarray, places: np.ndarray) -> TimedLine:
    """Return the path of a trajectory: seconds `(n,)`, rising, and places `(n, 3)` in metres; who moves at
    its end stops after it.

    Raises NeuraRigError if it is shorter than a step, or faster than anybody.
    """
    rows = _strided(places)
    if len(rows) < 3 or seconds[rows[-1]] <= seconds[rows[0]]:
        raise NeuraRigError("It moves less than a step; leave it out, or place a character there.")
    rows[-1] = len(places) - 1
    rows = rows[few(places[rows, :2], OFF_LINE)]
    line = places[rows]
    times, wanted = _evenly(seconds, _along(places, rows))
    distance = _standing(
        followed(wanted, CHANGES * (times[1] - times[0]) ** 2), STANDS * (times[1] - times[0])
    )
    off = float(np.abs(distance - wanted).max())
    speed = np.gradient(distance, times)
    if speed.max() > FASTEST:
        raise NeuraRigError(
            f"It moves at {speed.max():.3g} m/s. Check its times, and the unit of its places."
        )
    if speed[-1] > STANDS:
        braking = np.arange(1.0, np.ceil(speed[-1] / CHANGES / EVERY) + 1.0) * EVERY
        slower = np.maximum(speed[-1] - CHANGES * braking, 0.0)
        onward = line[-1] - line[-2]
        beyond = np.cumsum(0.5 * EVERY * (np.append(speed[-1], slower[:-1]) + slower))
        line = np.vstack([line, line[-1] + beyond[-1] * onward / norms(onward[:2])])
        times, distance = np.append(times, times[-1] + braking), np.append(distance, distance[-1] + beyond)
        speed = np.append(speed, slower)

    def away(first: int, last: int) -> np.ndarray:
        ends = [first, last]
        return np.abs(
            cubic(times[ends], distance[ends], speed[ends], times[first + 1 : last])
            - distance[first + 1 : last]
        )

    kept = _split(len(times), away, OFF_TIME)
    return TimedLine(line, times[kept], distance[kept], speed[kept], off)


def _strided(places: np.ndarray) -> np.ndarray:
    """Return the rows at which a trajectory is a step farther than at the one before."""
    rows = [0]
    for row in range(1, len(places)):
        if norms(places[row, :2] - places[rows[-1], :2]) >= STEP:
            rows.append(row)
    return np.array(rows)


def _along(places: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return how far along the line through some of them places `(n, 3)` are, in metres and never back."""
    ends = places[rows, :2]
    way = np.diff(ends, axis=0)
    length = norms(way)
    part = np.clip(np.searchsorted(rows, np.arange(len(places)), side="right") - 1, 0, len(way) - 1)
    share = dot(places[:, :2] - ends[part], way[part]) / length[part] ** 2
    before = running(length)
    return np.maximum.accumulate(before[part] + np.clip(share, 0.0, 1.0) * length[part])


def _evenly(seconds: np.ndarray, along: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return times at equal steps from first to last, and the distances then."""
    times = np.linspace(seconds[0], seconds[-1], max(round((seconds[-1] - seconds[0]) / EVERY), 4) + 1)
    return times, np.interp(times, seconds, along)


def followed(wanted: np.ndarray, most: float) -> np.ndarray:
    """Return the distances `(n,)` nearest to wanted ones that never fall, and whose second differences are at
    most `most`.

    By the fast projected gradient on the dual (Beck and Teboulle, 2009): least squares, with both bounds on
    differences.
    """
    if np.abs(np.diff(wanted, 2)).max() <= most:
        return wanted
    rate = 1.0 / 20.0  # the squared norm of both differences together is at most 16 + 4

    def pulled(bent: np.ndarray, rising: np.ndarray) -> np.ndarray:
        """Return the distances that multipliers of both bounds ask for."""
        return wanted - np.convolve(bent, [1.0, -2.0, 1.0]) - np.convolve(rising, [-1.0, 1.0])

    bent, rising = np.zeros(len(wanted) - 2), np.zeros(len(wanted) - 1)
    ahead, step = (bent, rising), 1.0
    for _ in range(ROUNDS):
        now = pulled(*ahead)
        raw = ahead[0] + rate * np.diff(now, 2), ahead[1] + rate * np.diff(now)
        new = raw[0] - np.clip(raw[0], -rate * most, rate * most), np.minimum(raw[1], 0.0)
        longer = 0.5 + np.sqrt(0.25 + step * step)
        ahead = tuple(
            one + (step - 1.0) / longer * (one - old) for one, old in zip(new, (bent, rising), strict=True)
        )
        (bent, rising), step = new, longer
    return np.maximum.accumulate(pulled(bent, rising))


def _standing(distance: np.ndarray, least: float) -> np.ndarray:
    """Return distances that stand where they rise by less than `least`, and end where they did."""
    steps = np.diff(distance)
    steps = np.where(steps < least, 0.0, steps)
    return distance[0] + running(steps) * ((distance[-1] - distance[0]) / max(float(steps.sum()), 1e-9))


def few(points: np.ndarray, off: float) -> np.ndarray:
    """Return which points of a line `(n, 2)` to keep so that all others are at most `off` away from it."""

    def away(first: int, last: int) -> np.ndarray:
        return off_segments(points[first + 1 : last], points[first], points[last] - points[first])

    return _split(len(points), away, off)


def _split(count: int, away: Callable[[int, int], np.ndarray], off: float) -> np.ndarray:
    """Return which of `count` rows to keep, where `away` tells how far rows between two are from what joins
    these."""
    kept = np.zeros(count, dtype=bool)
    kept[[0, -1]] = True
    left = [(0, count - 1)]
    while left:
        first, last = left.pop()
        if last - first < 2:
            continue
        distances = away(first, last)
        if distances.max() > off:
            row = first + 1 + int(np.argmax(distances))
            kept[row] = True
            left += [(first, row), (row, last)]
    return kept
