"""How the arguments of a command line are read: armatures, files, and refusals of one sentence."""

import argparse
import sys
from pathlib import Path
from typing import NoReturn

import bpy

from ...core.errors import NeuraRigError
from . import export

MISUSED = 2  # exit status of a wrong option


class Parser(argparse.ArgumentParser):
    """A parser whose refusals are one sentence, as all the others; `--help` shows the usage."""

    def error(self, message: str) -> NoReturn:
        self.exit(MISUSED, f"neurarig: {message}. See --help.\n")


def warn(text: str) -> None:
    """Print a warning on stderr; nothing where there is none."""
    if text:
        print(f"neurarig: {text}", file=sys.stderr)


def armature(name: str | None, option: str = "--armature") -> bpy.types.Object:
    """Return the armature of that name; without a name, the only one in the scene."""
    armatures = {obj.name: obj for obj in bpy.context.scene.objects if obj.type == "ARMATURE"}
    known = ", ".join(f"'{known}'" for known in armatures) or "none"
    if name is None and len(armatures) == 1:
        return next(iter(armatures.values()))
    if name is None:
        raise NeuraRigError(f"Name the armature with {option}; this file's scene has: {known}.")
    if name not in armatures:
        raise NeuraRigError(f"There is no armature named '{name}' in the scene; it has: {known}.")
    return armatures[name]


def file(text: str) -> Path:
    """Read the path of a file that may be written."""
    path = Path(text)
    if not path.parent.is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder '{path.parent}'")
    return path


def output(text: str) -> Path:
    """Read the path of a file in a format that Blender can write."""
    path = file(text)
    if path.suffix.lower() not in export.WRITERS:
        raise argparse.ArgumentTypeError(f"'{text}' must end in one of {', '.join(export.WRITERS)}")
    return path
