"""Where a body faces, apart from where it goes: decided step by step, so that it turns in steps and no foot slides."""

from dataclasses import dataclass, replace
from math import sin

import numpy as np

from ...path.path import Path
from ..body.gaze import Gaze
from ..sliders.style import Clock, StyleTrack
from ..timing.laps import goes_round
from ..timing.rhythm import Rhythm

MOST_TURN, MOST_LEGS_TURN = np.radians([55.0, 65.0]).tolist()  # in a step: of the body, and of what legs are turned against it too
LOOKS_ON = 0.3  # cycles: a foot is set down as it is to be turned in the middle of its stance
LEGS_TURN = 0.5  # radians: how far legs turn towards where they go, half way between ahead and aside; beyond they go sideways
AROUND = 3  # steps before and after a lap that are known too
TURNS_A_SECOND = 1.8  # radians / sqrt(leg in metres): who wants to face elsewhere at once takes steps, and strides are those of that time
EASES_S = 0.45  # x sqrt(leg in metres), seconds before and after over which strides change from those of one way to those of another
OFTEN_S, LONGEST_S = 0.25, 600.0  # seconds between the moments at which a thing that is faced is looked at, and until when


@dataclass(frozen=True)
class Facing:
    """How far prints are turned off the path: `angles` `(n,)`, radians, left positive, of the feet that strike at `phases` `(n,)`, rising.

    Phases are those of the rhythm, before `feet` are added.  What comes before the first or after the last one is as these.
    `lap`: cycles after which all repeats, `turned` by so many radians more; 0 where it does not.
    """

    phases: np.ndarray
    angles: np.ndarray
    lap: int = 0
    turned: float = 0.0

    @property
    def is_constant(self) -> bool:
        """Whether it never changes."""
        return bool((self.angles == self.angles[0]).all())

    def of_prints(self, phase: np.ndarray) -> np.ndarray:
        """Return the angles `(...)` of prints whose feet strike at phases `(...)`."""
        into, before = self._in_lap(phase - 1e-6)
        row = np.searchsorted(self.phases, into)
        return self.angles[np.minimum(row, len(self.angles) - 1)] + before

    def _in_lap(self, phase: np.ndarray) -> tuple[np.ndarray, np.ndarray | float]:
        """Return phases in the first lap, and what it has been turned in the laps before."""
        if not self.lap:
            return phase, 0.0
        laps = np.floor((phase - self.phases[AROUND]) / self.lap)
        return phase - laps * self.lap, laps * self.turned

    def at(self, phase: np.ndarray) -> np.ndarray:
        """Return the angles `(...)` of the body at phases `(...)`: between those of the prints around, smoothly."""
        if self.is_constant:
            return np.full(np.shape(phase), self.angles[0])
        last = len(self.angles) - 1
        into, before = self._in_lap(phase)
        number = np.interp(into, self.phases, np.arange(last + 1.0)) - 0.5
        row = np.floor(number).astype(int)
        s = number - row
        weights = (1.0 - s) ** 3, 4.0 - 6.0 * s**2 + 3.0 * s**3, 1.0 + 3.0 * s + 3.0 * s**2 - 3.0 * s**3, s**3
        found = (weight * self.angles[np.clip(row + step, 0, last)] for step, weight in enumerate(weights, start=-1))
        return sum(found, np.zeros(np.shape(phase))) / 6.0 + before


@dataclass(frozen=True)
class Wish:
    """Where somebody wants to face: an angle off the path that sliders give or, with a `thing`, off where that is."""

    track: StyleTrack
    clock: Clock
    path: Path
    thing: Gaze | None = None

    @property
    def is_constant(self) -> bool:
        """Whether it never changes."""
        return self.thing is None and "facing" not in self.track.curves

    @property
    def first(self) -> np.ndarray:
        """The angle at the walk's start `(1,)`."""
        return self.at(np.array([self.clock.start]), np.zeros(1))

    def at(self, frames: np.ndarray, distance: np.ndarray) -> np.ndarray:
        """Return the angles off the path `(...)` at frames and metres on it `(...)`, in the order of time; unwrapped."""
        angle = np.radians(self.track.at("facing", frames))
        if self.thing is None:
            return angle
        along = self.path.at(distance)
        way = self.thing.at(frames.reshape(-1)).reshape(along.place.shape) - along.place
        return angle + np.unwrap(np.arctan2(way[..., 1], way[..., 0]) - along.heading)

    def eased(self, frames: np.ndarray, distance: np.ndarray, leg_length: float) -> np.ndarray:
        """Return the angles `(n,)` at rising frames as somebody's steps turn to them, the mean of those some time before and after."""
        angle, seconds = self.at(frames, distance), self.clock.seconds(frames)
        if self.is_constant:
            return angle
        angle = _at_most(angle, seconds, TURNS_A_SECOND / np.sqrt(leg_length))
        if goes_round(self.path, self.track):
            lasts, turned = seconds[-1] - seconds[0], angle[-1] - angle[0]
            laps = np.array([[-1.0], [0.0], [1.0]])
            known = (laps * lasts + seconds[:-1]).reshape(-1), (laps * turned + angle[:-1]).reshape(-1)
        else:
            known = seconds, angle
        around = EASES_S * np.sqrt(leg_length) * np.linspace(-1.0, 1.0, 9)
        weights = 1.0 - np.abs(np.linspace(-0.8, 0.8, 9))
        return weights @ np.stack([np.interp(seconds + shift, *known) for shift in around]) / weights.sum()

    def facing(self, pace: Rhythm) -> Facing:
        """Return the facing, step by step."""
        if self.is_constant:
            return Facing(np.zeros(1), self.first)
        first, last = pace.phase[0] + pace.feet.min(), pace.phase[-1] + pace.feet.max() + 2.0 * pace.lap
        strikes = np.sort((np.arange(np.floor(first), np.ceil(last) + 3.0)[:, None] - pace.feet).reshape(-1))
        seconds = pace.seconds_at_phase(strikes + LOOKS_ON)
        distance = pace.distance_at(seconds)
        wanted = self.at(self.clock.start + seconds * self.clock.fps, distance)
        angles = _in_steps(wanted, self.path.heading_at(distance))
        return _in_laps(strikes, angles, pace.lap) if pace.lap else Facing(strikes, angles)


def faced(track: StyleTrack, clock: Clock, path: Path, thing: Gaze | None) -> Wish | None:
    """Return where somebody wants to face; None for who faces where he goes."""
    keyed = track.curves.get("facing")
    if thing is None and not (track.constant.facing if keyed is None else keyed[1].any()):
        return None
    return Wish(track, clock, path, thing)


def _in_laps(strikes: np.ndarray, angles: np.ndarray, lap: int) -> Facing:
    """Return the facing of somebody who goes round and round, for some laps from the first step on: as in the second of them."""
    count = 2 * lap
    once, first, next_one = np.arange(count, 2 * count), angles[count], angles[2 * count]
    turned = 2.0 * np.pi * float(np.round((next_one - first) / (2.0 * np.pi)))
    same = angles[once] - (next_one - first - turned) * np.linspace(0.0, 1.0, count, endpoint=False)  # who turned late has caught up
    rows = np.arange(-AROUND, count + AROUND)
    laps = rows // count
    return Facing(strikes[once][rows % count] + laps * lap, same[rows % count] + laps * turned, lap, turned)


def followed_in_time(track: StyleTrack, clock: Clock, path: Path, thing: Gaze | None) -> StyleTrack:
    """Return sliders that are looked at often enough to follow where a thing is, for somebody who faces it.

    A path that varies is looked at often enough by itself, for a thing that stands still.
    """
    if thing is None or "facing" in track.curves or (path.varies and len(thing.frames) == 1):
        return track
    frames = clock.start + np.arange(0.0, LONGEST_S, OFTEN_S) * clock.fps
    return replace(track, curves={**track.curves, "facing": (frames, track.at("facing", frames))})


def _at_most(angle: np.ndarray, seconds: np.ndarray, rate: float) -> np.ndarray:
    """Return angles `(n,)` that follow others at rising times by no more than `rate` radians a second."""
    most = rate * np.diff(seconds)
    if (np.abs(np.diff(angle)) <= most).all():
        return angle
    found = [float(angle[0])]
    for wanted, step in zip(angle[1:].tolist(), most.tolist(), strict=True):
        found.append(min(max(wanted, found[-1] - step), found[-1] + step))
    return np.array(found)


def _in_steps(wanted: np.ndarray, heading: np.ndarray) -> np.ndarray:
    """Return angles `(n,)` off a path that heads to `heading` `(n,)` at each step: no step turns farther than hips do."""
    now = float(wanted[0])
    found = [now]
    for angle, bend in zip(wanted[1:].tolist(), np.diff(heading).tolist(), strict=True):
        turn = min(max(angle + bend - now, -MOST_TURN), MOST_TURN)
        while abs(legs := turn + _turned(now + turn - bend) - _turned(now)) > MOST_LEGS_TURN:
            turn *= 0.98 * MOST_LEGS_TURN / abs(legs)
        now += turn - bend
        found.append(now)
    return np.array(found)


def _turned(facing: float) -> float:
    """Return what `legs_turned` does for one angle, in a sixth of the time."""
    return -LEGS_TURN * sin(2.0 * facing)


def legs_turned(facing: np.ndarray) -> np.ndarray:
    """Return how far legs are turned against the body `(...)`, towards the way that they go, for angles off that way."""
    return -LEGS_TURN * np.sin(2.0 * facing)


def way_of_legs(facing: np.ndarray) -> np.ndarray:
    """Return where it goes as legs see it `(...)`, radians left of ahead."""
    return -facing - legs_turned(facing)
