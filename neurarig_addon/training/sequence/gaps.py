"""Teaching what fills gaps: frames taken out of recordings, and how far joints are off in them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise

import numpy as np
import torch
from torch import Tensor, nn

from ...core.sequence.gap import WAYS, Gap
from ...core.sequence.network import (
    COMPONENTS,
    GAP_INPUTS,
    GAP_OUTPUTS,
    PLANTED,
    WAY,
    Layers,
    SequenceNetwork,
    SequenceWeights,
)
from ...core.sequence.rows import WIDTH, Rows, placed
from ...core.sequence.stride import REMEMBERED
from ..descent import Progress, descend
from ..recordings import RecordingFile
from .model import coarse, joints
from .windows import PLANNED, REST, SHARES, motions, planned

_FRAMES = 6  # of each gap
_SHORTEST, _LONGEST, _BESIDE = 4, 60, 3  # frames of a gap, and that are known at least on both sides
_FORGIVEN, _FORGIVEN_LONG = 0.03, 0.0035  # metres, and metres a frame of a gap: the error that counts as one
_SIGNALS, _CONTACTS = 0.05, 0.05  # weights
_DIGITS = 6  # of weights, binary ones
_WARM_UP = 0.1  # share of the steps


@dataclass(frozen=True)
class GapRecipe:
    """How to train; the same recipe on the same machine gives the same weights."""

    lessons: int = 30000
    steps: int = 5000
    batch: int = 96
    learning_rate: float = 1.5e-3
    weight_decay: float = 2e-2
    longest_step: float = 1.0
    averaging: float = 0.0
    width: int = 192
    layers: int = 3
    dropout: float = 0.1
    noise: float = 0.03  # of what is told
    planned: int = 80  # motions of our own plan
    seed: int = 0
    threads: int = 1


@dataclass(frozen=True)
class GapLessons:
    """Gaps: see `GapSight`, `(n, ...)`; `true` `(n, _FRAMES, WIDTH + 3 + 4)`; `frames` `(n,)`: how
    long they are."""

    sides: np.ndarray
    times: np.ndarray
    curves: np.ndarray
    strides: np.ndarray
    within: np.ndarray
    true: np.ndarray
    frames: np.ndarray

    @classmethod
    def of(cls, chosen: Sequence[RecordingFile], network: SequenceNetwork, recipe: GapRecipe) -> "GapLessons":
        """Return gaps in recordings of people who walk and run, and in planned motions."""
        recorded = [(one.group, rows) for one in chosen if one.group != REST for rows in motions(one)]
        made_up = [(PLANNED, rows) for rows in planned(recipe.planned, recipe.seed)]
        return cls.of_motions([*recorded, *made_up], network, recipe)

    @classmethod
    def of_motions(
        cls, known: Sequence[tuple[str, Rows]], network: SequenceNetwork, recipe: GapRecipe
    ) -> "GapLessons":
        """Return gaps drawn at random from motions, each with its group."""
        found = zip(*_drawn(known, network, recipe), strict=True)
        return cls(*(np.array(column, dtype=np.float32) for column in found))


def _drawn(
    known: Sequence[tuple[str, Rows]], network: SequenceNetwork, recipe: GapRecipe
) -> Iterator[tuple[np.ndarray | int, ...]]:
    draw = np.random.default_rng(recipe.seed)
    long = [(group, rows) for group, rows in known if len(rows) > _SHORTEST + 2 * _BESIDE]
    lasts = {group: sum(len(rows) for other, rows in long if other == group) for group in SHARES}
    shares = np.array([SHARES[group] * len(rows) / lasts[group] for group, rows in long])
    for chosen in draw.choice(len(long), recipe.lessons, p=shares / shares.sum()):
        rows = long[chosen][1]
        most = min(_LONGEST, len(rows) - 2 * _BESIDE)
        frames = round(float(np.exp(draw.uniform(np.log(_SHORTEST), np.log(most)))))
        if draw.random() < 0.5:
            frames = int(draw.integers(_SHORTEST, most + 1))
        first = int(draw.integers(_BESIDE - 1, len(rows) - frames - _BESIDE + 1))
        gap, way = gap_of(rows, first, frames)
        at = draw.integers(1, frames, _FRAMES)
        sight = gap.seen(network, at.astype(float))
        true = [rows.poses[first + at], way[at - 1], rows.contacts[first + at]]
        yield (*(getattr(sight, each.name) for each in fields(sight)), np.concatenate(true, axis=1), frames)


def gap_of(rows: Rows, first: int, frames: int) -> tuple[Gap, np.ndarray]:
    """Return the gap of some frames after a row of a motion, and the way `(frames, 3)` through it."""
    way = placed(rows.steps[first + 1 : first + frames + 1])
    before, after = (
        rows[max(first + 1 - REMEMBERED, 0) : first + 1],
        rows[first + frames :][:REMEMBERED],
    )
    return Gap(before, after, way[-1], float(frames)), way


class GapModel(nn.Module):
    """Layers of ELU between what is told and the answer."""

    def __init__(self, recipe: GapRecipe) -> None:
        super().__init__()
        widths = [GAP_INPUTS, *[recipe.width] * recipe.layers, GAP_OUTPUTS]
        self.layers = nn.ModuleList(nn.Linear(before, after) for before, after in pairwise(widths))
        self.dropout = nn.Dropout(recipe.dropout)
        nn.init.normal_(self.layers[-1].weight, std=2e-3)
        nn.init.zeros_(self.layers[-1].bias)

    def forward(self, sides: Tensor, times: Tensor) -> Tensor:
        """Return answers `(n, f, GAP_OUTPUTS)` for what is told of sides `(n, ...)` and of times `(n, f,
        ...)`."""
        first, *others = self.layers
        of_sides, of_times = first.weight.split([sides.shape[-1], times.shape[-1]], dim=1)
        found = (sides @ of_sides.T)[:, None] + times @ of_times.T + first.bias
        for layer in others:
            found = layer(self.dropout(nn.functional.elu(found)))
        return found

    def exported(self) -> Layers:
        """Return the layers as numpy runs them."""
        return tuple((coarse(layer.weight, _DIGITS), coarse(layer.bias, _DIGITS)) for layer in self.layers)


def train_gaps(
    lessons: GapLessons, weights: SequenceWeights, recipe: GapRecipe, report: Callable[[Progress], None]
) -> Layers:
    """Return the layers that fill gaps, taught in some lessons."""
    torch.set_num_threads(recipe.threads)
    torch.manual_seed(recipe.seed)
    model, draw = GapModel(recipe), np.random.default_rng(recipe.seed)
    parts = [torch.from_numpy(getattr(lessons, each.name)) for each in fields(lessons)]
    scale, basis = torch.tensor(weights.scale[:COMPONENTS]).float(), torch.tensor(weights.basis).float()

    def loss() -> Tensor:
        chosen = torch.from_numpy(draw.integers(len(lessons.frames), size=recipe.batch))
        sides, times, curves, strides, within, true, frames = (part[chosen] for part in parts)
        found = model(sides + recipe.noise * torch.randn_like(sides), times)
        trusts, added = torch.sigmoid(found[..., : 2 * COMPONENTS]), found[..., 2 * COMPONENTS :]
        poses = (trusts.unflatten(-1, (2, COMPONENTS)) * strides).sum(dim=-2) + added[..., :COMPONENTS]
        poses = curves[..., :WIDTH] + within * ((poses * scale) @ basis)
        places = curves[..., WIDTH:] + within * WAYS * added[..., WAY]
        there = joints(true[..., :WIDTH], true[..., WIDTH : WIDTH + 3])
        off = torch.linalg.norm(joints(poses, places) - there, dim=-1).mean(dim=(1, 2))
        apart = ((poses - true[..., :WIDTH]) @ basis.T / scale).abs().mean()
        planted = (added[..., PLANTED] - true[..., WIDTH + 3 :]).abs().mean()
        forgiven = _FORGIVEN + _FORGIVEN_LONG * frames
        return (off / forgiven).mean() + _SIGNALS * apart + _CONTACTS * planted

    return descend(model, loss, recipe, report, _WARM_UP).eval().exported()
