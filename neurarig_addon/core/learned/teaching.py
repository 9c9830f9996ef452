"""Teaching a network a rule, in numpy: the one that `solver` runs, with the gradient of its trunk.

All but the trunk enters linearly, and is solved in closed form. Steps go over the trunk alone, with the rest
at its optimum at every
evaluation (variable projection, Golub and Pereyra 1973); since it is, its own change does not enter the
gradient.
"""

import math
from collections.abc import Generator
from dataclasses import dataclass
from itertools import islice, pairwise

import numpy as np

from .descent import descend
from .lessons import Lessons, TaughtRule, lesson_steps
from .solver import SolverWeights, describe
from .view_features import with_products

# Root mean square error (m, rad) below which nothing visible is left to learn.
ENOUGH = 1e-6
RIDGE = 1e-9  # penalty on the heads' size, relative to the mean square of their inputs, which is about 1
ITERATIONS_A_STEP = 5
_SHARE_OF_LESSONS = 0.3  # of the work, where all steps are taken
JUDGING_SEED = 1_000_003  # far from the seeds of the lessons

Layers = list[tuple[np.ndarray, np.ndarray]]  # weight (outputs, inputs), bias (outputs,)


@dataclass(frozen=True)
class Recipe:
    """All settings that determine the weights; a step is five iterations of L-BFGS."""

    seed: int = 1
    walkers: int = 2400
    judging_walkers: int = 600
    hidden: tuple[int, ...] = (32, 32)
    steps: int = 40


@dataclass(frozen=True)
class Taught:
    """The best network so far, and its root mean square error in metres and radians on walkers that it was
    not taught."""

    weights: SolverWeights
    error: float


def teach(rule: TaughtRule, recipe: Recipe) -> Generator[float, None, Taught]:
    """Yield the share of the work that is done, and return the best network; the same recipe gives the same
    one.

    Without steps the network is linear in the features and their products, which is enough for many profiles.
    It ends sooner when
    nothing is left to learn.  Raises NeuraRigError, before any work, for a rule that no file can hold.
    """
    describe(rule.name, rule.version, rule.curves)
    lessons = yield from lesson_steps(rule, recipe.walkers, recipe.seed, 0.0, 0.8 * _SHARE_OF_LESSONS)
    judging = yield from lesson_steps(
        rule, recipe.judging_walkers, recipe.seed + JUDGING_SEED, 0.8 * _SHARE_OF_LESSONS, _SHARE_OF_LESSONS
    )
    best = _judged(rule, lessons, judging, [])
    if best.error < ENOUGH or not recipe.hidden:
        return best
    trunk = _untaught(lessons.features.shape[-1], recipe)
    places = descend(TrunkLoss(lessons, rule, recipe.hidden).of, _flat(trunk))
    for step in range(recipe.steps):
        yield _SHARE_OF_LESSONS + (1.0 - _SHARE_OF_LESSONS) * step / recipe.steps
        reached = list(islice(places, ITERATIONS_A_STEP))
        if not reached:
            break
        found = _judged(
            rule, lessons, judging, _layers(reached[-1], lessons.features.shape[-1], recipe.hidden)
        )
        best = min(best, found, key=lambda taught: taught.error)
        if best.error < ENOUGH:
            break
    return best


class Heads:
    """The linear part of both sides over some lessons: what it gets besides the trunk, and the shares of
    principal curves it should give.

    `rows` `(2, walkers, features)`: normalised, as the trunk gets them too; normalisation and curves are
    those of the `taught` lessons.
    """

    def __init__(self, lessons: Lessons, rule: TaughtRule, taught: Lessons):
        self.rows = (np.clip(lessons.features, taught.low, taught.high) - taught.mean) / taught.scale
        ones = np.ones((*self.rows.shape[:2], 1))
        self._known = np.concatenate([with_products(self.rows), ones], axis=-1)
        sides = [[n for n, group in enumerate(rule.curves.groups) if group.side == side] for side in (0, 1)]
        empty = np.zeros((self.rows.shape[1], 0))
        self.wanted = [
            np.concatenate([empty, *(lessons.wanted[n] @ taught.directions[n].T for n in own)], axis=1)
            for own in sides
        ]

    def known(self, trunk: np.ndarray) -> np.ndarray:
        """Return the heads' inputs `(2, walkers, known + 1)`, the trunk's `(2, walkers, hidden)` and a 1 for
        the bias the last."""
        return np.concatenate([self._known[..., :-1], trunk, self._known[..., -1:]], axis=-1)

    def solved(self, known: np.ndarray) -> list[np.ndarray]:
        """Return the best heads `(known + 1, directions)` of each side."""
        ridge = RIDGE * known.shape[1] * np.eye(known.shape[2])
        return [
            np.linalg.solve(rows.T @ rows + ridge, rows.T @ wanted)
            for rows, wanted in zip(known, self.wanted, strict=True)
        ]

    def errors(self, known: np.ndarray, heads: list[np.ndarray]) -> list[np.ndarray]:
        """Return the errors `(walkers, directions)` of each side."""
        return [rows @ head - wanted for rows, head, wanted in zip(known, heads, self.wanted, strict=True)]


class TrunkLoss:
    """The mean squared error of the lessons, with the best heads, as a function of the trunk's weights."""

    def __init__(self, lessons: Lessons, rule: TaughtRule, hidden: tuple[int, ...]):
        self._heads = Heads(lessons, rule, lessons)
        self._hidden = hidden

    def of(self, place: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the loss and its gradient `(n,)` at the trunk's weights and biases `(n,)`."""
        layers = _layers(place, self._heads.rows.shape[-1], self._hidden)
        inputs = _through(layers, self._heads.rows)
        known = self._heads.known(inputs[-1])
        heads = self._heads.solved(known)
        errors = self._heads.errors(known, heads)
        walkers, width = known.shape[1], self._hidden[-1]
        loss = sum(float((error**2).sum()) for error in errors) / walkers + RIDGE * sum(
            float((head**2).sum()) for head in heads
        )
        pull = np.stack(
            [
                2.0 / walkers * error @ head[-1 - width : -1].T
                for error, head in zip(errors, heads, strict=True)
            ]
        )
        gradients: Layers = []
        for (weight, _), entered, left in reversed(list(zip(layers, inputs, inputs[1:], strict=False))):
            pull = pull * np.where(left > 0.0, 1.0, left + 1.0)  # ELU's slope: e^x below 0, which is ELU + 1
            gradients.insert(
                0, (np.einsum("swo,swi->oi", pull, entered, optimize=True), pull.sum(axis=(0, 1)))
            )
            pull = pull @ weight
        return loss, _flat(gradients)


def _judged(rule: TaughtRule, lessons: Lessons, judging: Lessons, trunk: Layers) -> Taught:
    """Solve the heads over all lessons, and return the network with its error on the other walkers, per
    output."""
    taught, judged = (Heads(some, rule, lessons) for some in (lessons, judging))
    heads = taught.solved(_known(taught, trunk))
    errors = judged.errors(_known(judged, trunk), heads)
    square = sum(float((error**2).sum(axis=1).mean()) for error in errors)
    return Taught(_weights(rule, lessons, trunk, heads), math.sqrt(square / rule.curves.outputs))


def _known(heads: Heads, trunk: Layers) -> np.ndarray:
    return heads.known(_through(trunk, heads.rows)[-1] if trunk else heads.rows[..., :0])


def _weights(rule: TaughtRule, lessons: Lessons, trunk: Layers, heads: list[np.ndarray]) -> SolverWeights:
    """Return a network as files hold it: the fixed matrix from shares of principal curves to coefficients is
    folded into its heads."""
    starts, folded = [0, 0], []
    for group, directions in zip(rule.curves.groups, lessons.directions, strict=True):
        own = heads[group.side][:, starts[group.side] : starts[group.side] + len(directions)] @ directions
        starts[group.side] += len(directions)
        folded.append((_single(own[:-1].T), _single(own[-1])))
    layers = tuple((_single(weight), _single(bias)) for weight, bias in trunk)
    low, high, mean, scale = map(_single, (lessons.low, lessons.high, lessons.mean, lessons.scale))
    return SolverWeights(rule.name, rule.version, rule.curves, low, high, mean, scale, layers, tuple(folded))


def _untaught(features: int, recipe: Recipe) -> Layers:
    """Return random weights and biases, evenly within one over the root of a layer's inputs."""
    rng = np.random.default_rng(recipe.seed)
    sizes = [
        (outputs, inputs, 1.0 / math.sqrt(inputs)) for inputs, outputs in pairwise([features, *recipe.hidden])
    ]
    return [
        (rng.uniform(-most, most, (outputs, inputs)), rng.uniform(-most, most, outputs))
        for outputs, inputs, most in sizes
    ]


def _through(layers: Layers, rows: np.ndarray) -> list[np.ndarray]:
    """Return what enters each layer, and what leaves the last one."""
    passed = [rows]
    for weight, bias in layers:
        rows = passed[-1] @ weight.T + bias
        passed.append(np.where(rows > 0.0, rows, np.expm1(np.minimum(rows, 0.0))))
    return passed


def _flat(layers: Layers) -> np.ndarray:
    return np.concatenate([part.ravel() for layer in layers for part in layer])


def _layers(place: np.ndarray, features: int, hidden: tuple[int, ...]) -> Layers:
    layers, start = [], 0
    for inputs, outputs in pairwise([features, *hidden]):
        ends = start + outputs * inputs, start + outputs * (inputs + 1)
        layers.append((place[start : ends[0]].reshape(outputs, inputs), place[ends[0] : ends[1]]))
        start = ends[1]
    return layers


def _single(values: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(values, dtype=np.float32)
