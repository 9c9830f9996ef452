"""A gait as one value: the shapes of its curves, its law of stride and duty, and whether its feet are planted."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from .law import HUMAN, GaitLaw
from .plain import PlainGait


class GaitShape(Protocol):
    """Whatever gives the curves of a walk: a network, the plain walk, a profile, a blend."""

    def sample(self, slow: np.ndarray, phase_right: np.ndarray, phase_left: np.ndarray) -> np.ndarray:
        """Return the channels `(frames, 46)` of `contract.channels`: displacements from standing, metres and radians.

        `slow` `(frames or 1, 9)`: see `contract.inputs`.  `phase_right`, `phase_left` `(frames,)`: cycles since a heel strike of that foot.
        """
        ...


@dataclass(frozen=True)
class Gait:
    """How somebody walks.

    `shapes`: the curves over the phase.  `law`: stride and duty factor.  Not `planted`, the feet follow the shapes alone and slip where
    these do.
    """

    shapes: GaitShape
    law: GaitLaw = HUMAN
    planted: bool = True


PLAIN = Gait(PlainGait())
