"""`neurarig style` and `neurarig parametric`: what is learned of a clip, and a clip turned into a walk."""

import argparse
import math
from typing import Any

import bpy

from ...core.errors import NeuraRigError
from .. import api
from ..animation.frame_range import shown_between
from ..interface import report_text
from ..walk.manner import styles
from . import arguments, export


def add(commands: Any) -> None:
    """Add the commands to those of the parser."""
    _add_parametric(commands)
    _add_style(commands)


def _add_style(commands: Any) -> None:
    style = commands.add_parser("style", help="learn a walking style from a clip, or list the styles")
    actions = style.add_subparsers(required=True, metavar="ACTION")
    learn = actions.add_parser("learn", help="learn a style from a file, or from an armature's motion")
    learn.set_defaults(run=_learn_style)
    learn.add_argument(
        "file", nargs="?", type=arguments.given_file, metavar="FILE", help="a clip: .bvh, .fbx, .glb or .gltf"
    )
    arguments.add_name(learn, "--armature", "the armature to learn from, instead of a file")
    arguments.add_name(learn, "--action", "an action of that armature (default: whatever moves it now)")
    learn.add_argument("--name", type=arguments.name, required=True, help="of the style")
    listed = actions.add_parser("list", help="print the names of all styles")
    listed.set_defaults(run=_list_styles)


def _learn_style(options: argparse.Namespace) -> None:
    if (options.file is None) == (options.armature is None and options.action is None):
        raise NeuraRigError("Name either a file to learn from, or an armature with --armature.")
    if options.file is not None:
        style = api.learn_style(options.file, options.name)
    else:
        obj = arguments.armature(options.armature)
        style = api.learn_style(
            arguments.action(options.action) if options.action else obj, options.name, armature=obj
        )
    print(f"{style.name}: {style.description}")


def _list_styles(options: argparse.Namespace) -> None:
    for name, shipped in styles.names():
        print(name if shipped else f"{name} (your own)")


def _add_parametric(commands: Any) -> None:
    parametric = commands.add_parser(
        "parametric",
        help="turn a clip into a walk whose speed, path, ground, footprints and style can be changed",
    )
    parametric.set_defaults(run=_make)
    parametric.add_argument(
        "file",
        nargs="?",
        type=arguments.given_file,
        metavar="FILE",
        help="a clip: .bvh, .fbx, .glb, .gltf or .npz",
    )
    arguments.add_name(parametric, "--armature", "the character that walks")
    arguments.add_name(parametric, "--source", "the armature to take the clip from (default: the character)")
    arguments.add_name(parametric, "--action", "an action of that armature (default: whatever moves it now)")
    parametric.add_argument(
        "--start",
        type=arguments.frame,
        metavar="FRAME",
        help="frame on which the walk begins (default: where the clip does)",
    )
    parametric.add_argument(
        "--speed", type=arguments.positive, metavar="M/S", help="walk at another mean speed than the clip's"
    )
    parametric.add_argument("--bake", action="store_true", help="bake to keyframes of a new action")
    arguments.add_output(parametric)


def _make(options: argparse.Namespace) -> None:
    obj = arguments.armature(options.armature)
    if options.file is not None and (options.source or options.action):
        raise NeuraRigError("Name either a file, or an armature with --source and its --action.")
    source = None if options.source is None else arguments.armature(options.source, "--source")
    action = None if options.action is None else arguments.action(options.action)
    result = api.make_parametric(obj, options.file or action, armature=source, frame_start=options.start)
    settings, render = obj.neurarig.walk, bpy.context.scene.render
    seconds = (result.seconds[1] - result.seconds[0]) * render.fps / render.fps_base
    first, last = math.ceil(settings.start_frame), math.floor(settings.start_frame + seconds)
    if options.speed is not None:
        last = math.floor(first + seconds * settings.speed / options.speed)
        settings.speed = options.speed
    print(
        f"'{obj.name}' walks on frames {first} to {last}; its joints are {result.off_mm:.1f} mm off the"
        " clip's on a person of 1.75 m."
    )
    arguments.warn(report_text.warning(obj.name, result.report))
    if options.bake:
        shown = shown_between(bpy.context.scene, first, last)
        api.bake_walk(obj, frame_start=shown[0], frame_end=shown[1], check=True)
    if options.output:
        export.export(obj, options.output, (first, last))
