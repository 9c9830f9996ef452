"""The sequence network's part of the command line, and its model card."""

import argparse
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from ...core.errors import NeuraRigError
from ...core.sequence.network import BUNDLED, SequenceNetwork, SequenceWeights, read_weights, write_weights
from ..descent import show
from ..recordings import RecordingFile
from .gaps import GapLessons, GapRecipe, train_gaps
from .train import SequenceRecipe, train
from .windows import Windows, planned, recordings


def _model_card(
    weights: SequenceWeights,
    recipe: SequenceRecipe,
    windows: Windows,
    people: int,
    left_out: Sequence[str],
) -> str:
    settings = ", ".join(f"{name} {value}" for name, value in asdict(recipe).items())
    return f"""# Model card: {BUNDLED.name}

**What it is.** A network that predicts the next second of a motion from its last half second, from what the
same body did a stride ago in the same phase, from its manner, and, if wished, from where it shall be then,
which is fulfilled. {weights.count:,} learned numbers. Another one, taught afterwards, fills gaps
(`training/sequence/gaps`). Poses are the IK Rig's parameters on one figure
(`core/sequence/rows`), so whoever moved does not matter. Rolled out it lets a clip go on.

**Data.** {len(windows.last):,} windows, mirrored and at three tempi, of {people} people of the CMU Graphics
Lab Motion Capture Database (mocap.cs.cmu.edu, created with funding from NSF EIA-0196217; free for any use,
the recordings themselves may not be sold) and of the avatar and loops named in CREDITS.md, and of
{recipe.planned} walks and runs of our own plan. None of the recordings is in the weights.

**Licence.** The weights: GPL-3.0-or-later, as the add-on.

How well it goes on: docs/internals/sequence.md.

Left out: {", ".join(left_out) or "nobody"}.

**Recipe.** {settings}. `python -m neurarig_addon.training sequence train FOLDER ...` makes the file again.
"""


def _train(options: argparse.Namespace) -> int:
    chosen = [one for folder in options.folders for one in recordings(folder)]
    chosen = [one for one in chosen if one.subject not in options.without]
    weights = read_weights(options.out) if options.gaps else _going_on(options, chosen)
    network, recipe = SequenceNetwork(weights), GapRecipe()
    filling = train_gaps(GapLessons.of(chosen, network, recipe), weights, recipe, show)
    write_weights(options.out, replace(weights, gap=filling))
    print(f"{options.out}: {read_weights(options.out).count:,} numbers")
    return 0


def _going_on(options: argparse.Namespace, chosen: Sequence[RecordingFile]) -> SequenceWeights:
    """Return weights of what goes on, and write their card."""
    recipe = SequenceRecipe(
        **{name: getattr(options, name) for name in ("steps", "seed") if getattr(options, name) is not None}
    )
    windows = Windows.of(chosen, list(planned(recipe.planned, recipe.seed)))
    weights = train(windows, recipe, show).exported()
    people = len({one.subject for one in chosen})
    card = _model_card(weights, recipe, windows, people, options.without)
    options.out.with_suffix(".md").write_text(card, encoding="utf-8")
    return weights


def _export(options: argparse.Namespace) -> int:
    weights = read_weights(options.weights)
    try:
        from . import files
    except ImportError as error:
        raise NeuraRigError(f"The package '{error.name}' is missing: python -m pip install onnx.") from None
    export = files.export_stream if options.driven else files.export_network
    export(options.out, weights)
    print(f"{options.out}: for other engines")
    return 0


def _exported(text: str) -> Path:
    path = Path(text)
    if path.suffix != ".onnx":
        raise argparse.ArgumentTypeError(f"'{text}' must end in .onnx")
    return path


def add_sequence(commands: Any) -> None:
    """Add the command to those of the parser."""
    parser = commands.add_parser("sequence", help="the network that lets motions go on by themselves")
    parts = parser.add_subparsers(required=True, metavar="PART")
    trained = parts.add_parser("train", help="train it on folders of recordings with a manifest.csv")
    trained.set_defaults(run=_train)
    trained.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    trained.add_argument(
        "--out", type=Path, default=BUNDLED, metavar="FILE", help="default: the add-on's own"
    )
    trained.add_argument("--steps", type=int)
    trained.add_argument("--seed", type=int)
    trained.add_argument("--without", nargs="+", default=(), metavar="PERSON", help="people to measure on")
    trained.add_argument(
        "--gaps", action="store_true", help="teach only what fills gaps, to the weights that are there"
    )
    exported = parts.add_parser("export", help="write it for other engines, as ONNX")
    exported.set_defaults(run=_export)
    exported.add_argument("out", type=_exported, metavar="FILE")
    exported.add_argument(
        "--driven",
        action="store_true",
        help="a body that is told speed and turn, with its feet on the ground",
    )
    exported.add_argument(
        "--weights", type=Path, default=BUNDLED, metavar="FILE", help="default: the add-on's own"
    )
