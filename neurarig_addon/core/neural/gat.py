"""Graph attention over the 22 joints in numpy (Velickovic et al. 2018).

Written for one frame in a hundred microseconds as much as for a clip: few, large matrix products, nothing computed twice.
"""

from collections.abc import Sequence

import numpy as np

from .points import JOINTS, PARENTS
from .pose_weights import Attention, Dense, GraphWeights

JOINT_COUNT = len(JOINTS)
_SLOPE = np.float32(0.2)  # of the leaky unit of attention
_HIGHEST_SCORE = np.float32(30.0)  # of one joint, two make a pair: keeps the exponential of attention finite
_EPSILON = np.float32(1e-5)  # of layer norms
_ZERO, _ONE = np.float32(0.0), np.float32(1.0)
_EVERY_JOINT = np.ones((JOINT_COUNT, 1), np.float32)


class Graph:
    """A dense layer into the graph, graph layers, and a small network that gives each joint its outputs."""

    def __init__(self, weights: GraphWeights):
        width = len(weights.enter.bias)
        self.width, self.heads = width, weights.heads
        # The first layer has no way round it: what enters and what it mixes come from one product.
        first = weights.layers[0].mix.T
        enter = weights.enter.weight.T
        self._enter = np.ascontiguousarray(np.concatenate([enter, enter @ first], axis=1))
        start = weights.enter.bias + weights.joints
        self._start = np.concatenate([np.broadcast_to(weights.enter.bias, start.shape), start @ first], axis=1)
        # What a joint gathers are shares of one: what is added to every value is added to the sum.
        self._start[:, width : 2 * width] += weights.layers[0].bias
        self._layers = [_laid_out(layer) for layer in weights.layers[1:]]
        self._last = np.ascontiguousarray(weights.last.weight.T), weights.last.bias
        self._leave = np.ascontiguousarray(weights.leave.weight.T), weights.leave.bias
        self._mask = neighbours()
        self._mean = np.full((width, 1), 1.0 / width, np.float32)

    def prepared(self, known: np.ndarray, at: int, before: np.ndarray | None = None) -> np.ndarray:
        """Return what nodes start from, `(22, n)` or `(f, 22, n)`, when features `(..., 22, k)` from row `at` on are known beforehand.

        `before`: what was prepared of other features.
        """
        return known @ self._enter[at : at + known.shape[-1]] + (self._start if before is None else before)

    def __call__(self, nodes: np.ndarray, start: np.ndarray | None = None) -> np.ndarray:
        """Return the outputs `(f, 22, n)` for features `(f, 22, m)`, the first m or all; `start` holds what was prepared of the others."""
        frames, _, features = nodes.shape
        first = (nodes.reshape(frames * JOINT_COUNT, features) @ self._enter[:features]).reshape(frames, JOINT_COUNT, -1)
        first += self._start if start is None else start
        hidden = self._attend(first[..., self.width :], None)
        for mix, bias in self._layers:
            hidden += self._attend((hidden @ mix).reshape(frames, JOINT_COUNT, -1), bias)
        hidden += first[..., : self.width].reshape(hidden.shape)
        weight, bias = self._last
        last = hidden @ weight
        last += bias
        np.maximum(last, _ZERO, out=last)
        weight, bias = self._leave
        out = last @ weight
        out += bias
        return out.reshape(frames, JOINT_COUNT, -1)

    def _attend(self, mixed: np.ndarray, bias: np.ndarray | None) -> np.ndarray:
        """Return what joints gather from their neighbours `(f * 22, width)`; `mixed` `(f, 22, width + 2 heads)`: values, then scores."""
        frames, width, heads = len(mixed), self.width, self.heads
        values = mixed[..., :width].reshape(frames, JOINT_COUNT, heads, -1).transpose(0, 2, 1, 3)
        scores = np.ascontiguousarray(mixed[..., width:].transpose(0, 2, 1))
        scores = np.minimum(scores, _HIGHEST_SCORE)
        pairs = scores[:, :heads, :, None] + scores[:, heads:, None, :]
        np.maximum(pairs, _SLOPE * pairs, out=pairs)
        np.exp(pairs, out=pairs)
        pairs *= self._mask
        pairs /= pairs @ _EVERY_JOINT
        hidden = (pairs @ values).transpose(0, 2, 1, 3).reshape(-1, width)
        if bias is not None:
            hidden += bias
        elu(hidden)
        self._norm(hidden)
        return hidden

    def _norm(self, hidden: np.ndarray) -> None:
        """Bring each row `(n, width)` to mean 0 and variance 1, in place."""
        hidden -= hidden @ self._mean
        square = (hidden * hidden) @ self._mean
        square += _EPSILON
        hidden /= np.sqrt(square, out=square)


class Stack:
    """Dense layers with max(x, 0) between them."""

    def __init__(self, layers: Sequence[Dense]):
        self._layers = [(np.ascontiguousarray(layer.weight.T), layer.bias) for layer in layers]

    def prepared(self, known: np.ndarray) -> np.ndarray:
        """Return what the first layer starts from, `(n,)` or `(f, n)`, when the last of its inputs `(..., k)` are known beforehand."""
        weight, bias = self._layers[0]
        return known @ weight[-known.shape[-1] :] + bias

    def __call__(self, inputs: np.ndarray, start: np.ndarray | None = None) -> np.ndarray:
        """Return the outputs `(f, n)` for inputs `(f, m)`, the first m or all; `start` holds what was prepared of the others."""
        weight, bias = self._layers[0]
        hidden = inputs @ weight[: inputs.shape[-1]]
        hidden += bias if start is None else start
        for weight, bias in self._layers[1:]:
            np.maximum(hidden, _ZERO, out=hidden)
            hidden = hidden @ weight
            hidden += bias
        return hidden


def elu(values: np.ndarray) -> None:
    """Apply max(x, exp(min(x, 0)) - 1), in place."""
    low = np.minimum(values, _ZERO)
    np.exp(low, out=low)
    low -= _ONE
    np.maximum(values, low, out=values)


def neighbours() -> np.ndarray:
    """Return which joints look at which `(22, 22)`: each at itself, its parent and its children."""
    mask = np.eye(JOINT_COUNT, dtype=np.float32)
    for joint in range(1, JOINT_COUNT):
        mask[joint, PARENTS[joint]] = mask[PARENTS[joint], joint] = 1.0
    return mask


def _laid_out(layer: Attention) -> tuple[np.ndarray, np.ndarray]:
    return np.ascontiguousarray(layer.mix.T), layer.bias
