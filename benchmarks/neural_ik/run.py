"""One run of the whole benchmark."""

import sys
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks.neural_ik.clips import clips_of, tables
from benchmarks.neural_ik.conditions import Condition, all_joints, conditions
from benchmarks.neural_ik.evaluate import evaluate
from benchmarks.neural_ik.gaussian_lm import GaussianLM
from benchmarks.neural_ik.methods import OURS, PAPER, Method, classical, networks, ours
from benchmarks.neural_ik.people import Poses, distinct, recorded
from benchmarks.neural_ik.prior import PRIOR_EVERY, PosePrior
from benchmarks.neural_ik.report import Results
from benchmarks.neural_ik.sequences import Streaming, Trembling, WholeClip, from_start, joint_jerk, noisy, trembling
from benchmarks.neural_ik.speed import frames_per_second
from neurarig_addon.core.neural.solver import BUNDLED, PoseSolver
from neurarig_addon.training.pose.poses import TEST, TRAINING, VALIDATION

_START_DEGREES = (0, 15, 30, 60)
_TIMED_NOISE_MM = 10.0  # what is timed besides exact points
_ROUNDS, _BLOCKS = 5, 3  # of timing, and in each round
_SLOW = 20  # a solver that is run on every so many poses or fewer is not timed in batches


@dataclass(frozen=True)
class Size:
    """How much is measured: poses of each body, every n-th frame for the prior, whether methods of many iterations are run."""

    per_body: int
    prior_every: int
    slow: bool


FULL = Size(375, PRIOR_EVERY, True)
BRIEF = Size(60, 2 * PRIOR_EVERY, True)
QUICK = Size(12, 40, False)


def measure(folder: Path, size: Size, weights: Path | None = None) -> Results:
    """Return everything that is measured on the held-out people."""
    clips = recorded(folder, TEST)
    people = distinct(clips, size.per_body)
    prior = PosePrior.of(distinct(recorded(folder, TRAINING, size.prior_every) + recorded(folder, VALIDATION, size.prior_every)))
    methods = [method for method in (*classical(prior), *networks(), *ours(weights)) if size.slow or method.every < _SLOW]
    results = Results(sum(map(len, people)), len(people))
    _say(f"{results.frames} poses of {results.people} people")
    for method, condition, cell in evaluate(methods, conditions(), people):
        results.add(method, condition, cell)
        _say(f"{condition}: {method}")
    _in_motion(results, methods, clips)
    results.clips = tables(PoseSolver.load(weights), clips_of(folder))
    _timed(results, methods, people)
    _alone(results, people, weights or BUNDLED)
    _started(results, methods, people)
    return results


def _in_motion(results: Results, methods: list[Method], clips: list[Poses]) -> None:
    problems = noisy(clips)
    clean = [joint_jerk(problem.truth.body, problem.truth.rotations, problem.truth.root) for problem in problems]
    results.trembling["the recording, without noise"] = Trembling(sum(clean) / len(clean), 0.0)
    for method in methods:
        if method.every < _SLOW:
            results.trembling[method.name] = trembling(method.solver, problems)
            if isinstance(method.solver, PoseSolver):
                results.trembling[f"{method.name}, tracked as it streams in"] = trembling(Streaming(method.solver), problems)
                results.trembling[f"{method.name}, the clip smoothed"] = trembling(WholeClip(method.solver), problems)
            _say(f"in motion: {method.name}")


def _timed(results: Results, methods: list[Method], people: list[Poses]) -> None:
    """Time every method in every round: what slows the machine down for a while then slows all of them."""
    exact, noisy = (Condition("timed", noise, all_joints).problem(people[0], 0) for noise in (0.0, _TIMED_NOISE_MM))
    found: dict[str, dict[str, list[float]]] = {method.name: {} for method in methods}
    for number in range(_ROUNDS):
        for method in methods:
            calls = {"1": (exact, 1), "1 noisy": (noisy, 1)}
            if method.every < _SLOW:
                calls |= {str(batch): (exact, batch) for batch in (10, 100) if batch <= len(exact.truth)}
            for call, (problem, batch) in calls.items():
                found[method.name].setdefault(call, []).append(frames_per_second(method.solver, problem, batch, _BLOCKS))
            _say(f"timed, round {number + 1}: {method.name}")
    for name, rates in found.items():
        results.speed[name] = {call: median(each) for call, each in rates.items()}


def _alone(results: Results, people: list[Poses], weights: Path) -> None:
    from benchmarks.neural_ik.alone import ours_alone, place_network_alone

    problem = Condition("timed", 0.0, all_joints).problem(people[0], 0)
    found = {}
    if OURS in results.speed:
        found[OURS] = ours_alone(weights, problem)
    if PAPER in results.speed:
        found[PAPER] = place_network_alone("paper_graph", problem)
    for method, rates in found.items():
        results.speed[method] |= dict(zip(("network", "torch"), rates, strict=True))


def _started(results: Results, methods: list[Method], people: list[Poses]) -> None:
    few = [poses.rows(slice(None, None, 4)) for poses in people]
    for method in methods:
        if isinstance(method.solver, GaussianLM):
            results.starts[method.name] = {str(degrees): from_start(method.solver, few, degrees) for degrees in _START_DEGREES}


_BEGAN = perf_counter()


def _say(what: str) -> None:
    print(f"\r{perf_counter() - _BEGAN:5.0f} s  {what:60s}", end="", file=sys.stderr, flush=True)
