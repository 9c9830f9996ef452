"""Which optimiser teaches a rule's network best: python -m benchmarks.optimisers.

The rule is the human gait, which no polynomial of the features is.  Every row begins with the same weights, has about the same time, and
ends with the heads solved.
"""

import copy
import time
from collections.abc import Callable

import torch

from neurarig_addon.core.learned.lessons import make_lessons
from neurarig_addon.training.trainee.human_rule import human_rule
from neurarig_addon.training.trainee.model import HeadProblem, RuleNetwork
from neurarig_addon.training.trainee.train import Descent, Recipe, solve_and_judge

_SECONDS = 10.0
_BATCH = 256


def main() -> None:
    """Print the error that each way reaches on walkers it was not taught."""
    torch.set_num_threads(1)
    recipe, rule = Recipe(), human_rule()
    lessons, judging = make_lessons(rule, recipe.walkers, 1), make_lessons(rule, recipe.judging_walkers, 2)
    torch.manual_seed(1)
    start = RuleNetwork.untrained(rule.curves, recipe.hidden, lessons)
    print(f"{'no steps at all':45s} {solve_and_judge(RuleNetwork.untrained(rule.curves, (), lessons), lessons, judging):.2e} m, rad")
    print(f"{'random trunk':45s} {solve_and_judge(start, lessons, judging):.2e} m, rad")
    for name, descend in (
        ("Adam 3e-3 over all weights", lambda model, problem: _adam(model, problem, cycle=False)),
        ("Adam, one cycle to 1e-2, over all weights", lambda model, problem: _adam(model, problem, cycle=True)),
        ("L-BFGS over all weights", _lbfgs_over_all),
        ("Adam, variable projection", _projected_adam),
        ("L-BFGS, variable projection (used)", _projected_lbfgs),
    ):
        model = copy.deepcopy(start)
        problem = HeadProblem(model, lessons)
        steps = _for_some_seconds(descend(model, problem))
        print(f"{name:45s} {solve_and_judge(model, lessons, judging):.2e} m, rad  ({steps} evaluations in {_SECONDS:.0f} s)")


def _for_some_seconds(step: Callable[[float], int]) -> int:
    """Call a step with the share of the time that is over until it is all over, and return how often it evaluated the loss."""
    began, evaluations = time.monotonic(), 0
    while (share := (time.monotonic() - began) / _SECONDS) < 1.0:
        evaluations += step(share)
    return evaluations


def _adam(model: RuleNetwork, problem: HeadProblem, cycle: bool) -> Callable[[float], int]:
    heads = [head.contiguous().requires_grad_(True) for head in problem.solve(model(problem.features))]
    optimizer = torch.optim.Adam([*model.trunk.parameters(), *heads], lr=3e-3)

    def step(share: float) -> int:
        if cycle:
            optimizer.param_groups[0]["lr"] = 1e-2 * (share / 0.3 if share < 0.3 else (1.0 - share) / 0.7)
        rows = torch.randint(problem.features.shape[1], (_BATCH,))
        optimizer.zero_grad()
        problem.rows(rows).loss(model(problem.features[:, rows]), heads).backward()
        optimizer.step()
        return 1

    return step


def _lbfgs_over_all(model: RuleNetwork, problem: HeadProblem) -> Callable[[float], int]:
    heads = [head.contiguous().requires_grad_(True) for head in problem.solve(model(problem.features))]
    optimizer = torch.optim.LBFGS([*model.trunk.parameters(), *heads], max_iter=5, history_size=30, line_search_fn="strong_wolfe")
    evaluations = 0

    def evaluate() -> torch.Tensor:
        nonlocal evaluations
        evaluations += 1
        optimizer.zero_grad()
        loss = problem.loss(model(problem.features), heads)
        loss.backward()
        return loss

    def step(share: float) -> int:
        before = evaluations
        optimizer.step(evaluate)
        return evaluations - before

    return step


def _projected_adam(model: RuleNetwork, problem: HeadProblem) -> Callable[[float], int]:
    descent = Descent(model, problem)
    optimizer = torch.optim.Adam(model.trunk.parameters(), lr=1e-2)

    def step(share: float) -> int:
        optimizer.param_groups[0]["lr"] = 1e-2 * (1.0 - share)
        descent.evaluate()
        optimizer.step()
        return 1

    return step


def _projected_lbfgs(model: RuleNetwork, problem: HeadProblem) -> Callable[[float], int]:
    descent = Descent(model, problem)

    def step(share: float) -> int:
        before = descent.evaluations
        descent.step()
        return descent.evaluations - before

    return step


if __name__ == "__main__":
    main()
