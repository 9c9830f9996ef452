"""What a walker is in the middle of at some moments: the steps of its feet and body, and the ground under it.

The ground under the body is as high as its prints, smooth from one to the next.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ...character.body import LEFT, RIGHT
from ...character.motion import rows_of
from ...easing import cubics, rising_slopes, running, smooth_between
from ...ground.prints import Prints
from ..walker import Moments, Walker
from .footing import climbed, climbs
from .footsteps import BOTH, Footsteps, Steps

# leg lengths of rise below which a step is no stair, and above which it fully is
ROUGH_CLIMB, STAIR_CLIMB = 0.03, 0.12


@dataclass(frozen=True)
class Going:
    """The ground under the body at frames `(f,)`: `height` in metres, `grade` (rise over run) and
    `roughness`.

    Roughness is how far prints lie off the mean of their neighbours, in leg lengths. `hill`: the grade apart
    from
    steps, `stair`: rise per step on stairs, in leg lengths.  `phase`: cycles of the left foot.
    """

    height: np.ndarray
    grade: np.ndarray
    hill: np.ndarray
    roughness: np.ndarray
    stair: np.ndarray
    phase: np.ndarray


def going_at(walker: Walker, plan: Footsteps, at: Moments) -> Going:
    """Return the ground under the body at the given moments.

    A smooth curve without overshoot through the mean height of each print and its neighbours, at mid-stance:
    on a plane it rises evenly however that is tilted, and at a ledge it does not drop.
    """
    steps = plan.steps
    middle = walker.rhythm.phase_when(0.5 * (steps.contact + steps.lift))
    now = walker.rhythm.phase_when(at.phase)[:, 0]
    phase, height = _in_order(walker, middle, steps.place[..., 2])
    _, own = _in_order(walker, middle, steps.climbed)
    height_there, rate = _through(phase, _smoothed(height), now)[0], _through(phase, _smoothed(own), now)[1]
    # animals rest on slopes with feet at four heights, which is no grade
    least = 1.0 if walker.body.on_toes else 0.1
    stride = np.maximum(walker.rhythm.stride_at(at.seconds), least * walker.body.leg_length)
    roughness = np.interp(now, phase, np.abs(own - _smoothed(own))) / walker.body.leg_length
    stair, stepped = _stair(walker, steps, now)
    return Going(height_there, rate / stride, (rate - stepped) / stride, roughness, stair, at.phase[:, 0])


def _in_order(walker: Walker, phase: np.ndarray, height: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return phases and heights of prints `(steps, 2)` in order of time `(n,)`; feet that land together count
    once, carried feet not."""
    contacts = walker.rhythm.contacts
    if contacts.together:
        return phase[:, LEFT], 0.5 * (
            height[:, LEFT] + np.interp(phase[:, LEFT], phase[:, RIGHT], height[:, RIGHT])
        )
    sides = [side for side in BOTH if side != contacts.carried]
    phase, height = phase[:, sides].reshape(-1), height[:, sides].reshape(-1)
    order = np.argsort(phase, kind="stable")
    return phase[order], height[order]


def _smoothed(heights: np.ndarray) -> np.ndarray:
    """Return the mean height `(n,)` of each print and its neighbours."""
    return np.concatenate(
        [heights[:1], 0.25 * (heights[:-2] + heights[2:]) + 0.5 * heights[1:-1], heights[-1:]]
    )


def _stair(walker: Walker, steps: Steps, now: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the rise per step on stairs in leg lengths at phases `now` `(f,)`, and the resulting climb in
    metres per cycle.

    At touchdown the rise is the print's height above the one before.
    """
    if not walker.rhythm.contacts.takes_turns:  # such gaits take no stairs
        return np.zeros(len(now)), np.zeros(len(now))
    touched = walker.rhythm.phase_when(steps.contact).reshape(-1)
    order = np.argsort(touched, kind="stable")
    prints = Prints(
        *(
            values.reshape(-1, *values.shape[2:])[order]
            for values in vars(climbed(steps.prints, steps.climbed)).values()
        )
    )
    climb = climbs(prints, walker.body.leg_length)
    climb = climb * smooth_between(np.abs(climb), ROUGH_CLIMB, STAIR_CLIMB)
    middle = walker.rhythm.phase_when(0.5 * (steps.contact + steps.lift)).reshape(-1)[order]
    stepped = walker.body.leg_length * running(climb)
    return _through(touched[order][1:], climb, now)[0], _through(middle, _smoothed(stepped), now)[1]


def _through(at: np.ndarray, values: np.ndarray, now: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return a smooth curve through values `(n,)` at phases, without overshoot, and its slope, at phases
    `now` `(f,)`."""
    return cubics(at, values, rising_slopes(at, values), now)


@dataclass(frozen=True)
class FollowedPrints:
    """How far a body follows edited prints at frames `(f,)`.

    `shift` `(f, 3)`: of the pelvis, in metres in the walk frame; `yaw`: in radians. `stir`: leg lengths that
    prints were moved in all,
    along the ground.
    """

    shift: np.ndarray
    yaw: np.ndarray
    stir: np.ndarray


@dataclass(frozen=True)
class Situation:
    """A walker at some moments `at`: the steps of `feet` and `body`, and their own moments, whose phases
    edited prints may change.

    `on_prints`: the walker, on the ground with hollows for edited prints. `follow`: how the body follows
    these; None without any.
    """

    walker: Walker
    at: Moments
    on_prints: Walker
    feet_steps: Footsteps
    feet: Moments
    body_steps: Footsteps
    body: Moments
    follow: FollowedPrints | None = None

    @classmethod
    def planned(cls, walker: Walker, at: Moments, steps: Footsteps) -> "Situation":
        """Return the situation at moments that no edited print affects, in some of the planned steps around
        them."""
        return cls(walker, at, walker, steps, at, steps, at)

    def part(self, rows: np.ndarray) -> "Situation":
        """Return the situation at some of its moments."""
        moments = {name: getattr(self, name).part(rows) for name in ("at", "feet", "body")}
        return replace(self, **moments, follow=rows_of(self.follow, rows))

    @cached_property
    def duty(self) -> np.ndarray:
        """The duty factors `(f, 2)` of the steps that the body is in."""
        return self.body_steps.steps.duty[self.body_steps.under_way(self.body.phase), BOTH]

    @cached_property
    def going(self) -> Going | None:
        """The ground under the body; None on a level floor."""
        return None if self.walker.ground.is_level else going_at(self.walker, self.body_steps, self.at)
