"""The trainee's part of the command line: learn, tune, export, check."""

import argparse
import json
import os
import sys
from pathlib import Path

import numpy as np
import torch.distributed as dist
import torch.distributed.nn  # noqa: F401  before a process group begins: its default arguments would keep the group's threads alive

from ...core.errors import NeuraRigError
from ...core.learned.lessons import TaughtRule, profile_rule
from ...core.learned.solver import Solver, read_solver_weights, write_solver_weights
from ...core.logic.profile import Profile
from .files import check_rule, export_numpy, export_onnx, export_torchscript, load_training, save_training
from .recording import human_rule, recorded_rule
from .train import TraineeProgress, TraineeRecipe, begin, fine_tune, train

_UNSEEN_SEED = 20_000  # far from the seeds of training
GOALS = {"median": 1e-4, "99.9th percentile": 1e-3}  # m, rad


def check(solver: Solver, rule: TaughtRule, rows: int) -> dict[str, float]:
    """Return the absolute errors of all outputs over random inputs of the rule's whole range, in metres and
    radians.

    Outputs that the rule never changes are left out, as they would lower the median.
    """
    inputs = rule.draw(rows, np.random.default_rng(_UNSEEN_SEED))
    ideal = rule.evaluate(inputs)
    error = np.abs(solver.predict(inputs) - ideal)[:, np.ptp(ideal, axis=0) > 0.0]
    return {
        "median": float(np.median(error)),
        "99.9th percentile": float(np.quantile(error, 0.999)),
        "largest": float(error.max()),
    }


_EXPORTS = {
    "numpy": (".safetensors", export_numpy),
    "torchscript": (".ts", export_torchscript),
    "onnx": (".onnx", export_onnx),
}


def add_trainee(commands: argparse._SubParsersAction) -> None:
    """Add `trainee` with its own subcommands to a command line."""
    own = commands.add_parser("trainee", help="train on a logic profile, the human gait, or recorded motion")
    parts = own.add_subparsers(required=True, metavar="COMMAND")
    recipe = TraineeRecipe()
    learn = parts.add_parser(
        "learn",
        help="train offline; torchrun -m neurarig_addon.training trainee learn ... uses many processes",
    )
    _add_rule(learn)
    learn.add_argument(
        "--out",
        type=Path,
        default=Path("rig_model.pt"),
        help="model to write; numpy weights go beside it (%(default)s)",
    )
    learn.add_argument("--resume", action="store_true", help="go on with the model that is there")
    learn.add_argument("--seed", type=int, default=recipe.seed)
    learn.add_argument("--steps", type=int, default=recipe.steps, help="at most (default: %(default)s)")
    learn.add_argument(
        "--walkers", type=int, default=recipe.walkers, help="to learn from (default: %(default)s)"
    )
    learn.add_argument("--threads", type=int, default=recipe.threads)
    learn.add_argument(
        "--json",
        action="store_true",
        help="progress as a line of JSON a step on the standard output, for programs",
    )
    learn.set_defaults(run=_learn)
    tune = parts.add_parser("tune", help="fit numpy weights to one character at one speed")
    tune.add_argument("weights", type=Path)
    _add_rule(tune)
    tune.add_argument("--out", type=Path, required=True)
    tune.add_argument(
        "--inputs",
        type=float,
        nargs="+",
        required=True,
        metavar="NUMBER",
        help="the character, in the order of the inputs",
    )
    tune.set_defaults(run=_tune)
    convert = parts.add_parser(
        "export", help="write a model for the add-on (numpy), LibTorch (torchscript) or ONNX"
    )
    convert.add_argument("model", type=Path)
    convert.add_argument("--to", choices=_EXPORTS, default="numpy")
    convert.add_argument(
        "--out", type=Path, help="file to write (default: the model's name with another ending)"
    )
    convert.set_defaults(run=_export)
    measure = parts.add_parser("check", help="measure numpy weights against the rule on random walkers")
    measure.add_argument("weights", type=Path)
    _add_rule(measure)
    measure.add_argument("--rows", type=int, default=100_000)
    measure.set_defaults(run=_check)


def _add_rule(parser: argparse.ArgumentParser) -> None:
    rule = parser.add_mutually_exclusive_group(required=True)
    rule.add_argument("--profile", type=Path, help="a logic profile")
    rule.add_argument("--human", action="store_true", help="the human gait, 11 inputs and 30 outputs")
    rule.add_argument("--recording", type=Path, help="recorded motion, a CSV file")


def _rule(options: argparse.Namespace) -> TaughtRule:
    if options.profile:
        return profile_rule(Profile.load(options.profile))
    if options.recording:
        return recorded_rule(options.recording)
    return human_rule()


def _learn(options: argparse.Namespace) -> int:
    rule = _rule(options)
    many = "WORLD_SIZE" in os.environ
    if many:
        dist.init_process_group("gloo")
    try:
        return _learn_and_save(options, rule, is_first=not many or dist.get_rank() == 0)
    finally:
        if many:
            dist.destroy_process_group()


def _learn_and_save(options: argparse.Namespace, rule: TaughtRule, is_first: bool) -> int:
    if options.resume:
        training, metadata = load_training(options.out)
        check_rule(options.out, metadata, rule)
        training.extend(options.steps)
    else:
        recipe = TraineeRecipe(
            seed=options.seed, walkers=options.walkers, steps=options.steps, threads=options.threads
        )
        training = begin(rule, recipe)
    show = _show_json if options.json else _show
    train(rule, training, show if is_first else _say_nothing)
    if is_first:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        save_training(options.out, rule, training)
        _, metadata = load_training(options.out)
        weights = options.out.with_suffix(".safetensors")
        export_numpy(weights, training.best, metadata)
        print(
            f"{options.out} and {weights.name}: error {training.best_error:.2e} (m, rad; root mean square)",
            file=sys.stderr,
        )
    return 0


def _tune(options: argparse.Namespace) -> int:
    rule = _rule(options)
    weights = read_solver_weights(options.weights, rule.curves.places.names)
    if len(options.inputs) != len(rule.curves.places.names):
        raise NeuraRigError(
            f"--inputs needs {len(rule.curves.places.names)} numbers: {', '.join(rule.curves.places.names)}."
        )
    write_solver_weights(options.out, fine_tune(weights, rule, np.array(options.inputs)))
    return 0


def _export(options: argparse.Namespace) -> int:
    training, metadata = load_training(options.model)
    ending, export = _EXPORTS[options.to]
    export(options.out or options.model.with_suffix(ending), training.best, metadata)
    return 0


def _check(options: argparse.Namespace) -> int:
    rule = _rule(options)
    found = check(Solver.load(options.weights, rule.curves.places.names), rule, options.rows)
    for name, value in found.items():
        print(f"{name:20s} {value:.2e} m, rad" + (f"  (must be <= {GOALS[name]:g})" if name in GOALS else ""))
    return int(any(found[name] > goal for name, goal in GOALS.items()))


def _show(progress: TraineeProgress) -> None:
    place = f"step {progress.step}/{progress.steps}  loss {progress.loss:.2e}"
    text = (
        f"{place}  error {progress.error:.2e}  best {progress.best:.2e}  {progress.seconds_left:.0f} s left"
    )
    print(f"\r{text}   ", end="\n" if progress.step == progress.steps else "", file=sys.stderr, flush=True)


def _show_json(progress: TraineeProgress) -> None:
    print(json.dumps(vars(progress)), flush=True)


def _say_nothing(progress: TraineeProgress) -> None:
    """Report nothing: only the first process shows progress."""
