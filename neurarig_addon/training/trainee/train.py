"""Teaching a network any rule, offline: over all walkers of its range, in one process or, under torchrun, in
many."""

import copy
import math
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

from ...core.gait.kinds.natural import GRAVITY
from ...core.learned import teaching
from ...core.learned.lessons import Lessons, TaughtRule, make_lessons
from ...core.learned.online import OnlineBrain
from ...core.learned.solver import Solver, SolverWeights, describe
from ...core.learned.teaching import ENOUGH, ITERATIONS_A_STEP, JUDGING_SEED
from ...core.learned.view_features import feature_names
from ..descent import settled
from .model import HeadProblem, RuleNetwork

_HISTORY = 30


@dataclass(frozen=True)
class TraineeRecipe(teaching.Recipe):
    """All settings that determine the weights."""

    threads: int = 1


@dataclass(frozen=True)
class TraineeProgress:
    """The state of a training after a step; errors are root mean squares in metres and radians on walkers
    that are not taught."""

    step: int
    steps: int
    loss: float
    error: float
    best: float
    seconds_left: float


@dataclass
class Training:
    """A training that can stop after any step and resume later: `best` is the network to use, `model` the one
    being trained."""

    recipe: TraineeRecipe
    model: RuleNetwork
    best: RuleNetwork
    best_error: float = math.inf
    step: int = 0
    optimizer_state: dict = field(default_factory=dict)

    @property
    def finished(self) -> bool:
        """Return whether the recipe's steps are done, the error is below `ENOUGH`, or there is no trunk to
        train."""
        return self.step >= self.recipe.steps or self.best_error < ENOUGH or not len(self.model.trunk)

    def extend(self, steps: int) -> None:
        """Set the total number of steps, counted from the training's beginning."""
        self.recipe = replace(self.recipe, steps=steps)


def begin(rule: TaughtRule, recipe: TraineeRecipe) -> Training:
    """Return a training at its start, with the part linear in the features already solved; the same recipe
    gives the same weights."""
    describe(rule.name, rule.version, rule.curves)  # raises for a rule that cannot be saved, before any work
    settled(recipe.seed, recipe.threads)
    lessons, judging = _lessons(rule, recipe)
    plain = RuleNetwork.untrained(rule.curves, (), lessons)
    error = solve_and_judge(plain, lessons, judging)
    model = plain if error < ENOUGH else RuleNetwork.untrained(rule.curves, recipe.hidden, lessons)
    return Training(recipe, model, plain, error)


def train(rule: TaughtRule, training: Training, report: Callable[[TraineeProgress], None]) -> Training:
    """Continue a training until it is finished; Ctrl-C ends it early and keeps the best network so far."""
    recipe = training.recipe
    settled(recipe.seed, recipe.threads)
    if training.finished:
        report(
            TraineeProgress(
                training.step,
                training.step,
                training.best_error**2,
                training.best_error,
                training.best_error,
                0.0,
            )
        )
        return training
    lessons, judging = _lessons(rule, recipe)
    rank, ranks = _rank()
    share = HeadProblem(training.model, lessons, slice(rank, None, ranks))
    descent = TrunkDescent(training.model, share)
    if training.optimizer_state:
        descent.optimizer.load_state_dict(training.optimizer_state)
    began, first = time.monotonic(), training.step
    try:
        while not training.finished:
            loss = descent.step()
            candidate = copy.deepcopy(training.model)
            error = solve_and_judge(candidate, lessons, judging)
            if error < training.best_error:
                training.best, training.best_error = candidate, error
            training.step += 1
            training.optimizer_state = descent.optimizer.state_dict()
            left = (time.monotonic() - began) / (training.step - first) * (recipe.steps - training.step)
            report(TraineeProgress(training.step, recipe.steps, loss, error, training.best_error, left))
    except KeyboardInterrupt:
        print("\nStopped; keeping the best network so far.", file=sys.stderr)
    return training


class TrunkDescent:
    """L-BFGS over the trunk, with optimal heads at every evaluation; all processes take the same steps."""

    def __init__(self, model: RuleNetwork, problem: HeadProblem):
        self._network = DistributedDataParallel(model) if dist.is_initialized() else model
        self._problem = problem
        self.evaluations = 0
        self.optimizer = torch.optim.LBFGS(
            [*model.trunk.parameters()],
            max_iter=ITERATIONS_A_STEP,
            history_size=_HISTORY,
            line_search_fn="strong_wolfe",
            tolerance_grad=0.0,
            tolerance_change=0.0,
        )

    def step(self) -> float:
        """Take one step of several iterations and return the loss before it."""
        return float(self.optimizer.step(self.evaluate))

    def evaluate(self) -> float:
        """Return the loss with optimal heads, and set the gradients of the trunk."""
        self.evaluations += 1
        self.optimizer.zero_grad()
        known = self._network(self._problem.features)
        heads = self._problem.solve(known)
        loss = self._problem.loss(known, heads)
        loss.backward()  # under torchrun this also averages the gradients of all processes
        value = loss.detach()
        if dist.is_initialized():
            # The line search must decide alike in all processes.
            dist.all_reduce(value)
            value = value / dist.get_world_size()
        return float(value) + self._problem.penalty(heads)


def _rank() -> tuple[int, int]:
    return (dist.get_rank(), dist.get_world_size()) if dist.is_initialized() else (0, 1)


def _lessons(rule: TaughtRule, recipe: TraineeRecipe) -> tuple[Lessons, Lessons]:
    """Return the lessons to teach and to judge by; every process has all of them, and takes its share of the
    former in its steps."""
    return make_lessons(rule, recipe.walkers, recipe.seed), make_lessons(
        rule, recipe.judging_walkers, recipe.seed + JUDGING_SEED
    )


@torch.no_grad()
def solve_and_judge(model: RuleNetwork, lessons: Lessons, judging: Lessons) -> float:
    """Solve the heads over all lessons and return the root mean square error on the validation lessons, per
    output."""
    # Every process has all lessons here; sums over the processes only count each of them equally often.
    problem = HeadProblem(model, lessons)
    heads = problem.solve(model(problem.features))
    problem.install(model, heads)
    judged = HeadProblem(model, judging)
    return math.sqrt(float(judged.loss(model(judged.features), heads)) / model.curves.outputs)


FRAMES = 400
_FPS = 60.0


def fine_tune(
    weights: SolverWeights, rule: TaughtRule, walker: np.ndarray, frames: int = FRAMES
) -> SolverWeights:
    """Return the weights after one stream of a walker's inputs `(inputs,)` at its speed, at 60 frames/s."""
    rows = stream_of(rule, walker, frames)
    brain = OnlineBrain(weights.curves, Solver(weights))
    for row, target in zip(rows, rule.evaluate(rows), strict=True):
        brain.train(row, target)
    return folded(weights, brain, walker)


def stream_of(rule: TaughtRule, walker: np.ndarray, frames: int) -> np.ndarray:
    """Return inputs `(frames, inputs)` of a walker at its speed, as an engine sends them."""
    rows = np.repeat(walker[None], frames, axis=0)
    rows[:, rule.curves.places.time] = np.arange(1, frames + 1) / _FPS
    return rows


def folded(weights: SolverWeights, brain: OnlineBrain, walker: np.ndarray) -> SolverWeights:
    """Return the weights with what a brain learned of a walker added.

    Its functions of speed are, for a given leg, multiples of features, so they only change the heads' weights
    of these.
    """
    names = feature_names(weights.curves)
    legs = weights.curves.places.legs(walker[None])[:, 0]
    heads = []
    for group, (weight, bias), learned in zip(
        weights.curves.groups, weights.heads, brain.coefficients(walker), strict=True
    ):
        weight, bias = weight.astype(float), bias.astype(float)
        parts = learned.swapaxes(0, 1).reshape(learned.shape[1], -1)  # (speed functions, coefficients)
        bias += parts[0]
        sizes = [("root_speed", (GRAVITY * legs[group.side]) ** -0.25), ("froude_speed", 1.0)]
        sizes += [(name, 1.0) for name in names if "_bend_" in name]
        for part, (name, size) in zip(parts[1:], sizes, strict=True):
            column = names.index(name)
            weight[:, column] += part * size * weights.scale[column]
            bias += part * size * weights.mean[column]
        heads.append((weight.astype(np.float32), bias.astype(np.float32)))
    return replace(weights, heads=tuple(heads))
