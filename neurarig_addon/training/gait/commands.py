"""The gait network's part of the command line: identify, train, export, check."""

import argparse
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

from ...core.human.gait_network import GaitNetwork
from . import four_legs
from .export import (
    SUBJECTS,
    GroupError,
    error_table,
    export,
    judge,
    load_checkpoint,
    save_checkpoint,
    unseen_characters,
)
from .human_gait import HumanGait
from .train import GaitProgress, GaitRecipe, train


def add_gait(commands: argparse._SubParsersAction) -> None:
    """Add the gait network's subcommands to a command line."""
    recipe = GaitRecipe()
    find = commands.add_parser(
        "identify", help="find the curves of the gait from the norms, in some minutes; needs scipy"
    )
    find.add_argument("--out", type=Path, help="file of curves to write (default: the one that train learns)")
    find.add_argument(
        "--refine",
        type=int,
        nargs="+",
        metavar="ROW",
        help="of the walk: search on from these rows of its file, keep the others",
    )
    find.set_defaults(run=_identify)
    learn = commands.add_parser("train", help="train the network, write weights and model card")
    learn.add_argument("--out", type=Path, help="weights file to write (default: the bundled one)")
    learn.add_argument(
        "--checkpoint", type=Path, help="also keep the network for torch, to export it again later"
    )
    learn.add_argument("--seed", type=int, default=recipe.seed)
    learn.add_argument(
        "--epochs", type=int, help="passes over all walks (default: as the bundled weights were made)"
    )
    learn.add_argument(
        "--walks", type=int, default=recipe.walks, help="walks to learn from (default: %(default)s)"
    )
    learn.add_argument("--threads", type=int, default=recipe.threads)
    learn.set_defaults(run=_train)
    convert = commands.add_parser("export", help="write weights and model card of a checkpoint")
    convert.add_argument("checkpoint", type=Path)
    convert.add_argument("--out", type=Path, help="weights file to write (default: the bundled one)")
    convert.set_defaults(run=_export)
    measure = commands.add_parser(
        "check", help="measure a weights file on characters that the training never met"
    )
    measure.add_argument("weights", type=Path, nargs="?", help="default: the bundled ones")
    measure.set_defaults(run=_check)
    dogs = commands.add_parser(
        "four-legs", help="learn how joints of animals bend from measured dogs, and show those left out"
    )
    dogs.add_argument("data", type=Path, help="file of joints' curves of dogs")
    dogs.add_argument("--out", type=Path, help="file of gaits to write (default: the bundled one)")
    dogs.set_defaults(run=_four_legs)
    for command in (find, learn, convert, measure):
        command.add_argument(
            "--gait", choices=tuple(SUBJECTS), default="walk", help="which gait (default: %(default)s)"
        )


def _identify(options: argparse.Namespace) -> int:
    try:
        from . import identify, identify_run  # scipy is only needed to identify curves
    except ModuleNotFoundError as error:
        print(f"{error}. Install scipy to find the curves of a gait.", file=sys.stderr)
        return 1
    store, report = SUBJECTS[options.gait].store, partial(print, flush=True)
    if options.refine and options.gait != "walk":
        print("Only the walk can be refined. Leave out --refine or --gait.", file=sys.stderr)
        return 1
    if options.refine:
        found = identify.refine(HumanGait.load(store), options.refine, report)
    else:
        found = {"walk": identify.identify, "run": identify_run.identify}[options.gait](report)
    found.save(options.out or store)
    return 0


def _four_legs(options: argparse.Namespace) -> int:
    four_legs.fit(options.data, options.out, partial(print, flush=True))
    return 0


def _train(options: argparse.Namespace) -> int:
    subject = SUBJECTS[options.gait]
    given = {
        "seed": options.seed,
        "walks": options.walks,
        "threads": options.threads,
        "epochs": options.epochs or subject.recipe.epochs,
    }
    recipe = replace(subject.recipe, **given)
    model = train(subject.sampler, recipe, _show, subject.among)
    print(file=sys.stderr)
    if options.checkpoint:
        save_checkpoint(options.checkpoint, model, recipe)
    return _verdict(export(model, recipe, subject.sampler, options.out or subject.weights, subject))


def _export(options: argparse.Namespace) -> int:
    subject = SUBJECTS[options.gait]
    model, recipe = load_checkpoint(options.checkpoint)
    return _verdict(export(model, recipe, subject.sampler, options.out or subject.weights, subject))


def _check(options: argparse.Namespace) -> int:
    subject = SUBJECTS[options.gait]
    network = GaitNetwork.load(options.weights or subject.weights)
    return _verdict(judge(network, subject.sampler, unseen_characters(subject.among), subject.exactness))


def _show(progress: GaitProgress) -> None:
    place = f"epoch {progress.epoch}/{progress.epochs}"
    text = f"{place}  loss {progress.loss:.5f}  best {progress.best:.5f}  {progress.seconds_left:.0f} s left"
    print(f"\r{text}   ", end="", file=sys.stderr, flush=True)


def _verdict(errors: list[GroupError]) -> int:
    """Print the errors and return the exit status: 0 if all are within their limits."""
    print(error_table(errors))
    return int(any(e.rms > e.limit for e in errors))
