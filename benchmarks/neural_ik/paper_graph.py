"""Graph attention of the paper's class in numpy: attention in every layer, ELU, layer norm (Velickovic et al. 2018).

Written for one frame as much as for a clip, as our own network is.
"""

from dataclasses import dataclass

import numpy as np
from torch import Tensor, nn

from benchmarks.neural_ik.baselines import GraphAttention, GraphModel
from neurarig_addon.core.neural.network.gat import BATCH, HIGHEST_SCORE, JOINT_COUNT, Pairs
from neurarig_addon.core.neural.network.pose_weights import Dense

_EPSILON = np.array(1e-5, np.float32)  # of layer norms
_ONE = np.ones((), np.float32)


@dataclass(frozen=True)
class Attention:
    """One graph layer, followed by a plain layer norm.

    `mix` `(width + 2 heads, width)`: gives values, then the scores of who looks and of who is looked at.  `bias` `(width,)`: is added to
    what was gathered.
    """

    mix: np.ndarray
    bias: np.ndarray


@dataclass(frozen=True)
class PaperGraphWeights:
    """A graph network over the joints, float32.

    `enter`: node features to the graph's width.  `joints` `(22, width)`: what tells one joint from another.  `layers`: the graph's.
    `last`, then `leave`: from node to output.
    """

    heads: int
    enter: Dense
    joints: np.ndarray
    layers: tuple[Attention, ...]
    last: Dense
    leave: Dense

    @classmethod
    def of(cls, graph: GraphModel) -> "PaperGraphWeights":
        """Return the weights of a network in torch."""
        layers = tuple(_attention(layer) for layer in graph.layers)
        return cls(graph.heads, _dense(graph.enter), _array(graph.joints), layers, _dense(graph.last), _dense(graph.leave))


class PaperGraph:
    """A dense layer into the graph, graph layers, and a small network that gives each joint its outputs.

    Matrices with nothing between them are multiplied beforehand.
    """

    def __init__(self, weights: PaperGraphWeights):
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
        # The mean that a layer norm takes from what joints gathered is taken by the matrices after it.
        self._layers = [_laid_out(layer) for layer in weights.layers[1:]]
        self._last = _centred(weights.last.weight.T)
        self._leave, self._given = np.ascontiguousarray(weights.leave.weight.T), weights.leave.bias
        self._pairs = Pairs(weights.heads)
        self._mean = np.full((self._width, 1), 1.0 / self._width, np.float32)
        self._nothing = np.zeros((BATCH, JOINT_COUNT, self._width), np.float32)  # in a third of the time that one zero takes

    def __call__(self, nodes: np.ndarray) -> np.ndarray:
        """Return the outputs `(f, 22, n)` for features `(f, 22, m)`."""
        if len(nodes) <= BATCH:
            return self._outputs(nodes)
        return np.concatenate([self._outputs(nodes[first : first + BATCH]) for first in range(0, len(nodes), BATCH)])

    def _outputs(self, nodes: np.ndarray) -> np.ndarray:
        """Return the outputs for so few frames that everything stays in the cache: four times as fast as for more."""
        frames, _, features = nodes.shape
        first = (nodes.reshape(frames * JOINT_COUNT, features) @ self._enter).reshape(frames, JOINT_COUNT, -1)
        first += self._start
        hidden = self._attend(first[..., self._half :], None)
        for mix, bias in self._layers:
            hidden += self._attend((hidden.reshape(-1, self._width) @ mix).reshape(frames, JOINT_COUNT, -1), bias)
        last = (hidden.reshape(-1, self._width) @ self._last).reshape(frames, JOINT_COUNT, -1)
        last += first[..., : self._half]
        np.maximum(last, self._nothing[:frames, :, : self._half], out=last)
        out = (last.reshape(frames * JOINT_COUNT, -1) @ self._leave).reshape(frames, JOINT_COUNT, -1)
        out += self._given
        return out

    def _attend(self, mixed: np.ndarray, bias: np.ndarray | None) -> np.ndarray:
        """Return what joints gather from their neighbours `(f, 22, width)`; `mixed` `(f, 22, width + 2 heads)`: values, then scores."""
        frames, width = len(mixed), self._width
        scores = np.minimum(mixed[..., width:], HIGHEST_SCORE).swapaxes(-1, -2)
        hidden = np.empty((frames, JOINT_COUNT, width), np.float32)
        np.matmul(self._pairs.shares(scores), _by_head(mixed[..., :width], self._heads), out=_by_head(hidden, self._heads))
        if bias is not None:
            hidden += bias
        self._elu(hidden)
        self._norm(hidden)
        return hidden

    def _elu(self, values: np.ndarray) -> None:
        """Apply max(x, exp(min(x, 0)) - 1), in place."""
        low = np.minimum(values, self._nothing[: len(values)])
        np.exp(low, out=low)
        low -= _ONE
        np.maximum(values, low, out=values)

    def _norm(self, hidden: np.ndarray) -> None:
        """Bring each row `(..., width)` to variance 1, in place."""
        mean = hidden @ self._mean
        variance = (hidden * hidden) @ self._mean
        variance -= mean * mean
        variance += _EPSILON
        hidden /= np.sqrt(variance, out=variance)


def _laid_out(layer: Attention) -> tuple[np.ndarray, np.ndarray]:
    return _centred(layer.mix.T), np.tile(layer.bias, (1, JOINT_COUNT, 1))


def _centred(matrix: np.ndarray) -> np.ndarray:
    """Return a matrix `(width, n)` by which rows are multiplied, as it is for rows whose mean is yet to be taken from them."""
    return np.ascontiguousarray(matrix - matrix.mean(axis=0))


def _attention(layer: nn.Module) -> Attention:
    assert isinstance(layer, GraphAttention)
    return Attention(_array(layer.mix.weight), _array(layer.bias))


def _dense(layer: nn.Linear) -> Dense:
    return Dense(_array(layer.weight), _array(layer.bias))


def _array(tensor: Tensor) -> np.ndarray:
    return tensor.detach().numpy()


def _by_head(values: np.ndarray, heads: int) -> np.ndarray:
    """Return a view of values `(f, 22, width)` as matrices of each head `(f, heads, 22, width / heads)`."""
    return values.reshape(len(values), JOINT_COUNT, heads, -1).transpose(0, 2, 1, 3)
