"""Teaching the gait network the human gait."""

import copy
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch
from torch import Tensor, nn

from ...core.human.canonical import CANONICAL, COEFFICIENTS, FEATURES, SLOTS
from ...core.human.gait_network import GaitWeights
from ...core.waves import TERMS
from ..descent import settled
from .dataset import WALKERS, Characters, GaitSampler, Walks, draw_characters, make_walks

_HARMONIC, _CHANNEL = SLOTS % TERMS // 2, SLOTS // TERMS
_DROPPED = 1e-7  # share of the mean square cost that the dropped directions may hold: 0.03 % of the size
_STILL = 1e-6  # a channel with less spread than this (leg lengths, radians) does not move


@dataclass(frozen=True)
class PrincipalGaits:
    """Directions in the space of Fourier coefficients; a share's root mean square over the walks they were
    found from is 1.

    `gaits` `(gaits, COEFFICIENTS)`: what a share of 1 adds to the coefficients, in channel spreads.
    `projection` `(COEFFICIENTS, gaits)`: shares are coefficients (leg lengths and radians) times this.
    `costs` `(gaits,)`: weight of a squared error of a share in the loss, the mean square error over all
    phases of positions and slopes.
    """

    gaits: np.ndarray
    projection: np.ndarray
    costs: np.ndarray


def principal_gaits(walks: Walks, slope_weight: float) -> PrincipalGaits:
    """Return the directions, largest first, that drop no more than a share of 1e-7 of the total cost."""
    spread = walks.spread.astype(float)[_CHANNEL]
    per_spread = np.where(spread > _STILL, 1.0 / np.maximum(spread, _STILL), 0.0)
    coefficients = walks.coefficients * per_spread
    weights = np.sqrt(_error_costs(coefficients, slope_weight))
    _, sizes, directions = np.linalg.svd(coefficients * weights, full_matrices=False)
    still_missing = np.cumsum(sizes[::-1] ** 2)[::-1]
    kept = max(1, int(np.sum(still_missing > _DROPPED * still_missing[0])))
    scale = sizes[:kept] / np.sqrt(len(coefficients))
    return PrincipalGaits(
        gaits=directions[:kept] * scale[:, None] / weights,
        projection=(per_spread * weights)[:, None] * directions[:kept].T / scale,
        costs=scale**2,
    )


def _error_costs(coefficients: np.ndarray, slope_weight: float) -> np.ndarray:
    """Return the cost of the squared error of each coefficient `(COEFFICIENTS,)`, in channel spreads.

    By Parseval a wave of amplitude 1 has the mean square 1/2, and its slope (2 pi k)^2 / 2. Slopes are in
    units of their own spread:
    they are most visible, as a small error that alternates from frame to frame shows as jitter.
    """
    power = np.where(_HARMONIC == 0, 1.0, 0.5)
    slope_power = 0.5 * (2.0 * np.pi * _HARMONIC) ** 2
    slope_variance = np.bincount(
        _CHANNEL, slope_power * np.mean(coefficients**2, axis=0), minlength=len(CANONICAL)
    )[_CHANNEL]
    # At least 1: a channel that hardly moves has no slopes to scale by.
    return (power + slope_weight * slope_power / np.maximum(slope_variance, 1.0)) / len(CANONICAL)


class PhaseFunction(nn.Module):
    """Features to the shares of a few principal gaits; a fixed matrix turns shares into Fourier coefficients.

    The matrix is not trained: see `PrincipalGaits`.  On export it is folded into the last layer.
    """

    low: Tensor
    high: Tensor
    mean: Tensor
    scale: Tensor
    channel_scale: Tensor
    gaits: Tensor

    def __init__(self, hidden: Sequence[int], gaits: int):
        super().__init__()
        widths = [len(FEATURES), *hidden, gaits]
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(widths))
        for name in ("low", "high", "mean", "scale"):
            self.register_buffer(name, torch.ones(len(FEATURES)))
        self.register_buffer("channel_scale", torch.ones(len(CANONICAL)))
        self.register_buffer("gaits", torch.zeros(gaits, COEFFICIENTS))

    @classmethod
    def untrained(cls, hidden: Sequence[int], walks: Walks, principal: PrincipalGaits) -> "PhaseFunction":
        """Return a network with random weights and the normalisation of the walks it will be taught."""
        model = cls(hidden, len(principal.gaits))
        features = walks.features
        model.low, model.high = torch.from_numpy(features.min(axis=0)), torch.from_numpy(features.max(axis=0))
        model.mean, model.scale = (
            torch.from_numpy(features.mean(axis=0)),
            torch.from_numpy(features.std(axis=0)),
        )
        model.channel_scale = torch.from_numpy(walks.spread)
        model.gaits = torch.from_numpy(principal.gaits).float()
        return model

    def forward(self, features: Tensor) -> Tensor:
        """Return the shares `(walks, gaits)` for features `(walks, 5)`, before the fade."""
        rows = (torch.clamp(features, self.low, self.high) - self.mean) / self.scale
        for layer in self.layers[:-1]:
            rows = nn.functional.elu(layer(rows))
        return self.layers[-1](rows)

    def coefficients(self, features: Tensor) -> Tensor:
        """Return the Fourier coefficients `(walks, COEFFICIENTS)`, in channel spreads and before the fade."""
        return self(features) @ self.gaits

    def exported(self) -> GaitWeights:
        """Return the weights as the add-on stores them."""
        layers = [(_array(layer.weight), _array(layer.bias)) for layer in self.layers]
        weight, bias = layers[-1]
        gaits = _array(self.gaits)
        layers[-1] = gaits.T @ weight, gaits.T @ bias
        return GaitWeights(
            *map(_array, (self.low, self.high, self.mean, self.scale, self.channel_scale)), tuple(layers)
        )


def _array(tensor: Tensor) -> np.ndarray:
    return tensor.detach().numpy()


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
