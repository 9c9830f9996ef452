"""The weights of the pose network and the file that carries them, checked in full before use."""

import json
import os
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from ...errors import NeuraRigError
from ...network.safetensors import read_tensors, take_tensor, write_tensors
from ..analytic.figure_shape import NUMBERS, FigureShape
from ..points import JOINTS, SITES
from .inputs import FIGURE_WIDTH, JOINT_COUNT, NODE_WIDTH

FORMAT, VERSION = "neurarig-pose-network", "1"
GUESS_OUTPUTS, NODE_OUTPUTS = 7, 9
_MOST_LAYERS, _MOST_HEADS, _WIDEST = 8, 16, 1024
_ROUNDING = 1e-7  # heights squared
_LARGEST = 1e3  # keeps every product of the forward pass far inside float32
_take = partial(take_tensor, largest=_LARGEST)


@dataclass(frozen=True)
class Dense:
    """One dense layer: `weight` `(outputs, inputs)`, `bias` `(outputs,)`."""

    weight: np.ndarray
    bias: np.ndarray


@dataclass(frozen=True)
class Attention:
    """One graph layer, followed by a plain layer norm.

    `mix` `(width + 2 heads, width)`: gives values, then the scores of who looks and of who is looked at.  `bias` `(width,)`: is added to
    what was gathered.
    """

    mix: np.ndarray
    bias: np.ndarray


@dataclass(frozen=True)
class GraphWeights:
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


@dataclass(frozen=True)
class PoseWeights:
    """A trained pose network: `guess`, the three dense layers that look at the whole figure, the graph, and how trunks bend."""

    guess: tuple[Dense, Dense, Dense]
    graph: GraphWeights
    figure: FigureShape

    @property
    def count(self) -> int:
        """How many numbers were trained."""
        return sum(tensor.size for tensor in _tensors(self).values())


def write_pose_weights(path: str | os.PathLike, weights: PoseWeights) -> None:
    """Write a pose network with the names of what it reads and gives."""
    write_tensors(path, _metadata() | {"heads": str(weights.graph.heads)}, _tensors(weights))


def read_pose_weights(path: str | os.PathLike) -> PoseWeights:
    """Read a pose network; raises NeuraRigError, naming the file, unless it is one that this version of the add-on can run."""
    metadata, tensors = read_tensors(path)
    try:
        for name, value in _metadata().items():
            if metadata.get(name) != value:
                raise ValueError(f"its {name} is not the one expected")
        weights = _taken(tensors, _heads(metadata))
        if tensors:
            raise ValueError(f"it holds {sorted(tensors)[0]!r}, which this version does not know")
    except ValueError as error:
        raise NeuraRigError(
            f"'{Path(path).name}' holds no pose network for this version of the add-on: {error}; install it again."
        ) from None
    return weights


def _metadata() -> dict[str, str]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "points": json.dumps(JOINTS + SITES),
        "features": json.dumps([NODE_WIDTH, FIGURE_WIDTH]),
        "activation": "relu, elu in the graph",
    }


def _heads(metadata: dict[str, str]) -> int:
    heads = metadata.get("heads", "")
    if not (heads.isdecimal() and len(heads) < 3 and 0 < int(heads) <= _MOST_HEADS):
        raise ValueError("its number of heads makes no sense")
    return int(heads)


def _tensors(weights: PoseWeights) -> dict[str, np.ndarray]:
    """Return all arrays by name."""
    graph = weights.graph
    named = {f"guess{n}": layer for n, layer in enumerate(weights.guess)}
    named |= {"enter": graph.enter, "last": graph.last, "leave": graph.leave}
    found = {f"{name}.{part}": getattr(layer, part) for name, layer in named.items() for part in ("weight", "bias")}
    for n, layer in enumerate(graph.layers):
        found |= {f"layer{n}.mix": layer.mix, f"layer{n}.bias": layer.bias}
    return found | {"joints": graph.joints, "figure.mean": weights.figure.mean, "figure.covariance": weights.figure.covariance}


def _taken(tensors: dict[str, np.ndarray], heads: int) -> PoseWeights:
    """Take a network out of the tensors; each part must fit the one before."""
    figure = _width(tensors, "guess0.bias")
    guess = (
        _dense(tensors, "guess0", figure, FIGURE_WIDTH),
        _dense(tensors, "guess1", figure, figure),
        _dense(tensors, "guess2", GUESS_OUTPUTS * JOINT_COUNT, figure),
    )
    return PoseWeights(guess, _graph(tensors, heads), _figure(tensors))


def _graph(tensors: dict[str, np.ndarray], heads: int) -> GraphWeights:
    width, half = _width(tensors, "enter.bias"), _width(tensors, "last.bias")
    if width % heads:
        raise ValueError(f"its width {width} cannot be shared by {heads} heads")
    layers = []
    while f"layer{len(layers)}.mix" in tensors and len(layers) < _MOST_LAYERS:
        name = f"layer{len(layers)}"
        layers.append(Attention(_take(tensors, f"{name}.mix", (width + 2 * heads, width)), _take(tensors, f"{name}.bias", (width,))))
    if not layers:
        raise ValueError("it has no graph layer")
    enter = _dense(tensors, "enter", width, NODE_WIDTH)
    joints = _take(tensors, "joints", (JOINT_COUNT, width))
    last, leave = _dense(tensors, "last", half, width), _dense(tensors, "leave", NODE_OUTPUTS, half)
    return GraphWeights(heads, enter, joints, tuple(layers), last, leave)


def _figure(tensors: dict[str, np.ndarray]) -> FigureShape:
    mean, covariance = _take(tensors, "figure.mean", (NUMBERS,)), _take(tensors, "figure.covariance", (NUMBERS, NUMBERS))
    covariance = covariance.astype(float)
    if not (np.allclose(covariance, covariance.T, atol=1e-9) and np.linalg.eigvalsh(covariance)[0] > -_ROUNDING):
        raise ValueError("the way trunks bend is no covariance")
    return FigureShape(mean.astype(float), covariance)


def _dense(tensors: dict[str, np.ndarray], name: str, outputs: int, inputs: int) -> Dense:
    return Dense(_take(tensors, f"{name}.weight", (outputs, inputs)), _take(tensors, f"{name}.bias", (outputs,)))


def _width(tensors: dict[str, np.ndarray], name: str) -> int:
    found = tensors.get(name)
    if found is None or found.ndim != 1 or not 0 < len(found) <= _WIDEST:
        raise ValueError(f"'{name}' is missing or of a width that makes no sense")
    return len(found)
