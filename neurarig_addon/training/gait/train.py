"""Teaching the gait network the human gait."""

import copy
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from ..descent import settled
from .dataset import WALKERS, Characters, GaitSampler, Walks, draw_characters, make_walks
from .model import PhaseFunction, PrincipalGaits, principal_gaits


@dataclass(frozen=True)
class GaitRecipe:
    """All settings that determine the weights; the defaults produced the bundled ones."""

    seed: int = 1
    walks: int = 4096
    judging_walks: int = 512
    hidden: tuple[int, ...] = (64, 32)
    epochs: int = 240
    batch: int = 128
    learning_rate: float = 1e-2
    weight_decay: float = 1e-5
    slope_weight: float = 0.3
    threads: int = 1


@dataclass(frozen=True)
class GaitProgress:
    """The state of a training after an epoch; `seconds_left` is an estimate."""

    epoch: int
    epochs: int
    loss: float
    best: float
    seconds_left: float


def train(
    sample: GaitSampler,
    recipe: GaitRecipe,
    report: Callable[[GaitProgress], None],
    among: Characters = WALKERS,
) -> PhaseFunction:
    """Return the network with the lowest loss on walks it was not taught; Ctrl-C stops early and keeps the
    best so far.

    The same recipe on the same machine gives the same weights.
    """
    settled(recipe.seed, recipe.threads)
    taught = make_walks(sample, draw_characters(recipe.walks, recipe.seed, among))
    judging = make_walks(sample, draw_characters(recipe.judging_walks, recipe.seed + 1, among))
    principal = principal_gaits(taught, recipe.slope_weight)
    best = _Best(PhaseFunction.untrained(recipe.hidden, taught, principal))
    try:
        _descend(best, _lesson(taught, principal), _lesson(judging, principal), recipe, report)
    except KeyboardInterrupt:
        print("\nStopped; keeping the best network so far.", file=sys.stderr)
    return best.model


class _Best:
    """The network with the lowest loss on the validation walks."""

    def __init__(self, model: PhaseFunction):
        self.model, self.loss = copy.deepcopy(model), float("inf")

    def offer(self, model: PhaseFunction, loss: float) -> None:
        if loss < self.loss:
            self.model, self.loss = copy.deepcopy(model), loss


@dataclass(frozen=True)
class _Lesson:
    """Features `(walks, 5)`, fades `(walks, 1)`, the target shares `(walks, gaits)` and the costs of their
    errors `(gaits,)`."""

    features: Tensor
    fade: Tensor
    wanted: Tensor
    costs: Tensor

    def rows(self, rows: Tensor) -> "_Lesson":
        return _Lesson(self.features[rows], self.fade[rows], self.wanted[rows], self.costs)

    def loss(self, model: PhaseFunction) -> Tensor:
        error = self.fade * model(self.features) - self.wanted
        return (error * error).mean(dim=0) @ self.costs


def _lesson(walks: Walks, principal: PrincipalGaits) -> _Lesson:
    wanted = walks.coefficients @ principal.projection
    arrays = walks.features, walks.fade[:, None], wanted, principal.costs
    return _Lesson(*(torch.from_numpy(values).float() for values in arrays))


def _descend(
    best: _Best, taught: _Lesson, judging: _Lesson, recipe: GaitRecipe, report: Callable[[GaitProgress], None]
) -> None:
    model = copy.deepcopy(best.model)
    optimizer = torch.optim.AdamW(model.parameters(), weight_decay=recipe.weight_decay)
    steps = recipe.epochs * -(-recipe.walks // recipe.batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, recipe.learning_rate, total_steps=steps, pct_start=0.1
    )
    began = time.monotonic()
    for epoch in range(1, recipe.epochs + 1):
        for rows in torch.randperm(recipe.walks).split(recipe.batch):
            optimizer.zero_grad()
            taught.rows(rows).loss(model).backward()
            optimizer.step()
            schedule.step()
        with torch.no_grad():
            judged = float(judging.loss(model))
        best.offer(model, judged)
        left = (time.monotonic() - began) / epoch * (recipe.epochs - epoch)
        report(GaitProgress(epoch, recipe.epochs, judged, best.loss, left))
