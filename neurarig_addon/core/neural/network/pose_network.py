"""The pose network in numpy: what each joint is told by its neighbours mixes analytic, guessed and previous pose, and corrects them."""

from dataclasses import dataclass, replace

import numpy as np

from ..analytic.network_body import NetworkBody
from ..analytic.noise import NOISE_WIDTH, Noise
from ..geometry.vectors import crossed, lengths
from .gat import Graph, Stack
from .inputs import GUESS_WIDTH, JOINT_COUNT, SHOWN_WIDTH, PoseInputs
from .pose_weights import GUESS_OUTPUTS, Dense, GraphWeights, PoseWeights

RESIDUAL = np.float32(0.3)  # what an output of 1 adds to a column
_HIGHEST = np.array(60.0, np.float32)  # of what is raised to a power of e
_SHORTEST = np.array(1e-12, np.float32)
_ONE = np.ones((), np.float32)
_COLUMNS = 6  # numbers of an orientation: columns y and x
_Y, _X = np.arange(3), np.arange(3, 6)
_SIX_EACH = np.repeat(np.arange(JOINT_COUNT), _COLUMNS)

_NOISE_ROW = SHOWN_WIDTH + GUESS_WIDTH
_PREVIOUS_ROW = _NOISE_ROW + NOISE_WIDTH


@dataclass(frozen=True)
class Prepared:
    """What does not change while body and noise stay the same: what graph and dense layers start from, and what their outputs are added to.

    All with the frames first, or 1 for all.  `rest` `(1, 22, 6)`: columns y, x of the reference pose.  `guess_given` `(..., 154)`: the
    reference pose, and what speaks against the analytic pose in a guess.  `given` `(..., 22, 9)`: what speaks for the analytic, the
    guessed and the previous pose before the network has looked.  `snap` `(..., 22, 3)`: as that of the noise.
    """

    noise: Noise
    graph: np.ndarray
    given: np.ndarray
    guess: np.ndarray
    guess_given: np.ndarray
    rest: np.ndarray
    snap: np.ndarray


class PoseNetwork:
    """A trained network, its matrices laid out for use."""

    def __init__(self, weights: PoseWeights):
        self._guess = Stack([*weights.guess[:-1], _leaning_last(weights.guess[-1])])
        self._graph = Graph(_scaled(weights.graph))
        self._shape = weights.figure

    def prepared(self, body: NetworkBody, weights: np.ndarray, sigma: float | np.ndarray) -> Prepared:
        """Return what depends on the body, the points' weights `(27,)` or `(f, 27)`, and the noise in metres alone."""
        noise = Noise.of(body, self._shape, weights, sigma)
        gates = noise.gates
        rest = body.aligned.reshape(1, JOINT_COUNT, _COLUMNS).astype(np.float32)
        guess_given = np.concatenate([np.broadcast_to(rest.reshape(1, -1), (len(gates), rest.size)), _ONE - gates[..., 0]], axis=-1)
        given = np.concatenate([np.zeros((*gates.shape[:-1], _COLUMNS), np.float32), gates], axis=-1)
        return Prepared(
            noise=noise,
            graph=self._graph.prepared(noise.nodes, _NOISE_ROW),
            given=self._graph.given + given,
            guess=self._guess.prepared(noise.figure),
            guess_given=self._guess.given + guess_given,
            rest=rest,
            snap=np.ascontiguousarray(noise.snap[..., :3]),
        )

    def __call__(self, inputs: PoseInputs, prepared: Prepared) -> np.ndarray:
        """Return the joints' bone-aligned frames seen from the trunk, as rows y, x, z `(f, 22, 3, 3)`, float32."""
        start, previous = prepared.graph, inputs.previous
        guess = self._guessed(inputs, prepared)
        inputs.nodes[..., SHOWN_WIDTH:] = guess
        if previous is not None:
            start = self._graph.prepared(previous, _PREVIOUS_ROW, start)
        out = self._graph(inputs.nodes, start, prepared.given)
        columns = _departure(inputs, guess, out[..., _COLUMNS:])
        columns += out[..., :_COLUMNS]
        columns *= inputs.free
        columns += inputs.analytic
        pairs = columns.reshape(-1, JOINT_COUNT, 2, 3)
        pairs /= lengths(pairs)
        y = columns.take(_Y, axis=-1)
        y += prepared.snap * (inputs.shown - y)
        columns[..., :3] = y
        columns += inputs.firm * (inputs.analytic - columns)
        return _frames(columns.take(_Y, axis=-1), columns.take(_X, axis=-1))

    def _guessed(self, inputs: PoseInputs, prepared: Prepared) -> np.ndarray:
        """Return the pose that the figure as a whole suggests, as columns y, x of any length `(f, 22, 6)`."""
        out = self._guess(inputs.figure, prepared.guess, prepared.guess_given)
        share = _share(out[:, JOINT_COUNT * _COLUMNS :])
        guess = inputs.analytic - prepared.rest
        guess *= share.take(_SIX_EACH, axis=-1).reshape(guess.shape)
        guess += out[:, : JOINT_COUNT * _COLUMNS].reshape(guess.shape)
        return guess


def _departure(inputs: PoseInputs, guess: np.ndarray, logits: np.ndarray) -> np.ndarray:
    """Return analytic, guessed and previous pose, mixed in the shares of their logits `(f, 22, 3)`, less the analytic one `(f, 22, 6)`."""
    guessed = guess - inputs.analytic
    if inputs.previous is None:
        share = _share(logits[..., 0] - logits[..., 1])
        guessed *= share.take(_SIX_EACH, axis=-1).reshape(guess.shape)
        return guessed
    shares = np.exp(logits - logits.max(axis=-1, keepdims=True))
    shares[..., 2:] *= inputs.previous[..., _COLUMNS:]
    shares /= shares.sum(axis=-1, keepdims=True) + _SHORTEST
    return shares[..., 1:2] * guessed + shares[..., 2:] * (inputs.previous[..., :_COLUMNS] - inputs.analytic)


def _share(against: np.ndarray) -> np.ndarray:
    """Return the share of what so much speaks against, between 0 and 1."""
    share = np.minimum(against, _HIGHEST)
    np.exp(share, out=share)
    share += _ONE
    return np.reciprocal(share, out=share)


def _frames(y: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Return frames as rows y, x, z `(..., 3, 3)` of vectors `(..., 3)`: y made one long, x square to it."""
    pairs = np.empty((*y.shape[:-1], 2, 3), np.float32)
    pairs[..., 0, :], pairs[..., 1, :] = y, crossed(x, y)
    pairs /= np.maximum(lengths(pairs), _SHORTEST)
    frames = np.empty((*y.shape, 3), np.float32)
    frames[..., ::2, :] = pairs
    frames[..., 1, :] = crossed(pairs[..., 0, :], pairs[..., 1, :])
    return frames


def _leaning_last(layer: Dense) -> Dense:
    """Return the guess' last layer with its outputs ordered: all columns, then what speaks against the analytic pose in each joint."""
    weight, bias = layer.weight.reshape(JOINT_COUNT, GUESS_OUTPUTS, -1), layer.bias.reshape(JOINT_COUNT, GUESS_OUTPUTS)
    columns, leaning = weight[:, :_COLUMNS].reshape(JOINT_COUNT * _COLUMNS, -1), weight[:, _COLUMNS]
    return Dense(np.concatenate([columns, -leaning]), np.concatenate([bias[:, :_COLUMNS].ravel(), -bias[:, _COLUMNS]]))


def _scaled(weights: GraphWeights) -> GraphWeights:
    """Return the graph with the corrections that it gives as they are added to columns."""
    scale = np.where(np.arange(len(weights.leave.bias)) < _COLUMNS, RESIDUAL, _ONE)
    return replace(weights, leave=Dense(weights.leave.weight * scale[:, None], weights.leave.bias * scale))
