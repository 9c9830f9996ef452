"""Graph attention of the paper's class in torch: attention in every layer, ELU, layer norm; only for comparison."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from ...core.neural.network.gat import HIGHEST_SCORE, neighbours
from ...core.neural.network.inputs import JOINT_COUNT
from .model import SLOPE, silent


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
        scores = mixed[..., self.width :].transpose(1, 2).clamp(max=float(HIGHEST_SCORE))
        pairs = scores[:, : self.heads, :, None] + scores[:, self.heads :, None, :]
        weights = functional.leaky_relu(pairs, SLOPE).exp() * self.mask
        shared = (weights / weights.sum(dim=-1, keepdim=True)) @ values
        return self.norm(functional.elu(shared.transpose(1, 2).reshape(frames, joints, -1) + self.bias))


class GraphModel(nn.Module):
    """A dense layer into the graph, graph layers with skip connections except around the first, and a small network for joints' outputs."""

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
