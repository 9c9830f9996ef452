"""The pose network in numpy: turns that are added to the analytic pose, as far as points leave it
undetermined."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..analytic.network_body import NetworkBody
from ..analytic.noise import NOISE_WIDTH, TURN_WIDTH, Noise
from .gat import Graph
from .inputs import GUESS_WIDTH, JOINT_COUNT, SHOWN_WIDTH, PoseInputs
from .pose_weights import Dense, GraphWeights, PoseWeights

_ZERO = np.zeros((), np.float32)


class Stack:
    """Dense layers, at least two, with max(x, 0) between them."""

    def __init__(self, layers: Sequence[Dense]):
        self._layers = [(np.ascontiguousarray(layer.weight.T), layer.bias) for layer in layers]

    def prepared(self, known: np.ndarray) -> np.ndarray:
        """Return the first layer's part, `(n,)` or `(f, n)`, of the last of its inputs, `known` `(..., k)`
        beforehand, and its bias."""
        weight, bias = self._layers[0]
        return known @ weight[-known.shape[-1] :] + bias

    def __call__(self, inputs: np.ndarray, start: np.ndarray | None = None) -> np.ndarray:
        """Return the outputs `(f, n)` for inputs `(f, m)`, the first m or all; `start`: what was prepared of
        the others."""
        weight, bias = self._layers[0]
        hidden = inputs.dot(weight[: inputs.shape[-1]])
        hidden += bias if start is None else start
        for weight, bias in self._layers[1:]:
            np.maximum(hidden, _ZERO, out=hidden)
            hidden = hidden.dot(weight)
            hidden += bias
        return hidden


_NOISE_ROW = SHOWN_WIDTH + GUESS_WIDTH
_PREVIOUS_ROW = _NOISE_ROW + NOISE_WIDTH
# Products of a quaternion's parts (real, x, y, z), each with each.
_FIRST, _SECOND = np.repeat(np.arange(TURN_WIDTH), TURN_WIDTH), np.tile(np.arange(TURN_WIDTH), TURN_WIDTH)


@dataclass(frozen=True)
class Prepared:
    """What depends only on body and noise: the parts that graph and dense layers start from, the frames
    first, or 1 for all."""

    noise: Noise
    graph: np.ndarray
    guess: np.ndarray


class PoseNetwork:
    """A trained network, its matrices laid out for use."""

    def __init__(self, weights: PoseWeights):
        self._guess = Stack(_features_first(weights.guess))
        self._graph = Graph(_with_guess(weights.graph))
        self._shape = weights.figure

    def prepared(
        self,
        body: NetworkBody,
        weights: np.ndarray,
        sigma: float | np.ndarray,
        around: np.ndarray | None = None,
    ) -> Prepared:
        """Return what depends only on the body, the points' weights `(27,)` or `(f, 27)`, the noise in
        metres, and a pose `(27, 3)`."""
        noise = Noise.of(body, self._shape, weights, sigma, around)
        return Prepared(
            noise, self._graph.prepared(noise.nodes, _NOISE_ROW), self._guess.prepared(noise.figure)
        )

    def __call__(self, inputs: PoseInputs, prepared: Prepared) -> np.ndarray:
        """Return the axes y, x, z of the joints' bone-aligned frames in rows `(f, 22, 3, 3)`, walk frame."""
        nodes, start = inputs.nodes, prepared.graph
        guess = self._guess(nodes[:, :SHOWN_WIDTH].reshape(len(nodes), -1), prepared.guess)
        nodes[:, SHOWN_WIDTH:] = guess.reshape(len(nodes), GUESS_WIDTH, JOINT_COUNT)
        if inputs.previous is not None:
            start = self._graph.prepared(inputs.previous, _PREVIOUS_ROW, start)
        turns = self._graph(nodes, start)
        turns *= inputs.free
        return turned(inputs.axes, turns)


def turned(axes: np.ndarray, turns: np.ndarray) -> np.ndarray:
    """Return axes y, x, z in rows `(f, 22, 3, 3)`, turned in their own frame by quaternions `(f, 4, 22)` of
    any length but zero."""
    products = turns.take(_FIRST, axis=1)
    products *= turns.take(_SECOND, axis=1)
    found = _TURNS @ products
    turn = found[:, :9] / found[:, 9:]
    return turn.swapaxes(-1, -2).reshape(axes.shape) @ axes


def _turns() -> np.ndarray:
    """Return the table `(18, 16)` from products of a quaternion's parts to its rotation of axes y, x, z in
    rows, times the square of its length, and to that square nine times."""
    a, x, y, z = range(TURN_WIDTH)
    square = {(a, a): 1.0, (x, x): 1.0, (y, y): 1.0, (z, z): 1.0}
    # Entries of the transposed rotation (row, column), each with its products and their factors.
    ways = {
        (x, x): {(a, a): 1.0, (x, x): 1.0, (y, y): -1.0, (z, z): -1.0},
        (y, y): {(a, a): 1.0, (x, x): -1.0, (y, y): 1.0, (z, z): -1.0},
        (z, z): {(a, a): 1.0, (x, x): -1.0, (y, y): -1.0, (z, z): 1.0},
        (x, y): {(x, y): 2.0, (a, z): 2.0},
        (y, x): {(x, y): 2.0, (a, z): -2.0},
        (x, z): {(x, z): 2.0, (a, y): -2.0},
        (z, x): {(x, z): 2.0, (a, y): 2.0},
        (y, z): {(y, z): 2.0, (a, x): 2.0},
        (z, y): {(y, z): 2.0, (a, x): -2.0},
    }
    table = np.zeros((TURN_WIDTH, TURN_WIDTH, 18), np.float32)
    for entry, pair in enumerate((row, column) for row in (y, x, z) for column in (y, x, z)):
        for column, products in ((entry, ways[pair]), (9 + entry, square)):
            for (first, second), factor in products.items():
                table[first, second, column] = factor
    return np.ascontiguousarray(table.reshape(-1, 18).T)


_TURNS = _turns()


def _features_first(guess: tuple[Dense, Dense, Dense]) -> list[Dense]:
    """Return the guess' layers reordered for features that come before joints, as in the nodes."""
    first, middle, last = guess
    shown, noise = np.split(first.weight, [SHOWN_WIDTH * JOINT_COUNT], axis=1)
    shown = shown.reshape(-1, JOINT_COUNT, SHOWN_WIDTH).swapaxes(-1, -2).reshape(len(shown), -1)
    weight, bias = (
        table.reshape(JOINT_COUNT, GUESS_WIDTH, -1).swapaxes(0, 1) for table in (last.weight, last.bias)
    )
    return [
        Dense(np.concatenate([shown, noise], axis=1), first.bias),
        middle,
        Dense(weight.reshape(last.weight.shape), bias.ravel()),
    ]


def _with_guess(graph: GraphWeights) -> GraphWeights:
    """Return the graph with an output of 1 before the others; to these the first features of the guess are
    added."""
    outputs, features = graph.leave.shape[0], graph.enter.shape[1]
    enter = np.concatenate([np.zeros((1, features), np.float32), graph.enter])
    joints = np.concatenate([np.ones((JOINT_COUNT, 1), np.float32), graph.joints], axis=1)
    rows = slice(SHOWN_WIDTH, SHOWN_WIDTH + GUESS_WIDTH)
    enter[1 : 1 + outputs, rows] += np.eye(outputs, GUESS_WIDTH, dtype=np.float32)
    leave = np.concatenate([np.zeros((1, graph.leave.shape[1]), np.float32), graph.leave])
    return replace(graph, enter=enter, joints=joints, leave=leave)
