"""`neurarig set`: the clips that a game needs of a character."""

import argparse
from typing import Any

import bpy

from .. import api
from ..sets.options import OPTIONS
from . import arguments, dataset, walk


def add(commands: Any) -> None:
    """Add the command to those of the parser."""
    made = commands.add_parser(
        "set", help="write the clips that a game needs of a character: idle, walk, run, starts, stops, turns"
    )
    made.set_defaults(run=_export)
    made.add_argument("folder", type=arguments.given_file, metavar="FOLDER", help="where the files go")
    arguments.add_armature(made)
    arguments.add_name(made, "--preset", "a walk preset for a character that does not walk yet")
    made.add_argument(
        "--style",
        type=walk.style,
        action="append",
        default=[],
        metavar="NAME[=WEIGHT]",
        help="a learned style for a character that does not walk yet; may be repeated",
    )
    arguments.add_name(made, "--clip", "only this clip; may be repeated", action="append", default=[])
    made.add_argument(
        "--names",
        type=arguments.name,
        metavar="PATTERN",
        help="how clips are called, such as {character}_{name}",
    )
    made.add_argument("--overwrite", action="store_true", help="replace files that are there already")
    dataset.add_labels(made)
    arguments.add_options(made, OPTIONS)


def _export(options: argparse.Namespace) -> None:
    obj = arguments.armature(options.armature)
    if not obj.neurarig.walk.live or options.preset or options.style:
        settings: dict[str, Any] = {"styles": dict(options.style)} if options.style else {}
        api.generate_walk(obj, preset=options.preset, **settings)
    if options.labels:  # of the walk that the clips are cut from
        start = int(obj.neurarig.walk.start_frame)
        dataset.write_labels(obj, options.labels, (start, start + 2 * round(bpy.context.scene.render.fps)))
    given = arguments.given(options, OPTIONS)
    found = api.export_set(
        obj,
        options.folder,
        names=options.clip,
        name_pattern=options.names or "",
        overwrite=options.overwrite,
        **given,
    )
    print(f"Wrote {len(found['clips'])} clips of '{obj.name}' to '{options.folder}'.")
