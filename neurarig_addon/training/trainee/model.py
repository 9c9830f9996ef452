"""A rule's network in torch: the one that `core.learned.solver` runs in numpy, with gradients; its lessons, and its optimal heads.

Lessons are features of walkers, and the coefficients of the rule's curves that the network should return.  Heads are solved in closed form,
by variable projection (Golub and Pereyra 1973): weights that enter linearly are functions of the others.  Steps then go over the trunk
alone, and since the heads are at their optimum, their own change does not enter the gradient.
"""

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch
import torch.distributed as dist
from torch import Tensor, nn

from ...core.errors import NeuraRigError
from ...core.learned.solver import SolverWeights, known_size
from ...core.learned.view_features import feature_names, view_features
from ...core.learned.walk_curves import Group, WalkCurves
from .rules import Rule

_ROWS_AT_ONCE = 50_000
_WALKERS_FOR_RANGE = 200_000
_MARGIN = 0.02  # share of a range added at its ends


@dataclass(frozen=True)
class Lessons:
    """`features` `(2, walkers, features)`, left and right; `wanted`, one per group: `(walkers, pieces x functions x columns)`.

    `low`, `high` `(features,)`: the range of the features over many more walkers than are taught, with a margin.

    The curves' functions are orthonormal, so a squared error of coefficients is the mean squared error of an output over a piece.
    """

    features: np.ndarray
    wanted: tuple[np.ndarray, ...]
    low: np.ndarray
    high: np.ndarray


def make_lessons(rule: Rule, walkers: int, seed: int) -> Lessons:
    """Return the lessons of random walkers; the same seed gives the same ones."""
    rng = np.random.default_rng(seed)
    rows = rule.draw(walkers, rng)
    wanted = tuple(_coefficients(rule, group, rows) for group in rule.curves.groups)
    many = view_features(rule.curves, rule.draw(_WALKERS_FOR_RANGE, rng))
    low, high = many.min(axis=(0, 1)), many.max(axis=(0, 1))
    margin = _MARGIN * (high - low)
    return Lessons(view_features(rule.curves, rows), wanted, low - margin, high + margin)


def _coefficients(rule: Rule, group: Group, walkers: np.ndarray) -> np.ndarray:
    """Return the coefficients `(walkers, pieces x functions x columns)` of one group, by quadrature over each piece."""
    places, columns = rule.curves.places, list(group.columns)
    phases, weights = group.pieces.nodes()
    functions = group.pieces.at(phases.ravel())[1].reshape(*phases.shape, -1)
    found = []
    for rows in np.array_split(walkers, max(1, len(walkers) * phases.size // _ROWS_AT_ONCE)):
        many = np.repeat(rows, phases.size, axis=0)
        offset = many[:, places.offsets[group.side]]
        period = rule.curves.clock.periods(many)[group.side]
        many[:, places.time] = np.mod(np.tile(phases.ravel(), len(rows)) - offset, 1.0) * period
        values = rule.evaluate(many)[:, columns].reshape(len(rows), *phases.shape, len(columns))
        if not np.isfinite(values).all():
            raise NeuraRigError(f"'{rule.name}' gives numbers that are not finite for some walkers; check its divisions and roots.")
        found.append(np.einsum("wpnc,pnf,n->wpfc", values, functions, weights).reshape(len(rows), -1))
    return np.concatenate(found)


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


_RIDGE = 1e-9  # relative to the mean square of the heads' inputs, which is about 1


class HeadProblem:
    """The target shares of the groups of each side, `(walkers, directions)` side by side, and their features."""

    def __init__(self, model: RuleNetwork, lessons: Lessons, rows: slice = slice(None)):
        self.features = torch.from_numpy(lessons.features[:, rows])
        self.groups = [[n for n, group in enumerate(model.curves.groups) if group.side == side] for side in (0, 1)]
        wanted = [torch.from_numpy(values[rows]) @ model.directions(n).T for n, values in enumerate(lessons.wanted)]
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
        return sum(((error * error).sum(dim=1).mean() for error in errors), torch.zeros((), dtype=torch.float64))

    def penalty(self, heads: list[Tensor]) -> float:
        """Return the penalty on the heads' size, so that the loss has the same optimum as `solve`."""
        return _RIDGE * sum(float((head * head).sum()) for head in heads)

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
    square = sums[:, : rows.shape[1]] + _RIDGE * count * torch.eye(rows.shape[1], dtype=rows.dtype)
    return torch.linalg.solve(square, sums[:, rows.shape[1] :])
