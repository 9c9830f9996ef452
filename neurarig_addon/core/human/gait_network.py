"""The human walk as a function of phase: a small network gives its Fourier coefficients.

Slow inputs (speed, proportions) go through the network once; its coefficients times the harmonics of the
phase are the motion.
So the motion is periodic and smooth by construction, and any number of frames is one matrix product. On the
wire it has the interface of
a profile.
"""

import json
import os
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from ..contract.channels import CHANNELS, NEURARIG_OUTPUTS
from ..contract.inputs import ELEVEN_INPUTS, OFFSETS, SLOW, VELOCITY, legs_of
from ..errors import NeuraRigError
from ..gait.kinds.natural import natural_period, natural_stride
from ..network.mlp import Mlp
from ..network.safetensors import read_tensors, take_layers, take_tensor, write_tensors
from ..shipped import DATA
from ..waves import TERMS, fourier_basis
from .canonical import (
    CANONICAL,
    COEFFICIENTS,
    FEATURES,
    IS_LENGTH,
    IS_MIDLINE,
    MIRROR,
    SLOTS,
    Given,
    assemble,
    dimensionless,
    fade,
    harmonics,
)

FORMAT, VERSION = "neurarig-gait-network", "1"
# The meaning of the numbers; a file that differs was made for another network.
_FEATURE_LIST = json.dumps(FEATURES)
_CHANNEL_LIST = json.dumps([f"{name}: {', '.join(map(str, harmonics(name)))}" for name in CANONICAL])
_MAX_LAYERS = 8
_LARGEST, _SMALLEST_SCALE = 1e4, 1e-4  # keep every product of the forward pass far inside float32
_take = partial(take_tensor, largest=_LARGEST)


@dataclass(frozen=True)
class GaitWeights:
    """A trained network; all arrays float32.

    `low`, `high` `(features,)`: the trained range, to which features are clamped. `mean`, `scale`
    `(features,)`: the network sees (feature - mean) / scale. `channel_scale` `(29,)`: the size of a
    coefficient of 1, in leg lengths or radians. `layers`: `(weight (outputs, inputs), bias (outputs,))`; the
    last gives the Fourier coefficients in the order of `canonical.SLOTS`.
    """

    low: np.ndarray
    high: np.ndarray
    mean: np.ndarray
    scale: np.ndarray
    channel_scale: np.ndarray
    layers: tuple[tuple[np.ndarray, np.ndarray], ...]


def write_weights(path: str | os.PathLike, weights: GaitWeights) -> None:
    """Write a network with the names of its inputs and outputs."""
    metadata = {
        "format": FORMAT,
        "version": VERSION,
        "features": _FEATURE_LIST,
        "channels": _CHANNEL_LIST,
        "activation": "elu",
    }
    tensors = {f"feature.{name}": getattr(weights, name) for name in ("low", "high", "mean", "scale")}
    tensors["channel.scale"] = weights.channel_scale
    for n, (weight, bias) in enumerate(weights.layers):
        tensors[f"layer{n}.weight"], tensors[f"layer{n}.bias"] = weight, bias
    write_tensors(path, metadata, tensors)


def read_weights(path: str | os.PathLike) -> GaitWeights:
    """Read a network; raises NeuraRigError, naming the file, if this version of the add-on cannot run it."""
    metadata, tensors = read_tensors(path)
    try:
        _check_metadata(metadata)
        low, high, mean, scale = (
            _take(tensors, f"feature.{name}", (len(FEATURES),)) for name in ("low", "high", "mean", "scale")
        )
        weights = GaitWeights(
            low, high, mean, scale, _take(tensors, "channel.scale", (len(CANONICAL),)), _take_layers(tensors)
        )
        if tensors:
            raise ValueError(f"it holds {sorted(tensors)[0]!r}, which this version does not know")
        if not (
            (weights.low < weights.high).all()
            and (weights.scale >= _SMALLEST_SCALE).all()
            and (weights.channel_scale >= 0.0).all()
        ):
            raise ValueError("its normalisation is not valid")
    except ValueError as error:
        raise NeuraRigError(
            f"'{Path(path).name}' holds no gait network for this version of the add-on: {error}; train it"
            " again."
        ) from None
    return weights


def _check_metadata(metadata: dict[str, str]) -> None:
    expected = {
        "format": FORMAT,
        "version": VERSION,
        "features": _FEATURE_LIST,
        "channels": _CHANNEL_LIST,
        "activation": "elu",
    }
    for name, value in expected.items():
        if metadata.get(name) != value:
            raise ValueError(f"its {name} is not the one expected")


def _take_layers(tensors: dict[str, np.ndarray]) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    """Remove the layers from the tensors and return them; raises ValueError if they do not fit each other or
    lack coefficients."""
    layers = take_layers(tensors, "layer", len(FEATURES), _MAX_LAYERS, _LARGEST)
    if not layers or len(layers[-1][1]) != COEFFICIENTS:
        raise ValueError(f"its layers do not give the {COEFFICIENTS} coefficients of a walk")
    return layers


BUNDLED = DATA / "weights" / "human.safetensors"
BUNDLED_RUN = BUNDLED.with_name("run.safetensors")
# Frames computed at once: few enough that a long bake stays in the processor's cache.
_FRAMES_AT_ONCE = 512
# Factors of the views `(2, 29, 1)`, separate for lengths and angles: the left view mirrored, the midline half
# from each.
_SHARES = (np.stack([MIRROR, np.ones_like(MIRROR)]) * np.where(IS_MIDLINE, 0.5, 1.0))[..., None]
_LENGTHS, _ANGLES = _SHARES * IS_LENGTH[:, None], _SHARES * ~IS_LENGTH[:, None]

_NO_STRIDE = 1e-9  # metres; standing has no period


class GaitNetwork:
    """The 11 -> 30 network of NeuraRig's contract, with chest, head and arms beside the 30."""

    def __init__(self, weights: GaitWeights):
        self._low, self._high = weights.low, weights.high
        # Float32 would round a frame differently alone than among others, and the lift of the feet would
        # depend on that.
        self._mlp = Mlp(_folded(weights), np.float64)

    @classmethod
    def load(cls, path: str | os.PathLike = BUNDLED) -> "GaitNetwork":
        """Read a weights file; raises NeuraRigError, naming the file, if it is unusable."""
        return cls(read_weights(path))

    def sample(self, slow: np.ndarray, phase_right: np.ndarray, phase_left: np.ndarray) -> np.ndarray:
        """Return the channels `(frames, 46)` of `contract.channels`: displacements from standing, metres and
        radians.

        `slow` `(frames or 1, 9)`: see `contract.inputs`; m/s and metres, spacings positive on both sides.
        `phase_right`, `phase_left` `(frames,)`: cycles since a heel strike of that foot, offsets included.
        Raises NeuraRigError for a leg without length or an input that is not finite.
        """
        slow = np.asarray(slow, dtype=float)
        phases = np.array([phase_left, phase_right], dtype=float)
        changes = np.append(True, (slow[1:] != slow[:-1]).any(axis=1))
        return self._channels(dimensionless(slow[changes]), np.cumsum(changes) - 1, phases).T

    def evaluate(self, inputs: np.ndarray) -> np.ndarray:
        """Return NeuraRig's outputs `(n, 30)` float32 for its inputs `(n, 11)`.

        The phase of a foot is t_cycle over the natural period of this leg at this speed, plus the foot's
        offset; t_accumulated adds nothing to t_cycle.
        """
        inputs = np.asarray(inputs, dtype=float)
        slow, t_cycle = inputs[:, :SLOW], inputs[:, SLOW]
        given = dimensionless(slow)
        velocity = np.abs(slow[:, VELOCITY])
        cycles = t_cycle * velocity / np.maximum(natural_stride(velocity, given.leg), _NO_STRIDE)
        return self._channels(given, np.arange(len(slow)), cycles + slow.T[OFFSETS])[
            :NEURARIG_OUTPUTS
        ].T.astype(np.float32)

    def _channels(self, given: Given, rows: np.ndarray, phases: np.ndarray) -> np.ndarray:
        """Return the channels `(46, frames)` at phases `(2, frames)`, left then right, for features in `rows`
        `(frames,)`, rising."""
        fixed = self._curves(given) if len(given.leg) == 1 else None
        values = np.empty((len(CHANNELS), phases.shape[1]))
        for start in range(0, phases.shape[1], _FRAMES_AT_ONCE):
            frames = slice(start, start + _FRAMES_AT_ONCE)
            coefficients, size = fixed or self._curves_of(given, rows[frames])
            views = _fourier_sum(coefficients, fourier_basis(phases[:, frames]))
            views *= size
            assemble(views, values[:, frames])
        return values

    def _curves_of(self, given: Given, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the curves of features in some rows, rising; each row is evaluated once."""
        coefficients, size = self._curves(given.rows(slice(rows[0], rows[-1] + 1)))
        if size.shape[-1] == len(rows):
            return coefficients, size
        return coefficients[:, rows - rows[0]], size[..., rows - rows[0]]

    def _curves(self, given: Given) -> tuple[np.ndarray, np.ndarray]:
        """Return Fourier coefficients `(2, rows, 29, TERMS)`, left then right view, `(1, ...)` of sides that
        are alike, and their size `(2, 29, rows)`.

        The size converts leg lengths to metres, fades at low speed and mirrors the left view back.
        """
        held = np.minimum(np.maximum(given.features, self._low), self._high)
        if (held[0] == held[1]).all():
            held = held[:1]
        # Inside are two products of the same shape, not one over both sides' rows, so that equal sides give
        # equal bits.
        coefficients = self._mlp.forward(held).reshape(*held.shape[:2], len(CANONICAL), TERMS)
        shrink = fade(given.speed)
        return coefficients, _LENGTHS * (given.leg * shrink) + _ANGLES * shrink


def _fourier_sum(coefficients: np.ndarray, basis: np.ndarray) -> np.ndarray:
    """Return both views `(2, 29, frames)` of coefficients `(2 or 1, 1 or frames, 29, TERMS)` on a basis `(2,
    frames, TERMS)`."""
    if coefficients.shape[1] == 1:
        return coefficients[:, 0] @ basis.swapaxes(1, 2)
    return np.matmul(coefficients, basis[..., None])[..., 0].swapaxes(1, 2)


def _folded(weights: GaitWeights) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the layers with the normalisation folded in, the last one expanded to give whole `(29, TERMS)`
    blocks."""
    layers = [(weight.astype(float), bias.astype(float)) for weight, bias in weights.layers]
    first, bias = layers[0]
    layers[0] = first / weights.scale, bias - first @ (weights.mean / weights.scale)
    last, bias = layers[-1]
    unit = weights.channel_scale.astype(float)[SLOTS // TERMS]
    block, offset = np.zeros((TERMS * len(CANONICAL), last.shape[1])), np.zeros(TERMS * len(CANONICAL))
    block[SLOTS], offset[SLOTS] = last * unit[:, None], bias * unit
    layers[-1] = block, offset
    return layers


class HumanContract:
    """The gait network in place of a profile; it needs no learning."""

    name, version = "Human Gait", 1
    inputs = ELEVEN_INPUTS
    outputs = CHANNELS[:NEURARIG_OUTPUTS]
    warm = True
    converged = True

    def __init__(self, network: GaitNetwork) -> None:
        self._network = network

    def evaluate(self, inputs: np.ndarray) -> np.ndarray:
        """Return outputs `(n, 30)` for inputs `(n, 11)`."""
        return self._network.evaluate(inputs).astype(float)

    def period(self, inputs: np.ndarray) -> np.ndarray:
        """Return the stride period `(n,)` in seconds."""
        return natural_period(inputs[:, VELOCITY], legs_of(inputs))

    def channels_of(self, inputs: np.ndarray, outputs: np.ndarray) -> np.ndarray:
        """Return channels `(n, 46)`: the given outputs `(n, 30)`, and the upper body for inputs `(n, 11)`."""
        slow, cycles = inputs[:, :SLOW], inputs[:, SLOW] / self.period(inputs)
        left, right = cycles + slow.T[OFFSETS]
        values = self._network.sample(slow, right, left)
        values[:, :NEURARIG_OUTPUTS] = outputs
        return values

    # The interface of a server's brain, without learning.
    def __call__(self) -> "HumanContract":
        """Return the brain for a new body."""
        return self

    def train(self, inputs: np.ndarray, targets: np.ndarray) -> float:
        """Learn nothing; the loss is that of a correct answer, 0."""
        return 0.0

    def predict(self, inputs: np.ndarray) -> np.ndarray:
        """Return outputs `(30,)` for inputs `(11,)`."""
        return self.evaluate(inputs[None])[0]

    def reset(self) -> None:
        """Do nothing: there is nothing to forget."""
