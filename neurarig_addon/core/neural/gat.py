"""The pose network in numpy: graph attention over the skeleton (Velickovic et al. 2018), anchored on the analytic pose.

Written for one frame in a few hundred microseconds as much as for a clip: few, large matrix products, nothing computed twice.
"""

import numpy as np

from .inputs import JOINT_COUNT, PoseInputs
from .points import PARENTS
from .pose_weights import Dense, PoseWeights
from .triad import crossed

SLOPE = 0.2  # of the leaky unit of attention
RESIDUAL = 0.3  # what an output of 1 adds to a column
_HIGHEST_SCORE = 60.0  # keeps the exponential of attention finite
_EPSILON = 1e-5  # of layer norms
_SHORTEST = np.float32(1e-12)
_FORGOTTEN = 30.0
_ONES = np.ones((3, 1), np.float32)
_F = np.float32


class PoseNetwork:
    """A trained network, its matrices laid out for use."""

    def __init__(self, weights: PoseWeights):
        width, heads = len(weights.enter.bias), weights.heads
        self.width, self.heads = width, heads
        self._guess = [(np.ascontiguousarray(layer.weight.T), layer.bias) for layer in weights.guess]
        # The first layer has no way round it: what enters and what it mixes come from one product.
        first = weights.layers[0].mix.T
        enter = weights.enter.weight.T
        self._enter = np.ascontiguousarray(np.concatenate([enter, enter @ first], axis=1))
        start = weights.enter.bias + weights.joints
        self._start = np.concatenate([np.broadcast_to(weights.enter.bias, start.shape), start @ first], axis=1)
        self._mixes = [np.ascontiguousarray(layer.mix.T) for layer in weights.layers[1:]]
        self._layers = [(layer.bias, layer.scale, layer.shift) for layer in weights.layers]
        self._last = np.ascontiguousarray(weights.last.weight.T), weights.last.bias
        self._leave = _normed(weights.leave, weights.scale, weights.shift)
        self._mask = _neighbours()
        self._mean = {size: np.full((size, 1), 1.0 / size, np.float32) for size in {width, len(weights.last.bias)}}

    def __call__(self, inputs: PoseInputs) -> np.ndarray:
        """Return columns y, x, z `(f, 22, 3, 3)` (rows of the array) of the joints' bone-aligned frames, seen from the trunk, float32."""
        guess = self._guessed(inputs)
        nodes = np.concatenate([inputs.nodes, guess], axis=-1).reshape(-1, inputs.nodes.shape[-1] + guess.shape[-1])
        frames = len(guess)
        first = (nodes @ self._enter).reshape(frames, JOINT_COUNT, -1)
        first += self._start
        entered = first[..., : self.width]
        hidden = self._attend(first[..., self.width :], *self._layers[0])
        for mix, layer in zip(self._mixes, self._layers[1:], strict=True):
            hidden += self._attend((hidden.reshape(-1, self.width) @ mix).reshape(frames, JOINT_COUNT, -1), *layer)
        hidden += entered
        weight, bias = self._last
        last = hidden.reshape(-1, self.width) @ weight
        last += bias
        np.maximum(last, 0.0, out=last)
        self._norm(last)
        weight, bias = self._leave
        out = last @ weight
        out += bias
        return _mixed(inputs, guess, out.reshape(frames, JOINT_COUNT, -1))

    def _guessed(self, inputs: PoseInputs) -> np.ndarray:
        """Return the pose that the whole figure suggests, as columns y, x `(f, 22, 6)`."""
        hidden = inputs.figure
        for weight, bias in self._guess[:-1]:
            hidden = hidden @ weight
            hidden += bias
            _elu(hidden)
        weight, bias = self._guess[-1]
        out = (hidden @ weight + bias).reshape(-1, JOINT_COUNT, 7)
        share = _sigmoid(out[..., 6:] + inputs.noise.gates[..., :1] - _F(1.0))
        columns = inputs.rest + share * (inputs.analytic - inputs.rest)
        columns += out[..., :6]
        frames = np.empty(columns.shape[:-1] + (2, 3), np.float32)
        _square_up(columns[..., :3], columns[..., 3:], frames)
        return frames.reshape(columns.shape)

    def _attend(self, mixed: np.ndarray, bias: np.ndarray, scale: np.ndarray, shift: np.ndarray) -> np.ndarray:
        """Return what joints gather from their neighbours `(f, 22, width)`; `mixed` `(f, 22, width + 2 heads)`: values, then scores."""
        frames, width, heads = len(mixed), self.width, self.heads
        values = mixed[..., :width].reshape(frames, JOINT_COUNT, heads, -1).transpose(0, 2, 1, 3)
        scores = np.ascontiguousarray(mixed[..., width:].transpose(0, 2, 1))
        pairs = scores[:, :heads, :, None] + scores[:, heads:, None, :]
        np.maximum(pairs, _F(SLOPE) * pairs, out=pairs)
        np.minimum(pairs, _F(_HIGHEST_SCORE), out=pairs)
        np.exp(pairs, out=pairs)
        pairs *= self._mask
        total = pairs @ np.ones((JOINT_COUNT, 1), np.float32)
        gathered = pairs @ values
        gathered /= total
        hidden = gathered.transpose(0, 2, 1, 3).reshape(-1, width)
        hidden += bias
        _elu(hidden)
        self._norm(hidden)
        hidden *= scale
        hidden += shift
        return hidden.reshape(frames, JOINT_COUNT, width)

    def _norm(self, hidden: np.ndarray) -> None:
        """Bring each row `(n, width)` to mean 0 and variance 1, in place."""
        mean = self._mean[hidden.shape[-1]]
        hidden -= hidden @ mean
        hidden /= np.sqrt((hidden * hidden) @ mean + _F(_EPSILON))


def _mixed(inputs: PoseInputs, guess: np.ndarray, out: np.ndarray) -> np.ndarray:
    """Return the frames `(f, 22, 3, 3)`, rows y, x, z: analytic, guessed and previous pose in the shares that the network gives."""
    gates = inputs.noise.gates
    analytic = np.exp(np.minimum(out[..., 6:7] + gates[..., :1], _F(_HIGHEST_SCORE)))
    guessed = np.exp(np.minimum(out[..., 7:8], _F(_HIGHEST_SCORE)))
    columns = analytic * inputs.analytic
    columns += guessed * guess
    total = analytic + guessed
    if inputs.remembers.any():
        previous = inputs.remembers * np.exp(np.minimum(out[..., 8:] + gates[..., 1:], _F(_HIGHEST_SCORE)))
        columns += previous * inputs.previous
        total += previous
    columns /= total
    columns += _F(RESIDUAL) * out[..., :6]
    pairs = columns.reshape(columns.shape[:-1] + (2, 3))
    pairs /= np.maximum(np.sqrt((pairs * pairs) @ _ONES), _SHORTEST)
    noise = inputs.noise
    pairs[..., 0, :] += noise.snap * (inputs.shown - pairs[..., 0, :])
    columns += noise.firm * (inputs.analytic - columns)
    frames = np.empty(pairs.shape[:-2] + (3, 3), np.float32)
    _square_up(pairs[..., 0, :], pairs[..., 1, :], frames)
    frames[..., 2, :] = crossed(frames[..., 1, :], frames[..., 0, :])
    return frames


def _square_up(y: np.ndarray, x: np.ndarray, out: np.ndarray) -> None:
    """Write unit `y`, and `x` made square to it, into rows 0 and 1 of `out` `(..., 2 or 3, 3)`."""
    y = y / np.maximum(np.sqrt((y * y) @ _ONES), _SHORTEST)
    x = x - ((x * y) @ _ONES) * y
    out[..., 0, :] = y
    np.divide(x, np.maximum(np.sqrt((x * x) @ _ONES), _SHORTEST), out=out[..., 1, :])


def _normed(layer: Dense, scale: np.ndarray, shift: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return matrix and bias of a dense layer that follows a norm, with the norm's scale and shift folded in."""
    return np.ascontiguousarray((layer.weight * scale).T), layer.bias + layer.weight @ shift


def _elu(values: np.ndarray) -> None:
    """Apply max(x, 0) + exp(min(x, 0)) - 1, in place."""
    low = np.minimum(values, 0.0)
    np.exp(low, out=low)
    low -= _F(1.0)
    np.maximum(values, 0.0, out=values)
    values += low


def _sigmoid(values: np.ndarray) -> np.ndarray:
    return _F(1.0) / (_F(1.0) + np.exp(-np.clip(values, -_HIGHEST_SCORE, _HIGHEST_SCORE)))


def _neighbours() -> np.ndarray:
    """Return which joints look at which `(22, 22)`: each at itself, its parent and its children."""
    mask = np.eye(JOINT_COUNT, dtype=np.float32)
    for joint in range(1, JOINT_COUNT):
        mask[joint, PARENTS[joint]] = mask[PARENTS[joint], joint] = 1.0
    return mask
