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
from .arguments import command


def add(commands: Any) -> None:
    """Add the commands to those of the parser."""
    parametric = command(
        commands,
        "parametric",
        _make,
        "turn a clip into a walk whose speed, path, ground, footprints and style can be changed",
    )
    parametric.takes(
        "file", arguments.given_file, "FILE", "a clip: .bvh, .fbx, .glb, .gltf or .npz", nargs="?"
    )
    parametric.name("--armature", "the character that walks")
    parametric.name("--source", "the armature to take the clip from (default: the character)")
    parametric.name("--action", "an action of that armature (default: whatever moves it now)")
    parametric.frames("--start", "FRAME", "frame on which the walk begins (default: where the clip does)")
    parametric.takes("--speed", arguments.positive, "M/S", "walk at another mean speed than the clip's")
    parametric.switch("--bake", "bake to keyframes of a new action")
    parametric.output()

    style = commands.add_parser("style", help="learn a walking style from a clip, or list the styles")
    actions = style.add_subparsers(required=True, metavar="ACTION")
    learn = command(actions, "learn", _learn_style, "learn a style from a file, or from an armature's motion")
    learn.takes("file", arguments.given_file, "FILE", "a clip: .bvh, .fbx, .glb or .gltf", nargs="?")
    learn.name("--armature", "the armature to learn from, instead of a file")
    learn.name("--action", "an action of that armature (default: whatever moves it now)")
    learn.takes("--name", arguments.name, None, "of the style", required=True)
    command(actions, "list", _list_styles, "print the names of all styles")


def _learn_style(options: argparse.Namespace) -> None:
    if (options.file is None) == (options.armature is None and options.action is None):
        raise NeuraRigError("Name either a file to learn from, or an armature with --armature.")
    if options.file is not None:
        style = api.learn_style(options.file, options.name)
    else:
        obj = arguments.armature(options.armature)
        style = api.learn_style(arguments.action(options.action) or obj, options.name, armature=obj)
    print(f"{style.name}: {style.description}")


def _list_styles(options: argparse.Namespace) -> None:
    for name, shipped in styles.names():
        print(name if shipped else f"{name} (your own)")


def _make(options: argparse.Namespace) -> None:
    obj = arguments.armature(options.armature)
    if options.file is not None and (options.source or options.action):
        raise NeuraRigError("Name either a file, or an armature with --source and its --action.")
    source = None if options.source is None else arguments.armature(options.source, "--source")
    action = arguments.action(options.action)
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
