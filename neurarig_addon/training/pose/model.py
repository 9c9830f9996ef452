"""The pose networks in torch: what `core.neural.network.gat` runs in numpy, with gradients."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from ...core.neural.network.gat import neighbours
from ...core.neural.network.inputs import FIGURE_WIDTH, JOINT_COUNT, NODE_WIDTH
from ...core.neural.network.pose_weights import GUESS_OUTPUTS, NODE_OUTPUTS

SLOPE = 0.2  # of the leaky unit of attention
RESIDUAL = 0.3  # what an output of 1 adds to a column
HIGHEST_SCORE = 30.0  # of one joint, two make a pair: keeps the exponential of attention finite


@dataclass(frozen=True)
class Shape:
    """Widths of the network: features of a node, their attention heads, graph layers; the two hidden layers of the figure's network."""

    width: int = 128
    heads: int = 4
    layers: int = 2
    figure: int = 240
    dropout: float = 0.2


@dataclass(frozen=True)
class Batch:
    """Inputs as torch has them; see `core.neural.network.inputs`.

    `nodes` `(f, 22, SHOWN_WIDTH)`, `known` `(f, 22, NOISE_WIDTH + PREVIOUS_WIDTH)`, `figure` `(f, FIGURE_WIDTH)`: features.
    Columns y, x `(f, 22, 6)`: `analytic`, `rest` (of the reference pose), `previous`; `remembers` `(f, 22, 1)`: whether there is one.
    `shown`, `gates`, `snap`, `firm`: as there, for each frame.
    """

    nodes: Tensor
    known: Tensor
    figure: Tensor
    analytic: Tensor
    rest: Tensor
    previous: Tensor
    remembers: Tensor
    shown: Tensor
    gates: Tensor
    snap: Tensor
    firm: Tensor
    free: Tensor


class GraphAttention(nn.Module):
    """One layer of attention between a joint and its neighbours in the tree (Velickovic et al. 2018), ELU, layer norm."""

    mask: Tensor

    def __init__(self, width: int, heads: int, mask: Tensor):
        super().__init__()
        self.width, self.heads = width, heads
        self.mix = nn.Linear(width, width + 2 * heads, bias=False)
        self.bias = nn.Parameter(torch.zeros(width))
        self.norm = nn.LayerNorm(width, elementwise_affine=False)
        self.register_buffer("mask", mask, persistent=False)

    def forward(self, hidden: Tensor) -> Tensor:
        frames, joints, _ = hidden.shape
        mixed = self.mix(hidden)
        values = mixed[..., : self.width].view(frames, joints, self.heads, -1).transpose(1, 2)
        scores = mixed[..., self.width :].transpose(1, 2).clamp(max=HIGHEST_SCORE)
        pairs = scores[:, : self.heads, :, None] + scores[:, self.heads :, None, :]
        weights = functional.leaky_relu(pairs, SLOPE).exp() * self.mask
        shared = (weights / weights.sum(dim=-1, keepdim=True)) @ values
        return self.norm(functional.elu(shared.transpose(1, 2).reshape(frames, joints, -1) + self.bias))


class GraphModel(nn.Module):
    """A dense layer into the graph, graph layers with a way round each but the first, and a small network for each joint's outputs."""

    def __init__(self, inputs: int, outputs: int, width: int, heads: int, layers: int):
        super().__init__()
        self.heads = heads
        self.enter = nn.Linear(inputs, width)
        self.joints = nn.Parameter(0.1 * torch.randn(JOINT_COUNT, width))
        mask = torch.from_numpy(neighbours())
        self.layers = nn.ModuleList(GraphAttention(width, heads, mask) for _ in range(layers))
        self.last = nn.Linear(width, width // 2)
        self.leave = silent(width // 2, outputs)

    def forward(self, nodes: Tensor) -> Tensor:
        entered = self.enter(nodes)
        hidden = entered + self.joints
        for number, layer in enumerate(self.layers):
            hidden = layer(hidden) + (hidden if number else 0.0)
        return self.leave(functional.relu(self.last(hidden + entered)))


class PoseModel(nn.Module):
    """From `PoseInputs` to bone-aligned orientations.

    A small dense network looks at the whole figure and guesses a pose; graph attention looks at each joint and its neighbours, at the
    analytic solution, at that guess and, where there is one, at the pose before, and says how to mix the three and what to add.
    """

    def __init__(self, shape: Shape):
        super().__init__()
        self.shape = shape
        self.guess = nn.Sequential(
            nn.Linear(FIGURE_WIDTH, shape.figure),
            nn.ReLU(),
            nn.Dropout(shape.dropout),
            nn.Linear(shape.figure, shape.figure),
            nn.ReLU(),
            nn.Dropout(shape.dropout),
            silent(shape.figure, GUESS_OUTPUTS * JOINT_COUNT),
        )
        self.graph = GraphModel(NODE_WIDTH, NODE_OUTPUTS, shape.width, shape.heads, shape.layers)

    def forward(self, inputs: Batch) -> tuple[Tensor, Tensor]:
        """Return the orientations and the guess `(f, 22, 3, 3)`, seen from the trunk."""
        guessed = self.guess(inputs.figure).view(-1, JOINT_COUNT, GUESS_OUTPUTS)
        share = torch.sigmoid(guessed[..., 6:] + inputs.gates[..., :1] - 1.0)
        guess = inputs.rest + share * (inputs.analytic - inputs.rest) + guessed[..., :6]
        out = self.graph(torch.cat([inputs.nodes, guess, inputs.known], dim=-1))
        return self._mixed(inputs, guess, out), frames_of(guess)

    @staticmethod
    def _mixed(inputs: Batch, guess: Tensor, out: Tensor) -> Tensor:
        absent = -30.0 * (1.0 - inputs.remembers)
        share = torch.softmax(out[..., 6:] + inputs.gates + functional.pad(absent, (2, 0)), dim=-1)
        columns = share[..., :1] * inputs.analytic + share[..., 1:2] * guess + share[..., 2:] * inputs.previous + RESIDUAL * out[..., :6]
        columns = inputs.analytic + inputs.free * (columns - inputs.analytic)
        y = functional.normalize(columns[..., :3], dim=-1)
        x = functional.normalize(columns[..., 3:], dim=-1)
        y = y + inputs.snap * (inputs.shown - y)
        y = y + inputs.firm * (inputs.analytic[..., :3] - y)
        x = x + inputs.firm * (inputs.analytic[..., 3:] - x)
        return frames_of(torch.cat([y, x], dim=-1))


def silent(inputs: int, outputs: int) -> nn.Linear:
    """Return a dense layer that gives zeros until it is taught: the network starts from the analytic pose."""
    layer = nn.Linear(inputs, outputs)
    nn.init.zeros_(layer.weight)
    nn.init.zeros_(layer.bias)
    return layer


def frames_of(columns: Tensor) -> Tensor:
    """Return the frames `(..., 3, 3)` of columns y and x `(..., 6)`: y kept, x made square to it."""
    y = functional.normalize(columns[..., :3], dim=-1)
    x = columns[..., 3:]
    x = functional.normalize(x - (x * y).sum(dim=-1, keepdim=True) * y, dim=-1)
    return torch.stack([x, y, torch.linalg.cross(x, y)], dim=-1)


def tensors(arrays: Mapping[str, np.ndarray]) -> dict[str, Tensor]:
    """Return arrays as float32 tensors."""
    return {name: torch.from_numpy(np.array(array, dtype=np.float32)) for name, array in arrays.items()}
