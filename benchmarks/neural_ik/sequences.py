"""What is only seen in motion: how much a solver trembles on noisy points."""

from dataclasses import dataclass

import numpy as np

from benchmarks.neural_ik.conditions import Condition, Problem, all_joints
from benchmarks.neural_ik.evaluate import OBSERVABLE, judged, solve
from benchmarks.neural_ik.metrics import mean_jerk
from benchmarks.neural_ik.people import Poses
from benchmarks.neural_ik.solvers import Solver
from neurarig_addon.core.mocap.mending import mended
from neurarig_addon.core.neural.point_body import PointBody
from neurarig_addon.core.neural.points import JOINTS
from neurarig_addon.core.neural.solver import PoseSolver
from neurarig_addon.core.neural.tracking import Tracking
from neurarig_addon.training.pose.poses import RATE

_LENGTH = 90  # frames: three seconds
_NOISE_MM = 10.0


@dataclass(frozen=True)
class Trembling:
    """Mean jerk of the joints in m/s^3 and the angle of the observable joints in degrees, on noisy
    sequences."""

    jerk: float
    angle: float


@dataclass(frozen=True)
class Streaming:
    """A solver that is given points as they come, tracked first (`neural/tracking`), as a live pose with
    *Remove Jitter* is."""

    solver: PoseSolver

    def solve(
        self, body: PointBody, points: np.ndarray, seen: np.ndarray, sigma: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the poses of a sequence, one after the other."""
        tracking, found = Tracking(), []
        for frame, weights in zip(points, seen, strict=True):
            known, left = tracking.follow(frame, sigma, 1.0 / RATE)
            found.append(self.solver.solve(body, known[None], weights, left, refine=0))
        rotations, roots = (np.concatenate(part) for part in zip(*found, strict=True))
        return rotations, roots


@dataclass(frozen=True)
class WholeClip:
    """A solver that is given the whole sequence at once, mended first (`core/mocap`), as *Solve Mocap*
    does."""

    solver: PoseSolver

    def solve(
        self, body: PointBody, points: np.ndarray, seen: np.ndarray, sigma: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the poses of a sequence; points that are not seen are NaN."""
        made = mended(points, RATE, sigma)
        return self.solver.solve(body, made.points, made.trust, made.noise, refine=1)


def sequences(clips: list[Poses]) -> list[Poses]:
    """Return the middle three seconds of the longest clip of each body."""
    longest: dict[bytes, Poses] = {}
    for clip in clips:
        key = clip.body.rest.tobytes()
        if key not in longest or len(clip) > len(longest[key]):
            longest[key] = clip
    return [
        clip.rows(slice((len(clip) - _LENGTH) // 2, (len(clip) + _LENGTH) // 2))
        for clip in longest.values()
        if len(clip) >= _LENGTH
    ]


def noisy(clips: list[Poses]) -> list[Problem]:
    """Return the sequences with noise that is drawn anew for every frame."""
    return [Condition("noisy", _NOISE_MM, all_joints).problem(clip, 0) for clip in sequences(clips)]


def trembling(solver: Solver, problems: list[Problem]) -> Trembling:
    """Return how a solver does on sequences, frame by frame."""
    solutions = [solve(solver, problem) for problem in problems]
    jerks = [
        joint_jerk(problem.truth.body, *solution)
        for problem, solution in zip(problems, solutions, strict=True)
    ]
    turns = [
        judged(problem, *solution).turn[:, OBSERVABLE].mean()
        for problem, solution in zip(problems, solutions, strict=True)
    ]
    return Trembling(float(np.mean(jerks)), float(np.mean(turns)))


def joint_jerk(body: PointBody, rotations: np.ndarray, root: np.ndarray) -> float:
    """Return the mean jerk of the joints of a motion at 30 frames a second, m/s^3."""
    return mean_jerk(body.forward(rotations, root)[:, : len(JOINTS)], RATE)
