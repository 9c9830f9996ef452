"""A path along a drawn line: smoothed over half a step, so that a body can follow it, and slower where it bends.

A line is smoothed and measured once; whatever is asked afterwards is read from a table.  An open path is entered straight on, and ends
with a stop.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..errors import NeuraRigError
from .path import Along

SPACING = 0.02  # leg lengths between the places of the table
MOST_PLACES = 40_000
SMOOTH = 0.35  # leg lengths: standard deviation of the Gaussian that rounds corners
BEND_SMOOTH = 0.12  # leg lengths: that of the curvature that a body answers
SHORTEST = 0.8  # leg lengths: a step
FARTHEST = 1e5  # leg lengths
STEEPEST = 2.0  # rise over way: what is steeper leads nowhere on foot
SHARPEST = 20.0  # radians a leg length: a line that turns faster, though smoothed, goes back on itself
REACH = 4.0  # standard deviations of a Gaussian that count
# Curvature that halves the energy left for speed, in radians a leg length: 1.1 rad/m for a leg of 0.92 m to the sole, 0.845 to the ankle.
TIGHT = 1.1 * 0.845
BRAKING = 1.3  # leg lengths in which a walk comes to a stop, and in which it gets going: 0.8 m/s^2 at a usual speed


@dataclass(frozen=True)
class Curve:
    """A smoothed line as a table of `places` `(n, 3)`, equal metres of level way apart: `spacing`.

    `headings`, `bends` `(n,)`: where it leads, and the curvature that a body answers.  `paces` `(n,)`: speed there over that straight on.
    `is_closed`: the last place is the first one again, a lap later.
    """

    places: np.ndarray
    headings: np.ndarray
    bends: np.ndarray
    paces: np.ndarray
    spacing: float
    is_closed: bool

    turns = True

    @classmethod
    def through(cls, points: np.ndarray, leg_length: float, is_closed: bool = False, slows: bool = True) -> "Curve":
        """Return the path along a line through points `(n, 3)` in metres, for legs of a length; `slows`: in bends, as people do.

        Raises NeuraRigError, saying what is wrong with the line, where nobody could walk it.
        """
        line = _resampled(_cleaned(np.asarray(points, dtype=float), leg_length, is_closed), leg_length)
        line = _resampled(_smoothed(line, SMOOTH * leg_length / _spacing(line), is_closed), leg_length)
        spacing = _spacing(line)
        headings = _headings(line, is_closed)
        turning = np.gradient(_continued(headings, 1, is_closed), spacing)[1:-1]
        if np.abs(turning).max() * leg_length > SHARPEST:
            raise NeuraRigError("The path turns back on itself in one place; round it there, or lead it round in a loop.")
        bends = _smoothed(turning[:, None], BEND_SMOOTH * leg_length / spacing, is_closed, fades=True)[:, 0]
        squared = 1.0 / (1.0 + (bends * leg_length / TIGHT) ** 2) if slows else np.ones_like(bends)
        paces = _paces(squared, spacing / (BRAKING * leg_length), is_closed)
        return cls(line, headings, bends, paces, spacing, is_closed)

    @property
    def length(self) -> float:
        """Metres of way, of one lap where the path is closed."""
        return self.spacing * (len(self.places) - 1)

    def at(self, distance: np.ndarray) -> Along:
        """See Path; between the places of the table cubics with its headings for slopes, before and after an open path straight on."""
        distance = np.asarray(distance, dtype=float)
        laps = np.floor(distance / self.length) if self.is_closed else np.zeros_like(distance)
        on_path = np.clip(distance - laps * self.length, 0.0, self.length)
        row = np.minimum((on_path / self.spacing).astype(int), len(self.places) - 2)
        share = on_path / self.spacing - row
        start, end = self.headings[row], self.headings[row + 1]
        heading = start + share * (end - start) + laps * (self.headings[-1] - self.headings[0])
        beyond = distance - laps * self.length - on_path
        s = share[..., None]
        place = (1.0 + 2.0 * s) * (1.0 - s) ** 2 * self.places[row] + s * s * (3.0 - 2.0 * s) * self.places[row + 1]
        place += s * (1.0 - s) ** 2 * self._slopes[row] - s * s * (1.0 - s) * self._slopes[row + 1]
        bend = (1.0 - share) * self.bends[row] + share * self.bends[row + 1]
        along = Along(place, heading, np.where(beyond == 0.0, bend, 0.0))
        return along if self.is_closed else Along(place + beyond[..., None] * along.ahead, heading, along.curvature)

    @cached_property
    def _slopes(self) -> np.ndarray:
        """How places change per step of the table `(n, 3)`: level as headed, and up as they lie."""
        rise = np.gradient(_continued(self.places[:, 2], 1, self.is_closed))[1:-1]
        return np.stack([self.spacing * np.cos(self.headings), self.spacing * np.sin(self.headings), rise], -1)

    @cached_property
    def _efforts(self) -> np.ndarray:
        """Metres straight on `(n,)` for which there is time until each place; exact where speed changes evenly with time."""
        return np.concatenate([[0.0], np.cumsum(2.0 * self.spacing / (self.paces[1:] + self.paces[:-1]))])

    def pace(self, distance: np.ndarray) -> np.ndarray:
        """See Path."""
        if self.is_closed:
            distance = np.mod(distance, self.length)
        return np.sqrt(np.interp(distance, self.spacing * np.arange(len(self.paces)), self.paces**2, left=1.0))

    def gone(self, effort: np.ndarray) -> np.ndarray:
        """See Path."""
        effort = np.asarray(effort, dtype=float)
        lap, distances = self._efforts[-1], self.spacing * np.arange(len(self._efforts))
        if self.is_closed:
            laps = np.floor(effort / lap)
            return laps * self.length + np.interp(effort - laps * lap, self._efforts, distances)
        return np.minimum(effort, 0.0) + np.interp(effort, self._efforts, distances)

    def knots(self, start: float, end: float) -> np.ndarray:
        """See Path."""
        if not self.is_closed:
            return self._efforts[(self._efforts >= start) & (self._efforts <= end)]
        lap = self._efforts[-1]
        laps = np.arange(np.floor(start / lap), np.ceil(end / lap))
        return (laps[:, None] * lap + self._efforts[:-1]).reshape(-1)


def _cleaned(points: np.ndarray, leg_length: float, is_closed: bool) -> np.ndarray:
    """Return the line's points, none twice in one place, a closed one's first again at its end; refuses a line that leads nowhere."""
    if points.ndim != 2 or points.shape[1] != 3 or len(points) < 2:
        raise NeuraRigError("The path has fewer than two points; draw a line with a length.")
    if not np.isfinite(points).all() or np.abs(points - points[0]).max() > FARTHEST * leg_length:
        raise NeuraRigError("The path has points that are not finite or too far away. Move or delete them.")
    if is_closed:
        points = np.concatenate([points, points[:1]])
    steps = np.diff(points, axis=0)
    way = np.linalg.norm(steps[:, :2], axis=-1)
    if way.sum() < SHORTEST * leg_length:
        rise = float(np.abs(steps[:, 2]).sum())
        if rise > way.sum():
            raise NeuraRigError("The path goes straight up; lead it along the ground.")
        raise NeuraRigError(f"The path is {way.sum():.2g} m long, shorter than a step; make it longer than {SHORTEST * leg_length:.2g} m.")
    kept = np.concatenate([[True], way > 1e-6 * way.sum()])
    return points[kept]


def _resampled(line: np.ndarray, leg_length: float) -> np.ndarray:
    """Return a line's places `(n, 3)` at equal metres of level way."""
    way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line[:, :2], axis=0), axis=-1))])
    count = int(min(np.ceil(way[-1] / (SPACING * leg_length)), MOST_PLACES)) + 1
    at = np.linspace(0.0, way[-1], max(count, 8))
    return np.stack([np.interp(at, way, line[:, axis]) for axis in range(3)], -1)


def _spacing(line: np.ndarray) -> float:
    """Return the mean metres of level way between the places of a line."""
    return float(np.linalg.norm(np.diff(line[:, :2], axis=0), axis=-1).mean())


def _smoothed(values: np.ndarray, deviation: float, is_closed: bool, fades: bool = False) -> np.ndarray:
    """Return values `(n, m)` under a Gaussian of a deviation in rows, its own shrinking of curves taken back.

    An open line goes straight on beyond its ends, which stay; values that `fades` are 0 there.
    """
    reach = max(1, int(np.ceil(REACH * deviation)))
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / deviation) ** 2)
    weights = weights / weights.sum()
    kernel = weights if fades else np.pad(2.0 * weights, reach) - np.convolve(weights, weights)
    reach = len(kernel) // 2
    padded = np.pad(values, ((reach, reach), (0, 0))) if fades and not is_closed else _continued(values, reach, is_closed)
    return np.stack([np.convolve(column, kernel, mode="valid") for column in padded.T], -1)


def _continued(values: np.ndarray, rows: int, is_closed: bool) -> np.ndarray:
    """Return values `(n, ...)` with `rows` more on both sides: the last or next lap's, or straight on."""
    before, after = np.arange(-rows, 0), np.arange(1, rows + 1)
    if is_closed:
        count, lap = len(values) - 1, values[-1] - values[0]
        earlier, later = (np.multiply.outer(np.floor(at / count), lap) for at in (before, after + count))
        return np.concatenate([values[before % count] + earlier, values, values[after % count] + later])
    first, last = values[1] - values[0], values[-1] - values[-2]
    return np.concatenate([values[0] + np.multiply.outer(before, first), values, values[-1] + np.multiply.outer(after, last)])


def _headings(line: np.ndarray, is_closed: bool) -> np.ndarray:
    """Return where a line of places `(n, 3)` leads `(n,)`, unwrapped."""
    step = np.gradient(_continued(line[:, :2], 1, is_closed), axis=0)[1:-1]
    headings = np.unwrap(np.arctan2(step[:, 1], step[:, 0]))
    if is_closed:  # a lap later it leads where it led, some whole turns on
        headings[-1] = headings[0] + 2.0 * np.pi * np.round((headings[-1] - headings[0]) / (2.0 * np.pi))
    return headings


def _paces(squared: np.ndarray, change: float, is_closed: bool) -> np.ndarray:
    """Return speeds over those straight on `(n,)`, whose squares are nowhere above `squared` `(n,)` and change by `change` a row at most.

    So nobody stops or sets off at once; an open path ends with a stop.
    """
    count = len(squared)
    laps = np.concatenate([squared[:-1], squared, squared[1:]]) if is_closed else np.append(squared[:-1], 0.0)
    ramp = change * np.arange(len(laps))
    speeding = np.minimum.accumulate(laps - ramp) + ramp
    slowing = np.minimum.accumulate((laps + ramp)[::-1])[::-1] - ramp
    paces = np.sqrt(np.maximum(np.minimum(speeding, slowing), 0.0))
    return paces[count - 1 :][:count] if is_closed else paces
