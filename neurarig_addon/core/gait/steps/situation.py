"""What a walker is in the middle of at some moments: the steps of its feet and body, and the ground under it."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..walker import Moments, Walker
from .footsteps import BOTH, Footsteps, footsteps
from .going import Going, going_at


@dataclass(frozen=True)
class Follow:
    """How far a body follows edited prints at frames `(f,)`.

    `shift` `(f, 3)`: of the pelvis, in metres in the walk frame; `yaw`: in radians.  `stir`: leg lengths that prints were moved in all,
    along the ground.
    """

    shift: np.ndarray
    yaw: np.ndarray
    stir: np.ndarray


@dataclass(frozen=True)
class Situation:
    """A walker at some moments `at`: the steps of `feet` and `body`, and their own moments, whose phases edited prints may change.

    `on_prints`: the walker, on the ground with hollows for edited prints.  `follow`: how the body follows these; None without any.
    """

    walker: Walker
    at: Moments
    on_prints: Walker
    feet_steps: Footsteps
    feet: Moments
    body_steps: Footsteps
    body: Moments
    follow: Follow | None = None

    @classmethod
    def planned(cls, walker: Walker, at: Moments) -> "Situation":
        """Return the situation at moments that no edited print affects."""
        steps = footsteps(walker, at.phase)
        return cls(walker, at, walker, steps, at, steps, at)

    @cached_property
    def duty(self) -> np.ndarray:
        """The duty factors `(f, 2)` of the steps that the body is in."""
        return self.body_steps.steps.duty[self.body_steps.under_way(self.body.phase), BOTH]

    @cached_property
    def going(self) -> Going | None:
        """The ground under the body; None on a level floor."""
        return None if self.walker.ground.is_level else going_at(self.walker, self.body_steps, self.at)
