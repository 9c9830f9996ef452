"""The pose network in numpy: what each joint is told by its neighbours mixes analytic, guessed and previous pose, and corrects them."""

from dataclasses import dataclass

import numpy as np

from .gat import Graph, Stack
from .inputs import GUESS_WIDTH, JOINT_COUNT, SHOWN_WIDTH, PoseInputs
from .network_body import NetworkBody
from .noise import NOISE_WIDTH, Noise
from .pose_weights import GUESS_OUTPUTS, PoseWeights
from .triad import crossed

RESIDUAL = np.float32(0.3)  # what an output of 1 adds to a column
_HIGHEST = np.float32(60.0)  # of what is raised to a power of e
_SHORTEST = np.float32(1e-12)
_ONE = np.float32(1.0)
_ONES = np.ones((3, 1), np.float32)


_NOISE_ROW = SHOWN_WIDTH + GUESS_WIDTH
_PREVIOUS_ROW = _NOISE_ROW + NOISE_WIDTH


@dataclass(frozen=True)
class Prepared:
    """What does not change while body and noise stay the same: the starts of the graph and of the dense layers.

    `rest` `(22, 6)`: columns y, x of the reference pose.  `leaning` `(..., 22, 1)`: what speaks against the analytic solution in a guess.
    """

    noise: Noise
    graph: np.ndarray
    guess: np.ndarray
    rest: np.ndarray
    leaning: np.ndarray


class PoseNetwork:
    """A trained network, its matrices laid out for use."""

    def __init__(self, weights: PoseWeights):
        self._guess = Stack(weights.guess)
        self._graph = Graph(weights.graph)
        self._trunk = weights.figure

    def prepared(self, body: NetworkBody, weights: np.ndarray, sigma: float | np.ndarray) -> Prepared:
        """Return what depends on the body, the points' weights `(27,)` or `(f, 27)`, and the noise in metres alone."""
        noise = Noise.of(body, self._trunk, weights, sigma)
        rest = body.aligned.reshape(JOINT_COUNT, 6).astype(np.float32)
        graph, guess = self._graph.prepared(noise.nodes, _NOISE_ROW), self._guess.prepared(noise.figure)
        return Prepared(noise, graph, guess, rest, _ONE - noise.gates[..., :1])

    def __call__(self, inputs: PoseInputs, prepared: Prepared) -> np.ndarray:
        """Return the joints' bone-aligned frames seen from the trunk, as rows y, x, z `(f, 22, 3, 3)`, float32."""
        noise, start, previous = prepared.noise, prepared.graph, inputs.previous
        guess = self._guessed(inputs, prepared)
        inputs.nodes[..., SHOWN_WIDTH:] = guess
        if previous is not None:
            start = self._graph.prepared(previous, _PREVIOUS_ROW, start)
        out = self._graph(inputs.nodes, start)
        columns = _mixture(inputs, guess, out[..., 6:] + noise.gates)
        columns += RESIDUAL * out[..., :6]
        columns -= inputs.analytic
        pairs = columns.reshape(columns.shape[:-1] + (2, 3))
        pairs *= inputs.free
        columns += inputs.analytic
        pairs /= np.sqrt((pairs * pairs) @ _ONES)
        y = pairs[..., 0, :]
        y += noise.snap * (inputs.shown - y)
        columns += inputs.firm * (inputs.analytic - columns)
        frames = np.empty(pairs.shape[:-2] + (3, 3), np.float32)
        _square_up(pairs, frames)
        frames[..., 2, :] = crossed(frames[..., 1, :], frames[..., 0, :])
        return frames

    def _guessed(self, inputs: PoseInputs, prepared: Prepared) -> np.ndarray:
        """Return the pose that the figure as a whole suggests, as columns y, x of any length `(f, 22, 6)`."""
        out = self._guess(inputs.figure, prepared.guess).reshape(-1, JOINT_COUNT, GUESS_OUTPUTS)
        guess = inputs.analytic - prepared.rest
        guess /= _ONE + np.exp(np.minimum(prepared.leaning - out[..., 6:], _HIGHEST))
        guess += prepared.rest
        guess += out[..., :6]
        return guess


def _mixture(inputs: PoseInputs, guess: np.ndarray, logits: np.ndarray) -> np.ndarray:
    """Return analytic, guessed and previous pose `(f, 22, 6)`, mixed in the shares of their logits `(f, 22, 3)`."""
    if inputs.previous is None:
        mixture = guess - inputs.analytic
        mixture /= _ONE + np.exp(np.minimum(logits[..., :1] - logits[..., 1:2], _HIGHEST))
        mixture += inputs.analytic
        return mixture
    shares = np.exp(logits - logits.max(axis=-1, keepdims=True))
    shares[..., 2:] *= inputs.previous[..., 6:]
    shares /= shares.sum(axis=-1, keepdims=True) + _SHORTEST
    return shares[..., :1] * inputs.analytic + shares[..., 1:2] * guess + shares[..., 2:] * inputs.previous[..., :6]


def _square_up(pairs: np.ndarray, out: np.ndarray) -> None:
    """Write y, made one long, and x, made square to it, of `pairs` `(..., 2, 3)` into the first rows of `out`, which may be the same."""
    y, x = pairs[..., 0, :], pairs[..., 1, :]
    y = np.divide(y, np.maximum(np.sqrt((y * y) @ _ONES), _SHORTEST), out=out[..., 0, :])
    x = x - ((x * y) @ _ONES) * y
    np.divide(x, np.maximum(np.sqrt((x * x) @ _ONES), _SHORTEST), out=out[..., 1, :])
