"""The weights of the pose network and their file, fully checked before use."""

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
from .inputs import FIGURE_WIDTH, GUESS_WIDTH, JOINT_COUNT, NODE_WIDTH

FORMAT, VERSION = "neurarig-pose-network", "2"
NODE_OUTPUTS = 3  # a turn about a joint's axes, as are the first of the guess' outputs
_MOST_HEADS, _WIDEST = 16, 1024
_ROUNDING = 1e-7  # heights squared: how far below zero rounding may bring an eigenvalue of a covariance
_LARGEST = 10.0  # keeps every product of the forward pass inside float32
_take = partial(take_tensor, largest=_LARGEST)


@dataclass(frozen=True)
class Dense:
    """One dense layer: `weight` `(outputs, inputs)`, `bias` `(outputs,)`."""

    weight: np.ndarray
    bias: np.ndarray


@dataclass(frozen=True)
class GraphWeights:
    """A graph network of two layers over the joints, float32.

    `enter` `(outputs + half + width + 2 heads, features)`, `joints` `(22, rows of enter)`: a linear map of
    each node's features, and the
    bias of each joint, to: outputs, a skip connection past both layers, values, and attention scores as the
    looking and the looked-at
    joint. `mix` `(2 half, width)`: to the second layer's values, and a skip connection past it. `leave`
    `(outputs, half)`: to what is
    added to the outputs.
    """

    heads: int
    enter: np.ndarray
    joints: np.ndarray
    mix: np.ndarray
    leave: np.ndarray


@dataclass(frozen=True)
class PoseWeights:
    """A trained pose network: `guess`, the three dense layers that see the whole figure, the graph, and how
    figures bend."""

    guess: tuple[Dense, Dense, Dense]
    graph: GraphWeights
    figure: FigureShape

    @property
    def count(self) -> int:
        """The number of trained parameters."""
        return sum(tensor.size for tensor in _tensors(self).values())


def write_pose_weights(path: str | os.PathLike, weights: PoseWeights) -> None:
    """Write a pose network with the metadata that `read_pose_weights` checks."""
    write_tensors(path, _metadata() | {"heads": str(weights.graph.heads)}, _tensors(weights))


def read_pose_weights(path: str | os.PathLike) -> PoseWeights:
    """Read a pose network; raises NeuraRigError, naming the file, if this version of the add-on cannot run
    it."""
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
            f"'{Path(path).name}' holds no pose network for this version of the add-on: {error}; install it"
            " again."
        ) from None
    return weights


def _metadata() -> dict[str, str]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "points": json.dumps(JOINTS + SITES),
        "features": json.dumps([NODE_WIDTH, FIGURE_WIDTH]),
        "activation": "relu",
    }


def _heads(metadata: dict[str, str]) -> int:
    heads = metadata.get("heads", "")
    if not (heads.isdecimal() and len(heads) < 3 and 0 < int(heads) <= _MOST_HEADS):
        raise ValueError("its number of heads is not valid")
    return int(heads)


def _tensors(weights: PoseWeights) -> dict[str, np.ndarray]:
    """Return all arrays by name."""
    graph = weights.graph
    found = {
        f"guess{n}.{part}": getattr(layer, part)
        for n, layer in enumerate(weights.guess)
        for part in ("weight", "bias")
    }
    found |= {name: getattr(graph, name) for name in ("enter", "joints", "mix", "leave")}
    return found | {"figure.mean": weights.figure.mean, "figure.covariance": weights.figure.covariance}


def _taken(tensors: dict[str, np.ndarray], heads: int) -> PoseWeights:
    """Take a network from the tensors; each part must fit the one before."""
    figure = _width(tensors, "guess0.bias")
    guess = (
        _dense(tensors, "guess0", figure, FIGURE_WIDTH),
        _dense(tensors, "guess1", figure, figure),
        _dense(tensors, "guess2", GUESS_WIDTH * JOINT_COUNT, figure),
    )
    return PoseWeights(guess, _graph(tensors, heads), _figure(tensors))


def _graph(tensors: dict[str, np.ndarray], heads: int) -> GraphWeights:
    half, width = _width(tensors, "leave"), _width(tensors, "mix")
    if width % heads or half % heads:
        raise ValueError(f"its widths {width} and {half} cannot be shared by {heads} heads")
    rows = NODE_OUTPUTS + half + width + 2 * heads
    enter, joints = _take(tensors, "enter", (rows, NODE_WIDTH)), _take(tensors, "joints", (JOINT_COUNT, rows))
    return GraphWeights(
        heads,
        enter,
        joints,
        _take(tensors, "mix", (2 * half, width)),
        _take(tensors, "leave", (NODE_OUTPUTS, half)),
    )


def _figure(tensors: dict[str, np.ndarray]) -> FigureShape:
    mean, covariance = (
        _take(tensors, "figure.mean", (NUMBERS,)),
        _take(tensors, "figure.covariance", (NUMBERS, NUMBERS)),
    )
    covariance = covariance.astype(float)
    if not (
        np.allclose(covariance, covariance.T, atol=1e-9) and np.linalg.eigvalsh(covariance)[0] > -_ROUNDING
    ):
        raise ValueError("the way trunks bend is not a covariance")
    return FigureShape(mean.astype(float), covariance)


def _dense(tensors: dict[str, np.ndarray], name: str, outputs: int, inputs: int) -> Dense:
    return Dense(
        _take(tensors, f"{name}.weight", (outputs, inputs)), _take(tensors, f"{name}.bias", (outputs,))
    )


def _width(tensors: dict[str, np.ndarray], name: str) -> int:
    """Return the last dimension of a tensor."""
    found = tensors.get(name)
    if found is None or found.ndim not in (1, 2) or not 0 < found.shape[-1] <= _WIDEST:
        raise ValueError(f"'{name}' is missing or has a wrong width")
    return found.shape[-1]
