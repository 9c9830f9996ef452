"""A rule's network in torch: the one that `core.learned.solver` runs in numpy and `core.learned.teaching`
teaches, with torch's gradients.

It is what `.pt`, TorchScript and ONNX files are made from.
"""

import copy
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import torch
import torch.distributed as dist
from torch import Tensor, nn

from ...core.learned.lessons import Lessons
from ...core.learned.solver import SolverWeights, known_size
from ...core.learned.teaching import RIDGE
from ...core.learned.view_features import feature_names
from ...core.learned.walk_curves import WalkCurves


class RuleNetwork(nn.Module):
    """Features of a walker to shares of principal curves, a few per group of outputs; all in float64.

    Only the trunk, shared by both sides, is trained. Each head takes the features, their products and the
    trunk, and is linear: its
    optimal weights have a closed form. A fixed matrix turns shares into coefficients; on export it is folded
    into the head.
    """

    low: Tensor
    high: Tensor
    mean: Tensor
    scale: Tensor
    first: Tensor
    second: Tensor

    def __init__(self, curves: WalkCurves, hidden: Sequence[int], directions: Sequence[int]):
        super().__init__()
        self.curves, self.hidden = curves, tuple(hidden)
        features = len(feature_names(curves))
        known = known_size(features, hidden[-1] if hidden else 0)
        self.trunk = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise([features, *hidden]))
        self.heads = nn.ModuleList(nn.Linear(known, count) for count in directions)
        self.heads.requires_grad_(False)
        for name in ("low", "high", "mean", "scale"):
            self.register_buffer(name, torch.ones(features))
        for name, indices in zip(("first", "second"), np.triu_indices(features), strict=True):
            self.register_buffer(name, torch.from_numpy(indices), persistent=False)
        for n, (group, count) in enumerate(zip(curves.groups, directions, strict=True)):
            self.register_buffer(
                f"directions{n}",
                torch.zeros(count, group.pieces.count * group.pieces.functions * len(group.columns)),
            )
        self.double()

    @classmethod
    def untrained(cls, curves: WalkCurves, hidden: Sequence[int], lessons: Lessons) -> "RuleNetwork":
        """Return a network with random weights in its trunk and the normalisation of its lessons."""
        model = cls(curves, hidden, [len(found) for found in lessons.directions])
        for n, found in enumerate(lessons.directions):
            model.directions(n).copy_(torch.from_numpy(found))
        for name in ("low", "high", "mean", "scale"):
            model.get_buffer(name).copy_(torch.from_numpy(getattr(lessons, name)))
        return model

    def forward(self, features: Tensor) -> Tensor:
        """Return the heads' inputs `(2, walkers, known)` for features `(2, walkers, features)`, left and
        right."""
        rows = features = (torch.clamp(features, self.low, self.high) - self.mean) / self.scale
        known = [features, features[..., self.first] * features[..., self.second]]
        for layer in self.trunk:
            rows = _elu(layer(rows))
        return torch.cat([*known, rows] if len(self.trunk) else known, dim=-1)

    def directions(self, group: int) -> Tensor:
        """Return the principal curves `(directions, coefficients)` of a group."""
        return self.get_buffer(f"directions{group}")

    def exported(self, profile: str, version: str) -> SolverWeights:
        """Return the weights as the add-on stores them."""
        heads = []
        for n, head in enumerate(self.heads):
            spread = self.directions(n).T
            heads.append((_single(spread @ head.weight), _single(spread @ head.bias)))
        trunk = tuple((_single(layer.weight), _single(layer.bias)) for layer in self.trunk)
        low, high, mean, scale = (_single(self.get_buffer(name)) for name in ("low", "high", "mean", "scale"))
        return SolverWeights(profile, version, self.curves, low, high, mean, scale, trunk, tuple(heads))


def _elu(values: Tensor) -> Tensor:
    """Return ELU of doubles; ONNX runtimes have that of floats only."""
    return torch.where(values > 0.0, values, torch.exp(torch.clamp(values, max=0.0)) - 1.0)


def _single(values: Tensor) -> np.ndarray:
    return np.ascontiguousarray(values.detach().numpy(), dtype=np.float32)


class HeadProblem:
    """The target shares of the groups of each side, `(walkers, directions)` side by side, and their
    features."""

    def __init__(self, model: RuleNetwork, lessons: Lessons, rows: slice = slice(None)):
        self.features = torch.from_numpy(lessons.features[:, rows])
        self.groups = [
            [n for n, group in enumerate(model.curves.groups) if group.side == side] for side in (0, 1)
        ]
        wanted = [
            torch.from_numpy(values[rows]) @ model.directions(n).T for n, values in enumerate(lessons.wanted)
        ]
        empty = torch.zeros(self.features.shape[1], 0, dtype=torch.float64)
        self.wanted = [torch.cat([empty, *(wanted[n] for n in groups)], dim=1) for groups in self.groups]

    def rows(self, rows: Tensor) -> "HeadProblem":
        """Return the problem of some walkers."""
        some = copy.copy(self)
        some.features, some.wanted = self.features[:, rows], [wanted[rows] for wanted in self.wanted]
        return some

    def solve(self, known: Tensor) -> list[Tensor]:
        """Return the best heads `(known + 1, directions)` of each side, over the walkers of all processes."""
        return [_solved(_with_one(known[side].detach()), wanted) for side, wanted in enumerate(self.wanted)]

    def loss(self, known: Tensor, heads: list[Tensor]) -> Tensor:
        """Return the mean squared error over this process's walkers, summed over the coefficients."""
        errors = [_with_one(known[side]) @ heads[side] - wanted for side, wanted in enumerate(self.wanted)]
        return sum(
            ((error * error).sum(dim=1).mean() for error in errors), torch.zeros((), dtype=torch.float64)
        )

    def penalty(self, heads: list[Tensor]) -> float:
        """Return the penalty on the heads' size, so that the loss has the same optimum as `solve`."""
        return RIDGE * sum(float((head * head).sum()) for head in heads)

    @torch.no_grad()
    def install(self, model: RuleNetwork, heads: list[Tensor]) -> None:
        """Write the heads of both sides into a network."""
        for groups, found in zip(self.groups, heads, strict=True):
            start = 0
            for n in groups:
                count = model.heads[n].out_features
                model.heads[n].weight.copy_(found[:-1, start : start + count].T)
                model.heads[n].bias.copy_(found[-1, start : start + count])
                start += count


def _with_one(known: Tensor) -> Tensor:
    return torch.cat([known, torch.ones(len(known), 1, dtype=known.dtype)], dim=1)


def _solved(rows: Tensor, wanted: Tensor) -> Tensor:
    sums = torch.cat([rows.T @ rows, rows.T @ wanted], dim=1)
    count = torch.tensor(float(len(rows)), dtype=rows.dtype)
    if dist.is_initialized():
        dist.all_reduce(sums)
        dist.all_reduce(count)
    square = sums[:, : rows.shape[1]] + RIDGE * count * torch.eye(rows.shape[1], dtype=rows.dtype)
    return torch.linalg.solve(square, sums[:, rows.shape[1] :])
