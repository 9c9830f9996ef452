"""The walk that people walk, as a phase function: a small network gives Fourier coefficients, the phase does the rest.

What changes slowly (speed, proportions) goes through the network once; its coefficients times the harmonics of the phase are the motion.
So the motion is periodic and smooth by construction, and any number of frames is one matrix product.
"""

import os
from pathlib import Path

import numpy as np

from ..gait.channels import CHANNELS, NEURARIG_OUTPUTS
from ..gait.cycle import natural_period
from .canonical import CANONICAL, IS_LENGTH, MIRROR, SLOTS, TERMS, assemble, fourier_basis
from .features import OFFSETS, SLOW_INPUTS, VELOCITY, dimensionless, fade, leg_length
from .mlp import Mlp
from .weights import GaitWeights, read_weights

BUNDLED = Path(__file__).resolve().parents[2] / "data" / "weights" / "human.safetensors"
# Frames worked on at once: few enough that a long bake stays in the processor's cache.
_FRAMES_AT_ONCE = 512


class GaitNetwork:
    """The 11 -> 30 network of NeuraRig's contract, with chest, head and arms beside the 30."""

    def __init__(self, weights: GaitWeights):
        self._low, self._high = weights.low, weights.high
        self._mlp = Mlp(_folded(weights))

    @classmethod
    def load(cls, path: str | os.PathLike = BUNDLED) -> "GaitNetwork":
        """Read a weights file; raises NeuraRigError, naming the file, when it is not usable."""
        return cls(read_weights(path))

    def sample(self, slow: np.ndarray, phase_right: np.ndarray, phase_left: np.ndarray) -> np.ndarray:
        """Return the channels `(frames, 46)` of `gait.channels`: displacements from standing, metres and radians.

        `slow` `(frames or 1, 9)`: see `features.SLOW_INPUTS`; m/s and metres, spacings positive on both sides.
        `phase_right`, `phase_left` `(frames,)`: cycles since a heel strike of that foot, the offsets already in them.
        Raises NeuraRigError for a leg without length or an input that is not finite.
        """
        slow = np.asarray(slow, dtype=float)
        phases = np.stack(np.broadcast_arrays(np.atleast_1d(phase_left), np.atleast_1d(phase_right)))
        if len(slow) > 1 and (slow == slow[0]).all():
            slow = slow[:1]
        curves = self.curves(slow) if len(slow) == 1 else None
        frames = phases.shape[1]
        values = np.empty((len(CHANNELS), frames))
        for start in range(0, frames, _FRAMES_AT_ONCE):
            rows = slice(start, start + _FRAMES_AT_ONCE)
            views = _fourier_sum(self.curves(slow[rows]) if curves is None else curves, fourier_basis(phases[:, rows]))
            assemble(views, values[:, rows])
        return values.T

    def evaluate(self, inputs: np.ndarray) -> np.ndarray:
        """Return NeuraRig's outputs `(n, 30)` float32 for its inputs `(n, 11)`.

        The phase of a foot is t_cycle over the natural period of this leg at this speed, plus the foot's offset; t_accumulated says
        nothing that t_cycle does not.
        """
        inputs = np.asarray(inputs, dtype=float)
        slow, t_cycle = inputs[:, : len(SLOW_INPUTS)], inputs[:, len(SLOW_INPUTS)]
        cycles = t_cycle / natural_period(np.abs(slow[:, VELOCITY]), leg_length(slow))
        offset_left, offset_right = slow[:, OFFSETS].T
        return self.sample(slow, cycles + offset_right, cycles + offset_left)[:, :NEURARIG_OUTPUTS].astype(np.float32)

    def curves(self, slow: np.ndarray) -> np.ndarray:
        """Return the Fourier coefficients `(2, rows, 29, TERMS)` of the left and right view, in metres and radians."""
        features, speed, leg = dimensionless(slow)
        size = fade(speed)[:, None] * np.where(IS_LENGTH, leg[:, None], 1.0)
        right = self._coefficients(features[:, 1])
        # A symmetric character is the usual one, and one pass is half the work of two.
        left = right if np.array_equal(features[:, 0], features[:, 1]) else self._coefficients(features[:, 0])
        return np.stack([left * (MIRROR * size)[..., None], right * size[..., None]])

    def _coefficients(self, features: np.ndarray) -> np.ndarray:
        """Return `(rows, 29, TERMS)` in leg lengths and radians for features `(rows, 5)`."""
        held = np.minimum(np.maximum(features, self._low), self._high)
        return self._mlp.forward(held.astype(np.float32)).reshape(len(features), len(CANONICAL), TERMS)


def _fourier_sum(curves: np.ndarray, basis: np.ndarray) -> np.ndarray:
    """Return both views `(2, 29, frames)` of curves `(2, 1 or frames, 29, TERMS)` and a basis `(2, frames, TERMS)`."""
    if curves.shape[1] == 1:
        return curves[:, 0] @ basis.swapaxes(1, 2)
    return np.matmul(curves, basis[..., None])[..., 0].swapaxes(1, 2)


def _folded(weights: GaitWeights) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the layers with the normalisation in them, the last one spread so that it gives whole `(29, TERMS)` blocks."""
    layers = [(weight.astype(float), bias.astype(float)) for weight, bias in weights.layers]
    first, bias = layers[0]
    layers[0] = first / weights.scale, bias - first @ (weights.mean / weights.scale)
    last, bias = layers[-1]
    unit = weights.channel_scale.astype(float)[SLOTS // TERMS]
    block, offset = np.zeros((TERMS * len(CANONICAL), last.shape[1])), np.zeros(TERMS * len(CANONICAL))
    block[SLOTS], offset[SLOTS] = last * unit[:, None], bias * unit
    layers[-1] = block, offset
    return layers
