"""Run every method under every condition and keep the errors of every frame."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from benchmarks.neural_ik.conditions import Condition, Problem
from benchmarks.neural_ik.methods import Method
from benchmarks.neural_ik.metrics import Errors, angle, seen_from_parent, swing_and_twist
from benchmarks.neural_ik.people import JOINT_PARENTS, Poses
from benchmarks.neural_ik.plain_poses import Solver
from neurarig_addon.core.neural.frames import BoneFrames
from neurarig_addon.core.neural.points import CHILDREN, JOINTS

# The 17 joints whose bone ends at another joint; of head, hands and toes the 22 joints show nothing.
OBSERVABLE = np.array([any(child < len(JOINTS) for child in children) for children in CHILDREN])
_FRAMES = 1_000_000  # more than there are test poses: row = seed * _FRAMES + frame


@dataclass(frozen=True)
class Cell:
    """The errors of a method under a condition; `rows` `(n,)` numbers the frame and draw of each, the same for all methods."""

    errors: Errors
    rows: np.ndarray

    def on(self, rows: np.ndarray) -> Errors:
        """Return the errors of some of the numbered rows, which must be among this cell's."""
        return self.errors.rows(np.searchsorted(self.rows, rows))

    def by_draw(self) -> list[Errors]:
        """Return the errors of each draw of noise or of missing points."""
        draws = self.rows // _FRAMES
        return [self.errors.rows(draws == draw) for draw in range(draws[-1] + 1)]


def evaluate(methods: list[Method], conditions: list[Condition], people: list[Poses]) -> Iterator[tuple[str, str, Cell]]:
    """Yield method, condition and cell for all that are run."""
    for condition in conditions:
        problems = [[condition.problem(poses, seed) for poses in people] for seed in range(condition.seeds)]
        for method in methods:
            if method.takes(condition.name):
                yield method.name, condition.name, _cell(method, problems)


def errors_of(solver: Solver, problems: list[Problem]) -> Errors:
    """Return the errors of a solver in some problems."""
    return Errors.joined([judged(problem, *solve(solver, problem)) for problem in problems])


def solve(solver: Solver, problem: Problem) -> tuple[np.ndarray, np.ndarray]:
    """Return a solver's rotations `(n, 22, 3, 3)` and pelvis places `(n, 3)` for a problem."""
    return solver.solve(problem.truth.body, problem.points, problem.seen, problem.sigma)


def judged(problem: Problem, rotations: np.ndarray, root: np.ndarray) -> Errors:
    """Return the errors of a solution."""
    truth, body = problem.truth, problem.truth.body
    swing, twist = swing_and_twist(rotations, truth.rotations, BoneFrames.of_points(body.rest).directions)
    local = angle(seen_from_parent(rotations, JOINT_PARENTS), seen_from_parent(truth.rotations, JOINT_PARENTS))
    places = np.linalg.norm(body.forward(rotations, root) - truth.points, axis=-1)[:, : len(JOINTS)]
    return Errors(angle(rotations, truth.rotations), local, swing, twist, 1000.0 * places)


def _cell(method: Method, problems: list[list[Problem]]) -> Cell:
    parts, rows = [], []
    for seed, bodies in enumerate(problems[: method.seeds]):
        first = seed * _FRAMES
        for problem in bodies:
            frames = np.arange(0, len(problem.truth), method.every)
            parts.append(errors_of(method.solver, [problem.rows(frames)]))
            rows.append(first + frames)
            first += len(problem.truth)
    return Cell(Errors.joined(parts), np.concatenate(rows))
