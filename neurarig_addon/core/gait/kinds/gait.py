"""A gait as one value: the shapes of its curves, its law of stride and duty, and whether its feet are planted."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ..sliders.style import StyleTrack
from ..steps.take import Take
from .law import HUMAN, GaitLaw
from .plain import PlainGait


class GaitShape(Protocol):
    """Whatever gives the curves of a walk: a network, the plain walk, a profile, a blend."""

    def sample(self, slow: np.ndarray, phase_right: np.ndarray, phase_left: np.ndarray) -> np.ndarray:
        """Return the channels `(frames, 46)` of `contract.channels`: displacements from standing, metres and radians.

        `slow` `(frames or 1, 9)`: see `contract.inputs`.  `phase_right`, `phase_left` `(frames,)`: cycles since a heel strike of that foot.
        """
        ...


class Styling(Protocol):
    """What learned styles do besides the curves and the law: slow inputs end in `columns`, how much there is of each.

    `sliders`: those that the columns follow.
    """

    @property
    def sliders(self) -> tuple[str, ...]: ...

    def columns(self, track: StyleTrack, frames: np.ndarray) -> np.ndarray:
        """Return the last columns of slow inputs `(..., n)` at frames `(...)`."""
        ...

    def beat(self, track: StyleTrack, start: float) -> float:
        """Return by how many cycles the right foot strikes early in a walk from a frame on."""
        ...

    def knees(self, slow: np.ndarray, phase: np.ndarray) -> np.ndarray:
        """Return by how many radians knees point farther outward `(f, 2)` for slow inputs `(f or 1, n)` and foot phases `(f, 2)`."""
        ...

    def prints(self, slow: np.ndarray) -> np.ndarray:
        """Return what is added to prints `(..., 2, 3)` for slow inputs `(..., n)`: metres ahead and outward, radians of toe-out."""
        ...


@dataclass(frozen=True)
class Gait:
    """How somebody walks.

    `shapes`: the curves over the phase.  `law`: stride and duty factor.  Not `planted`, the feet follow the shapes alone and slip where
    these do.  `styling`: of a gait in learned styles.  `take`: a recorded walk that is kept, step by step.
    """

    shapes: GaitShape
    law: GaitLaw = HUMAN
    planted: bool = True
    styling: Styling | None = None
    take: Take | None = None


PLAIN = Gait(PlainGait())
