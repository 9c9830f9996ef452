"""When: from time to phase and distance, and back, in closed form."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..path.path import Path
from .change import running_share
from .in_step import NO_MARKS, Marks
from .laps import enough_for_a_lap, first_lap, goes_round, in_step_all_round, way_round, whole_strides
from .natural import GRAVITY
from .progress import LONGEST_ON_A_LOOP_S, Wish, progress
from .rests import Rests
from .schedule import scheduled
from .settled import REST_PHASE, settled, shortened
from .style import Clock, StyleTrack
from .variation import variation_of, varies

# Contact of the right foot, in cycles after the left one; a limp shortens the sore leg's single support.
OPPOSITE, LIMP_SHIFT = 0.5, 0.05
# Strides that differ are worked out at so many places each, and for so many seconds before and after the walk's start.
PLACES, VARIED_S = 16, 600.0
ANSWER = 0.7  # x sqrt(leg / g), 0.2 s for an adult: nobody's arms and hips start or stop within a frame

StrideOf = Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray | None], np.ndarray]


@dataclass(frozen=True)
class Rhythm:
    """How phase and distance run with time: piecewise linear through knots, straight on beyond both ends.

    `seconds`, `phase` (cycles), `distance` (metres), `speed` (m/s), `stride` (metres), each `(knots,)`; phase never falls.
    `area` `(knots,)`: integral of the distance since the first knot.  `answer`: seconds that the body takes to answer a change of speed.
    `moved` `(knots,)`: metres by which the place has changed; the distance itself where nobody turns on the spot.
    `feet` `(2,)`: the phases of the left and right foot at the start.  `closes`: who stands has his feet side by side.
    `running` `(knots,)`: how much of a run it is, 0..1; None where the gait does not change with the speed.
    `lap`: cycles between the first knot and the last, after which all repeats; 0 where it goes straight on.
    """

    seconds: np.ndarray
    phase: np.ndarray
    distance: np.ndarray
    speed: np.ndarray
    stride: np.ndarray
    area: np.ndarray
    answer: float
    feet: np.ndarray
    closes: bool
    moved: np.ndarray
    running: np.ndarray | None = None
    lap: int = 0

    @cached_property
    def rests(self) -> Rests:
        """Where the walk stands."""
        return Rests.of(self.seconds, self.speed, self.phase, self.distance)

    def whole_cycle(self, clock: Clock) -> int:
        """Return the frames after which a steady walk repeats, a cycle or a lap, where they are a whole number, else 0."""
        rise = self.phase[-1] - self.phase[0]
        if (len(self.seconds) > 2 and not self.lap) or rise <= 0.0:
            return 0
        frames = self.lap_frames(clock) / (1.0 if self.lap else rise)
        return round(frames) if abs(frames - round(frames)) < 1e-9 * frames else 0

    def lap_frames(self, clock: Clock) -> float:
        """Return the frames between the first knot and the last one, as a whole number where they are one."""
        frames = clock.fps * float(self.seconds[-1] - self.seconds[0])
        return float(round(frames)) if abs(frames - round(frames)) < 1e-9 * frames else frames

    @cached_property
    def is_steady(self) -> bool:
        """Whether the speed never changes."""
        return bool((self.speed == self.speed[0]).all())

    def phases_at(self, seconds: np.ndarray) -> np.ndarray:
        """Return the phases `(f, 2)` of the left and right foot at `(f,)`: whole numbers are heel strikes."""
        return self.phase_at(seconds)[:, None] + self.feet

    def phase_at(self, seconds: np.ndarray) -> np.ndarray:
        """Return the phases `(...)` at times `(...)` before `feet` are added."""
        return self._at(seconds, self.seconds, self.phase)

    def seconds_at_phase(self, phase: np.ndarray) -> np.ndarray:
        """Return the times at which phases `(...)` come, before `feet` are added."""
        return self._at(phase, self.phase, self.seconds)

    def distance_at(self, seconds: np.ndarray) -> np.ndarray:
        """Return metres gone since the start."""
        return self._at(seconds, self.seconds, self.distance)

    def distance_when(self, phases: np.ndarray) -> np.ndarray:
        """Return metres gone when the left and right foot reach phases `(..., 2)`."""
        return self._at(phases - self.feet, self.phase, self.distance)

    def seconds_when(self, phases: np.ndarray) -> np.ndarray:
        """Return the times at which the left and right foot reach phases `(..., 2)`."""
        return self.seconds_at_phase(phases - self.feet)

    def _at(self, x: np.ndarray, knots: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Interpolate linearly, and go on beyond both ends: straight, or with laps."""
        if not self.lap:
            return _extended(x, knots, values)
        laps = np.floor((x - knots[0]) / (knots[-1] - knots[0]))
        return np.interp(x - laps * (knots[-1] - knots[0]), knots, values) + laps * (values[-1] - values[0])

    def _between(self, seconds: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Interpolate values `(knots,)` that stay as they are beyond both ends, or repeat in laps."""
        return np.interp(self._in_lap(seconds), self.seconds, values)

    def _in_lap(self, seconds: np.ndarray) -> np.ndarray:
        """Return times in the first lap; where there are no laps, the times themselves."""
        return self.seconds[0] + np.mod(seconds - self.seconds[0], self.seconds[-1] - self.seconds[0]) if self.lap else seconds

    def speed_at(self, seconds: np.ndarray) -> np.ndarray:
        """Return m/s."""
        return self._between(seconds, self.speed)

    def going_at(self, seconds: np.ndarray) -> np.ndarray:
        """Return m/s at which the place changes."""
        if self.moved is self.distance:
            return self.speed_at(seconds)
        return self._between(seconds, np.gradient(self.moved, self.seconds))

    def felt_speed_at(self, seconds: np.ndarray) -> np.ndarray:
        """Return m/s, the mean over `answer` before and after, nearer moments counting more: smooth where a keyed speed has corners."""
        if self.is_steady:
            return self.speed_at(seconds)
        return self._felt(seconds, self.moved, self._moved_area)

    def felt_pace_at(self, seconds: np.ndarray) -> np.ndarray:
        """Return the same of the way, which goes on where somebody turns on the spot."""
        return self.felt_speed_at(seconds) if self.moved is self.distance else self._felt(seconds, self.distance, self.area)

    @cached_property
    def _moved_area(self) -> np.ndarray:
        return self.area if self.moved is self.distance else _integral(self.moved, self.seconds, 0)

    def _felt(self, seconds: np.ndarray, way: np.ndarray, area: np.ndarray) -> np.ndarray:
        seconds = self._in_lap(np.asarray(seconds))
        times = seconds + np.array([-self.answer, 0.0, self.answer]).reshape(3, *[1] * np.ndim(seconds))
        before, now, after = self._all_gone(times, way, area)
        return np.maximum((after - now) - (now - before), 0.0) / self.answer**2

    def _all_gone(self, seconds: np.ndarray, way: np.ndarray, area: np.ndarray) -> np.ndarray:
        """Return the integral of a way `(knots,)`, which goes on beyond them."""
        if not self.lap:
            return self._area_at(seconds, way, area)
        return way_round(way, self.seconds, seconds, lambda into: self._area_at(into, way, area))

    def _area_at(self, seconds: np.ndarray, way: np.ndarray, area: np.ndarray) -> np.ndarray:
        """Return the integral of a way `(knots,)`, which is straight between the knots and on beyond them."""
        knot = np.clip(np.searchsorted(self.seconds, seconds, side="right") - 1, 0, len(self.seconds) - 2)
        slope = (way[knot + 1] - way[knot]) / (self.seconds[knot + 1] - self.seconds[knot])
        away = seconds - self.seconds[knot]
        return area[knot] + away * (way[knot] + 0.5 * slope * away)

    def running_at(self, seconds: np.ndarray) -> np.ndarray | None:
        """Return how much of a run it is, 0..1; None where the gait does not change with the speed."""
        return None if self.running is None else self._between(seconds, self.running)

    def stride_at(self, seconds: np.ndarray) -> np.ndarray:
        """Return metres a cycle."""
        return self._between(seconds, self.stride)


def rhythm(
    track: StyleTrack,
    clock: Clock,
    leg_length: float,
    path: Path,
    stride_of: StrideOf,
    marks: Marks = NO_MARKS,
    changes: tuple[float, float] | None = None,
) -> Rhythm:
    """Return the rhythm of a walk along a path: phase is the integral of speed over stride length from the clock's start.

    `stride_of(speed, frames, distance, running)` gives the wanted stride in metres; `marks` are phases that are to come at places.
    `changes`: speeds in m/s from which whoever walks runs, and below which whoever runs walks; None where the gait stays the same.

    A constant walk straight on has two knots and is exact; a keyed one is integrated by the trapezoidal rule over the fixed grid of its
    curves, which does not depend on the frames that are asked for, one along a path that varies also over the path's own.
    """
    frames = _knots(track, clock)
    seconds = clock.seconds(frames)
    speed = np.maximum(track.at("speed", frames), 0.0)
    distance = _integral(speed, seconds)
    laps = goes_round(path, track)
    if path.varies:
        longest = enough_for_a_lap(path, float(speed[0])) if laps else LONGEST_ON_A_LOOP_S
        gone = progress(path, scheduled(path, Wish(seconds, speed, distance), clock, leg_length), longest)
        seconds, speed, distance = gone.seconds, gone.speed, gone.distance
        frames = clock.start + seconds * clock.fps
    answer = ANSWER * float(np.sqrt(leg_length / GRAVITY))
    if laps:
        lap = first_lap(path, clock, seconds, speed, distance)
        seconds, speed, distance = lap.seconds, lap.speed, lap.distance
        frames = clock.start + seconds * clock.fps
    varied = varies(track) and float(distance[-1]) > float(distance[0])
    is_steady = len(frames) == 2 and not path.varies
    if varied and not is_steady:
        seconds, speed, distance = _finely(seconds, speed, distance, answer / 4)
        frames = clock.start + seconds * clock.fps
    # How much the feet are out of step cannot change in mid-walk without a foot jumping: the start decides.
    shift, limp = (float(track.at(slider, np.array([clock.start]))[0]) for slider in ("phase", "asymmetry"))
    if path.starts:
        shift = REST_PHASE + 0.5 * np.round(2.0 * (shift - REST_PHASE))
    feet = shift + np.array([0.0, OPPOSITE + LIMP_SHIFT * limp])
    closes = path.turns or bool(track.at("idle", np.array([clock.start]))[0] > 0.0)
    shorter = shortened(Rests.of(seconds, speed, distance, distance / leg_length), distance / leg_length) if closes else 1.0

    def paced(running: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
        stride = stride_of(speed, frames, distance, running) * shorter
        return stride, np.divide(speed, stride, out=np.zeros_like(speed), where=stride > 1e-9)

    def cycles(rate: np.ndarray) -> np.ndarray:
        gone = _integral(rate, seconds)
        if not varied or is_steady:
            return gone
        return gone + variation_of(track).timed(gone + shift, track.at("variation", frames))

    def strikes(running: np.ndarray) -> np.ndarray:
        return _steps(cycles(paced(running)[1]), seconds, feet)

    running = None if changes is None else running_share(speed, seconds, changes, strikes)
    stride, rate = paced(running)
    if len(frames) == 2 and clock.whole_frames and rate[0] > 0.0:
        rate = np.full(2, clock.fps / max(2.0, np.round(clock.fps / rate[0])))
        stride = speed / rate
    if laps:
        rate = rate * whole_strides(rate, seconds)
        stride = speed / rate
        phase = in_step_all_round(cycles(rate) + shift, distance, float(stride.mean()), marks) - shift
    else:
        phase = settled(cycles(rate) + shift, distance, speed, _zero(seconds), marks, leg_length) - shift
    advance = path.advance(distance)
    moved = distance if (advance == 1.0).all() else _integral(speed * advance, seconds)
    lap = round(phase[-1] - phase[0]) if laps else 0
    found = Rhythm(seconds, phase, distance, speed, stride, _integral(distance, seconds, 0), answer, feet, closes, moved, running, lap)
    return _in_laps(found, track) if varied and is_steady else found


def _in_laps(pace: Rhythm, track: StyleTrack) -> Rhythm:
    """Return a steady rhythm straight on with strides that differ: one lap of them."""
    rate = float((pace.phase[-1] - pace.phase[0]) / (pace.seconds[-1] - pace.seconds[0]))
    even = np.linspace(0.0, track.strides, PLACES * track.strides + 1)
    speed, stride = (np.full(len(even), values[0]) for values in (pace.speed, pace.stride))
    phase = even + variation_of(track).timed(even + pace.feet[0], np.full(len(even), track.constant.variation))
    phase[-1] = track.strides
    seconds = even / rate
    distance = speed * seconds
    area = _integral(distance, seconds, 0)
    running = None if pace.running is None else np.full(len(even), pace.running[0])
    return Rhythm(seconds, phase, distance, speed, stride, area, pace.answer, pace.feet, pace.closes, distance, running, track.strides)


def _finely(seconds: np.ndarray, speed: np.ndarray, distance: np.ndarray, every: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return knots `(m,)` as near to one another as strides that differ need them, also beyond the ends."""
    first, last = min(float(seconds[0]), -VARIED_S), max(float(seconds[-1]), VARIED_S)
    knots = np.union1d(seconds, np.arange(np.ceil(first / every), last / every) * every)
    return knots, np.interp(knots, seconds, speed), _extended(knots, seconds, distance)


def _steps(phase: np.ndarray, seconds: np.ndarray, feet: np.ndarray) -> np.ndarray:
    """Return when feet strike, ascending, for cycles gone `(knots,)`."""
    strikes = [np.arange(np.ceil(phase[0] + foot), phase[-1] + foot) - foot for foot in feet]
    return np.interp(np.sort(np.concatenate(strikes)), phase, seconds)


def _knots(track: StyleTrack, clock: Clock) -> np.ndarray:
    """Return the frames of the grid: those of every keyed curve, and the start itself so that phase is exactly 0 there."""
    keyed = [frames for frames, _ in track.curves.values()]
    if not keyed:
        return np.array([clock.start, clock.start + clock.fps])
    return np.unique(np.concatenate([*keyed, [clock.start]]))


def _zero(seconds: np.ndarray) -> int:
    """Return the knot of the walk's start."""
    return int(np.argmin(np.abs(seconds)))


def _integral(rate: np.ndarray, seconds: np.ndarray, since: int | None = None) -> np.ndarray:
    """Return the integral `(knots,)` of a rate since a knot, that of the walk's start by default."""
    steps = 0.5 * (rate[1:] + rate[:-1]) * np.diff(seconds)
    total = np.concatenate([[0.0], np.cumsum(steps)])
    return total - total[_zero(seconds) if since is None else since]


def _extended(x: np.ndarray, knots: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Interpolate linearly, and go straight on beyond the ends."""
    x = np.asarray(x, dtype=float)
    inside = np.interp(x, knots, values)
    first = (values[1] - values[0]) / max(knots[1] - knots[0], 1e-12)
    last = (values[-1] - values[-2]) / max(knots[-1] - knots[-2], 1e-12)
    return inside + np.minimum(x - knots[0], 0.0) * first + np.maximum(x - knots[-1], 0.0) * last
