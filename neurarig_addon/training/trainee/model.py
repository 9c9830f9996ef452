"""A rule's network in torch: the one that `core.learned.solver` runs in numpy, with gradients."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import torch
from torch import Tensor, nn

from ...core.learned.solver_weights import SolverWeights, known_size
from ...core.learned.view_features import feature_names
from ...core.learned.walk_curves import WalkCurves
from .lessons import Lessons

# Share of the mean square of a group's coefficients that the dropped directions may hold: 1e-6 of its size.
_DROPPED = 1e-12
_MOST_DIRECTIONS = 96
_SMALLEST_SCALE = 1e-6


class RuleNetwork(nn.Module):
    """Features of a walker to shares of principal curves, a few per group of outputs; all in float64.

    Only the trunk, shared by both sides, is trained.  Each head takes the features, their products and the trunk, and is linear: its
    optimal weights have a closed form.  A fixed matrix turns shares into coefficients; on export it is folded into the head.
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
            self.register_buffer(f"directions{n}", torch.zeros(count, group.pieces.count * group.pieces.functions * len(group.columns)))
        self.double()

    @classmethod
    def untrained(cls, curves: WalkCurves, hidden: Sequence[int], lessons: Lessons) -> "RuleNetwork":
        """Return a network with random weights in its trunk and the normalisation of its lessons."""
        directions = [_principal(wanted) for wanted in lessons.wanted]
        model = cls(curves, hidden, [len(found) for found in directions])
        for n, found in enumerate(directions):
            model.directions(n).copy_(torch.from_numpy(found))
        views = lessons.features.reshape(-1, lessons.features.shape[-1])
        scale = np.where(views.std(0) < _SMALLEST_SCALE, 1.0, views.std(0))
        for name, values in (("low", lessons.low), ("high", lessons.high), ("mean", views.mean(0)), ("scale", scale)):
            model.get_buffer(name).copy_(torch.from_numpy(values))
        return model

    def forward(self, features: Tensor) -> Tensor:
        """Return the heads' inputs `(2, walkers, known)` for features `(2, walkers, features)`, left and right."""
        rows = features = (torch.clamp(features, self.low, self.high) - self.mean) / self.scale
        known = [features, features[..., self.first] * features[..., self.second]]
        for layer in self.trunk:
            rows = nn.functional.elu(layer(rows))
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


def _principal(wanted: np.ndarray) -> np.ndarray:
    """Return orthonormal directions `(directions, coefficients)` in which the coefficients of walkers `(walkers, coefficients)` vary."""
    _, sizes, directions = np.linalg.svd(wanted, full_matrices=False)
    missing = np.cumsum(sizes[::-1] ** 2)[::-1]
    return directions[: min(max(1, int(np.sum(missing > _DROPPED * max(missing[0], 1e-30)))), _MOST_DIRECTIONS)]


def _single(values: Tensor) -> np.ndarray:
    return np.ascontiguousarray(values.detach().numpy(), dtype=np.float32)
