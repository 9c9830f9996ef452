"""How many frames a second a solver answers, rotations as seen from the parent joints included; on one thread."""

from collections.abc import Callable
from itertools import cycle
from statistics import median
from time import perf_counter

import numpy as np

from benchmarks.neural_ik.conditions import Problem
from benchmarks.neural_ik.people import JOINT_PARENTS
from benchmarks.neural_ik.plain_poses import Solver
from neurarig_addon.core.geometry.rotation import transposed

_BLOCKS = 15
_BLOCK_S = 0.06


def frames_per_second(solver: Solver, problem: Problem, batch: int = 1, blocks: int = _BLOCKS) -> float:
    """Return the frames answered in a second, `batch` in a call, each call on other frames: the median of some blocks of calls."""
    body, parts = problem.truth.body, [slice(first, first + batch) for first in range(0, len(problem.truth) - batch + 1, batch)]
    calls = cycle([(problem.points[part], problem.seen[part]) for part in parts])

    def call() -> None:
        points, seen = next(calls)
        rotations, _ = solver.solve(body, points, seen, problem.sigma)
        np.matmul(transposed(rotations[:, JOINT_PARENTS[1:]]), rotations[:, 1:])

    return batch * rate(call, blocks)


def rate(call: Callable[[], object], blocks: int = _BLOCKS) -> float:
    """Return calls a second: the median of some blocks of calls, after one to warm up."""
    call()
    return median(_block(call) for _ in range(blocks))


def _block(call: Callable[[], object]) -> float:
    calls, start = 0, perf_counter()
    while (spent := perf_counter() - start) < _BLOCK_S or not calls:
        call()
        calls += 1
    return calls / spent


def torch_frames_per_second(forward: Callable[[np.ndarray], object], inputs: np.ndarray, blocks: int = _BLOCKS) -> float:
    """Return the calls a second of a network in eager torch, one frame's inputs `(1, ...)` in a call."""
    rows = cycle([inputs[row : row + 1] for row in range(len(inputs))])
    return rate(lambda: forward(next(rows)), blocks)
