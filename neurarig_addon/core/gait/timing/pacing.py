"""From speed, path and stride length to a rhythm: when each foot strikes."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ...path.path import Path
from ..kinds.change import running_share
from ..kinds.contacts import TURNS, Contacts
from ..kinds.natural import GRAVITY
from ..sliders.looks import looks_around
from ..sliders.style import Clock, StyleTrack
from ..sliders.variation import variation_of, varies
from .in_step import NO_MARKS, Marks
from .knots import extended, integral, zero
from .laps import enough_for_a_lap, first_lap, goes_round, in_step_all_round, whole_strides
from .progress import LONGEST_ON_A_LOOP_S, SpeedWish, progress
from .rests import Rests
from .rhythm import Rhythm
from .schedule import scheduled
from .settled import settled, shortened

LIMP_SHIFT = 0.05  # cycles: a limp shortens single support on the sore leg
# Samples per varied stride, and seconds before and after the walk's start for which they are computed.
PLACES, VARIED_S = 16, 600.0
ANSWER = 0.7  # x sqrt(leg / g), 0.2 s for an adult: arms and hips do not start or stop within a frame

StrideOf = Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray | None], np.ndarray]


@dataclass(frozen=True)
class Stepping:
    """Timing beyond stride length: the gait's `contacts`, and `marks`, wanted phases at places.

    `changes`: speeds in m/s above which a walk becomes a run and below which a run becomes a walk; None for a gait that stays the same.
    """

    contacts: Contacts = TURNS
    marks: Marks = NO_MARKS
    changes: tuple[float, float] | None = None


def rhythm(
    track: StyleTrack,
    clock: Clock,
    leg_length: float,
    path: Path,
    stride_of: StrideOf,
    stepping: "Stepping | None" = None,
) -> Rhythm:
    """Return the rhythm of a walk along a path: phase is the integral of speed over stride length from the clock's start.

    `stride_of(speed, frames, distance, running)` returns the wanted stride in metres.  `stepping`: by default a walk's, without marks.

    A constant straight walk has two knots and is exact; a keyed one is integrated by the trapezoidal rule over the fixed grid of its
    curves, which is independent of the frames asked for; a varying path adds its own knots.
    """
    stepping = stepping or Stepping()
    contacts, changes, marks = stepping.contacts, stepping.changes, stepping.marks
    frames = _knots(track, clock)
    seconds = clock.seconds(frames)
    speed = np.maximum(track.at("speed", frames), 0.0)
    distance = integral(speed, seconds)
    laps = goes_round(path, track)
    if path.varies:
        longest = enough_for_a_lap(path, float(speed[0])) if laps else LONGEST_ON_A_LOOP_S
        course = progress(path, scheduled(path, SpeedWish(seconds, speed, distance), clock, leg_length), longest)
        seconds, speed, distance = course.seconds, course.speed, course.distance
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
    # The offset between the feet cannot change during a walk without a foot jumping: the start decides.
    shift, limp = (float(track.at(slider, np.array([clock.start]))[0]) for slider in ("phase", "asymmetry"))
    if path.starts or (float(speed[zero(seconds)]) <= 0.0 and not contacts.takes_turns):
        shift = contacts.rest + contacts.every * np.round((shift - contacts.rest) / contacts.every)
    feet = shift + np.array([0.0, contacts.apart + LIMP_SHIFT * limp])
    closes = path.turns or bool(track.at("idle", np.array([clock.start]))[0] > 0.0)
    shorter = shortened(Rests.of(seconds, speed, distance, distance / leg_length), distance / leg_length) if closes else 1.0

    def paced(running: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
        stride = stride_of(speed, frames, distance, running) * shorter
        return stride, np.divide(speed, stride, out=np.zeros_like(speed), where=stride > 1e-9)

    def cycles(rate: np.ndarray) -> np.ndarray:
        phases = integral(rate, seconds)
        if not varied or is_steady:
            return phases
        return phases + variation_of(track).timed(phases + shift, track.at("variation", frames))

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
        phase = settled(cycles(rate) + shift, distance, speed, zero(seconds), marks, contacts, leg_length) - shift
    advance = path.advance(distance)
    moved = distance if (advance == 1.0).all() else integral(speed * advance, seconds)
    lap = round(phase[-1] - phase[0]) if laps else 0
    found = Rhythm(
        seconds, phase, distance, speed, stride, integral(distance, seconds, 0), answer, feet, closes, moved, running, lap, contacts
    )
    in_laps = varied or (looks_around(track) and track.strides > 1 and rate[0] > 0.0)
    return _in_laps(found, track) if in_laps and is_steady else found


def _in_laps(pace: Rhythm, track: StyleTrack) -> Rhythm:
    """Return one lap of a steady straight rhythm with varied strides or looks."""
    rate = float((pace.phase[-1] - pace.phase[0]) / (pace.seconds[-1] - pace.seconds[0]))
    even = np.linspace(0.0, track.strides, PLACES * track.strides + 1)
    speed, stride = (np.full(len(even), values[0]) for values in (pace.speed, pace.stride))
    phase = even + variation_of(track).timed(even + pace.feet[0], np.full(len(even), track.constant.variation))
    phase[-1] = track.strides
    seconds = even / rate
    distance = speed * seconds
    area = integral(distance, seconds, 0)
    running = None if pace.running is None else np.full(len(even), pace.running[0])
    return replace(
        pace,
        seconds=seconds,
        phase=phase,
        distance=distance,
        speed=speed,
        stride=stride,
        area=area,
        moved=distance,
        running=running,
        lap=track.strides,
    )


def _finely(seconds: np.ndarray, speed: np.ndarray, distance: np.ndarray, every: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return knots `(m,)` as dense as varied strides need, also beyond the ends."""
    first, last = min(float(seconds[0]), -VARIED_S), max(float(seconds[-1]), VARIED_S)
    knots = np.union1d(seconds, np.arange(np.ceil(first / every), last / every) * every)
    return knots, np.interp(knots, seconds, speed), extended(knots, seconds, distance)


def _steps(phase: np.ndarray, seconds: np.ndarray, feet: np.ndarray) -> np.ndarray:
    """Return the times of heel strikes, ascending, for cycles `(knots,)`."""
    strikes = [np.arange(np.ceil(phase[0] + foot), phase[-1] + foot) - foot for foot in feet]
    return np.interp(np.sort(np.concatenate(strikes)), phase, seconds)


def _knots(track: StyleTrack, clock: Clock) -> np.ndarray:
    """Return the grid's frames: those of every keyed curve, and the start, so that phase is exactly 0 there."""
    keyed = [frames for frames, _ in track.curves.values()]
    if not keyed:
        return np.array([clock.start, clock.start + clock.fps])
    return np.unique(np.concatenate([*keyed, [clock.start]]))
