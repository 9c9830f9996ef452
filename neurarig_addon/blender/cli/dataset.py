"""`neurarig dataset`, and `--labels` of the commands that make a motion."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import bpy

from ...core.labels import draws
from .. import api
from . import arguments


def add(commands: Any) -> None:
    """Add the command to those of the parser."""
    made = commands.add_parser(
        "dataset", help="write random walks or poses of a character with labels, for learning"
    )
    made.set_defaults(run=_draw)
    made.add_argument("kind", choices=draws.KINDS, type=str.lower, help="what is drawn")
    arguments.add_armature(made)
    made.add_argument("--count", type=int, default=10, metavar="N", help="how many (default: 10)")
    made.add_argument(
        "--seed", type=int, default=0, metavar="N", help="another number draws others (default: 0)"
    )
    made.add_argument("--length", type=int, default=72, metavar="FRAMES", help="of each walk (default: 72)")
    made.add_argument(
        "--output", type=arguments.file, required=True, metavar="FILE.npz", help="the file to write"
    )


def add_labels(parser: argparse.ArgumentParser) -> None:
    """Add the option that writes the motion with its labels."""
    parser.add_argument(
        "--labels",
        type=arguments.file,
        metavar="FILE.npz",
        help="write joints, contacts and phase of every frame",
    )


def write_labels(
    obj: bpy.types.Object,
    path: Path | None,
    frames: tuple[int, int],
    settings: Mapping[str, Any] | None = None,
    style: str = "",
) -> None:
    """Write what a character shows on frames `first, last` if a file was named."""
    if path:
        api.write_labels(obj, path, frames, settings, style)


def _draw(options: argparse.Namespace) -> None:
    obj = arguments.armature(options.armature)
    found = api.draw_labels(
        obj, options.output, options.kind, count=options.count, seed=options.seed, frames=options.length
    )
    print(
        f"Wrote {len(found.settings)} {options.kind} of '{obj.name}', {len(found.frames)} frames, to"
        f" '{options.output}'."
    )
