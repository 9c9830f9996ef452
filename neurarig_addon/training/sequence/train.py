"""Training the network that lets motions go on: the joints of the next second, in metres, with and without a wish."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from ...core.sequence.network import AHEAD, COMPONENTS, SEEN, STRANGE, STRANGER
from ...core.sequence.roll_out import EVERY
from ..descent import Progress, descend
from .model import Components, SequenceModel, joints, placed
from .windows import Windows

_WARM_UP = 0.1  # share of the steps
_FRAMES = 10  # of the next second that are compared in a step
_FORGIVEN, _FORGIVEN_LATER = 0.03, 0.01  # metres, and metres a frame: the error that counts as one
_PLACES, _SIGNALS = 0.1, 0.05  # weights of joints and of signals
_TREMBLING = 0.3  # share of the noise that is new on every frame


@dataclass(frozen=True)
class Recipe:
    """How to train; the same recipe on the same machine gives the same weights."""

    steps: int = 12000
    batch: int = 256
    learning_rate: float = 1.5e-3
    weight_decay: float = 1e-2
    longest_step: float = 1.0
    averaging: float = 0.0
    width: int = 224
    layers: int = 3
    dropout: float = 0.1
    noise: float = 0.05  # of components of what was seen, as what was predicted is off
    wished: float = 0.6  # share of lessons that tell a wish
    rounds: int = 4  # the most predictions that precede the one that is judged
    seed: int = 0
    threads: int = 1


def train(windows: Windows, recipe: Recipe, report: Callable[[Progress], None]) -> SequenceModel:
    """Return the network trained on some lessons."""
    torch.set_num_threads(recipe.threads)
    torch.manual_seed(recipe.seed)
    teacher = Teacher(windows, recipe)
    model = SequenceModel(Components.of(windows), recipe.width, recipe.layers, recipe.dropout)
    return descend(model, lambda: teacher.loss(model), recipe, report, _WARM_UP)


class Teacher:
    """Lessons drawn at random from windows, and how far a model is off in them.

    In most lessons a part of what was seen is what the model itself predicted before, as in a roll-out, so that it learns to come back.
    """

    def __init__(self, windows: Windows, recipe: Recipe) -> None:
        self._windows, self._recipe = windows, recipe
        self._draw = np.random.default_rng(recipe.seed)
        rooms = (windows.room >= AHEAD + EVERY * rounds for rounds in range(recipe.rounds + 1))
        self._shares = [np.cumsum(windows.weight * room) / (windows.weight @ room) for room in rooms]
        self._poses, self._steps = torch.from_numpy(windows.poses), torch.from_numpy(windows.steps)

    def loss(self, model: SequenceModel) -> Tensor:
        """Return the loss of a model in the next lesson."""
        recipe, rounds = self._recipe, int(self._draw.integers(self._recipe.rounds + 1))
        chosen = np.searchsorted(self._shares[rounds], self._draw.random(recipe.batch))
        seen = self._signals(model, Lesson.of(self._windows, chosen).seen)
        shaken = torch.randn(len(chosen), 1, COMPONENTS) + _TREMBLING * torch.randn(len(chosen), SEEN, COMPONENTS)
        seen = torch.cat([seen[..., :COMPONENTS] + recipe.noise * shaken, seen[..., COMPONENTS:]], dim=-1)
        with torch.no_grad():
            for done in range(rounds):
                lesson = Lesson.of(self._windows, chosen, EVERY * done)
                found = model(seen, self._signals(model, lesson.once), lesson.known, self._wish(lesson))
                seen = torch.cat([seen[:, EVERY:], found[:, :EVERY]], dim=1)
        return self._off(model, seen, Lesson.of(self._windows, chosen, EVERY * rounds))

    def _off(self, model: SequenceModel, seen: Tensor, lesson: "Lesson") -> Tensor:
        """Return how far the next second is off after signals seen."""
        found = model(seen, self._signals(model, lesson.once), lesson.known, self._wish(lesson))
        poses, steps = model.rows(found, self._poses[lesson.seen[:, -2:]])
        frames = torch.from_numpy(np.sort(self._draw.choice(AHEAD, _FRAMES, replace=False)))
        there = joints(self._poses[lesson.ahead][:, frames], placed(self._steps[lesson.ahead])[:, frames])
        off = torch.linalg.norm(joints(poses[:, frames], placed(steps)[:, frames]) - there, dim=-1).mean(dim=(0, 2))
        apart = (found - self._signals(model, lesson.ahead))[..., :COMPONENTS].abs().mean()
        return _PLACES * (off / (_FORGIVEN + _FORGIVEN_LATER * frames)).mean() + _SIGNALS * apart

    def _signals(self, model: SequenceModel, rows: Tensor) -> Tensor:
        return model.signals(self._poses[rows], self._steps[rows])

    def _wish(self, lesson: "Lesson") -> Tensor:
        """Return what is wished, nothing in some of the lessons."""
        is_told = torch.rand(len(lesson.ahead), 1) < self._recipe.wished
        return wish_of(placed(self._steps[lesson.ahead])) * is_told


@dataclass(frozen=True)
class Lesson:
    """Rows of the windows' frames: `seen` `(n, SEEN)`, `once` and `ahead` `(n, AHEAD)`; `known` `(n, 2)` of the stride."""

    seen: Tensor
    once: Tensor
    ahead: Tensor
    known: Tensor

    @classmethod
    def of(cls, windows: Windows, chosen: np.ndarray, later: int = 0) -> "Lesson":
        """Return the chosen windows `(n,)`, some frames later."""
        chosen = chosen + later  # windows of a motion follow each other
        last, stride = windows.last[chosen][:, None], windows.stride[chosen][:, None]
        seen = np.maximum(last + np.arange(1 - SEEN, 1), windows.first[chosen][:, None])
        ahead = last + 1 + np.arange(AHEAD)
        once = np.where(stride > 0, last - stride + 1 + np.arange(AHEAD) % np.maximum(stride, 1), last)
        known = np.stack([STRANGER * np.minimum(windows.off[chosen], STRANGE), stride[:, 0] > 0], axis=1)
        return cls(*(torch.from_numpy(rows.astype(np.int64)) for rows in (seen, once, ahead)), torch.from_numpy(known.astype(np.float32)))


def wish_of(places: Tensor) -> Tensor:
    """Return places `(n, AHEAD, 3)` as the wish that they fulfil `(n, WISHES)`."""
    last = places[:, -1]
    return torch.stack([last[:, 0], last[:, 1], torch.sin(last[:, 2]), torch.cos(last[:, 2])], dim=1)
