"""Graph attention over the 22 joints in numpy (Velickovic et al. 2018).

Written for one frame in a hundred microseconds as much as for a clip: few, large matrix products, nothing computed twice.
"""

from collections.abc import Sequence

import numpy as np

from ..points import JOINTS, PARENTS
from .pose_weights import Attention, Dense, GraphWeights

JOINT_COUNT = len(JOINTS)
_BATCH = 24  # frames in one pass: what fits into a processor's cache
_SLOPE = np.array(0.2, np.float32)  # of the leaky unit of attention
_HIGHEST_SCORE = np.array(30.0, np.float32)  # of one joint, two make a pair: keeps the exponential of attention finite
_EPSILON = np.array(1e-5, np.float32)  # of layer norms
_ZERO, _ONE = np.zeros((), np.float32), np.ones((), np.float32)


class Graph:
    """A dense layer into the graph, graph layers, and a small network that gives each joint its outputs.

    Matrices with nothing between them are multiplied beforehand.  `given` `(n,)`: what the outputs are added to, if nothing else.
    """

    def __init__(self, weights: GraphWeights):
        self._width, self._heads = len(weights.enter.bias), weights.heads
        self._half = len(weights.last.bias)
        # What enters is mixed by the first layer, and goes round all layers to the last network.
        after = np.concatenate([weights.last.weight, weights.layers[0].mix]).T
        self._enter = np.ascontiguousarray(weights.enter.weight.T @ after)
        start = np.broadcast_to(weights.enter.bias, weights.joints.shape)
        start = np.concatenate(
            [start @ weights.last.weight.T + weights.last.bias, (start + weights.joints) @ weights.layers[0].mix.T], axis=1
        )
        # What a joint gathers are shares of one: what is added to every value is added to the sum.
        start[:, self._half : self._half + self._width] += weights.layers[0].bias
        self._start = start[None]
        self._layers = [_laid_out(layer) for layer in weights.layers[1:]]
        self._last = np.ascontiguousarray(weights.last.weight.T)
        self._leave, self.given = np.ascontiguousarray(weights.leave.weight.T), weights.leave.bias
        self._pairs = _Pairs(weights.heads)
        self._mean = np.full((self._width, 1), 1.0 / self._width, np.float32)

    def prepared(self, known: np.ndarray, at: int, before: np.ndarray | None = None) -> np.ndarray:
        """Return what nodes start from, `(1, 22, n)` or `(f, 22, n)`, when features `(..., 22, k)` from row `at` on are known beforehand.

        `before`: what was prepared of other features.
        """
        return known @ self._enter[at : at + known.shape[-1]] + (self._start if before is None else before)

    def __call__(self, nodes: np.ndarray, start: np.ndarray | None = None, given: np.ndarray | None = None) -> np.ndarray:
        """Return the outputs `(f, 22, n)` for features `(f, 22, m)`, the first m or all; `start` holds what was prepared of the others.

        `given` `(..., 22, n)`: is added to the outputs in place of the bias.
        """
        start, given = self._start if start is None else start, self.given if given is None else given
        if len(nodes) <= _BATCH:
            return self._outputs(nodes, start, given)
        tables = [np.broadcast_to(table, (len(nodes), *table.shape[-2:])) for table in (start, np.atleast_2d(given))]
        parts = [slice(first, first + _BATCH) for first in range(0, len(nodes), _BATCH)]
        return np.concatenate([self._outputs(nodes[part], *(table[part] for table in tables)) for part in parts])

    def _outputs(self, nodes: np.ndarray, start: np.ndarray, given: np.ndarray) -> np.ndarray:
        """Return the outputs for so few frames that everything stays in the cache: four times as fast as for more."""
        frames, _, features = nodes.shape
        first = (nodes.reshape(frames * JOINT_COUNT, features) @ self._enter[:features]).reshape(frames, JOINT_COUNT, -1)
        first += start
        hidden = self._attend(first[..., self._half :], None)
        for mix, bias in self._layers:
            hidden += self._attend((hidden.reshape(-1, self._width) @ mix).reshape(frames, JOINT_COUNT, -1), bias)
        last = (hidden.reshape(-1, self._width) @ self._last).reshape(frames, JOINT_COUNT, -1)
        last += first[..., : self._half]
        np.maximum(last, _ZERO, out=last)
        out = (last.reshape(frames * JOINT_COUNT, -1) @ self._leave).reshape(frames, JOINT_COUNT, -1)
        out += given
        return out

    def _attend(self, mixed: np.ndarray, bias: np.ndarray | None) -> np.ndarray:
        """Return what joints gather from their neighbours `(f, 22, width)`; `mixed` `(f, 22, width + 2 heads)`: values, then scores."""
        frames, width = len(mixed), self._width
        scores = np.minimum(mixed[..., width:], _HIGHEST_SCORE).reshape(frames, -1)
        hidden = np.empty((frames, JOINT_COUNT, width), np.float32)
        np.matmul(self._pairs.shares(scores), _by_head(mixed[..., :width], self._heads), out=_by_head(hidden, self._heads))
        if bias is not None:
            hidden += bias
        elu(hidden)
        self._norm(hidden)
        return hidden

    def _norm(self, hidden: np.ndarray) -> None:
        """Bring each row `(..., width)` to mean 0 and variance 1, in place."""
        hidden -= hidden @ self._mean
        square = (hidden * hidden) @ self._mean
        square += _EPSILON
        hidden /= np.sqrt(square, out=square)


class Stack:
    """Dense layers, two at least, with max(x, 0) between them."""

    def __init__(self, layers: Sequence[Dense]):
        self._layers = [(np.ascontiguousarray(layer.weight.T), layer.bias) for layer in layers]
        self.given = layers[-1].bias

    def prepared(self, known: np.ndarray) -> np.ndarray:
        """Return what the first layer starts from, `(n,)` or `(f, n)`, when the last of its inputs `(..., k)` are known beforehand."""
        weight, bias = self._layers[0]
        return known @ weight[-known.shape[-1] :] + bias

    def __call__(self, inputs: np.ndarray, start: np.ndarray | None = None, given: np.ndarray | None = None) -> np.ndarray:
        """Return the outputs `(f, n)` for inputs `(f, m)`, the first m or all; `start` holds what was prepared of the others.

        `given` `(..., n)`: is added to the outputs in place of the last bias.
        """
        weight, bias = self._layers[0]
        hidden = inputs @ weight[: inputs.shape[-1]]
        hidden += bias if start is None else start
        for weight, bias in self._layers[1:-1]:
            np.maximum(hidden, _ZERO, out=hidden)
            hidden = hidden @ weight
            hidden += bias
        np.maximum(hidden, _ZERO, out=hidden)
        out = hidden @ self._layers[-1][0]
        out += self.given if given is None else given
        return out


class _Pairs:
    """Who looks at whom: each joint at up to `slots` neighbours, the last of which is nobody."""

    def __init__(self, heads: int):
        mask = neighbours()
        slots = int(mask.sum(axis=1).max()) + 1
        looked_at = np.zeros((JOINT_COUNT, slots), int)
        present = np.zeros((JOINT_COUNT, slots, heads), np.float32)
        slot_of = np.full((JOINT_COUNT, JOINT_COUNT), slots - 1)
        for joint, row in enumerate(mask):
            for slot, other in enumerate(np.flatnonzero(row)):
                looked_at[joint, slot], present[joint, slot], slot_of[joint, other] = other, 1.0, slot
        head, joint = np.arange(heads), np.arange(JOINT_COUNT)[:, None]
        self._shape = heads, JOINT_COUNT, JOINT_COUNT
        # Rows of a frame's scores (joint, looking or looked at, head), one for each pair (joint, slot, head) and the pairs of a matrix.
        self._looking = (np.broadcast_to(joint, looked_at.shape)[..., None] * 2 * heads + head).ravel()
        self._looked_at = (looked_at[..., None] * 2 * heads + heads + head).ravel()
        self._spread = ((joint * slots + slot_of) * heads + head[:, None, None]).ravel()
        self._present = present.reshape(1, -1)
        self._sums = np.kron(np.ones((slots, slots), np.float32), np.eye(heads, dtype=np.float32))

    def shares(self, scores: np.ndarray) -> np.ndarray:
        """Return how much each joint takes of each `(f, heads, 22, 22)`; `scores` `(f, 22 * 2 * heads)`: of who looks and who is seen."""
        pairs = scores.take(self._looking, axis=1)
        pairs += scores.take(self._looked_at, axis=1)
        np.maximum(pairs, _SLOPE * pairs, out=pairs)
        np.exp(pairs, out=pairs)
        pairs *= self._present
        joints = pairs.reshape(-1, len(self._sums))
        joints /= joints @ self._sums
        return pairs.take(self._spread, axis=1).reshape(-1, *self._shape)


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
    return np.ascontiguousarray(layer.mix.T), np.tile(layer.bias, (1, JOINT_COUNT, 1))


def _by_head(values: np.ndarray, heads: int) -> np.ndarray:
    """Return a view of values `(f, 22, width)` as matrices of each head `(f, heads, 22, width / heads)`."""
    return values.reshape(len(values), JOINT_COUNT, heads, -1).transpose(0, 2, 1, 3)
