"""`blender -b FILE --command neurarig ...`: the operators' functions from the command line; one file per
group of commands."""

import sys
from collections.abc import Sequence

import bpy

from ...core.errors import NeuraRigError
from . import clips, retarget, sets, solve, walk
from .arguments import Parser

COMMAND = "neurarig"
FAILED = 1  # exit status after an error
_GROUPS = (walk, clips, retarget, solve, sets)
_handles: list = []


def main(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit status; an error is one sentence on stderr."""
    options = _parser().parse_args(list(arguments))
    windows = bpy.context.window_manager.windows
    try:
        # A command runs outside Blender's windows, and operators find the active object through a window.
        with bpy.context.temp_override(**{"window": windows[0]} if windows else {}):
            options.run(options)
    except (NeuraRigError, OSError) as error:
        print(f"neurarig: {error}", file=sys.stderr)
        return FAILED
    return 0


def _parser() -> Parser:
    parser = Parser(
        prog=f"blender -b FILE --command {COMMAND}",
        description="Walks and retargeting for any biped armature.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for group in _GROUPS:
        group.add(commands)
    return parser


def register() -> None:
    """Add the command."""
    _handles.append(bpy.utils.register_cli_command(COMMAND, main))


def unregister() -> None:
    """Remove the command."""
    while _handles:
        bpy.utils.unregister_cli_command(_handles.pop())
