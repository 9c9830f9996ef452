"""A take on its stage: its walk, frame by frame with the clip."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..character.body import Body
from ..character.motion import Motion
from ..gait.inputs.take import Take
from ..gait.kinds.gait import Gait
from ..gait.pose import WalkPose
from ..gait.sliders.style import Clock, StyleTrack
from ..gait.synthesis import walked
from ..gait.walker import Walker
from ..ground.surface import LEVEL
from ..path.path import Path
from .performance import Performance
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
