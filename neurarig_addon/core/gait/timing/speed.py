"""The speed that is wanted: as sliders key it, as a body can follow it, and as a path's markers ask for it.

A body gets going and slows down within a few steps, not within a frame. Markers with times are reached as
evenly as they allow.
"""

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from ...easing import cubics, over, rising_slopes, running, smoothstep
from ...errors import NeuraRigError
from ...path.marks import Mark
from ...path.path import Path
from ..kinds.natural import GRAVITY, SOLE_LEG_SHARE, speed_of
from ..sliders.style import Clock, StyleTrack

# Greatest change of speed in g up to a brisk walk, 1.3 m/s^2: people reach their speed with the third step.
# Above it runners hasten.
STEPS_OUT, HASTENS, BRISK = 0.13, 0.35, 0.5  # the last: vhat
# Who has just run brakes as hard until he stands (quick stops of one man: 0.36), so many g; in g within
# a second the run is forgotten. Beyond an easy stop, braking shows: see `braked`.
BRAKES, FORGETS, EASY, EASY_BAND = 0.45, 0.05, 0.18, 0.04
OFTEN_S, MOST_SAMPLES = 1.0 / 24.0, 20_000
ROUNDING = 1e-6  # seconds
FASTEST_VHAT = 1.0  # dimensionless speed at which the leg, an inverted pendulum, would leave the ground
EVERY_S, MOST_KNOTS = 0.05, 400  # seconds between samples, and the most samples, between two times
# seconds of pauses from which a refusal names them; getting ready for the first step is shorter
LONG_PAUSE_S = 1.0
AFTERWARDS_S = 1.0  # seconds in which the speed returns to what it would be without markers


@dataclass(frozen=True)
class SpeedWish:
    """The wanted speeds `(n,)` in m/s at times, and the `effort`: their integral, the distance on a straight
    path."""

    seconds: np.ndarray
    speed: np.ndarray
    effort: np.ndarray

    def when(self, effort: float) -> float:
        """Return the time at which an effort is reached; infinite if never."""
        if effort > self.effort[-1]:
            return (
                float(self.seconds[-1] + (effort - self.effort[-1]) / self.speed[-1])
                if self.speed[-1] > 0.0
                else np.inf
            )
        return float(np.interp(effort, self.effort, self.seconds))

    def at(self, seconds: np.ndarray) -> np.ndarray:
        """Return the effort at times `(...)`; linear beyond both ends."""
        inside = np.clip(seconds, self.seconds[0], self.seconds[-1])
        return np.interp(inside, self.seconds, self.effort) + (seconds - inside) * self.speed_at(seconds)

    def between(self, begin: float, end: float) -> float:
        """Return the effort between two times."""
        return float(np.diff(self.at(np.array([begin, end])))[0])

    def speed_at(self, seconds: np.ndarray) -> np.ndarray:
        """Return m/s at times `(...)`."""
        return np.interp(seconds, self.seconds, self.speed)


def within_reach(track: StyleTrack, clock: Clock, leg_length: float) -> StyleTrack:
    """Return the sliders with a speed that changes no faster than a person's, and is never higher than keyed.

    So standstills last as long as they are keyed: who stands until a frame sets off then, and who stands from
    a frame has slowed down before.  Somebody in haste (`track.haste`) is that much quicker.  A statue (no
    idle at the start) has its speed as keyed, however suddenly it changes.
    """
    if "speed" not in track.curves or track.at("idle", np.array(clock.start)) <= 0.0:
        return track
    frames, speed = track.curves["speed"]
    haste = track.haste
    seconds, takes = frames / clock.fps, _seconds_to(speed, leg_length) / haste
    sudden = np.flatnonzero(np.abs(np.diff(takes)) > np.diff(seconds) + ROUNDING)
    if not len(sudden):
        return track
    reach = float(takes.max())
    begin, end = float(seconds[sudden[0]]) - reach, float(seconds[sudden[-1] + 1]) + reach
    often = max(OFTEN_S, (end - begin) / MOST_SAMPLES)
    # whole multiples: what is keyed later changes nothing before it
    seconds = np.union1d(seconds, often * np.arange(np.floor(begin / often), np.ceil(end / often) + 1.0))
    takes = _seconds_to(track.at("speed", seconds * clock.fps), leg_length) / haste
    takes = np.minimum.accumulate(takes - seconds) + seconds
    slows = np.minimum.accumulate((takes + seconds)[::-1])[::-1] - seconds
    reached, easy = (_speed_after(np.maximum(haste * each, 0.0), leg_length) for each in (takes, slows))
    braking = running(haste * _brakes(seconds, easy, leg_length)[1:] * np.diff(seconds))
    slowed = np.minimum.accumulate((reached + braking)[::-1])[::-1] - braking
    return replace(track, curves={**track.curves, "speed": (seconds * clock.fps, np.maximum(slowed, 0.0))})


def _brakes(seconds: np.ndarray, speed: np.ndarray, leg_length: float) -> np.ndarray:
    """Return how fast somebody brakes at times `(n,)` at most, m/s², who would have some `speed` taking it
    easy: runners harder than walkers."""
    forgotten, brisk = FORGETS * GRAVITY * seconds, speed_of(BRISK, leg_length)
    lately = np.maximum.accumulate(speed + forgotten) - forgotten
    hard = STEPS_OUT + smoothstep(2.0 * (lately / brisk - 1.0)) * (BRAKES - STEPS_OUT)
    return GRAVITY * np.maximum(hard, HASTENS * (speed > brisk))


def braked(push: np.ndarray) -> np.ndarray:
    """Return by how many g `(...)` somebody brakes harder than at an easy stop, from changes of speed in
    m/s²."""
    return over(-push / GRAVITY - EASY, EASY_BAND)


def _seconds_to(speed: np.ndarray, leg_length: float) -> np.ndarray:
    """Return the seconds `(n,)` in which a person gets from a standstill to speeds in m/s `(n,)`."""
    walk = np.clip(speed, 0.0, speed_of(BRISK, leg_length))
    return (walk / STEPS_OUT + (np.maximum(speed, 0.0) - walk) / HASTENS) / GRAVITY


def _speed_after(seconds: np.ndarray, leg_length: float) -> np.ndarray:
    """Return the speeds in m/s `(n,)` that a person reaches in seconds `(n,)`: the inverse of
    `_seconds_to`."""
    walks = np.minimum(seconds, speed_of(BRISK, leg_length) / (STEPS_OUT * GRAVITY))
    return GRAVITY * (STEPS_OUT * walks + HASTENS * (seconds - walks))


@dataclass(frozen=True)
class _Due:
    """A deadline: an `effort` after `seconds` of walking, with `lost` seconds of pauses before."""

    effort: float
    seconds: float
    lost: float


def scheduled(path: Path, wish: SpeedWish, clock: Clock, leg_length: float) -> SpeedWish:
    """Return the wish adapted to the times of a path's markers; unchanged if none has a time.

    Between two times the effort is a monotone cubic of time, so that the speed changes smoothly and never
    oscillates; pauses take none.
    After the last one the wished speed returns.  Raises NeuraRigError if the speed is impossible.
    """
    dues = _dues(path)
    if not dues:
        return wish
    _require_possible(path, dues, clock, leg_length)
    at = np.array([0.0, *(due.seconds for due in dues)])
    effort = np.array([0.0, *(due.effort for due in dues)])
    count = int(np.clip(np.ceil(np.diff(at).max() / EVERY_S), 8, MOST_KNOTS))
    seconds = np.unique(np.concatenate([np.linspace(first, last, count) for first, last in pairwise(at)]))
    efforts, speed = cubics(at, effort, rising_slopes(at, effort), seconds)
    seconds, efforts, speed = _with_pauses(path, seconds, efforts, speed, dues[-1])
    return _afterwards(SpeedWish(seconds, speed, efforts), wish)


def _dues(path: Path) -> list[_Due]:
    dues, lost = [], 0.0
    for mark in path.marks:
        if mark.due is not None:
            dues.append(_Due(path.effort(mark.way), mark.due - lost, lost))
        lost += mark.pause
    return dues


def _require_possible(path: Path, dues: list[_Due], clock: Clock, leg_length: float) -> None:
    """Raise NeuraRigError, with the speed they would need, for impossible times."""
    marks: list[Mark] = [mark for mark in path.marks if mark.due is not None]
    fastest = FASTEST_VHAT * float(np.sqrt(GRAVITY * SOLE_LEG_SHARE * leg_length))
    before, leaves = _Due(0.0, 0.0, 0.0), "it starts"
    for mark, due in zip(marks, dues, strict=True):
        way, seconds = due.effort - before.effort, due.seconds - before.seconds
        if due.effort <= 0.0:
            raise NeuraRigError(
                "A marker with a frame is at the start of the path. Move it along the path, or set the walk's"
                " Start Frame."
            )
        if way <= 0.0:
            raise NeuraRigError(
                f"Two times are set for the same place, {mark.distance:.3g} m along the path. Remove one, or"
                " move it."
            )
        if seconds <= 0.0 or way / seconds > fastest:
            frame, soonest = (
                clock.start + second * clock.fps
                for second in (mark.due or 0.0, before.seconds + way / fastest + due.lost)
            )
            needed = f"walk at {way / seconds:.1f} m/s" if seconds > 0.0 else f"be there before {leaves}"
            waits = due.lost - before.lost
            because = f", as it pauses for {waits:.1f} s on the way" if waits >= LONG_PAUSE_S else ""
            raise NeuraRigError(
                f"To be {mark.distance:.3g} m along the path at frame {frame:.4g} the character would have to"
                f" {needed}{because}; the fastest walk is {fastest:.1f} m/s. Let it arrive at frame"
                f" {np.ceil(soonest):.0f} or later."
            )
        before, leaves = due, f"it leaves the marker at {mark.distance:.1f} m"


def _with_pauses(
    path: Path, seconds: np.ndarray, efforts: np.ndarray, speed: np.ndarray, last: _Due
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return times, efforts and speeds with the pauses up to the last deadline; during a pause the effort
    runs on, unused."""
    for mark in reversed(path.marks):
        effort = path.effort(mark.way)
        if mark.pause <= 0.0 or effort >= last.effort:
            continue
        begin, rate = np.interp(effort, efforts, seconds), np.interp(effort, efforts, speed)
        later = efforts > effort
        edges = [begin, begin + mark.pause], [effort, effort + rate * mark.pause], [rate, rate]
        seconds = np.concatenate([seconds[efforts < effort], edges[0], seconds[later] + mark.pause])
        speed = np.concatenate([speed[efforts < effort], edges[2], speed[later]])
        efforts = np.concatenate([efforts[efforts < effort], edges[1], efforts[later] + rate * mark.pause])
    return seconds, efforts, speed


def _afterwards(kept: SpeedWish, wish: SpeedWish) -> SpeedWish:
    """Return a wish that blends into another one after its end."""
    end = kept.seconds[-1]
    later = np.union1d(
        end + AFTERWARDS_S * np.linspace(0.0, 1.0, 9)[1:], wish.seconds[wish.seconds > end + AFTERWARDS_S]
    )
    speed = kept.speed[-1] + (wish.speed_at(later) - kept.speed[-1]) * smoothstep(
        (later - end) / AFTERWARDS_S
    )
    seconds, speed = np.concatenate([kept.seconds, later]), np.concatenate([kept.speed, speed])
    steps = 0.5 * (speed[1:] + speed[:-1]) * np.diff(seconds)
    efforts = np.concatenate([kept.effort, kept.effort[-1] + np.cumsum(steps[len(kept.seconds) - 1 :])])
    return SpeedWish(seconds, speed, efforts)
