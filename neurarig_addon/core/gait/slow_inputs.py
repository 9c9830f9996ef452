"""A gait's slow inputs over a walk: what its curves and its law are asked for at any time."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..character.body import Body
from ..contract.inputs import SLOW, VELOCITY, slow_inputs
from .inputs.proportions import spacing_of
from .kinds.gait import Gait
from .kinds.natural import dimensionless_speed
from .sliders.manner import stance_width
from .sliders.style import Clock, StyleTrack
from .timing.rhythm import Rhythm
from .way.facing import Facing, way_of_legs

KEYED_WIDTH = {"stance_width", "weight", "individual"}  # the sliders that decide the step width


@dataclass(frozen=True)
class SlowInputs:
    """The slow inputs of a body's gait, `(..., 9)` and more columns (see `Gait.inputs`), at times `(...)` in
    seconds."""

    body: Body
    gait: Gait
    track: StyleTrack
    clock: Clock
    rhythm: Rhythm
    facing: Facing | None

    @cached_property
    def is_steady(self) -> bool:
        """Whether what the gait's curves depend on never changes."""
        styling = () if self.gait.styling is None else self.gait.styling.sliders
        return (
            self.rhythm.is_steady
            and self.gait.take is None
            and (self.facing is None or self.facing.is_constant)
            and not (KEYED_WIDTH | set(styling)) & self.track.curves.keys()
        )

    def at(self, seconds: np.ndarray) -> np.ndarray:
        """Return the inputs `(..., 9)` of the curves at times `(...)`; one row `(1, 9)` if they never
        change."""
        seconds = np.zeros(1) if self.is_steady else seconds
        spacing = self._spacing
        if spacing is None:
            spacing = spacing_of(self.body, stance_width(self.track, self.clock.frames(seconds)))
        return self._of(
            seconds, self.rhythm.felt_speed_at(seconds), np.broadcast_to(spacing, np.shape(seconds))
        )

    def for_law(self, seconds: np.ndarray) -> np.ndarray:
        """Return the inputs `(..., 9)` of the law at times `(...)`: with the unsmoothed speed and no step
        width."""
        speed = self.rhythm.going_at(seconds)
        return self._of(seconds, speed, np.zeros_like(speed))

    def at_rest(self) -> np.ndarray:
        """Return the inputs `(1, 9)` of the law at rest, without any running."""
        nothing = np.zeros(1)
        running, way = (None if values is None else nothing for values in (self.rhythm.running, self.facing))
        return self.gait.inputs(
            self.track, np.array([self.clock.start]), slow_inputs(self.body, nothing, nothing), running, way
        )

    def as_begun(self, slow: np.ndarray, seconds: np.ndarray) -> np.ndarray:
        """Return slow inputs `(..., n)` with at least the share of running at times `(...)`: steps begun in a
        run land as in a run."""
        running = self.rhythm.running_at(seconds)
        if running is None or self.is_steady:
            return slow
        slow = slow.copy()
        slow[..., SLOW] = np.maximum(slow[..., SLOW], running)
        return slow

    def vhat_at(self, seconds: np.ndarray) -> np.ndarray:
        """Return the dimensionless speeds `(...)` along the path at times `(...)`, also in turns on the
        spot."""
        if self.is_steady and self.rhythm.moved is self.rhythm.distance:
            return self.vhat_of(self.at(seconds))
        return dimensionless_speed(self.rhythm.felt_pace_at(seconds), self.body.leg_length)

    def vhat_of(self, slow: np.ndarray) -> np.ndarray:
        """Return the dimensionless speeds `(...)` of slow inputs `(..., 9)`."""
        return dimensionless_speed(slow[..., VELOCITY], self.body.leg_length)

    @cached_property
    def _spacing(self) -> np.ndarray | None:
        """Half the step width in metres `(1,)`; None if it changes."""
        if KEYED_WIDTH & self.track.curves.keys():
            return None
        return spacing_of(self.body, stance_width(self.track, np.array([self.clock.start])))

    def _of(self, seconds: np.ndarray, speed: np.ndarray, spacing: np.ndarray) -> np.ndarray:
        way = (
            None
            if self.facing is None
            else way_of_legs(self.facing.at(self.rhythm.phase_at(seconds)), self.facing.legs)
        )
        slow, running = slow_inputs(self.body, speed, spacing), self.rhythm.running_at(seconds)
        return self.gait.inputs(self.track, self.clock.frames(seconds), slow, running, way)
