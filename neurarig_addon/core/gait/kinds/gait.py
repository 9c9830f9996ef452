"""A gait as one value: the shapes of its curves, its law of stride and duty, and whether its feet are planted."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ..inputs.take import Take
from ..sliders.style import StyleTrack
from .law import HUMAN, GaitLaw
from .plain import PlainGait


class GaitShape(Protocol):
    """A source of a walk's curves: a network, the plain walk, a profile, a blend."""

    def sample(self, slow: np.ndarray, phase_right: np.ndarray, phase_left: np.ndarray) -> np.ndarray:
        """Return the channels `(frames, 46)` of `contract.channels`: displacements from standing, metres and radians.

        `slow` `(frames or 1, 9)`: see `contract.inputs`.  `phase_right`, `phase_left` `(frames,)`: cycles since that foot's heel strike.
        """
        ...


class Styling(Protocol):
    """What learned styles add besides curves and law: slow inputs end in `columns`, the weight of each.

    `sliders`: the sliders that the columns follow.
    """

    @property
    def sliders(self) -> tuple[str, ...]: ...

    def columns(self, track: StyleTrack, frames: np.ndarray) -> np.ndarray:
        """Return the last columns of slow inputs `(..., n)` at frames `(...)`."""
        ...

    def beat(self, track: StyleTrack, start: float) -> float:
        """Return by how many cycles the right foot strikes early, in a walk that begins on a frame."""
        ...

    def knees(self, slow: np.ndarray, phase: np.ndarray) -> np.ndarray:
        """Return how much farther outward knees point, in radians `(f, 2)`, for slow inputs `(f or 1, n)` and foot phases `(f, 2)`."""
        ...

    def prints(self, slow: np.ndarray) -> np.ndarray:
        """Return what is added to prints `(..., 2, 3)` for slow inputs `(..., n)`: metres ahead and outward, radians of toe-out."""
        ...


@dataclass(frozen=True)
class Gait:
    """A gait: shapes, law and what goes with them.

    `shapes`: the curves over the phase.  `law`: stride and duty factor.  If not `planted`, the feet follow the shapes alone and slip where
    these do.  `styling`: of learned styles.  `take`: a recorded walk that is kept, step by step.
    """

    shapes: GaitShape
    law: GaitLaw = HUMAN
    planted: bool = True
    styling: Styling | None = None
    take: Take | None = None


PLAIN = Gait(PlainGait())
