"""The pose network in numpy: what each joint is told by its neighbours mixes analytic, guessed and previous pose, and corrects them."""

import numpy as np

from .gat import Graph, Stack
from .inputs import JOINT_COUNT, PoseInputs
from .pose_weights import PoseWeights
from .triad import crossed

RESIDUAL = np.float32(0.3)  # what an output of 1 adds to a column
_HIGHEST = np.float32(60.0)  # of what is raised to a power of e
_SHORTEST = np.float32(1e-12)
_ONE = np.float32(1.0)
_ONES = np.ones((3, 1), np.float32)


class PoseNetwork:
    """A trained network, its matrices laid out for use."""

    def __init__(self, weights: PoseWeights):
        self._guess = Stack(weights.guess)
        self._graph = Graph(weights.graph)

    def __call__(self, inputs: PoseInputs) -> np.ndarray:
        """Return the joints' bone-aligned frames seen from the trunk, as rows y, x, z `(f, 22, 3, 3)`, float32."""
        guess = self.guess(inputs)
        out = self._graph(np.concatenate([inputs.nodes, guess], axis=-1))
        columns = _mixture(inputs, guess, out)
        columns += RESIDUAL * out[..., :6]
        pairs = columns.reshape(columns.shape[:-1] + (2, 3))
        pairs /= np.maximum(np.sqrt((pairs * pairs) @ _ONES), _SHORTEST)
        y = pairs[..., 0, :]
        y += inputs.noise.snap * (inputs.shown - y)
        columns += inputs.firm * (inputs.analytic - columns)
        frames = np.empty(pairs.shape[:-2] + (3, 3), np.float32)
        _square_up(pairs, frames)
        frames[..., 2, :] = crossed(frames[..., 1, :], frames[..., 0, :])
        return frames

    def guess(self, inputs: PoseInputs) -> np.ndarray:
        """Return the pose that the figure as a whole suggests, as columns y, x `(f, 22, 6)`."""
        out = self._guess(inputs.figure).reshape(-1, JOINT_COUNT, 7)
        share = _ONE / (_ONE + np.exp(np.minimum(_ONE - out[..., 6:] - inputs.noise.gates[..., :1], _HIGHEST)))
        columns = share * (inputs.analytic - inputs.rest)
        columns += inputs.rest
        columns += out[..., :6]
        pairs = columns.reshape(columns.shape[:-1] + (2, 3))
        _square_up(pairs, pairs)
        return columns


def _mixture(inputs: PoseInputs, guess: np.ndarray, out: np.ndarray) -> np.ndarray:
    """Return analytic, guessed and previous pose `(f, 22, 6)`, mixed in the shares that the network gives."""
    logits = out[..., 6:] + inputs.noise.gates
    if not inputs.remembers.any():
        guessed = _ONE / (_ONE + np.exp(np.minimum(logits[..., :1] - logits[..., 1:2], _HIGHEST)))
        mixture = guess - inputs.analytic
        mixture *= guessed
        mixture += inputs.analytic
        return mixture
    shares = np.exp(logits - logits.max(axis=-1, keepdims=True))
    shares[..., 2:] *= inputs.remembers
    shares /= shares.sum(axis=-1, keepdims=True) + _SHORTEST
    return shares[..., :1] * inputs.analytic + shares[..., 1:2] * guess + shares[..., 2:] * inputs.previous


def _square_up(pairs: np.ndarray, out: np.ndarray) -> None:
    """Write y, made one long, and x, made square to it, of `pairs` `(..., 2, 3)` into the first rows of `out`, which may be the same."""
    y, x = pairs[..., 0, :], pairs[..., 1, :]
    y = np.divide(y, np.maximum(np.sqrt((y * y) @ _ONES), _SHORTEST), out=out[..., 0, :])
    x = x - ((x * y) @ _ONES) * y
    np.divide(x, np.maximum(np.sqrt((x * x) @ _ONES), _SHORTEST), out=out[..., 1, :])
