"""`neurarig style`: learn a style from a clip, and list the styles."""

import argparse
from typing import Any

import bpy

from ...core.errors import NeuraRigError
from .. import api
from ..walk.manner import styles
from . import arguments


def add(commands: Any) -> None:
    """Add the commands to those of the parser."""
    style = commands.add_parser("style", help="learn a walking style from a clip, or list the styles")
    actions = style.add_subparsers(required=True, metavar="ACTION")
    learn = actions.add_parser("learn", help="learn a style from a file, or from an armature's motion")
    learn.set_defaults(run=_learn)
    learn.add_argument("file", nargs="?", type=arguments.given_file, metavar="FILE", help="a clip: .bvh, .fbx, .glb or .gltf")
    learn.add_argument("--armature", type=arguments.name, metavar="NAME", help="the armature to learn from, instead of a file")
    learn.add_argument("--action", type=arguments.name, metavar="NAME", help="an action of that armature (default: whatever moves it now)")
    learn.add_argument("--name", type=arguments.name, required=True, help="of the style")
    listed = actions.add_parser("list", help="print the names of all styles")
    listed.set_defaults(run=_list)


def _learn(options: argparse.Namespace) -> None:
    if (options.file is None) == (options.armature is None and options.action is None):
        raise NeuraRigError("Name either a file to learn from, or an armature with --armature.")
    if options.file is not None:
        style = api.learn_style(options.file, options.name)
    else:
        obj = arguments.armature(options.armature)
        action = bpy.data.actions.get(options.action or "")
        if options.action and action is None:
            raise NeuraRigError(f"There is no action named '{options.action}'.")
        style = api.learn_style(action or obj, options.name, armature=obj)
    print(f"{style.name}: {style.description}")


def _list(options: argparse.Namespace) -> None:
    for name, shipped in styles.names():
        print(name if shipped else f"{name} (your own)")
