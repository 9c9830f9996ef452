"""From time to phase and distance, and back, in closed form."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ...character.body import LEFT, RIGHT
from ...easing import cubic, rising_slopes, smoothstep
from ..kinds.contacts import TURNS, CycleContacts
from ..sliders.style import Clock
from .course import extended, integral
from .rests import Rests

SLOWEST = 10.0  # seconds a cycle
COMES_IN = 1.25  # cycles beside a standstill in which feet come to be ahead of one another as in a gait


@dataclass(frozen=True)
class Rhythm:
    """Phase and distance over time: piecewise linear through knots, extrapolated beyond both ends.

    `seconds`, `phase` (cycles), `distance` (metres), `speed` (m/s), `stride` (metres), each `(knots,)`; phase
    never falls.
    `answer`: seconds in which the body responds to a change of speed.
    `moved` `(knots,)`: metres by which the place has changed; equal to the distance without turns on the
    spot.
    `feet` `(2,)`: phases of the left and right foot at the start. `closes`: whether standing feet are side by
    side.
    `running` `(knots,)`: the share of running, 0..1; None for a gait that does not change with speed.
    `contacts`: the gait's. `lap`: cycles from the first knot to the last, after which everything repeats; 0
    for none. `own` `(knots, 2)`: each foot's cycles, in gaits whose feet come to take turns in another way;
    None where that is the phase and `feet`; `beat` `(knots, 2)`: those of the body above it, more even.
    """

    seconds: np.ndarray
    phase: np.ndarray
    distance: np.ndarray
    speed: np.ndarray
    stride: np.ndarray
    answer: float
    feet: np.ndarray
    closes: bool
    moved: np.ndarray
    running: np.ndarray | None = None
    lap: int = 0
    contacts: CycleContacts = TURNS
    own: np.ndarray | None = None
    beat: np.ndarray | None = None

    def of_pair(self, ahead: float, early: np.ndarray, duty: np.ndarray) -> "Rhythm":
        """Return the rhythm of a pair of feet `ahead` metres on the same way, that are `early` `(knots, 2)`
        cycles ahead of these feet; in standstills all are down together.

        Feet come to be so in the air: they stand as long as ever, for shares `duty` `(knots,)` of a cycle.
        """
        distance = self.distance + ahead if ahead else self.distance
        moved = distance if self.moved is self.distance else self.moved + ahead
        resting = self.phase[self.speed <= 0.0]
        if len(resting):
            away = np.abs(self.phase[:, None] - resting).min(axis=1)
            at_rest = np.round(2.0 * early[self.speed.argmin(), 0]) / 2.0
            early = at_rest + (early - at_rest) * smoothstep(away / COMES_IN)[:, None]
        if (early == early[0]).all():
            return replace(self, distance=distance, moved=moved, feet=self.feet + early[0])
        beat = self.phase[:, None] + self.feet + early
        own = np.stack([_strode(self.phase, wanted, duty) for wanted in beat.T], axis=-1)
        return replace(self, distance=distance, moved=moved, own=own, beat=beat)

    @cached_property
    def rests(self) -> Rests:
        """The walk's standstills."""
        return Rests.of(self.seconds, self.speed, self.phase, self.distance)

    def whole_cycle(self, clock: Clock) -> int:
        """Return the whole number of frames after which a steady walk repeats, a cycle or a lap; 0 if it is
        not whole."""
        frames = self.cycle_frames(clock)
        return round(frames) if abs(frames - round(frames)) < 1e-9 * frames else 0

    def cycle_frames(self, clock: Clock) -> float:
        """Return the frames after which a steady walk repeats, a cycle or a lap; 0 where it does not."""
        rise = float(self.phase[-1] - self.phase[0])
        if (len(self.seconds) > 2 and not self.lap) or rise <= 0.0:
            return 0.0
        return self.lap_frames(clock) / (1.0 if self.lap else rise)

    def lap_frames(self, clock: Clock) -> float:
        """Return the frames from the first to the last knot, exactly whole where they nearly are."""
        frames = clock.fps * float(self.seconds[-1] - self.seconds[0])
        return float(round(frames)) if abs(frames - round(frames)) < 1e-9 * frames else frames

    @cached_property
    def is_steady(self) -> bool:
        """Whether the speed never changes."""
        return bool((self.speed == self.speed[0]).all())

    def phases_at(self, seconds: np.ndarray) -> np.ndarray:
        """Return the phases `(f, 2)` of the left and right foot at `(f,)`: whole numbers are heel strikes."""
        if self.own is not None:
            both = [self._at(seconds, self.seconds, self.own[:, side]) for side in (LEFT, RIGHT)]
            return self.contacts.counted(np.stack(both, axis=-1))
        return self.contacts.counted(self.phase_at(seconds)[:, None] + self.feet)

    def beat_off(self, seconds: np.ndarray) -> np.ndarray:
        """Return by how many cycles `(f, 2 or 1)` at `(f,)` the body above the feet is ahead of them."""
        if self.own is None or self.beat is None:
            return np.zeros((len(seconds), 1))
        off = self.beat - self.own
        return np.stack([self._at(seconds, self.seconds, off[:, side]) for side in (LEFT, RIGHT)], axis=-1)

    def phase_when(self, phases: np.ndarray) -> np.ndarray:
        """Return the phase before `feet` are added, when the left and right foot reach phases `(..., 2)`."""
        if self.own is not None:
            cycles = self.contacts.cycles(phases)
            both = [self._phase_of(cycles[..., side], self.own[:, side]) for side in (LEFT, RIGHT)]
            return np.stack(both, axis=-1)
        return self.contacts.cycles(phases) - self.feet

    def _phase_of(self, cycles: np.ndarray, own: np.ndarray) -> np.ndarray:
        """Return the phase when a foot reaches cycles `(...)`, its `own` at the knots `(knots,)`; beyond them
        it goes on as the foot does."""
        if self.lap:
            return self._at(cycles, own, self.phase)
        beyond = np.minimum(cycles - own[0], 0.0) + np.maximum(cycles - own[-1], 0.0)
        return np.interp(cycles, own, self.phase) + beyond

    def of_the_other(self, phases: np.ndarray) -> np.ndarray:
        """Return the other foot's phases `(..., 2)` when the left and right foot reach phases `(..., 2)`."""
        return self.feet_when(self.phase_when(phases)[..., ::-1])[..., ::-1]

    def feet_when(self, phases: np.ndarray) -> np.ndarray:
        """Return the phases of the left and right foot at phases `(..., 2)` before `feet` are added."""
        if self.own is not None:
            both = [self._at(phases[..., side], self.phase, self.own[:, side]) for side in (LEFT, RIGHT)]
            return self.contacts.counted(np.stack(both, axis=-1))
        return self.contacts.counted(phases + self.feet)

    def phase_at(self, seconds: np.ndarray) -> np.ndarray:
        """Return the phases `(...)` at times `(...)`, before `feet` are added."""
        return self._at(seconds, self.seconds, self.phase)

    def phase_at_distance(self, distance: np.ndarray) -> np.ndarray:
        """Return the phases `(...)` after metres travelled, before `feet` are added."""
        return self._at(distance, self.distance, self.phase)

    def seconds_at_phase(self, phase: np.ndarray) -> np.ndarray:
        """Return the times of phases `(...)`, before `feet` are added."""
        return self._at(phase, self.phase, self.seconds)

    def distance_at(self, seconds: np.ndarray) -> np.ndarray:
        """Return metres travelled since the start."""
        return self._at(seconds, self.seconds, self.distance)

    def distance_when(self, phases: np.ndarray) -> np.ndarray:
        """Return metres travelled when the left and right foot reach phases `(..., 2)`."""
        return self._at(self.phase_when(phases), self.phase, self.distance)

    def seconds_when(self, phases: np.ndarray) -> np.ndarray:
        """Return the times at which the left and right foot reach phases `(..., 2)`."""
        return self.seconds_at_phase(self.phase_when(phases))

    def _at(self, x: np.ndarray, knots: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Interpolate linearly, and continue beyond both ends: linearly, or in laps."""
        if not self.lap:
            return extended(x, knots, values)
        laps = np.floor((x - knots[0]) / (knots[-1] - knots[0]))
        return np.interp(x - laps * (knots[-1] - knots[0]), knots, values) + laps * (values[-1] - values[0])

    def _between(self, seconds: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Interpolate values `(knots,)` that are constant beyond both ends, or repeat in laps."""
        return np.interp(self._in_lap(seconds), self.seconds, values)

    def _in_lap(self, seconds: np.ndarray) -> np.ndarray:
        """Return times within the first lap; without laps, the times themselves."""
        return (
            self.seconds[0] + np.mod(seconds - self.seconds[0], self.seconds[-1] - self.seconds[0])
            if self.lap
            else seconds
        )

    def speed_at(self, seconds: np.ndarray) -> np.ndarray:
        """Return m/s."""
        return self._between(seconds, self.speed)

    def going_at(self, seconds: np.ndarray) -> np.ndarray:
        """Return the speed of the place, in m/s."""
        if self.moved is self.distance:
            return self.speed_at(seconds)
        return self._between(seconds, np.gradient(self.moved, self.seconds))

    def felt_speed_at(self, seconds: np.ndarray) -> np.ndarray:
        """Return the speed in m/s, averaged over `answer` before and after with triangular weights: smooth
        for keyed speeds."""
        return self.speed_at(seconds) if self.is_steady else self._felt(seconds, self.moved, self._moved_area)

    def push_at(self, seconds: np.ndarray) -> np.ndarray:
        """Return how fast the felt speed changes, in m/s² `(...)`."""
        after, before = (self.felt_speed_at(seconds + around) for around in (self.answer, -self.answer))
        return (after - before) / (2.0 * self.answer)

    def felt_pace_at(self, seconds: np.ndarray) -> np.ndarray:
        """Return the same for the path's distance, which also grows in turns on the spot."""
        return (
            self.felt_speed_at(seconds)
            if self.moved is self.distance
            else self._felt(seconds, self.distance, self._area)
        )

    @cached_property
    def _area(self) -> np.ndarray:
        """The integral of the distance since the first knot `(knots,)`."""
        return integral(self.distance, self.seconds, 0)

    @cached_property
    def _moved_area(self) -> np.ndarray:
        return integral(self.moved, self.seconds, 0)

    def _felt(self, seconds: np.ndarray, way: np.ndarray, area: np.ndarray) -> np.ndarray:
        seconds = self._in_lap(np.asarray(seconds))
        times = seconds + np.array([-self.answer, 0.0, self.answer]).reshape(3, *[1] * np.ndim(seconds))
        before, now, after = self._whole_area(times, way, area)
        return np.maximum((after - now) - (now - before), 0.0) / self.answer**2

    def _whole_area(self, seconds: np.ndarray, way: np.ndarray, area: np.ndarray) -> np.ndarray:
        """Return the integral of a distance `(knots,)`, continued beyond the ends: linearly, or growing
        equally in each lap."""
        if not self.lap:
            return self._area_at(seconds, way, area)
        first, last = self.seconds[[0, -1]]
        laps = np.floor((seconds - first) / (last - first))
        into = seconds - laps * (last - first)
        laps_before = (way[-1] - way[0]) * laps * (0.5 * (last - first) * (laps - 1.0) + into - first)
        return (
            laps * self._area_at(self.seconds[-1:], way, area) + laps_before + self._area_at(into, way, area)
        )

    def _area_at(self, seconds: np.ndarray, way: np.ndarray, area: np.ndarray) -> np.ndarray:
        """Return the integral of a distance `(knots,)`, linear between the knots and beyond."""
        knot = np.minimum(
            np.maximum(self.seconds.searchsorted(seconds, side="right") - 1, 0), len(self.seconds) - 2
        )
        slope = (way[knot + 1] - way[knot]) / (self.seconds[knot + 1] - self.seconds[knot])
        away = seconds - self.seconds[knot]
        return area[knot] + away * (way[knot] + 0.5 * slope * away)

    def period_at(self, seconds: np.ndarray) -> np.ndarray:
        """Return seconds per cycle as it goes by, averaged over `answer` before and after; at most SLOWEST,
        also in standstills."""
        before, after = (self.phase_at(seconds + nudge) for nudge in (-self.answer, self.answer))
        return np.minimum(2.0 * self.answer / np.maximum(after - before, 1e-9), SLOWEST)

    def running_at(self, seconds: np.ndarray) -> np.ndarray | None:
        """Return the share of running, 0..1; None for a gait that does not change with speed."""
        return None if self.running is None else self._between(seconds, self.running)

    def stride_at(self, seconds: np.ndarray) -> np.ndarray:
        """Return metres per cycle."""
        return self._between(seconds, self.stride)


def _strode(phase: np.ndarray, wanted: np.ndarray, duty: np.ndarray) -> np.ndarray:
    """Return a foot's cycles `(knots,)` that strikes where it is `wanted` `(knots,)` to at a phase and stands
    for `duty` `(knots,)` of a cycle, less in a shorter one; a longer one it makes up in the air."""
    number = np.arange(np.floor(wanted[0]) - 2.0, np.ceil(wanted[-1]) + 3.0)
    beyond = np.minimum(number - wanted[0], 0.0) + np.maximum(number - wanted[-1], 0.0)
    strikes = np.interp(number, wanted, phase) + beyond
    stands = np.interp(strikes[:-1], phase, duty)
    lifts = strikes[:-1] + stands * np.minimum(np.diff(strikes), 1.0)
    at = np.stack([strikes[:-1], lifts], axis=-1).ravel()
    cycles = np.stack([number[:-1], number[:-1] + stands], axis=-1).ravel()
    return cubic(at, cycles, rising_slopes(at, cycles), phase)
