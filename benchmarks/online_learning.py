"""Learning a profile: while it streams in, warm, and offline."""

from pathlib import Path

import numpy as np
import torch

from benchmarks.table import Row
from neurarig_addon.core.learned.lessons import TaughtRule, profile_rule
from neurarig_addon.core.learned.online import CLOSE_ENOUGH, OnlineBrain
from neurarig_addon.core.learned.solver import Solver, SolverWeights
from neurarig_addon.core.logic.profile import FOLDER, Profile
from neurarig_addon.training.trainee.commands import check
from neurarig_addon.training.trainee.train import TraineeRecipe, begin, fine_tune, stream_of, train
from tests.core.walker_streams import FRAMES, held_out, stream

SEEDS = range(1, 6)
_PLAIN = FOLDER / "1_plain_biped.json"
_HELD_OUT = 500
_ROWS = 100_000
_TUNED = 10  # walkers


def rows() -> list[Row]:
    """Measure all on one thread."""
    torch.set_num_threads(1)
    plain = profile_rule(Profile.load(_PLAIN))
    found = [*_online(plain, varying=False), *_online(plain, varying=True)]
    for path in sorted(FOLDER.glob("*.json")):
        found += _offline(path)
    return found


def _online(rule: TaughtRule, varying: bool) -> list[Row]:
    watched = [_watch(rule, seed, varying) for seed in SEEDS]
    what = f"online, {'varying' if varying else 'fixed'} speed, worst of 5 seeds"
    frames, losses = zip(*watched, strict=True)
    note = ", ".join(map(str, frames))
    return [
        Row(
            f"{what}: frames until held-out error < 1e-4", max(frames), 400 if varying else 160, "", note=note
        ),
        Row(f"{what}: 0.1 MSE, held out, at {FRAMES}", max(losses), 1e-6 if varying else 1e-8, ""),
    ]


def _watch(rule: TaughtRule, seed: int, varying: bool) -> tuple[int, float]:
    """Return from which frame on the largest held-out error stays below 1e-4, and at the end 0.1 x the mean
    square."""
    frames = stream(rule.curves, seed, varying)
    unseen = held_out(rule.curves, frames, _HELD_OUT, seed)
    targets, ideal, brain, good_from = (
        rule.evaluate(frames),
        rule.evaluate(unseen),
        OnlineBrain(rule.curves),
        1,
    )
    error = ideal
    for frame, (row, target) in enumerate(zip(frames, targets, strict=True), 1):
        brain.train(row, target)
        error = brain.predict(unseen) - ideal
        if np.abs(error).max() >= CLOSE_ENOUGH:
            good_from = frame + 1
    return good_from, float(0.1 * np.mean(error**2))


def _offline(path: Path) -> list[Row]:
    rule = profile_rule(Profile.load(path))
    training = train(rule, begin(rule, TraineeRecipe()), lambda progress: None)
    weights = training.best.exported(rule.name, rule.version)
    solver = Solver(weights)
    error = check(solver, rule, _ROWS)
    strangers = rule.draw(_TUNED, np.random.default_rng(77))
    warm = max(_cycle_error(rule, solver, walker)[1] for walker in strangers)
    tuned = max(_tuned_error(rule, weights, walker) for walker in strangers)
    return [
        Row(
            f"offline, {rule.name}, {_ROWS} random inputs: 99.9th percentile",
            error["99.9th percentile"],
            1e-3,
            "",
        ),
        Row(
            f"offline, {rule.name}: median of the outputs that move",
            error["median"],
            1e-4,
            "",
            note=f"largest {error['largest']:.1g}",
        ),
        Row(f"warm start, {rule.name}, {_TUNED} characters never seen: 0.1 MSE", warm, 2e-7, ""),
        Row(f"fine-tuned, {rule.name}, {_TUNED} bodies and speeds: largest error", tuned, 1e-4, ""),
    ]


def _cycle_error(rule: TaughtRule, solver: Solver, walker: np.ndarray) -> tuple[float, float]:
    """Return the largest error over a walker's stride, and 0.1 x the mean square."""
    unseen = held_out(rule.curves, stream_of(rule, walker, 2), 2_000, 1)
    error = solver.predict(unseen) - rule.evaluate(unseen)
    return float(np.abs(error).max()), float(0.1 * np.mean(error**2))


def _tuned_error(rule: TaughtRule, weights: SolverWeights, walker: np.ndarray) -> float:
    return _cycle_error(rule, Solver(fine_tune(weights, rule, walker)), walker)[0]
