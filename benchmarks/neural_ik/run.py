"""One run of the whole benchmark."""

import sys
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks.neural_ik.clips import clips_of, tables
from benchmarks.neural_ik.conditions import Condition, all_joints, conditions
from benchmarks.neural_ik.evaluate import evaluate
from benchmarks.neural_ik.people import Poses, distinct, recorded
from benchmarks.neural_ik.report import Results
from benchmarks.neural_ik.sequences import Streaming, Trembling, WholeClip, joint_jerk, noisy, trembling
from benchmarks.neural_ik.solvers import OURS, Solver, solvers
from benchmarks.neural_ik.speed import frames_per_second
from neurarig_addon.training.pose.poses import TEST

FULL, QUICK = 375, 12  # poses of each body
# what is timed: noise in mm, poses in a call
_CALLS = {"1": (0.0, 1), "1 noisy": (10.0, 1), "10": (0.0, 10), "100": (0.0, 100)}
_ROUNDS, _BLOCKS = 5, 3  # of timing, and in each round


def measure(folder: Path, per_body: int, weights: Path | None = None) -> Results:
    """Return everything that is measured on the held-out people."""
    clips = recorded(folder, TEST)
    people = distinct(clips, per_body)
    ours = solvers(weights)
    results = Results(sum(map(len, people)), len(people))
    _say(f"{results.frames} poses of {results.people} people")
    for name, condition, errors in evaluate(ours, conditions(), people):
        results.errors.setdefault(name, {})[condition] = errors
        _say(f"{condition}: {name}")
    _in_motion(results, ours, clips)
    results.clips = tables(ours[OURS], clips_of(folder))
    _timed(results, ours, people[0])
    return results


def _in_motion(results: Results, ours: dict[str, Solver], clips: list[Poses]) -> None:
    problems = noisy(clips)
    clean = [
        joint_jerk(problem.truth.body, problem.truth.rotations, problem.truth.root) for problem in problems
    ]
    results.trembling["the recording, without noise"] = Trembling(sum(clean) / len(clean), 0.0)
    ways = {
        f"{OURS}, tracked as it streams in": Streaming(ours[OURS]),
        f"{OURS}, the clip smoothed": WholeClip(ours[OURS]),
    }
    for name, solver in (ours | ways).items():
        results.trembling[name] = trembling(solver, problems)
        _say(f"in motion: {name}")


def _timed(results: Results, ours: dict[str, Solver], poses: Poses) -> None:
    """Time every solver in every round: what slows the machine down for a while then slows all of them."""
    found: dict[str, dict[str, list[float]]] = {name: {} for name in ours}
    for number in range(_ROUNDS):
        for name, solver in ours.items():
            for call, (noise, batch) in _CALLS.items():
                problem = Condition("timed", noise, all_joints).problem(poses, 0)
                if batch <= len(poses):
                    found[name].setdefault(call, []).append(
                        frames_per_second(solver, problem, batch, _BLOCKS)
                    )
            _say(f"timed, round {number + 1}: {name}")
    results.speed = {
        name: {call: median(each) for call, each in rates.items()} for name, rates in found.items()
    }


_BEGAN = perf_counter()


def _say(what: str) -> None:
    print(f"\r{perf_counter() - _BEGAN:5.0f} s  {what:60s}", end="", file=sys.stderr, flush=True)
