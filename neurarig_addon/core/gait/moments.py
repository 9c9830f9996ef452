"""Some frames of a walk, with what changes from frame to frame."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Moments:
    """Some frames `(f,)` of a walk.

    `phase` `(f, 2)`: of both feet.  `distance` `(f,)`: metres travelled.  `slow` `(f or 1, 9)`: slow inputs, one row where all are
    equal, so that a network is evaluated once, and `(f, 2, 9)` where each foot has a time of its own.  `vhat` `(f or 1,)`: their
    dimensionless speed.
    """

    frames: np.ndarray
    seconds: np.ndarray
    phase: np.ndarray
    distance: np.ndarray
    slow: np.ndarray
    vhat: np.ndarray
