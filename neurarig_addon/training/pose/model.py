"""The pose network in torch: the one that `core.neural.network` runs in numpy, with gradients, and its
export."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from ...core.neural.analytic.figure_shape import FigureShape
from ...core.neural.network.gat import HIGHEST_SCORE, neighbours
from ...core.neural.network.inputs import FIGURE_WIDTH, GUESS_WIDTH, JOINT_COUNT, NODE_WIDTH
from ...core.neural.network.pose_weights import NODE_OUTPUTS, Dense, GraphWeights, PoseWeights

SLOPE = 0.2  # negative slope of attention's leaky ReLU


@dataclass(frozen=True)
class NetworkShape:
    """Widths of the network: features of a node in the two graph layers, their heads; the two hidden layers
    of the figure's network."""

    width: int = 128
    half: int = 64
    heads: int = 4
    figure: int = 256
    dropout: float = 0.1


@dataclass(frozen=True)
class Batch:
    """Inputs in torch; see `core.neural.network.inputs`.

    `nodes` `(f, 22, SHOWN_WIDTH)`, `known` `(f, 22, NOISE_WIDTH + PREVIOUS_WIDTH)`, `figure` `(f,
    FIGURE_WIDTH)`: features.
    `free` `(f, 22, 4)`: as there. `analytic` `(f, 22, 3, 3)`: the analytic pose, axes x, y, z in columns,
    relative to the trunk.
    """

    nodes: Tensor
    known: Tensor
    figure: Tensor
    free: Tensor
    analytic: Tensor


class PoseGraph(nn.Module):
    """Attention between a joint and its neighbours in the tree (Velickovic et al. 2018), computed once for
    two layers."""

    mask: Tensor

    def __init__(self, inputs: int, outputs: int, width: int, half: int, heads: int):
        super().__init__()
        self.heads, self.parts = heads, (outputs, half, width, heads, heads)
        self.enter = nn.Linear(inputs, sum(self.parts), bias=False)
        self.joints = nn.Parameter(0.1 * torch.randn(JOINT_COUNT, sum(self.parts)))
        self.mix = nn.Linear(width, 2 * half, bias=False)
        self.leave = nn.Linear(half, outputs, bias=False)
        nn.init.zeros_(self.leave.weight)
        with torch.no_grad():
            self.enter.weight[:outputs] = 0.0
            self.joints[:, :outputs] = 0.0
        self.register_buffer("mask", torch.from_numpy(neighbours()), persistent=False)

    def forward(self, nodes: Tensor) -> Tensor:
        given, around, values, looking, seen = (self.enter(nodes) + self.joints).split(self.parts, dim=-1)
        shares = self._shares(looking, seen)
        hidden = functional.relu(self._gathered(shares, values))
        values, own = self.mix(hidden).chunk(2, dim=-1)
        return given + self.leave(functional.relu(self._gathered(shares, values) + own + around))

    def _shares(self, looking: Tensor, seen: Tensor) -> Tensor:
        """Return the attention weights between joints `(f, heads, 22, 22)` from their scores `(f, 22,
        heads)`."""
        looking, seen = (scores.clamp(max=float(HIGHEST_SCORE)).transpose(1, 2) for scores in (looking, seen))
        weights = functional.leaky_relu(looking[..., :, None] + seen[..., None, :], SLOPE).exp() * self.mask
        return weights / weights.sum(dim=-1, keepdim=True)

    def _gathered(self, shares: Tensor, values: Tensor) -> Tensor:
        frames, joints, _ = values.shape
        by_head = values.view(frames, joints, self.heads, -1).transpose(1, 2)
        return (shares @ by_head).transpose(1, 2).reshape(frames, joints, -1)


class PoseModel(nn.Module):
    """From `PoseInputs` to bone-aligned orientations.

    A small dense network sees the whole figure and guesses the joints' rotations relative to the analytic
    pose; graph attention sees each joint and its neighbours, the analytic pose, that guess and, if there is
    one, the previous pose, and adds to the guess.
    """

    def __init__(self, shape: NetworkShape):
        super().__init__()
        self.shape = shape
        self.guess = nn.Sequential(
            nn.Linear(FIGURE_WIDTH, shape.figure),
            nn.ReLU(),
            nn.Dropout(shape.dropout),
            nn.Linear(shape.figure, shape.figure),
            nn.ReLU(),
            nn.Dropout(shape.dropout),
            silent(shape.figure, GUESS_WIDTH * JOINT_COUNT),
        )
        self.graph = PoseGraph(NODE_WIDTH, NODE_OUTPUTS, shape.width, shape.half, shape.heads)

    def forward(self, inputs: Batch) -> tuple[Tensor, Tensor]:
        """Return the orientations and the guess `(f, 22, 3, 3)`, relative to the trunk."""
        guess = self.guess(inputs.figure).view(-1, JOINT_COUNT, GUESS_WIDTH)
        turns = guess[..., :NODE_OUTPUTS]
        added = self.graph(torch.cat([inputs.nodes, guess, inputs.known], dim=-1))
        return _turned(inputs, turns + added), _turned(inputs, turns)


def _turned(inputs: Batch, turns: Tensor) -> Tensor:
    """Return the analytic pose rotated about its own axes, scaled by `free`: by quaternions of real part 1,
    `turns` `(f, 22, 3)`."""
    quaternion = functional.normalize(functional.pad(turns, (1, 0), value=1.0) * inputs.free, dim=-1)
    a, x, y, z = quaternion.unbind(dim=-1)
    rows = (
        (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - a * z), 2.0 * (x * z + a * y)),
        (2.0 * (x * y + a * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - a * x)),
        (2.0 * (x * z - a * y), 2.0 * (y * z + a * x), 1.0 - 2.0 * (x * x + y * y)),
    )
    return inputs.analytic @ torch.stack([torch.stack(row, dim=-1) for row in rows], dim=-2)


def silent(inputs: int, outputs: int) -> nn.Linear:
    """Return a dense layer initialised to zero output: the network starts from the analytic pose."""
    layer = nn.Linear(inputs, outputs)
    nn.init.zeros_(layer.weight)
    nn.init.zeros_(layer.bias)
    return layer


def tensors(arrays: Mapping[str, np.ndarray]) -> dict[str, Tensor]:
    """Return arrays as float32 tensors."""
    return {name: torch.from_numpy(np.array(array, dtype=np.float32)) for name, array in arrays.items()}


def exported(model: PoseModel, shape: FigureShape) -> PoseWeights:
    """Return a model's weights in numpy."""
    guess = [_dense(layer) for layer in model.guess if isinstance(layer, nn.Linear)]
    return PoseWeights((guess[0], guess[1], guess[2]), _graph(model.graph), shape)


def _graph(graph: PoseGraph) -> GraphWeights:
    enter = _array(graph.enter.weight)
    return GraphWeights(
        graph.heads, enter, _array(graph.joints), _array(graph.mix.weight), _array(graph.leave.weight)
    )


def _dense(layer: nn.Module) -> Dense:
    assert isinstance(layer, nn.Linear)
    return Dense(_array(layer.weight), _array(layer.bias))


def _array(tensor: torch.Tensor) -> np.ndarray:
    return tensor.detach().numpy().astype(np.float32)
