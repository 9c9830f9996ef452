"""Some frames of a walk, and what is so at each."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Moments:
    """Some frames `(f,)` of a walk.

    `phase` `(f, 2)`: of both feet.  `distance` `(f,)`: metres gone.  `slow` `(f or 1, 9)`: the gait's slow inputs, in one row where all are
    the same, so that a network is asked once, and `(f, 2, 9)` where each foot has a time of its own; `vhat` `(f or 1,)`: their
    dimensionless speed.
    """

    frames: np.ndarray
    seconds: np.ndarray
    phase: np.ndarray
    distance: np.ndarray
    slow: np.ndarray
    vhat: np.ndarray
