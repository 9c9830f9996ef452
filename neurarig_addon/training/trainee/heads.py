"""The optimal heads in closed form, and the remaining loss: variable projection.

Golub and Pereyra 1973: weights that enter linearly are functions of the others.  Steps then go over the trunk alone, and
since the heads are at their optimum, their own change does not enter the gradient.
"""

import copy

import torch
import torch.distributed as dist
from torch import Tensor

from .lessons import Lessons
from .model import RuleNetwork

RIDGE = 1e-9  # relative to the mean square of the heads' inputs, which is about 1


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
