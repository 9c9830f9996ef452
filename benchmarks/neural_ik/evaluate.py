"""Run every solver under every condition and keep the errors of every frame."""

from collections.abc import Iterator

import numpy as np

from benchmarks.neural_ik.conditions import Condition, Problem
from benchmarks.neural_ik.metrics import Errors, swing_and_twist
from benchmarks.neural_ik.people import Poses
from benchmarks.neural_ik.solvers import Solver
from neurarig_addon.core.neural.frames import BoneFrames
from neurarig_addon.core.neural.points import CHILDREN, JOINTS, in_parents
from neurarig_addon.training.pose.judge import angles

# The 17 joints whose bone ends at another joint; of head, hands and toes the 22 joints show nothing.
OBSERVABLE = np.array([any(child < len(JOINTS) for child in children) for children in CHILDREN])


def evaluate(
    solvers: dict[str, Solver], conditions: list[Condition], people: list[Poses]
) -> Iterator[tuple[str, str, Errors]]:
    """Yield solver, condition and errors for all."""
    for condition in conditions:
        problems = [condition.problem(poses, seed) for seed in range(condition.seeds) for poses in people]
        for name, solver in solvers.items():
            yield (
                name,
                condition.name,
                Errors.joined([judged(problem, *solve(solver, problem)) for problem in problems]),
            )


def solve(solver: Solver, problem: Problem) -> tuple[np.ndarray, np.ndarray]:
    """Return a solver's rotations `(n, 22, 3, 3)` and pelvis places `(n, 3)` for a problem."""
    return solver.solve(problem.truth.body, problem.points, problem.seen, problem.sigma)


def judged(problem: Problem, rotations: np.ndarray, root: np.ndarray) -> Errors:
    """Return the errors of a solution."""
    truth, body = problem.truth, problem.truth.body
    swing, twist = swing_and_twist(rotations, truth.rotations, BoneFrames.of_points(body.rest).directions)
    local = angles(in_parents(rotations), in_parents(truth.rotations))
    places = np.linalg.norm(body.forward(rotations, root) - truth.points, axis=-1)[:, : len(JOINTS)]
    return Errors(angles(rotations, truth.rotations), local, swing, twist, 1000.0 * places)
