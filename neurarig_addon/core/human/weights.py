"""The weights of a gait network and their file, fully checked before use."""

import json
import os
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from ..errors import NeuraRigError
from ..network.safetensors import read_tensors, take_layers, take_tensor, write_tensors
from .canonical import CANONICAL, COEFFICIENTS, FEATURES, harmonics

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
