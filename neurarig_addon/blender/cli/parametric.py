"""`neurarig parametric`: turn a clip into an editable walk."""

import argparse
import math
from typing import Any

import bpy

from ...core.errors import NeuraRigError
from .. import api
from ..interface import report_text
from . import arguments, export


def add(commands: Any) -> None:
    """Add the command to those of the parser."""
    made = commands.add_parser("parametric", help="turn a clip into a walk whose speed, path, ground, footprints and style can be changed")
    made.set_defaults(run=_make)
    made.add_argument("file", nargs="?", type=arguments.given_file, metavar="FILE", help="a clip: .bvh, .fbx, .glb, .gltf or .npz")
    made.add_argument("--armature", type=arguments.name, metavar="NAME", help="the character that walks")
    made.add_argument("--source", type=arguments.name, metavar="NAME", help="the armature to take the clip from (default: the character)")
    made.add_argument("--action", type=arguments.name, metavar="NAME", help="an action of that armature (default: whatever moves it now)")
    made.add_argument(
        "--start", type=arguments.frame, metavar="FRAME", help="frame on which the walk begins (default: where the clip does)"
    )
    made.add_argument("--speed", type=arguments.number, metavar="M/S", help="walk at another mean speed than the clip's")
    made.add_argument("--bake", action="store_true", help="bake to keyframes of a new action")
    made.add_argument("--output", type=arguments.output, metavar="FILE", help=f"write the result: {', '.join(export.WRITERS)}")


def _make(options: argparse.Namespace) -> None:
    obj = arguments.armature(options.armature)
    if options.file is not None and (options.source or options.action):
        raise NeuraRigError("Name either a file, or an armature with --source and its --action.")
    source = None if options.source is None else arguments.armature(options.source, "--source")
    action = None if options.action is None else bpy.data.actions.get(options.action)
    if options.action and action is None:
        raise NeuraRigError(f"There is no action named '{options.action}'.")
    made = api.make_parametric(obj, options.file or action, armature=source, frame_start=options.start)
    settings, render = obj.neurarig.walk, bpy.context.scene.render
    seconds = (made.seconds[1] - made.seconds[0]) * render.fps / render.fps_base
    first, last = math.ceil(settings.start_frame), math.floor(settings.start_frame + seconds)
    if options.speed is not None:
        last = math.floor(first + seconds * settings.speed / max(options.speed, 0.01))
        settings.speed = options.speed
    print(f"'{obj.name}' walks on frames {first} to {last}; its joints are {made.off_mm:.1f} mm off the clip's on a person of 1.75 m.")
    arguments.warn(report_text.warning(obj.name, made.report))
    if options.bake:
        api.bake_walk(obj, frame_start=first, frame_end=last, check=True)
    if options.output:
        export.export(obj, options.output, (first, last))
