"""From speed, path and stride length to a rhythm: when each foot strikes."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ...path.path import Path
from ..kinds.contacts import TURNS, CycleContacts
from ..kinds.gait_change import gait_share
from ..kinds.natural import GRAVITY
from ..sliders.idle import looks_around
from ..sliders.style import Clock, StyleTrack
from ..sliders.variation import variation_of, varies
from .course import LONGEST_ON_A_LOOP_S, Course, integral, progress, zero
from .in_step import NO_MARKS, Marks
from .laps import enough_for_a_lap, first_lap, goes_round, in_step_all_round, whole_strides
from .rests import SHORTER, Rests, settled, shortened
from .rhythm import Rhythm
from .speed import SpeedWish, scheduled

LIMP_SHIFT = 0.05  # cycles: a limp shortens single support on the sore leg
PLACES = 16  # samples per varied stride
ANSWER = 0.7  # x sqrt(leg / g), 0.2 s for an adult: arms and hips do not start or stop within a frame

StrideOf = Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray | None], np.ndarray]


@dataclass(frozen=True)
class Stepping:
    """Timing beyond stride length: the gait's `contacts`, and `marks`, wanted phases at places.

    `changes`: speeds in m/s above which a walk becomes a run and below which a run becomes a walk, and so on
    from gait to gait; none for a gait that stays the same. `shorter`: see `rests.shortened`.
    """

    contacts: CycleContacts = TURNS
    marks: Marks = NO_MARKS
    changes: tuple[tuple[float, float], ...] = ()
    shorter: tuple[float, float] = SHORTER


def rhythm(
    track: StyleTrack,
    clock: Clock,
    leg_length: float,
    path: Path,
    stride_of: StrideOf,
    stepping: "Stepping | None" = None,
) -> Rhythm:
    """Return the rhythm of a walk along a path: phase is the integral of speed over stride length from the
    clock's start.

    `stride_of(speed, frames, distance, running)` returns the wanted stride in metres. `stepping`: by default
    a walk's, without marks.

    A constant straight walk has two knots and is exact; a keyed one is integrated by the trapezoidal rule
    over the fixed grid of its curves, which is independent of the frames asked for; a varying path adds its
    own knots.
    """
    stepping = stepping or Stepping()
    contacts, marks = stepping.contacts, stepping.marks
    answer = ANSWER * float(np.sqrt(leg_length / GRAVITY))
    laps = goes_round(path, track)
    course = _course(track, clock, leg_length, path)
    is_steady = len(course.seconds) == 2 and not path.varies
    varied = varies(track) and course.moves
    if varied and not is_steady:
        course = course.finely(answer / 4)
    seconds, speed, distance = course.seconds, course.speed, course.distance
    stands = path.starts or (not contacts.takes_turns and float(speed[zero(seconds)]) <= 0.0)
    feet = _feet(track, clock, contacts, stands, path)
    closes = path.turns or bool(track.at("idle", np.array([clock.start]))[0] > 0.0)
    way = track.haste * distance / leg_length
    shorter = shortened(Rests.of(seconds, speed, distance, way), way, stepping.shorter) if closes else 1.0
    # turns on the spot are made of whole steps
    shorter = np.where(path.advance(distance) > 0.0, shorter, 1.0)
    frames = clock.frames(course.seconds)

    def paced(running: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
        stride = stride_of(speed, frames, distance, running) * shorter
        return stride, np.divide(speed, stride, out=np.zeros_like(speed), where=stride > 1e-9)

    def cycles(rate: np.ndarray) -> np.ndarray:
        phases = integral(rate, seconds)
        if not varied or is_steady:
            return phases
        return phases + variation_of(track).timed(phases + feet[0], track.at("variation", frames))

    def strikes(running: np.ndarray) -> np.ndarray:
        return _strikes(cycles(paced(running)[1]), seconds, feet)

    running = gait_share(speed, seconds, stepping.changes, strikes) if stepping.changes else None
    stride, rate = paced(running)
    if len(frames) == 2 and clock.whole_frames and rate[0] > 0.0:
        rate = np.full(2, clock.fps / max(2.0, np.round(clock.fps / rate[0])))
        stride = speed / rate
    if laps:
        rate = rate * whole_strides(rate, seconds)
        stride = speed / rate
        phase = in_step_all_round(cycles(rate) + feet[0], distance, float(stride.mean()), marks) - feet[0]
    else:
        phase = (
            settled(cycles(rate) + feet[0], distance, speed, zero(seconds), marks, contacts, leg_length)
            - feet[0]
        )
    lap = round(phase[-1] - phase[0]) if laps else 0
    steady = Rhythm(
        seconds,
        phase,
        distance,
        speed,
        stride,
        answer,
        feet,
        closes,
        _moved(path, course),
        running,
        lap,
        contacts,
    )
    in_laps = varied or (looks_around(track) and track.strides > 1 and rate[0] > 0.0)
    return _in_laps(steady, track) if in_laps and is_steady else steady


def _course(track: StyleTrack, clock: Clock, leg_length: float, path: Path) -> Course:
    """Return how far the walk comes at the speed of its sliders: straight on, or as its path's bends, times
    and pauses allow."""
    frames = _knots(track, clock)
    seconds = clock.seconds(frames)
    speed = np.maximum(track.at("speed", frames), 0.0)
    wish = SpeedWish(seconds, speed, integral(speed, seconds))
    if not path.varies:
        return Course(wish.seconds, wish.speed, wish.effort)
    laps = goes_round(path, track)
    longest = enough_for_a_lap(path, float(speed[0])) if laps else LONGEST_ON_A_LOOP_S
    course = progress(path, scheduled(path, wish, clock, leg_length), longest)
    return first_lap(path, clock, course) if laps else course


def _feet(track: StyleTrack, clock: Clock, contacts: CycleContacts, stands: bool, path: Path) -> np.ndarray:
    """Return the feet's phases `(2,)` at the start; `stands`: both are down; the one on the inside of a turn
    there leaves first.

    The offset between the feet cannot change during a walk without a foot jumping: the start decides.
    """
    shift, limp = (float(track.at(slider, np.array([clock.start]))[0]) for slider in ("phase", "asymmetry"))
    if stands:
        rest, every = contacts.rest, contacts.every
        if contacts.takes_turns and len(path.spots) and path.spots[0, 0] == 0.0:
            begin, end = path.drawn.heading_at(path.spots[0])
            rest, every = rest + 0.5 * (end > begin), 1.0
        shift = rest + every * np.round((shift - rest) / every)
    return shift + np.array([0.0, contacts.apart + LIMP_SHIFT * limp])


def _moved(path: Path, course: Course) -> np.ndarray:
    """Return the metres `(knots,)` by which the place has changed: turns on the spot go on without moving."""
    advance = path.advance(course.distance)
    return course.distance if (advance == 1.0).all() else integral(course.speed * advance, course.seconds)


def _in_laps(pace: Rhythm, track: StyleTrack) -> Rhythm:
    """Return one lap of a steady straight rhythm with varied strides or looks."""
    rate = float((pace.phase[-1] - pace.phase[0]) / (pace.seconds[-1] - pace.seconds[0]))
    even = np.linspace(0.0, track.strides, PLACES * track.strides + 1)
    speed, stride = (np.full(len(even), values[0]) for values in (pace.speed, pace.stride))
    phase = even + variation_of(track).timed(
        even + pace.feet[0], np.full(len(even), track.constant.variation)
    )
    phase[-1] = track.strides
    seconds = even / rate
    distance = speed * seconds
    running = None if pace.running is None else np.full(len(even), pace.running[0])
    return replace(
        pace,
        seconds=seconds,
        phase=phase,
        distance=distance,
        speed=speed,
        stride=stride,
        moved=distance,
        running=running,
        lap=track.strides,
    )


def _strikes(phase: np.ndarray, seconds: np.ndarray, feet: np.ndarray) -> np.ndarray:
    """Return the times of heel strikes, ascending, for cycles `(knots,)`."""
    strikes = [np.arange(np.ceil(phase[0] + foot), phase[-1] + foot) - foot for foot in feet]
    return np.interp(np.sort(np.concatenate(strikes)), phase, seconds)


def _knots(track: StyleTrack, clock: Clock) -> np.ndarray:
    """Return the grid's frames: those of every keyed curve, and the start, so that phase is exactly 0
    there."""
    keyed = [frames for frames, _ in track.curves.values()]
    if not keyed:
        return np.array([clock.start, clock.start + clock.fps])
    return np.unique(np.concatenate([*keyed, [clock.start]]))
