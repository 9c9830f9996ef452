"""Training the network that lets motions go on: the joints of the next second, in metres, with and without a
wish."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from ...core.sequence.network import AHEAD, COMPONENTS, PLANTED, SEEN, STRANGE, STRANGER
from ...core.sequence.roll_out import EVERY
from ...core.sequence.rows import FEET, PARTS
from ...core.sequence.stride import REMEMBERED
from ...core.skeleton.roles import SIDES
from ..descent import Progress, descend
from .model import TOES, Components, SequenceModel, joints, placed
from .windows import Windows

_WARM_UP = 0.1  # share of the steps
_FRAMES = 10  # of the next second that are compared in a step: pairs
_BALLS = [FEET.index(f"ball.{side}") for side in SIDES]
_SLIP = 8.0  # weight of a metre a frame by which standing toes slip
_FORGIVEN, _FORGIVEN_LATER = 0.06, 0.004  # metres, and metres a frame: the error that counts as one
_PLACES, _SIGNALS, _CONTACTS = 0.1, 0.05, 0.02  # weights of joints, of components and of contacts
_TREMBLING = 0.3  # share of the noise that is new on every frame
_UNEVEN, _RESIZED = 1.5, 2.0  # how unlike disturbances are in strength; how much of it resizes
_MANNER_FRAMES = 20  # that tell a manner


@dataclass(frozen=True)
class SequenceRecipe:
    """How to train; the same recipe on the same machine gives the same weights."""

    steps: int = 10000
    batch: int = 256
    learning_rate: float = 1.5e-3
    weight_decay: float = 1e-2
    longest_step: float = 1.0
    averaging: float = 0.0
    width: int = 224
    layers: int = 3
    dropout: float = 0.05
    noise: float = 0.02  # of components of the past, as what was predicted is off
    wished: float = 0.5  # share of recorded lessons that tell a wish
    rounds: int = 4  # the most predictions that precede the one that is judged
    rolled: float = 0.45  # share of lessons that begin with predictions
    planned: int = 400  # motions of our own plan
    seed: int = 0
    threads: int = 1


def train(
    windows: Windows,
    recipe: SequenceRecipe,
    report: Callable[[Progress], None],
    kind: type[SequenceModel] = SequenceModel,
) -> SequenceModel:
    """Return the network trained on some lessons; `kind`: of another encoding of poses."""
    torch.set_num_threads(recipe.threads)
    torch.manual_seed(recipe.seed)
    teacher = SequenceTeacher(windows, recipe)
    model = kind(Components.of(windows), recipe.width, recipe.layers, recipe.dropout)
    return descend(model, lambda: teacher.loss(model), recipe, report, _WARM_UP)


class SequenceTeacher:
    """Lessons drawn at random from windows, and how far a model is off in them.

    In some lessons a part of what was seen is what the model itself predicted before, as in a roll-out, so
    that it learns to come back.
    """

    def __init__(self, windows: Windows, recipe: SequenceRecipe) -> None:
        self._windows, self._recipe = windows, recipe
        self._draw = np.random.default_rng(recipe.seed)
        rooms = (windows.room >= AHEAD + EVERY * rounds for rounds in range(recipe.rounds + 1))
        self._shares = [np.cumsum(windows.weight * room) / (windows.weight @ room) for room in rooms]
        self._poses, self._steps, self._contacts = (
            torch.from_numpy(getattr(windows, part)) for part in PARTS
        )

    def loss(self, model: SequenceModel) -> Tensor:
        """Return the loss of a model in the next lesson."""
        recipe = self._recipe
        rounds = int(self._draw.integers(1, recipe.rounds + 1)) if self._draw.random() < recipe.rolled else 0
        chosen = np.searchsorted(self._shares[rounds], self._draw.random(recipe.batch))
        seen = self._signals(model, SequenceLesson.of(self._windows, chosen).seen)
        manner = self._manner(model, chosen)
        disturbance = Disturbance.drawn(len(chosen), recipe.noise if rounds else 0.0, manner)
        seen = disturbance.trembling(disturbance.on(seen))
        with torch.no_grad():
            for done in range(rounds):
                lesson = SequenceLesson.of(self._windows, chosen, EVERY * done)
                once = disturbance.on(self._signals(model, lesson.once))
                found = model(seen, once, manner, lesson.known, self._wish(lesson))
                seen = torch.cat([seen[:, EVERY:], found[:, :EVERY]], dim=1)
        return self._off(
            model, seen, manner, disturbance, SequenceLesson.of(self._windows, chosen, EVERY * rounds)
        )

    def _off(
        self,
        model: SequenceModel,
        seen: Tensor,
        manner: Tensor,
        disturbance: "Disturbance",
        lesson: "SequenceLesson",
    ) -> Tensor:
        """Return how far the next second is off after signals seen."""
        once = disturbance.on(self._signals(model, lesson.once))
        found = model(seen, once, manner, lesson.known, self._wish(lesson))
        poses, steps = model.rows(found, self._poses[lesson.seen[:, -2:]])
        # both ends as often as the others
        first = torch.from_numpy(np.clip(self._draw.integers(-1, AHEAD, _FRAMES // 2), 0, AHEAD - 2))
        frames = torch.cat([first, first + 1])
        there = joints(self._poses[lesson.ahead][:, frames], placed(self._steps[lesson.ahead])[:, frames])
        here = joints(poses[:, frames], placed(steps)[:, frames])
        off = torch.linalg.norm(here - there, dim=-1).mean(dim=(0, 2))
        planted = self._contacts[lesson.ahead][..., _BALLS]
        slides = torch.linalg.norm((here[:, _FRAMES // 2 :] - here[:, : _FRAMES // 2])[:, :, TOES], dim=-1)
        near = torch.exp(-first / (2.0 * EVERY))[:, None]  # farther on the phase is not sure enough
        slip = (slides * planted[:, first] * planted[:, first + 1] * near).mean()
        apart = (found - self._signals(model, lesson.ahead)).abs()
        signals = _SIGNALS * apart[..., :COMPONENTS].mean() + _CONTACTS * apart[..., PLANTED].mean()
        return _PLACES * (off / (_FORGIVEN + _FORGIVEN_LATER * frames)).mean() + signals + _SLIP * slip

    def _manner(self, model: SequenceModel, chosen: np.ndarray) -> Tensor:
        """Return the manner `(n, 2, SIGNALS)` of each lesson's motion somewhat earlier, over as long as is
        known."""
        first, last = self._windows.first[chosen], self._windows.last[chosen]
        end = (
            np.maximum(last - self._draw.integers(0, REMEMBERED, len(chosen)), np.minimum(first + SEEN, last))
            + 1
        )
        length = last - first + 1 + self._windows.room[chosen]
        anywhere = first + self._draw.integers(SEEN, length + 1)  # a planned one stands, walks and runs
        end = np.where(self._windows.is_planned[chosen], anywhere, end)
        begin = np.maximum(end - self._draw.integers(SEEN, REMEMBERED + 1, len(chosen)), first)
        rows = begin[:, None] + (
            np.linspace(0.0, 1.0, _MANNER_FRAMES) * (end - 1 - begin)[:, None]
        ).round().astype(np.int64)
        signals = self._signals(model, torch.from_numpy(rows))
        return torch.stack([signals.mean(dim=1), signals.std(dim=1, correction=0)], dim=1)

    def _signals(self, model: SequenceModel, rows: Tensor) -> Tensor:
        return model.signals(self._poses[rows], self._steps[rows], self._contacts[rows])

    def _wish(self, lesson: "SequenceLesson") -> Tensor:
        """Return what is wished, nothing in some of the lessons that are recorded."""
        is_told = (torch.rand(len(lesson.ahead), 1) < self._recipe.wished) | lesson.is_planned
        return wish_of(placed(self._steps[lesson.ahead])) * is_told


@dataclass(frozen=True)
class Disturbance:
    """How a past is off that was predicted: moved aside `(n, 1, COMPONENTS)`, larger or smaller about its
    `middle`, and trembling."""

    strength: Tensor
    aside: Tensor
    size: Tensor
    middle: Tensor

    @classmethod
    def drawn(cls, count: int, noise: float, manner: Tensor) -> "Disturbance":
        """Return one for each lesson, most of them small."""
        strength = noise * torch.exp(_UNEVEN * torch.randn(count, 1, 1))
        size = 1.0 + _RESIZED * strength * torch.randn(count, 1, 1)
        return cls(strength, strength * torch.randn(count, 1, COMPONENTS), size, manner[:, :1, :COMPONENTS])

    def on(self, signals: Tensor) -> Tensor:
        """Return signals of a past `(n, f, SIGNALS)` moved aside and resized."""
        poses = self.middle + self.size * (signals[..., :COMPONENTS] - self.middle) + self.aside
        return torch.cat([poses, signals[..., COMPONENTS:]], dim=-1)

    def trembling(self, signals: Tensor) -> Tensor:
        """Return signals that are off on every frame anew."""
        poses = signals[..., :COMPONENTS]
        return torch.cat(
            [poses + _TREMBLING * self.strength * torch.randn_like(poses), signals[..., COMPONENTS:]], dim=-1
        )


@dataclass(frozen=True)
class SequenceLesson:
    """Rows of the windows' frames: `seen` `(n, SEEN)`, `once` and `ahead` `(n, AHEAD)`; `known` `(n, 4)`: see
    `SequenceModel`."""

    seen: Tensor
    once: Tensor
    ahead: Tensor
    known: Tensor
    is_planned: Tensor

    @classmethod
    def of(cls, windows: Windows, chosen: np.ndarray, later: int = 0) -> "SequenceLesson":
        """Return the chosen windows `(n,)`, some predicted frames later."""
        chosen = chosen + later  # windows of a motion follow each other
        last, stride = windows.last[chosen][:, None], windows.stride[chosen][:, None]
        seen = np.maximum(last + np.arange(1 - SEEN, 1), windows.first[chosen][:, None])
        ahead = last + 1 + np.arange(AHEAD)
        once = np.where(stride > 0, last - stride + 1 + np.arange(AHEAD) % np.maximum(stride, 1), last)
        predicted = np.full(len(chosen), min(later, SEEN) / SEEN)
        known = np.stack(
            [
                STRANGER * np.minimum(windows.off[chosen], STRANGE),
                stride[:, 0] > 0,
                predicted,
                0.0 * predicted,
            ],
            axis=1,
        )
        rows = (torch.from_numpy(rows.astype(np.int64)) for rows in (seen, once, ahead))
        return cls(
            *rows,
            torch.from_numpy(known.astype(np.float32)),
            torch.from_numpy(windows.is_planned[chosen][:, None]),
        )


def wish_of(places: Tensor) -> Tensor:
    """Return places `(n, AHEAD, 3)` as the wish that they fulfil `(n, WISHES)`."""
    last = places[:, -1]
    return torch.stack([last[:, 0], last[:, 1], torch.sin(last[:, 2]), torch.cos(last[:, 2])], dim=1)
