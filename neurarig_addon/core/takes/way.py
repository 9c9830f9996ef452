"""The timing and course of a take: its pace along the path, its strides and its prints, read from the
clip."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..character.body import RIGHT, Body
from ..character.motion import Motion
from ..errors import NeuraRigError
from ..gait.inputs.take import ABOVE, AHEAD, DUTY, FOOT, KNEES, OUTWARD, SAMPLES, TOE_OUT, Take
from ..gait.kinds.gait import Gait
from ..gait.kinds.natural import dimensionless_speed
from ..gait.pose import WalkPose
from ..gait.sliders.style import Clock, StyleTrack
from ..gait.steps.footsteps import footsteps
from ..gait.steps.placement import SIDE_SIGN
from ..gait.synthesis import walked
from ..gait.walker import Walker
from ..geometry.rotation import norms, wrapped
from ..ground.surface import LEVEL
from ..path.path import Path
from .performance import BOTH, Performance
from .steps import TakenSteps


@dataclass(frozen=True)
class Stage:
    """What a take is played with: gait, sliders, clock (from the clip's first walked row on) and path."""

    gait: Gait
    track: StyleTrack
    clock: Clock
    path: Path


@dataclass(frozen=True)
class PlayedTake:
    """A take on its stage, at the walked rows of the clip."""

    performance: Performance
    steps: TakenSteps
    stage: Stage
    take: Take

    @property
    def body(self) -> Body:
        """The body that walks."""
        return self.performance.character.body

    @property
    def rows(self) -> slice:
        """The walked rows of the clip."""
        return slice(self.steps.first, self.steps.last + 1)

    @cached_property
    def walker(self) -> Walker:
        """The walker of the take."""
        stage = self.stage
        return Walker.of(
            self.body, stage.track, stage.clock, replace(stage.gait, take=self.take), stage.path, LEVEL
        )

    @cached_property
    def seconds(self) -> np.ndarray:
        """The times of the rows `(f,)` since the walk's start."""
        return np.arange(len(self.steps.phase)) / self.performance.fps

    @cached_property
    def pose(self) -> WalkPose:
        """The walk at the rows."""
        return walked(self.walker, self.walker.clock.frames(self.seconds))

    def clip_seen(self) -> dict[str, Motion]:
        """Return the clip's motions in the walked rows, relative to the walk's root."""
        root = self.pose.root
        return {role: root.seeing(motion[self.rows]) for role, motion in self.performance.motions.items()}


KNOT = 0.02  # least leg lengths along the path between two rows of its table
SLOWEST, FASTEST = 0.15, 4.0  # shares of its mean speed
SHORTEST, LONGEST = 0.1, 10.0  # shares of the strides of its style
APART = 1.0  # leg lengths: greatest distance of the clip from the path
ROUNDS, FORWARD = 3, 1e-6  # rounds to refine the nearest place; least metres forward per frame
# leg lengths between samples of the path, and how far from the last the next frame's is searched
LOOKED_AT, AHEAD_OF_IT = 0.02, 1.0


def paced(performance: Performance, steps: TakenSteps, stage: Stage) -> Take:
    """Return the take with only the clip's pace along the path."""
    body, fps = performance.character.body, performance.fps
    distance = _along(performance.way[steps.first : steps.last + 1], stage.path, body.leg_length)
    distance = distance - distance[0]
    usual = float(stage.track.at("speed", np.array([stage.clock.start]))[0])
    speed = np.gradient(distance) * fps
    rows = np.concatenate([[True], np.diff(np.floor(distance / (KNOT * body.leg_length))) > 0])
    first, last = _cycles(steps)
    share = np.clip(speed / usual, SLOWEST, FASTEST)
    numbers = list(steps.numbers)
    begins = steps.phase[0] + np.array([0.0, 0.5 + steps.beat])
    ends = steps.phase[-1] + np.array([0.0, 0.5 + steps.beat])
    count = (last - first) * SAMPLES + 1
    at = distance[rows] / body.leg_length
    return Take(
        name=performance.name,
        vhat=float(dimensionless_speed(np.array(usual), body.leg_length)),
        at=at,
        paces=share[rows],
        strides=np.ones(len(at)),
        beat=steps.beat
        - (0.0 if stage.gait.styling is None else stage.gait.styling.beat(stage.track, stage.clock.start)),
        first=min(numbers),
        steps=np.zeros((max(numbers) - min(numbers) + 1, 2, DUTY + 1)),
        begins=begins,
        ends=ends,
        start=first,
        above=np.zeros((count, len(ABOVE) + KNEES)),
        feet=np.zeros((count, 2, len(FOOT))),
    )


def _cycles(steps: TakenSteps) -> tuple[int, int]:
    """Return the first and last whole cycle that enclose the phases of both feet."""
    return int(np.floor(steps.phase[0] - 0.5)), int(np.ceil(steps.phase[-1] + 1.5))


def _along(way: np.ndarray, path: Path, leg_length: float) -> np.ndarray:
    """Return the distances `(f,)` of `way` `(f, 2)` along a path, in metres, always rising; raises
    NeuraRigError if it is too far off."""
    first, last = path.extent
    length = float(norms(np.diff(way, axis=0)).sum())
    table = np.arange(max(first, -leg_length), min(last, length + 2.0 * leg_length), LOOKED_AT * leg_length)
    places = path.at(table).place[:, :2]
    found, near, reach = np.empty(len(way)), 0, round(AHEAD_OF_IT / LOOKED_AT)
    for row, place in enumerate(way):
        window = slice(max(near - reach, 0), near + reach)
        near = window.start + int(np.argmin(norms(places[window] - place)))
        found[row] = table[near]
    for _ in range(ROUNDS):
        along = path.at(found)
        found = found + ((way - along.place[:, :2]) * along.ahead[:, :2]).sum(axis=-1)
    if norms(way - path.at(found).place[:, :2]).max() > APART * leg_length:
        raise NeuraRigError(
            "The clip turns back on its own way, and no path does. Choose a shorter part of it."
        )
    return np.maximum.accumulate(found) + FORWARD * np.arange(len(found))


def in_step(played: PlayedTake) -> Take:
    """Return the take with the strides that let the feet strike when the clip's do."""
    take, leg = played.take, played.body.leg_length
    pace = played.walker.rhythm
    distance = pace.distance_at(played.seconds)
    ours, theirs = (
        np.gradient(phase) / np.gradient(distance)
        for phase in (pace.phase_at(played.seconds), played.steps.phase)
    )
    factor = np.interp(take.at * leg, distance, ours / theirs)
    return replace(take, strides=np.clip(take.strides * factor, SHORTEST, LONGEST))


def on_prints(played: PlayedTake) -> Take:
    """Return the take with the clip's prints and stance times on them; stances cut off before the lift get
    the foot's mean change."""
    take, steps, leg, walker = played.take, played.steps, played.body.leg_length, played.walker
    last = take.first + len(take.steps) - 1
    plan = footsteps(walker, np.array([[take.first + 0.5] * 2, [last + 0.5] * 2]))
    planned, change = plan.steps, np.zeros_like(take.steps)
    stands, lifts = (np.zeros(change.shape[:2], dtype=bool) for _ in range(2))
    for stance, number in zip(steps.stances, steps.numbers, strict=True):
        side, own = stance.side, number - take.first
        of_plan = number - plan.first[side], side
        place, heading = played.performance.print_of(side, stance.touch, stance.lift)
        along = walker.path.at(planned.distance[of_plan])
        away, turned = place[:2] - planned.place[of_plan][:2], heading - planned.heading[of_plan]
        lift = steps.phase_at(stance.lift) + (0.5 + steps.beat) * (side == RIGHT)
        change[own, side, AHEAD] = away @ along.ahead[:2] / leg
        change[own, side, OUTWARD] = SIDE_SIGN[side] * (away @ along.left[:2]) / leg
        change[own, side, TOE_OUT] = SIDE_SIGN[side] * wrapped(turned)
        change[own, side, DUTY] = lift - planned.lift[of_plan]
        stands[own, side], lifts[own, side] = True, stance.over
    for side in BOTH:
        usual = change[lifts[:, side], side, DUTY]
        change[stands[:, side] & ~lifts[:, side], side, DUTY] = usual.mean() if len(usual) else 0.0
    return replace(take, steps=take.steps + change)
