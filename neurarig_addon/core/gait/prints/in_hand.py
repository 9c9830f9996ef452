"""Which plan the feet follow on which frames: the original, or the one with edited prints."""

from dataclasses import dataclass, replace

import numpy as np

from ..moments import Moments
from ..steps.footsteps import BOTH, Footsteps, footsteps
from ..walker import Walker
from .edited_steps import EditedSteps, edited_steps
from .follow import Follow, followed


@dataclass(frozen=True)
class Taken:
    """A plan for some moments: its steps, and the moments of `feet` and `body`, whose phases may differ from the planned ones.

    `walker`: the walker, on the ground with hollows for edited prints.  `follow`: how the body follows edited prints;
    None without any.
    """

    walker: Walker
    feet_plan: Footsteps
    feet: Moments
    body_plan: Footsteps
    body: Moments
    follow: Follow | None = None


def as_planned(walker: Walker, at: Moments) -> Taken:
    """Return the plan of moments that no edited print affects."""
    plan = footsteps(walker, at.phase)
    return Taken(walker, plan, at, plan, at)


def as_edited(walker: Walker, steps: EditedSteps, at: Moments) -> Taken:
    """Return the plan of moments around edited prints."""
    follow = followed(walker, steps, at)
    feet = _at_their_time(walker, replace(at, phase=steps.timed(at.phase)), at.phase)
    return Taken(replace(walker, ground=steps.ground(walker)), steps.plan, feet, steps.planned, follow.body, follow)


def _at_their_time(walker: Walker, feet: Moments, planned: np.ndarray) -> Moments:
    """Return the feet's moments at the times at which they would have reached their phases unedited."""
    if walker.is_steady:
        return feet
    moved = feet.phase != planned
    slow = np.broadcast_to(feet.slow[:, None], (*planned.shape, feet.slow.shape[-1])).copy()
    slow[moved] = walker.slow_at(walker.rhythm.seconds_when(feet.phase))[moved]
    return replace(feet, slow=slow)


def frames_in_hand(walker: Walker, frames: np.ndarray) -> tuple[np.ndarray, EditedSteps | None]:
    """Return the rows `(m,)` of frames `(f,)` that edited prints affect, and the steps around them."""
    none = np.zeros(0, dtype=int)
    if not walker.edits or not walker.gait.planted:
        return none, None
    phase = walker.rhythm.phases_at(walker.clock.seconds(frames))
    near = np.flatnonzero(_near(walker, phase))
    if not len(near):
        return none, None
    steps = edited_steps(walker, phase[near])
    return near[steps.inside(phase[near])], steps


def _near(walker: Walker, phase: np.ndarray) -> np.ndarray:
    """Return whether, at foot phases `(f, 2)`, either foot is on an edited print or takes one next `(f,)`."""
    edits, number = walker.edits, np.floor(phase).astype(int)
    ours = [edits.numbers[edits.sides == side] for side in BOTH]
    return np.any([np.isin(number[:, side], ours[side]) | np.isin(number[:, side] + 1, ours[side]) for side in BOTH], axis=0)
