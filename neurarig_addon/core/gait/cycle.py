"""From speed to stride and cadence, and from time to phase, in closed form.

Speeds are made dimensionless with the leg from hip joint to sole, vhat = v / sqrt(g leg), as in the gait literature (Alexander 1976).
"""

from dataclasses import dataclass

import numpy as np

from ..body import Body
from .style import Clock, StyleTrack

GRAVITY = 9.81  # m/s^2
# Hip joint to sole over hip joint to ankle in people: the sole is what the published fits are relative to.
SOLE_LEG_SHARE = 1.09
NATURAL_VHAT = 0.42  # the speed that people choose (gait norms: 0.41)
# Beyond this stride in leg lengths no hip reaches both prints; the pelvis would have to touch the ground.
LONGEST_STRIDE = 2.6
# A standstill finds a foot this many cycles after its heel strike; the last cycles before it, at most so many, make that true.
REST_PHASE, REST_REACH = 0.05, 2.0
LONGER = 0.1  # cycles that may be taken off for that, by strides that are longer
ANSWER = 0.7  # x sqrt(leg / g), 0.2 s for an adult: nobody's arms and hips start or stop within a frame


def dimensionless_speed(speed: np.ndarray, leg_length: float | np.ndarray) -> np.ndarray:
    """Return vhat of a speed in m/s for a leg (thigh plus shin) in metres."""
    return np.asarray(speed) / np.sqrt(GRAVITY * SOLE_LEG_SHARE * leg_length)


def natural_stride(speed: np.ndarray, leg_length: float | np.ndarray) -> np.ndarray:
    """Return the stride length in metres that people take at a speed in m/s: 2.57 legs x vhat^0.56 (42 walks of 9 people)."""
    vhat = np.maximum(dimensionless_speed(speed, leg_length), 0.0)
    return SOLE_LEG_SHARE * leg_length * 2.57 * vhat**0.56


def natural_period(speed: np.ndarray, leg_length: float) -> np.ndarray:
    """Return the seconds that a stride takes at a speed in m/s; infinite at rest."""
    speed = np.asarray(speed, dtype=float)
    moving = np.maximum(speed, 1e-9)
    return np.where(speed > 1e-9, natural_stride(moving, leg_length) / moving, np.inf)


def natural_duty(speed: np.ndarray, leg_length: float) -> np.ndarray:
    """Return the share of the cycle that a foot is on the ground, never a run.

    0.685 - 0.178 vhat: the slope of the motion capture walks, and the level (0.61 at a natural speed) of force plates.
    """
    return np.clip(0.685 - 0.178 * dimensionless_speed(speed, leg_length), 0.52, 0.685)


def natural_lead(speed: np.ndarray, leg_length: float | np.ndarray) -> np.ndarray:
    """Return how far in metres people's hips are before the middle of their footprints at mid-stance: their legs trail.

    0.16 vhat / (vhat + 0.14) legs, within half a centimetre of what the human gait has on an adult.
    """
    vhat = np.maximum(dimensionless_speed(speed, leg_length), 0.0)
    return 0.16 * leg_length * vhat / (vhat + 0.14)


def natural_speed(body: Body, fps: float) -> float:
    """Return a comfortable speed in m/s whose cycle is a whole, even number of frames, so that loops and half loops fall on frames."""
    leg = body.leg_length
    comfortable = NATURAL_VHAT * np.sqrt(GRAVITY * SOLE_LEG_SHARE * leg)
    frames = max(4.0, 2.0 * np.round(float(natural_period(comfortable, leg)) * fps / 2.0))
    # The period goes with v^-0.44, so the speed of a given period has a closed form.
    return float(comfortable * (float(natural_period(comfortable, leg)) * fps / frames) ** (1.0 / 0.44))


@dataclass(frozen=True)
class Rhythm:
    """How phase and distance run with time: piecewise linear through knots, straight on beyond both ends.

    `seconds`, `phase` (cycles), `distance` (metres), `speed` (m/s), `stride` (metres), each `(knots,)`; phase never falls.
    `area` `(knots,)`: integral of the distance since the first knot.  `answer`: seconds that the body takes to answer a change of speed.
    """

    seconds: np.ndarray
    phase: np.ndarray
    distance: np.ndarray
    speed: np.ndarray
    stride: np.ndarray
    area: np.ndarray
    answer: float

    def whole_cycle(self, clock: Clock) -> int:
        """Return the frames of a cycle where the walk is steady and they are a whole number, else 0."""
        rise = self.phase[-1] - self.phase[0]
        if len(self.seconds) > 2 or rise <= 0.0:
            return 0
        frames = clock.fps * (self.seconds[-1] - self.seconds[0]) / rise
        return round(frames) if abs(frames - round(frames)) < 1e-9 * frames else 0

    def phase_at(self, seconds: np.ndarray) -> np.ndarray:
        """Return cycles since the start."""
        return _extended(seconds, self.seconds, self.phase)

    def distance_at(self, seconds: np.ndarray) -> np.ndarray:
        """Return metres gone since the start."""
        return _extended(seconds, self.seconds, self.distance)

    def distance_at_phase(self, phase: np.ndarray) -> np.ndarray:
        """Return metres gone when a phase is reached."""
        return _extended(phase, self.phase, self.distance)

    def seconds_at_phase(self, phase: np.ndarray) -> np.ndarray:
        """Return the time at which a phase is reached."""
        return _extended(phase, self.phase, self.seconds)

    def speed_at(self, seconds: np.ndarray) -> np.ndarray:
        """Return m/s."""
        return np.interp(seconds, self.seconds, self.speed)

    def felt_speed_at(self, seconds: np.ndarray) -> np.ndarray:
        """Return m/s, the mean over `answer` before and after, nearer moments counting more: smooth where a keyed speed has corners."""
        if (self.speed == self.speed[0]).all():
            return self.speed_at(seconds)
        before, now, after = (self._area_at(seconds + shift) for shift in (-self.answer, 0.0, self.answer))
        return np.maximum((after - now) - (now - before), 0.0) / self.answer**2

    def _area_at(self, seconds: np.ndarray) -> np.ndarray:
        """Return the integral of the distance, which is straight between the knots and on beyond them."""
        knot = np.clip(np.searchsorted(self.seconds, seconds, side="right") - 1, 0, len(self.seconds) - 2)
        slope = (self.distance[knot + 1] - self.distance[knot]) / (self.seconds[knot + 1] - self.seconds[knot])
        away = seconds - self.seconds[knot]
        return self.area[knot] + away * (self.distance[knot] + 0.5 * slope * away)

    def stride_at(self, seconds: np.ndarray) -> np.ndarray:
        """Return metres a cycle."""
        return np.interp(seconds, self.seconds, self.stride)


def rhythm(track: StyleTrack, clock: Clock, leg_length: float, stride_of) -> Rhythm:
    """Return the rhythm of a walk: phase is the integral of speed over stride length from the clock's start.

    `stride_of(speed, frames)` gives the wanted stride in metres.  A constant walk has two knots and is exact; a keyed one is integrated by
    the trapezoidal rule over the fixed grid of its curves, which does not depend on the frames that are asked for.
    """
    frames = _knots(track, clock)
    seconds = clock.seconds(frames)
    speed = np.maximum(track.at("speed", frames), 0.0)
    stride = np.minimum(stride_of(speed, frames), LONGEST_STRIDE * leg_length)
    rate = np.divide(speed, stride, out=np.zeros_like(speed), where=stride > 1e-9)
    if len(frames) == 2 and clock.whole_frames and rate[0] > 0.0:
        rate = np.full(2, clock.fps / max(2.0, np.round(clock.fps / rate[0])))
        stride = speed / rate
    zero = int(np.argmin(np.abs(seconds)))
    shift = float(track.at("phase", np.array([clock.start]))[0])
    phase = _at_rest_on_both_feet(_integral(rate, seconds, zero) + shift, speed, zero) - shift
    distance = _integral(speed, seconds, zero)
    answer = ANSWER * float(np.sqrt(leg_length / GRAVITY))
    return Rhythm(seconds, phase, distance, speed, stride, _integral(distance, seconds, 0), answer)


def _knots(track: StyleTrack, clock: Clock) -> np.ndarray:
    """Return the frames of the grid: those of every keyed curve, and the start itself so that phase is exactly 0 there."""
    keyed = [frames for frames, _ in track.curves.values()]
    if not keyed:
        return np.array([clock.start, clock.start + clock.fps])
    return np.unique(np.concatenate([*keyed, [clock.start]]))


def _integral(rate: np.ndarray, seconds: np.ndarray, zero: int) -> np.ndarray:
    steps = 0.5 * (rate[1:] + rate[:-1]) * np.diff(seconds)
    total = np.concatenate([[0.0], np.cumsum(steps)])
    return total - total[zero]


def _at_rest_on_both_feet(phase: np.ndarray, speed: np.ndarray, zero: int) -> np.ndarray:
    """Return phases `(knots,)` of the left foot that a keyed walk comes to rest with both feet down, instead of with one in the air.

    What is lacking is made up in the strides before each standstill: shorter ones, as people take them, seldom a little longer ones.
    """
    still = speed <= 0.0
    phase, begun = phase.copy(), zero
    for knot in np.flatnonzero(still[1:] & ~still[:-1]) + 1:
        if knot > zero and phase[knot] > phase[begun]:
            lacking = REST_PHASE + 0.5 * np.ceil(2.0 * (phase[knot] - REST_PHASE - LONGER)) - phase[knot]
            reach = min(REST_REACH, phase[knot] - phase[begun])
            share = np.clip((phase - phase[knot]) / reach + 1.0, 0.0, 1.0)
            phase += lacking * (share * share * (3.0 - 2.0 * share) if reach >= 1.0 else share)
            begun = knot
    return phase


def _extended(x: np.ndarray, knots: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Interpolate linearly, and go straight on beyond the ends."""
    x = np.asarray(x, dtype=float)
    inside = np.interp(x, knots, values)
    first = (values[1] - values[0]) / max(knots[1] - knots[0], 1e-12)
    last = (values[-1] - values[-2]) / max(knots[-1] - knots[-2], 1e-12)
    return inside + np.minimum(x - knots[0], 0.0) * first + np.maximum(x - knots[-1], 0.0) * last
