"""Where a body faces, apart from the direction of travel: decided step by step, so that it turns in steps and
no foot slides."""

from dataclasses import dataclass, replace
from math import sin

import numpy as np

from ...character.body import Body
from ...easing import b_spline, running
from ...path.path import Path, in_order
from ..inputs.gaze import Gaze
from ..kinds.direction import fastest_on_four_legs
from ..sliders.style import Clock, StyleTrack
from ..timing.laps import goes_round
from ..timing.rhythm import Rhythm
from ..timing.speed import within_reach

MOST_LEGS_TURN = float(np.radians(65.0))  # in a step, against the body
LOOKS_ON = 0.3  # cycles: a foot lands with the facing of its mid-stance
SETTLES = 3  # times that a speed is looked for
ROUNDING = 1e-6  # frames
AROUND = 3  # steps known before and after a lap
# x sqrt(leg in metres): seconds before and after over which strides change from one direction's to another's
EASES_S = 0.45
HALF_TURNED = np.radians(30.0)  # per cycle: a turn that has half its effect on steps and body
TURNS_TOGETHER = 1.0  # cycles before and after over which turning is averaged
# of an average before and after
AROUND_IT, WEIGHTS = np.linspace(-1.0, 1.0, 9), 1.0 - np.abs(np.linspace(-0.8, 0.8, 9))
OFTEN_S, LONGEST_S = 0.25, 600.0  # seconds between samples of a faced object, and the longest time sampled


@dataclass(frozen=True)
class Agility:
    """How a body turns off its way: at most `step` radians in a step; at `rate` radians per second / sqrt(leg
    in metres) a sudden change is spread over steps; `legs`: radians of the legs' turn towards travel at 45
    degrees, beyond which they go sideways."""

    step: float
    rate: float
    legs: float


ON_TWO_LEGS = Agility(float(np.radians(55.0)), 1.8, 0.5)
ROUND = 0.3  # leg lengths that the fore hand goes sideways in a step for a body on four legs to turn


def agility_of(body: Body) -> Agility:
    """Return how a body turns off its way."""
    if body.fore is None:
        return ON_TWO_LEGS
    return Agility(ROUND * body.leg_length / body.ahead, rate=0.9, legs=0.1)


@dataclass(frozen=True)
class Facing:
    """The prints' turn off the path: `angles` `(n,)`, radians, left positive, for the feet that strike at
    `phases` `(n,)`, rising.

    Phases are the rhythm's, before `feet` are added.  Before the first and after the last they stay constant.
    `lap`: cycles after which everything repeats, turned by `turned` radians more; 0 for none. `legs`: see
    `Agility`.
    """

    phases: np.ndarray
    angles: np.ndarray
    lap: int = 0
    turned: float = 0.0
    legs: float = ON_TWO_LEGS.legs

    @property
    def is_constant(self) -> bool:
        """Whether it never changes."""
        return bool((self.angles == self.angles[0]).all())

    def of_prints(self, phase: np.ndarray) -> np.ndarray:
        """Return the angles `(...)` of prints touched at phases `(...)`."""
        into, before = self._in_lap(phase - 1e-6)
        row = np.searchsorted(self.phases, into)
        return self.angles[np.minimum(row, len(self.angles) - 1)] + before

    def _in_lap(self, phase: np.ndarray) -> tuple[np.ndarray, np.ndarray | float]:
        """Return phases within the first lap, and the turn of the laps before."""
        if not self.lap:
            return phase, 0.0
        laps = np.floor((phase - self.phases[AROUND]) / self.lap)
        return phase - laps * self.lap, laps * self.turned

    def at(self, phase: np.ndarray) -> np.ndarray:
        """Return the body's angles `(...)` at phases `(...)`: smooth between those of the prints around."""
        if self.is_constant:
            return np.full(np.shape(phase), self.angles[0])
        into, before = self._in_lap(phase)
        number = np.interp(into, self.phases, np.arange(len(self.angles)) + 1.5)
        row = np.floor(number).astype(int)
        return b_spline(np.pad(self.angles, 2, mode="edge"), row, number - row) + before

    def turning(self, phase: np.ndarray) -> np.ndarray:
        """Return how much `(...)` the body is turning off its way around phases `(...)`: 0 where it faces one
        way, 1 for the quickest.

        Averaged over steps, so that a turn back the other way is one with the turn before it.
        """
        if self.is_constant:
            return np.zeros(np.shape(phase))
        at = phase[..., None] + TURNS_TOGETHER * AROUND_IT
        turned = ((self.at(at + 0.5) - self.at(at - 0.5)) / HALF_TURNED) ** 2 @ WEIGHTS / WEIGHTS.sum()
        return turned / (1.0 + turned)


@dataclass(frozen=True)
class FacingWish:
    """The wanted facing: an angle off the path, given by sliders, or off the direction to a `thing`."""

    track: StyleTrack
    clock: Clock
    path: Path
    thing: Gaze | None = None
    agility: Agility = ON_TWO_LEGS

    @property
    def is_constant(self) -> bool:
        """Whether it never changes."""
        return self.thing is None and "facing" not in self.track.curves

    @property
    def first(self) -> np.ndarray:
        """The angle at the walk's start `(1,)`."""
        return self.at(np.array([self.clock.start]), np.zeros(1))

    def at(self, frames: np.ndarray, distance: np.ndarray) -> np.ndarray:
        """Return the angles off the path `(...)` at frames and distances `(...)` in order of time;
        unwrapped."""
        angle = np.radians(self.track.at("facing", frames))
        if self.thing is None:
            return angle
        along = self.path.at(distance)
        way = self.thing.at(frames.reshape(-1)).reshape(along.place.shape) - along.place
        return angle + np.unwrap(np.arctan2(way[..., 1], way[..., 0]) - along.heading)

    def eased(self, frames: np.ndarray, distance: np.ndarray, leg_length: float) -> np.ndarray:
        """Return the angles `(n,)` at rising frames as steps can follow them, averaged over some time before
        and after."""
        angle, seconds = self.at(frames, distance), self.clock.seconds(frames)
        if self.is_constant:
            return angle
        angle = _at_most(angle, seconds, self.agility.rate / np.sqrt(leg_length))
        if goes_round(self.path, self.track):
            lasts, turned = seconds[-1] - seconds[0], angle[-1] - angle[0]
            laps = np.array([[-1.0], [0.0], [1.0]])
            known = (laps * lasts + seconds[:-1]).reshape(-1), (laps * turned + angle[:-1]).reshape(-1)
        else:
            known = seconds, angle
        around = EASES_S * np.sqrt(leg_length) * AROUND_IT
        return WEIGHTS @ np.stack([np.interp(seconds + shift, *known) for shift in around]) / WEIGHTS.sum()

    def facing(self, pace: Rhythm) -> Facing:
        """Return the facing, step by step, for a rhythm."""
        if self.is_constant:
            return Facing(np.zeros(1), self.first, legs=self.agility.legs)
        first, last = pace.phase[0] + pace.feet.min(), pace.phase[-1] + pace.feet.max() + 2.0 * pace.lap
        strikes = np.sort((np.arange(np.floor(first), np.ceil(last) + 3.0)[:, None] - pace.feet).reshape(-1))
        seconds = pace.seconds_at_phase(strikes + LOOKS_ON)
        distance = pace.distance_at(seconds)
        wanted = self.at(self.clock.frames(seconds), distance)
        angles = _in_steps(wanted, self.path.heading_at(distance), self.agility)
        facing = _in_laps(strikes, angles, pace.lap) if pace.lap else Facing(strikes, angles)
        return replace(facing, legs=self.agility.legs)


def faced(
    track: StyleTrack, clock: Clock, path: Path, thing: Gaze | None, agility: Agility = ON_TWO_LEGS
) -> FacingWish | None:
    """Return the wanted facing; None if the body faces the direction of travel."""
    keyed = track.curves.get("facing")
    if thing is None and not (track.constant.facing if keyed is None else keyed[1].any()):
        return None
    return FacingWish(track, clock, path, thing, agility)


def _in_laps(strikes: np.ndarray, angles: np.ndarray, lap: int) -> Facing:
    """Return the facing on a closed path, for some laps from the first step on: as in the second lap."""
    count = 2 * lap
    once, first, next_one = np.arange(count, 2 * count), angles[count], angles[2 * count]
    turned = 2.0 * np.pi * float(np.round((next_one - first) / (2.0 * np.pi)))
    # a late turn has caught up
    same = angles[once] - (next_one - first - turned) * np.linspace(0.0, 1.0, count, endpoint=False)
    rows = np.arange(-AROUND, count + AROUND)
    laps = rows // count
    return Facing(strikes[once][rows % count] + laps * lap, same[rows % count] + laps * turned, lap, turned)


def followed_in_time(track: StyleTrack, clock: Clock, path: Path, thing: Gaze | None) -> StyleTrack:
    """Return the sliders sampled often enough to follow a faced thing.

    For a thing that stands still, a varying path's own samples are enough.
    """
    if thing is None or "facing" in track.curves or (path.varies and len(thing.frames) == 1):
        return track
    frames = _often(clock)
    return replace(track, curves={**track.curves, "facing": (frames, track.at("facing", frames))})


def _often(clock: Clock) -> np.ndarray:
    """Return frames `(n,)` on which a faced thing is looked at."""
    return clock.start + np.arange(0.0, LONGEST_S, OFTEN_S) * clock.fps


def _at_most(angle: np.ndarray, seconds: np.ndarray, rate: float) -> np.ndarray:
    """Return angles `(n,)` that follow the given ones at rising times by at most `rate` radians per
    second."""
    most = rate * np.diff(seconds)
    if (np.abs(np.diff(angle)) <= most).all():
        return angle
    followed = [float(angle[0])]
    for wanted, step in zip(angle[1:].tolist(), most.tolist(), strict=True):
        followed.append(min(max(wanted, followed[-1] - step), followed[-1] + step))
    return np.array(followed)


def _in_steps(wanted: np.ndarray, heading: np.ndarray, agility: Agility) -> np.ndarray:
    """Return angles `(n,)` off a path with `heading` `(n,)` at each step: no step turns farther than hips
    do."""
    now = float(wanted[0])
    angles = [now]
    for angle, bend in zip(wanted[1:].tolist(), np.diff(heading).tolist(), strict=True):
        turn = min(max(angle + bend - now, -agility.step), agility.step)
        while (
            abs(legs := turn + agility.legs * (sin(2.0 * now) - sin(2.0 * (now + turn - bend))))
            > MOST_LEGS_TURN
        ):
            turn *= 0.98 * MOST_LEGS_TURN / abs(legs)
        now += turn - bend
        angles.append(now)
    return np.array(angles)


def legs_turned(facing: np.ndarray, most: float) -> np.ndarray:
    """Return the legs' turn against the body `(...)`, towards the direction of travel, for the body's angles
    off it; `most`: see `Agility.legs`."""
    return -most * np.sin(2.0 * facing)


def way_of_legs(facing: np.ndarray, most: float) -> np.ndarray:
    """Return the direction of travel relative to the legs `(...)`, in radians left of ahead."""
    return -facing - legs_turned(facing, most)


def unhurried(track: StyleTrack, clock: Clock, wish: FacingWish, body: Body) -> StyleTrack:
    """Return the sliders with a speed no higher than a body on four legs goes backward and sideways."""
    hips, legs = float(body.hip[:, 2].mean()), wish.agility.legs
    if wish.is_constant and "speed" not in track.curves:
        fastest = fastest_on_four_legs(way_of_legs(wish.first, legs), hips)[0]
        return replace(track, constant=replace(track.constant, speed=min(track.constant.speed, fastest)))
    known = [track.curves[slider][0] for slider in ("speed", "facing") if slider in track.curves]
    frames = in_order(*known) if known else _often(clock)
    speed = wanted = track.at("speed", frames)
    for _ in range(SETTLES):  # who goes more slowly passes a thing later
        gone = running(0.5 * (speed[1:] + speed[:-1]) * np.diff(clock.seconds(frames)))
        start = np.interp(clock.start, frames, gone)
        angle = wish.eased(frames, wish.path.distance_of(gone - start), body.leg_length)
        speed = np.minimum(wanted, fastest_on_four_legs(way_of_legs(angle, legs), hips))
    slowed = replace(track, curves={**track.curves, "speed": (frames, speed)})
    frames, speed = within_reach(slowed, clock, body.leg_length).curves["speed"]
    once = np.diff(frames, prepend=-np.inf) > ROUNDING
    curves = {
        "speed": (frames[once], speed[once]),
        "facing": (frames[once], track.at("facing", frames[once])),
    }
    return replace(track, curves={**track.curves, **curves})
