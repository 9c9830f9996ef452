"""The pose networks in torch: what `core.neural.gat` runs in numpy, with gradients."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from ...core.neural.inputs import FIGURE_WIDTH, JOINT_COUNT, NODE_WIDTH
from ...core.neural.points import PARENTS

SLOPE = 0.2  # of the leaky unit of attention
RESIDUAL = 0.3  # what an output of 1 adds to a column
HIGHEST_SCORE = 60.0  # keeps the exponential of attention finite


@dataclass(frozen=True)
class Shape:
    """Widths of the network: features of a node, their attention heads, graph layers; the two hidden layers of the figure's network."""

    width: int = 128
    heads: int = 4
    layers: int = 3
    figure: int = 192


@dataclass(frozen=True)
class Batch:
    """Inputs as torch has them; see `core.neural.inputs` for the shapes.  `truth` `(f, 22, 3, 3)`: bone-aligned, seen from the trunk."""

    nodes: Tensor
    figure: Tensor
    analytic: Tensor
    rest: Tensor
    previous: Tensor
    remembers: Tensor
    shown: Tensor
    gates: Tensor
    snap: Tensor
    firm: Tensor


class GraphAttention(nn.Module):
    """One layer of attention between a joint and its neighbours in the tree (Velickovic et al. 2018), ELU, layer norm."""

    mask: Tensor

    def __init__(self, width: int, heads: int, mask: Tensor):
        super().__init__()
        self.width, self.heads = width, heads
        self.mix = nn.Linear(width, width + 2 * heads, bias=False)
        self.bias = nn.Parameter(torch.zeros(width))
        self.norm = nn.LayerNorm(width)
        self.register_buffer("mask", mask, persistent=False)

    def forward(self, hidden: Tensor) -> Tensor:
        frames, joints, _ = hidden.shape
        mixed = self.mix(hidden)
        values = mixed[..., : self.width].view(frames, joints, self.heads, -1).transpose(1, 2)
        scores = mixed[..., self.width :].transpose(1, 2)
        pairs = scores[:, : self.heads, :, None] + scores[:, self.heads :, None, :]
        weights = functional.leaky_relu(pairs, SLOPE).clamp(max=HIGHEST_SCORE).exp() * self.mask
        shared = (weights / weights.sum(dim=-1, keepdim=True)) @ values
        return self.norm(functional.elu(shared.transpose(1, 2).reshape(frames, joints, -1) + self.bias))


class PoseModel(nn.Module):
    """From `PoseInputs` to bone-aligned orientations.

    A small dense network looks at the whole figure and guesses a pose; graph attention looks at each joint and its neighbours, at the
    analytic solution, at that guess and, where there is one, at the pose before, and says how to mix the three and what to add.
    """

    def __init__(self, shape: Shape):
        super().__init__()
        self.shape = shape
        width = shape.width
        self.guess = nn.Sequential(
            nn.Linear(FIGURE_WIDTH, shape.figure),
            nn.ELU(),
            nn.Linear(shape.figure, shape.figure),
            nn.ELU(),
            nn.Linear(shape.figure, 7 * JOINT_COUNT),
        )
        self.enter = nn.Linear(NODE_WIDTH + 6, width)
        self.joints = nn.Parameter(0.1 * torch.randn(JOINT_COUNT, width))
        mask = neighbour_mask()
        self.layers = nn.ModuleList(GraphAttention(width, shape.heads, mask) for _ in range(shape.layers))
        self.last = nn.Sequential(nn.Linear(width, width // 2), nn.ReLU(), nn.LayerNorm(width // 2))
        self.leave = nn.Linear(width // 2, 9)
        for layer in (self.guess[-1], self.leave):
            nn.init.zeros_(layer.weight)
            nn.init.zeros_(layer.bias)

    def forward(self, inputs: Batch) -> tuple[Tensor, Tensor]:
        """Return the orientations and the guess `(f, 22, 3, 3)`, seen from the trunk."""
        guess = self._guess(inputs)
        columns = torch.cat([guess[..., 1], guess[..., 0]], dim=-1)
        entered = self.enter(torch.cat([inputs.nodes, columns], dim=-1))
        hidden = entered + self.joints
        for number, layer in enumerate(self.layers):
            hidden = layer(hidden) + (hidden if number else 0.0)
        out = self.leave(self.last(hidden + entered))
        return self._mixed(inputs, columns, out), guess

    def _guess(self, inputs: Batch) -> Tensor:
        out = self.guess(inputs.figure).view(-1, JOINT_COUNT, 7)
        share = torch.sigmoid(out[..., 6:] + inputs.gates[..., :1] - 1.0)
        return frames_of(share * inputs.analytic + (1.0 - share) * inputs.rest + out[..., :6])

    @staticmethod
    def _mixed(inputs: Batch, guess: Tensor, out: Tensor) -> Tensor:
        absent = -30.0 * (1.0 - inputs.remembers)
        logits = torch.stack([out[..., 6] + inputs.gates[..., 0], out[..., 7], out[..., 8] + inputs.gates[..., 1] + absent[..., 0]], dim=-1)
        share = torch.softmax(logits, dim=-1)
        columns = share[..., :1] * inputs.analytic + share[..., 1:2] * guess + share[..., 2:] * inputs.previous + RESIDUAL * out[..., :6]
        y = functional.normalize(columns[..., :3], dim=-1)
        x = functional.normalize(columns[..., 3:], dim=-1)
        y = y + inputs.snap * (inputs.shown - y)
        y = y + inputs.firm * (inputs.analytic[..., :3] - y)
        x = x + inputs.firm * (inputs.analytic[..., 3:] - x)
        return frames_of(torch.cat([y, x], dim=-1))


def neighbour_mask() -> Tensor:
    """Return which joints attend to which `(22, 22)`: each to itself, its parent and its children."""
    mask = np.eye(JOINT_COUNT, dtype=np.float32)
    for joint in range(1, JOINT_COUNT):
        mask[joint, PARENTS[joint]] = mask[PARENTS[joint], joint] = 1.0
    return torch.from_numpy(mask)


def frames_of(columns: Tensor) -> Tensor:
    """Return the frames `(..., 3, 3)` of columns y and x `(..., 6)`: y kept, x made square to it."""
    y = functional.normalize(columns[..., :3], dim=-1)
    x = columns[..., 3:]
    x = functional.normalize(x - (x * y).sum(dim=-1, keepdim=True) * y, dim=-1)
    return torch.stack([x, y, torch.linalg.cross(x, y)], dim=-1)


def tensors(arrays: Mapping[str, np.ndarray]) -> dict[str, Tensor]:
    """Return arrays as float32 tensors."""
    return {name: torch.from_numpy(np.ascontiguousarray(array, dtype=np.float32)) for name, array in arrays.items()}
