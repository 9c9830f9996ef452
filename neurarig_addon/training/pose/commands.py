"""The pose network's part of the command line: train, prior, check."""

import argparse
import sys
from pathlib import Path

from ...core.neural.likely.likely_pose import PRIOR
from ...core.neural.likely.pose_prior import write_pose_prior
from ...core.neural.network.pose_weights import write_pose_weights
from ...core.neural.solver import BUNDLED, PoseSolver
from .card import error_table, model_card
from .export import exported
from .judge import PoseError, judge
from .poses import PoseClip, figure_shape, gather, pose_prior, read_clip
from .split import TEST, TRAINING, VALIDATION, recordings
from .train import Progress, Recipe, train


def add_pose(commands: argparse._SubParsersAction) -> None:
    """Add `pose` with its own subcommands to a command line."""
    own = commands.add_parser("pose", help="the network that gives a pose its rotations from points")
    parts = own.add_subparsers(required=True, metavar="COMMAND")
    recipe = Recipe()
    learn = parts.add_parser("train", help="train the network on recorded motion; write weights and model card")
    learn.add_argument("mocap", type=Path, help="folder of motion capture with a manifest.csv")
    learn.add_argument("--out", type=Path, default=BUNDLED, help="weights file to write (default: the bundled one)")
    learn.add_argument("--seed", type=int, default=recipe.seed)
    learn.add_argument("--steps", type=int, default=recipe.steps, help="(default: %(default)s)")
    learn.add_argument("--threads", type=int, default=recipe.threads)
    learn.set_defaults(run=_train)
    likely = parts.add_parser("prior", help="find which poses are likely, which refining needs")
    likely.add_argument("mocap", type=Path)
    likely.add_argument("--out", type=Path, default=PRIOR, help="file to write (default: the bundled one)")
    likely.set_defaults(run=_prior)
    measure = parts.add_parser("check", help="measure a weights file on people that the training never met")
    measure.add_argument("mocap", type=Path)
    measure.add_argument("weights", type=Path, nargs="?", default=BUNDLED)
    measure.set_defaults(run=_check)


def _train(options: argparse.Namespace) -> int:
    recipe = Recipe(seed=options.seed, steps=options.steps, threads=options.threads)
    clips = [clip for part in (TRAINING, VALIDATION) for clip in _clips(options.mocap, part)]
    poses, people = gather(clips), len({clip.recording.subject for clip in clips})
    weights = exported(train(poses, recipe, _show), figure_shape(poses))
    print(file=sys.stderr)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    write_pose_weights(options.out, weights)
    errors = list(judge(PoseSolver.load(options.out), _clips(options.mocap, TEST)))
    options.out.with_suffix(".md").write_text(model_card(weights, recipe, errors, options.out, len(poses.fresh), people), encoding="utf-8")
    return _verdict(errors)


def _prior(options: argparse.Namespace) -> int:
    poses = gather([clip for part in (TRAINING, VALIDATION) for clip in _clips(options.mocap, part)])
    write_pose_prior(options.out, pose_prior(poses))
    return 0


def _check(options: argparse.Namespace) -> int:
    return _verdict(list(judge(PoseSolver.load(options.weights), _clips(options.mocap, TEST))))


def _clips(folder: Path, part: str) -> list[PoseClip]:
    return [read_clip(recording) for recording in recordings(folder, part)]


def _show(progress: Progress) -> None:
    text = f"step {progress.step}/{progress.steps}  loss {progress.loss:.4f}  {progress.seconds_left:.0f} s left"
    print(f"\r{text}   ", end="", file=sys.stderr, flush=True)


def _verdict(errors: list[PoseError]) -> int:
    """Print the errors and return the exit status: 0 if all goals are met."""
    print(error_table(errors))
    return int(not all(error.reached for error in errors))
