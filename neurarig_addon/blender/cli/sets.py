"""`neurarig set` and `neurarig dataset`: the clips that a game needs of a character, and motions to learn
from."""

import argparse
from typing import Any

import bpy

from ...core.files.option_values import Number, Word
from ...core.labels import draws
from ...core.sets.clip import clip_names
from .. import api
from ..labels import api as labels
from ..sets.options import OPTIONS
from . import arguments, export, walk
from .arguments import command


def add(commands: Any) -> None:
    """Add the commands to those of the parser."""
    made = command(
        commands,
        "set",
        _export,
        "write the clips that a game needs of a character: idle, walk, run, starts, stops, turns",
    )
    made.takes("folder", arguments.given_file, "FOLDER", "where the files go")
    made.armature()
    walk.add_manner(made)
    made.takes(
        "--clip",
        Word(clip_names()),
        "NAME",
        "only this clip; may be repeated",
        action="append",
        default=[],
    )
    made.name("--names", "how clips are called, such as {character}_{name}", metavar="PATTERN")
    made.switch("--overwrite", "replace files that are there already")
    made.labels()
    made.options(OPTIONS)

    drawn = command(
        commands,
        "dataset",
        _draw,
        "write random walks or poses of a character with labels, for learning",
    )
    drawn.choice("kind", draws.KINDS, "what is drawn")
    drawn.armature()
    for option, limits, default, metavar, told in (
        ("--count", (1, labels.MOST), 10, "N", "how many (default: 10)"),
        ("--seed", (0, draws.SEEDS - 1), 0, "N", "another number draws others (default: 0)"),
        ("--length", (1, labels.MOST_FRAMES), 72, "FRAMES", "of each walk (default: 72)"),
    ):
        drawn.takes(option, Number(*limits, is_whole=True), metavar, told, default=default)
    drawn.required_output("FILE.npz")


def _export(options: argparse.Namespace) -> None:
    obj = arguments.armature(options.armature)
    settings = walk.manner(options)
    if not obj.neurarig.walk.live or options.preset or settings:
        arguments.in_words("Walk", api.generate_walk.steps(obj, preset=options.preset, **settings))
    if options.labels:  # of the walk that the clips are cut from
        start = int(obj.neurarig.walk.start_frame)
        export.write_labels(obj, options.labels, (start, start + 2 * round(bpy.context.scene.render.fps)))
    given = arguments.given(options, OPTIONS)
    steps = api.export_set.steps(
        obj,
        options.folder,
        names=options.clip,
        name_pattern=options.names or "",
        overwrite=options.overwrite,
        **given,
    )
    found = arguments.in_words("Set", steps)
    print(f"Wrote {len(found['clips'])} clips of '{obj.name}' to '{options.folder}'.")


def _draw(options: argparse.Namespace) -> None:
    obj = arguments.armature(options.armature)
    found = api.draw_labels(
        obj, options.output, options.kind, count=options.count, seed=options.seed, frames=options.length
    )
    print(
        f"Wrote {len(found.settings)} {options.kind} of '{obj.name}', {len(found.frames)} frames, to"
        f" '{options.output}'."
    )
