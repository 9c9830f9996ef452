"""What drives a chain: how the bone that it hangs on accelerates, turns against gravity and moves through the
air.

Rigid motions are sampled on an even grid of times. A cubic spline goes through the samples, so its
accelerations change evenly between them, which is what `springs.SpringSteps` answers exactly.
"""

from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from ..character.motion import Motion
from ..geometry.rotation import transposed
from .springs import GRAVITY

MARGIN = 13  # samples beyond those asked for that a spline is made of
_POLE = np.sqrt(3.0) - 2.0  # of a cubic spline: what a sample counts to the next one
_REACH = MARGIN - 1


def _kernels() -> np.ndarray:
    """Return what the samples around one, `(2, 2 MARGIN + 1)`, count to the spline's slope and acceleration
    there, a step between them."""
    weights = _POLE ** np.abs(np.arange(-_REACH, _REACH + 1))
    weights /= weights.sum()
    return np.stack([np.convolve(weights, way) for way in ([-0.5, 0.0, 0.5], [1.0, -2.0, 1.0])])


_KERNELS = _kernels()


class DriveField(NamedTuple):
    """What a moving base does to all points on it, in its own axes: `pushes` `(t, 3, 4)`, their accelerations
    with the turn of gravity, and `blows` `(t, 3, 4)`, their speeds through the air; of a point `r` it is
    `pushes @ (*r, 1)`."""

    pushes: np.ndarray
    blows: np.ndarray


def field_of(motion: Motion, step: float) -> DriveField:
    """Return the field of a base at all samples of its motion but the first and last MARGIN, `step` seconds
    apart."""
    frames = len(motion.rotation)
    whole = np.concatenate([motion.rotation, motion.position[:, :, None]], axis=2).reshape(frames, 12)
    around = sliding_window_view(whole - whole[:1], 2 * MARGIN + 1, axis=0)
    slopes, bends = ((around @ kernel).reshape(-1, 3, 4) for kernel in _KERNELS)
    back = transposed(motion.rotation[MARGIN : frames - MARGIN])
    pushes = back @ bends / step**2
    pushes[:, :, 3] -= back @ GRAVITY - GRAVITY
    return DriveField(pushes, back @ slopes / step)
