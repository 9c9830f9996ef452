"""How many frames a second a solver answers, rotations as seen from the parent joints included; on one
thread."""

from collections.abc import Callable
from itertools import cycle
from statistics import median
from time import perf_counter

from benchmarks.neural_ik.conditions import Problem
from benchmarks.neural_ik.solvers import Solver
from neurarig_addon.core.neural.points import in_parents

_BLOCK_S = 0.06


def frames_per_second(solver: Solver, problem: Problem, batch: int, blocks: int) -> float:
    """Return the frames answered in a second, `batch` in a call, each call on other frames: the median of
    some blocks of calls."""
    body, parts = (
        problem.truth.body,
        [slice(first, first + batch) for first in range(0, len(problem.truth) - batch + 1, batch)],
    )
    calls = cycle([(problem.points[part], problem.seen[part]) for part in parts])

    def call() -> None:
        points, seen = next(calls)
        rotations, _ = solver.solve(body, points, seen, problem.sigma)
        in_parents(rotations)

    call()
    return batch * median(_block(call) for _ in range(blocks))


def _block(call: Callable[[], object]) -> float:
    calls, start = 0, perf_counter()
    while (spent := perf_counter() - start) < _BLOCK_S or not calls:
        call()
        calls += 1
    return calls / spent
