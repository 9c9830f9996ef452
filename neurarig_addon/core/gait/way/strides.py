"""How long strides are along a path, and where in a cycle a walker has to be, before it is known when the
feet come down.

Sharp corners are taken in a step turn as people do: the outer foot stands in the corner and the inner one
opens out. The alternative, a
spin turn across the standing foot, needs a longer step, a narrower base and more of the hips (Taylor 2005).
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...character.body import LEFT, Body
from ...contract.inputs import VELOCITY, legs_of, slow_inputs
from ...easing import running
from ...geometry.rotation import TINY, norms
from ...memory import remembered
from ...path.marks import EITHER, NEXT
from ...path.path import Path
from ...path.table import SPOT_STEP
from ..inputs.proportions import LONGEST_STRIDE, FootBuild, natural_spacing
from ..kinds.contacts import moving
from ..kinds.direction import CROSSED, crossing
from ..kinds.gait import Gait
from ..kinds.law import shortest_stride
from ..kinds.natural import dimensionless_speed, speed_of
from ..sliders.manner import stride_factor
from ..sliders.style import Clock, StyleTrack
from ..timing.in_step import NO_MARKS, Marks, Stance
from .facing import FacingWish, way_of_legs
from .spots import spot_marks, strides_on_four_legs, turn_in_a_step
from .stairs import pace_on, pace_over, stride_on, tread_marks, usual_speed
from .treads import LAPS, Treads

OPPOSITE = 0.5  # cycles: in a left turn the right foot stands in the corner
SHARP = np.radians(45.0)  # in a step
SAMPLES_A_LEG = 12.0
# leg lengths examined: 18 km of an adult; longer paths are taken without step turns from there on
FARTHEST = 20_000.0
ON_THE_SPOT = 0.15  # share of a step: less progress in half a step is a turn on the spot
ISOLATED = 0.5  # share of a corner's turn allowed a step before and after it: a circle has no corners
MOST_ROUND = 2.5  # times that strides are shorter as a fore hand goes round
STILL = 0.05  # radians per second: legs cross by half while the facing turns so quickly
MOST_TURN = np.radians(48.0)  # in a step
# cycles before a foot's mark in which steps are adjusted: the long steps of a run show every change
WALK_UP, RUN_UP = 2.0, 6.0


def corner_marks(path: Path, leg_length: float, step: float, stance: Stance) -> Marks:
    """Return the phases a walker must have in the sharp corners of a path; `step`: metres."""
    if not path.turns or step <= 0.0:
        return NO_MARKS
    at, heading = _headings(path, leg_length)
    turn = np.interp(at + 0.5 * step, at, heading) - np.interp(at - 0.5 * step, at, heading)
    size = np.abs(turn)
    peak = np.flatnonzero((size[1:-1] > SHARP) & (size[1:-1] >= size[:-2]) & (size[1:-1] > size[2:])) + 1
    if not len(peak):
        return NO_MARKS
    goes = norms(
        np.subtract(*(path.drawn.at(at[peak] + way).place[:, :2] for way in (-0.25 * step, 0.25 * step)))
    )
    peak = peak[goes > ON_THE_SPOT * step]
    beside = np.maximum(*(np.interp(at[peak] + way, at, size) for way in (-step, step)))
    peak = peak[beside < ISOLATED * size[peak]]
    before, most, after = size[peak - 1], size[peak], size[peak + 1]
    sharpest = (
        at[peak] + 0.5 * (before - after) / (before - 2.0 * most + after - 1e-12) * leg_length / SAMPLES_A_LEG
    )
    laps = path.lap * np.arange(-1, LAPS) if path.lap else np.zeros(1)
    phases, to_left = (laps[:, None] + sharpest).ravel(), np.tile(turn[peak] > 0.0, len(laps))
    duty = stance(phases)[1]
    return Marks(
        phases,
        0.5 * duty + np.where(to_left, OPPOSITE, 0.0),
        np.ones(len(phases)),
        np.zeros(len(phases), dtype=bool),
    )


def foot_marks(path: Path, stride: float, within: float, stance: Stance) -> Marks:
    """Return the phases that a walker must have where the marks of a path want a foot to stand.

    `stride`: natural, in metres.  `within`: cycles in which steps are adjusted for it.

    From a mark to one for the next foot, the walk has as many whole cycles more as it naturally has there:
    nobody sees them.
    """
    wanted = [mark for mark in path.marks if mark.foot is not None]
    if not wanted:
        return NO_MARKS
    at, foot = np.array([mark.way for mark in wanted]), np.array([mark.foot for mark in wanted])
    lead, duty = stance(at)
    one = foot < EITHER
    more = np.maximum(np.round(np.diff(at, prepend=at[:1]) / max(stride, 1e-9) - OPPOSITE), 0.0) * (
        foot == NEXT
    )
    return Marks(
        at + lead,
        0.5 * duty + OPPOSITE * (one & (foot > 0)),
        np.where(one, 1.0, OPPOSITE) + more,
        foot == NEXT,
        np.full(len(at), within),
    )


@remembered(objects=1)
def _headings(path: Path, leg_length: float) -> tuple[np.ndarray, np.ndarray]:
    """Return distances along a path and its headings there `(n,)`, without turns on the spot; along one lap
    if closed."""
    first, last = (0.0, path.lap) if path.lap else path.extent
    at = np.arange(
        max(first, -FARTHEST * leg_length), min(last, FARTHEST * leg_length), leg_length / SAMPLES_A_LEG
    )
    heading = path.drawn.heading_at(at)
    bent = np.diff(heading) * np.minimum(path.advance(at[1:]), path.advance(at[:-1]))
    return at, heading[0] + running(bent)


@dataclass(frozen=True)
class Strides:
    """The strides of a body, with feet of a build, in a gait and a manner; `faces`: where it faces; None:
    where it goes."""

    body: Body
    build: FootBuild
    gait: Gait
    track: StyleTrack
    clock: Clock
    faces: FacingWish | None

    @cached_property
    def natural(self) -> float:
        """The stride on a level floor at the usual speed, in metres."""
        slow = self._law_inputs(np.array(self._usual))
        return float(self.gait.law.stride(slow) * steps_of(self.build, self.gait, slow))

    @cached_property
    def changes(self) -> tuple[tuple[float, float], ...]:
        """Speeds in m/s from which a walk becomes a run, and below which a run becomes a walk, and so on from
        gait to gait; none if the gait stays the same."""
        leg = self.body.leg_length
        return tuple(
            (speed_of(faster, leg), speed_of(slower, leg)) for faster, slower in self.gait.law.changes_at
        )

    def along(
        self,
        path: Path,
        treads: Treads,
        speed: np.ndarray,
        frames: np.ndarray,
        distance: np.ndarray,
        running: np.ndarray | None,
    ) -> np.ndarray:
        """Return stride lengths in metres `(...)` at speeds in m/s `(...)`, frames and distances along a
        path; `running`: share."""
        leg, law, take = self.body.leg_length, self.gait.law, self.gait.take
        faces = None if self.faces is None else self.faces.eased(frames, distance, leg)
        way = None if self.faces is None or faces is None else way_of_legs(faces, self.faces.agility.legs)
        pace = speed / (pace_over(treads, distance, leg) * pace_on(treads, distance, self.natural))
        asks = self.gait.inputs(
            self.track, frames, slow_inputs(self.body, pace, np.zeros_like(speed)), running, way
        )
        stride = law.stride(asks) * steps_of(self.build, self.gait, asks)
        if faces is not None:
            rate = np.gradient(faces, self.clock.seconds(frames)) if np.ptp(faces) else 0.0
            if self.body.fore is not None:  # whose fore hand goes round
                round_hips = self.body.ahead * rate / np.maximum(speed, TINY)
                stride = stride / np.minimum(np.hypot(1.0, round_hips), MOST_ROUND)
            wide = CROSSED[0] * np.maximum(dimensionless_speed(pace, leg), 0.0) ** CROSSED[1] * leg
            stride = stride + crossing(asks) / (1.0 + (rate / STILL) ** 2) * (wide - stride)
        stride = stride * stride_factor(
            self.track, frames if self.track.curves else np.array([self.clock.start])
        )
        stride = np.maximum(stride, shortest_stride(speed, leg))
        stride = stride_on(treads, distance, stride, self.natural)
        if take is not None:
            stride = stride * take.stride_factor(distance, leg, self.track.at("as_recorded", frames))
        if path.turns:
            stride = self._in_bend(stride, np.abs(path.curvature(distance)))
        if len(path.spots) and law.contacts.takes_turns:
            turn = turn_in_a_step(self.body)
            whole = strides_on_four_legs(path, distance, turn) if turn else 2.0 * SPOT_STEP * leg
            stride = np.where(path.advance(distance) > 0.0, stride, whole)
        return np.minimum(
            stride,
            (min(law.longest_stride, LONGEST_STRIDE) if self.body.rigid_legs else law.longest_stride) * leg,
        )

    def _in_bend(self, stride: np.ndarray, bend: np.ndarray) -> np.ndarray:
        """Return strides `(...)` shortened for bends `(...)`, in 1/m.

        People leave the outer foot's stride as it was and shorten the inner one's (Courtine and Schieppati
        2003); in a tight bend they take more steps, as hips turn only so far in each.
        """
        stride = stride / (1.0 + natural_spacing(self.body) * bend)
        return stride / (1.0 + (0.5 * stride * bend / MOST_TURN) ** 8) ** 0.125

    def marks(self, path: Path, treads: Treads) -> Marks:
        """Return the phases that feet have to have on treads and in sharp corners of a path."""
        if not self.gait.law.contacts.takes_turns:
            return NO_MARKS

        def stance(distance: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            slow = self._law_inputs(self._usual * path.pace(distance))
            return self.gait.law.lead(slow), self.gait.law.duty(slow, LEFT) * stance_of(
                self.build, self.gait, slow
            )

        marks = tread_marks(treads, stance).and_those(
            foot_marks(path, self.natural, RUN_UP if self.gait.law.runs else WALK_UP, stance)
        )
        if self.gait.take is not None:  # a recorded walk has its own steps round corners
            return marks
        corners = corner_marks(path, self.body.leg_length, 0.5 * self.natural, stance)
        return marks.and_those(corners).and_those(spot_marks(path, self.gait.law.contacts))

    @cached_property
    def _usual(self) -> float:
        return usual_speed(self.track)

    def _law_inputs(self, speed: np.ndarray) -> np.ndarray:
        """Return the law's inputs where only speeds `(...)` are known."""
        shares = [np.where(speed >= 0.5 * sum(limits), 1.0, 0.0) for limits in self.changes]
        running = np.sum(shares, axis=0) if shares else None
        way = self.faces and np.full(speed.shape, way_of_legs(self.faces.first[0], self.faces.agility.legs))
        slow = slow_inputs(self.body, speed, np.zeros_like(speed))
        return self.gait.inputs(self.track, np.full(speed.shape, self.clock.start), slow, running, way)


def steps_of(build: FootBuild, gait: Gait, slow: np.ndarray) -> np.ndarray:
    """Return strides as a share of the law's `(...)` for its slow inputs `(..., n)`: see `step_share`; runs
    keep the law's."""
    share = stance_of(build, gait, slow)
    return share if build.steps == 1.0 else share ** (1.0 - gait.law.running(slow))


def stance_of(build: FootBuild, gait: Gait, slow: np.ndarray) -> np.ndarray:
    """Return the share of a stride that a foot stands, as a share of the law's `(...)` for its slow inputs
    `(..., n)`: see `step_share`.

    Formulas, learned styles and recorded walks keep the law's; at a standstill both feet stand.
    """
    if build.steps == 1.0 or gait.law.cornered or gait.styling is not None or gait.take is not None:
        return np.ones(slow.shape[:-1])
    return build.steps ** moving(dimensionless_speed(slow[..., VELOCITY], legs_of(slow)))
