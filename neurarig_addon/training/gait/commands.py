"""The gait network's part of the command line: train, export, check."""

import argparse
import sys
from functools import partial
from pathlib import Path

from ...core.human.gait_network import BUNDLED, GaitNetwork
from .dataset import GaitSampler
from .export import error_table, export, load_checkpoint, save_checkpoint
from .human_gait import HumanGait, sample
from .judge import GroupError, judge, unseen_characters
from .train import Progress, Recipe, train


def add_gait(commands: argparse._SubParsersAction) -> None:
    """Add the gait network's subcommands to a command line."""
    recipe = Recipe()
    learn = commands.add_parser("train", help="train the network, write weights and model card")
    learn.add_argument("--out", type=Path, default=BUNDLED, help="weights file to write (default: the bundled one)")
    learn.add_argument("--checkpoint", type=Path, help="also keep the network for torch, to export it again later")
    learn.add_argument("--seed", type=int, default=recipe.seed)
    learn.add_argument("--epochs", type=int, default=recipe.epochs, help="passes over all walks (default: %(default)s)")
    learn.add_argument("--walks", type=int, default=recipe.walks, help="walks to learn from (default: %(default)s)")
    learn.add_argument("--threads", type=int, default=recipe.threads)
    learn.set_defaults(run=_train)
    convert = commands.add_parser("export", help="write weights and model card of a checkpoint")
    convert.add_argument("checkpoint", type=Path)
    convert.add_argument("--out", type=Path, default=BUNDLED, help="weights file to write (default: the bundled one)")
    convert.set_defaults(run=_export)
    measure = commands.add_parser("check", help="measure a weights file on characters that the training never met")
    measure.add_argument("weights", type=Path, nargs="?", default=BUNDLED)
    measure.set_defaults(run=_check)


def _human_gait() -> GaitSampler:
    """Return the sampler of the human gait, which is read once."""
    return partial(sample, gait=HumanGait.load())


def _train(options: argparse.Namespace) -> int:
    recipe = Recipe(seed=options.seed, epochs=options.epochs, walks=options.walks, threads=options.threads)
    model = train(_human_gait(), recipe, _show)
    print(file=sys.stderr)
    if options.checkpoint:
        save_checkpoint(options.checkpoint, model, recipe)
    return _verdict(export(model, recipe, _human_gait(), options.out))


def _export(options: argparse.Namespace) -> int:
    model, recipe = load_checkpoint(options.checkpoint)
    return _verdict(export(model, recipe, _human_gait(), options.out))


def _check(options: argparse.Namespace) -> int:
    return _verdict(judge(GaitNetwork.load(options.weights), _human_gait(), unseen_characters()))


def _show(progress: Progress) -> None:
    place = f"epoch {progress.epoch}/{progress.epochs}"
    text = f"{place}  loss {progress.loss:.5f}  best {progress.best:.5f}  {progress.seconds_left:.0f} s left"
    print(f"\r{text}   ", end="", file=sys.stderr, flush=True)


def _verdict(errors: list[GroupError]) -> int:
    """Print the errors; the exit status says whether all are within their limits."""
    print(error_table(errors))
    return int(any(e.rms > e.limit for e in errors))
