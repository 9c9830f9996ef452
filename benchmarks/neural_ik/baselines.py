"""Baseline networks in torch: one of the class of IK-GAT, from positions to orientations, and a plain dense one.

IK-GAT (Khan et al. 2026, arXiv 2604.16629) has 374 K parameters; a graph attention network of this width with 22 joints has as many.
Both get joint positions about the pelvis, in body heights and with a common heading, whether they are seen, and the noise; they learn
from the same lessons as ours, with the same losses.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from benchmarks.neural_ik.missing import Neighbours, analytic_pose
from benchmarks.neural_ik.sixd import from_sixd
from neurarig_addon.core.geometry.rotation import about_z, transposed
from neurarig_addon.core.neural.analytic.network_body import NetworkBody
from neurarig_addon.core.neural.network.gat import HIGHEST_SCORE, neighbours
from neurarig_addon.core.neural.network.inputs import JOINT_COUNT
from neurarig_addon.core.neural.points import INDEX
from neurarig_addon.training.descent import Progress, descend
from neurarig_addon.training.pose.lesson import Sight
from neurarig_addon.training.pose.lessons import Teacher
from neurarig_addon.training.pose.model import SLOPE, silent, tensors
from neurarig_addon.training.pose.poses import Poses
from neurarig_addon.training.pose.train import Recipe, begin, place_loss, turn_loss


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


PLACE_WIDTH = 5  # a joint's position, whether it is seen, the noise
_NOISE_UNIT = 0.02  # share of the body's height
_LEFT, _RIGHT = ([INDEX[f"{part}.{side}"] for part in ("hip", "shoulder")] for side in "LR")


def paper_graph() -> GraphModel:
    """Return graph attention of the paper's class: 320 wide, 3 layers of 4 heads."""
    return GraphModel(PLACE_WIDTH, 6, width=320, heads=4, layers=3)


def dense() -> nn.Module:
    """Return the plain network: two hidden layers of 512."""
    inputs, outputs = JOINT_COUNT * PLACE_WIDTH, JOINT_COUNT * 6
    hidden = (nn.Linear(inputs, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU())
    return nn.Sequential(nn.Flatten(), *hidden, nn.Linear(512, outputs), nn.Unflatten(-1, (JOINT_COUNT, 6)))


def train_baseline(model: nn.Module, poses: Poses, recipe: Recipe, report: Callable[[Progress], None]) -> nn.Module:
    """Return a network of this file, trained on some poses."""
    teacher = begin(poses, recipe)
    return descend(model, lambda: _loss(model, teacher, recipe), recipe, report)


def _loss(model: nn.Module, teacher: Teacher, recipe: Recipe) -> Tensor:
    lessons = [_Lesson.of(sight) for sight in teacher.sights(recipe.sights, recipe.frames)]
    inputs, rest, truth, back, offsets = (torch.cat([getattr(one, name) for one in lessons]) for name in _Lesson.__annotations__)
    found = frames_of(rest + model(inputs))
    return turn_loss(found, truth) + recipe.place_weight * place_loss(found @ back, truth @ back, offsets)


@dataclass(frozen=True)
class _Lesson:
    """As `lesson.Lesson`; `rest` `(f, 22, 6)`: columns y, x in the reference pose, to which the networks' outputs are added."""

    inputs: Tensor
    rest: Tensor
    truth: Tensor
    back: Tensor
    offsets: Tensor

    @classmethod
    def of(cls, sight: Sight) -> "_Lesson":
        body, frames = sight.body, len(sight.points)
        places, heading = place_inputs(body, sight.points, np.broadcast_to(sight.weights, sight.points.shape[:2]), sight.sigma)
        truth = transposed(heading)[:, None] @ sight.rotations @ transposed(body.back)
        tables = (body.aligned.reshape(JOINT_COUNT, 6), body.back, body.offsets / body.height)
        rest, back, offsets = (np.broadcast_to(table, (frames, *table.shape)) for table in tables)
        return cls(**tensors({"inputs": places, "rest": rest, "truth": truth, "back": back, "offsets": offsets}))


def place_inputs(body: NetworkBody, points: np.ndarray, weights: np.ndarray, sigma: float | np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the inputs of both networks `(f, 22, PLACE_WIDTH)`, float32, and the heading `(f, 3, 3)` that they are relative to.

    Points `(f, 27, 3)` in metres, seen where weights `(f, 27)` are not 0; an unseen joint is placed at the pelvis.
    """
    joints, seen = points[:, :JOINT_COUNT], weights[:, :JOINT_COUNT] > 0.0
    if seen.all():
        pelvis, across = joints[:, :1], _across(joints)
    else:
        _, whole = analytic_pose(body.anchor, Neighbours.of(body.rest), points, weights)
        pelvis, across = whole[:, :1], _across(whole)
        joints = np.where(seen[..., None], joints, pelvis)
    heading = about_z(np.arctan2(-across[:, 0], across[:, 1]))
    found = np.empty((len(points), JOINT_COUNT, PLACE_WIDTH), np.float32)
    found[..., :3] = (joints - pelvis) @ heading / body.height
    found[..., 3] = seen
    found[..., 4] = np.asarray(sigma).reshape(-1, 1) / (_NOISE_UNIT * body.height)
    return found, heading


def _across(points: np.ndarray) -> np.ndarray:
    """Return the direction to the figure's left `(f, 3)`, from hips and shoulders."""
    return (points[:, _LEFT] - points[:, _RIGHT]).sum(axis=1)


def baseline_rotations(body: NetworkBody, columns: np.ndarray, heading: np.ndarray) -> np.ndarray:
    """Return rotations `(f, 22, 3, 3)` away from the reference pose from a baseline's outputs `(f, 22, 6)`."""
    return heading[:, None] @ from_sixd(columns + body.aligned.reshape(JOINT_COUNT, 6)) @ body.back


def frames_of(columns: Tensor) -> Tensor:
    """Return the frames `(..., 3, 3)` of columns y and x `(..., 6)`: y kept, x made orthogonal to it."""
    y = functional.normalize(columns[..., :3], dim=-1)
    x = columns[..., 3:]
    x = functional.normalize(x - (x * y).sum(dim=-1, keepdim=True) * y, dim=-1)
    return torch.stack([x, y, torch.linalg.cross(x, y)], dim=-1)
