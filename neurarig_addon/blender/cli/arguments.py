"""Parsing of command-line arguments: armatures, files, and errors of one sentence."""

import argparse
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from time import monotonic
from typing import Any, NoReturn

import bpy
from bpy.types import Action, Object

from ...core.errors import NeuraRigError, readable
from ...core.files.option_values import Limits, Name, Number, Word
from ..animation.frame_range import FARTHEST
from ..animation.steps import Result, Steps
from ..character import hanging
from ..follow import api as following
from ..interface.options import Option
from ..walk.settings.walk import NeuraRigWalk
from . import export

TELLS_EVERY_S = 3.0
MISUSED = 2  # exit status of a wrong option
name, frame = Name(), Number(-FARTHEST, FARTHEST, is_whole=True)
positive = Number(1e-3)
_UNLIMITED = 1e9  # what a setting without limits has is above


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one sentence, like all others; `--help` shows the usage."""

    def error(self, message: str) -> NoReturn:
        end = "" if message.endswith(("?", ".")) else "."
        self.exit(MISUSED, f"{readable(f'neurarig: {message}{end} See --help.')}\n")

    def takes(
        self,
        option: str,
        read: Any,
        metavar: str | tuple[str, ...] | None,
        told: str,
        **more: Any,
    ) -> None:
        """Add an option whose value is read by a function; `told`: its help."""
        self.add_argument(option, type=read, metavar=metavar, help=told, **more)

    def name(self, option: str, told: str, **more: Any) -> None:
        """Add an option that names something."""
        self.takes(option, name, more.pop("metavar", "NAME"), told, **more)

    def setting(self, option: str, metavar: str, told: str, setting: str = "", **more: Any) -> None:
        """Add an option that is a number of a walk's settings, and cannot be what these cannot."""
        limited = setting or option.strip("-").replace("-", "_")
        is_whole = NeuraRigWalk.bl_rna.properties[limited].type == "INT"
        self.takes(option, Number(*limits(limited), is_whole), metavar, told, **more)

    def choice(self, option: str, choices: Iterable[str], told: str, **more: Any) -> None:
        """Add an option that is one of several words."""
        words = tuple(choices)
        self.takes(option, Word(words), f"{{{','.join(words)}}}", told, **more)

    def switch(self, option: str, told: str) -> None:
        """Add an option that is there or not."""
        self.add_argument(option, action="store_true", help=told)

    def follow_through(self) -> None:
        """Add the option that what hangs on the character follows it."""
        self.switch("--follow-through", "have tail, ears, hair, straps and belly follow the body")

    def frames(self, option: str, metavar: str | tuple[str, str], told: str) -> None:
        """Add an option that is a frame, or a pair of frames."""
        self.takes(option, frame, metavar, told, nargs=None if isinstance(metavar, str) else 2)

    def armature(self, option: str = "--armature") -> None:
        """Add the option that names the character."""
        self.name(option, "the character; may be left out where the scene has only one armature")

    def output(self, report: str = "", more: str = "") -> None:
        """Add the options of the file in which the result goes, and of its report; `report`, `more`: what
        their help says of them."""
        if report:
            self.takes("--report", file, "FILE.json", report)
        self.takes("--output", output, "FILE", f"write the result: {', '.join(export.WRITERS)}{more}")

    def required_output(self, metavar: str, told: str = "the file to write") -> None:
        """Add the option of a file that must be written."""
        self.takes("--output", file, metavar, told, required=True)

    def labels(self) -> None:
        """Add the option that writes the motion with its labels."""
        self.takes("--labels", file, "FILE.npz", "write joints, contacts and phase of every frame")

    def options(self, options: Iterable[Option]) -> None:
        """Add the options that the command line has; a switch changes its default."""
        for option in options:
            flag = option.flag or f"--{option.name.replace('_', '-')}"
            own: dict[str, Any] = {"dest": option.name}
            if not option.help:
                continue
            if option.kind is bool:
                self.add_argument(
                    flag, action="store_const", const=not option.default, help=option.help, **own
                )
            elif option.items:
                self.choice(flag, (choice.lower() for choice in option.choices), option.help, **own)
            else:
                self.takes(flag, _reader(option), option.metavar, option.help, **own)


def command(commands: Any, called: str, run: Callable[[argparse.Namespace], None], told: str) -> Parser:
    """Add a command to those of a parser, and return its own."""
    parser = commands.add_parser(called, help=told)
    parser.set_defaults(run=run)
    return parser


def in_words(what: str, steps: Steps[Result]) -> Result:
    """Do all of some work, and print from time to time how far it is."""
    begun = told = monotonic()
    try:
        while True:
            share = next(steps)
            if monotonic() - told > TELLS_EVERY_S:
                told = monotonic()
                print(f"{what}: {share:.0%} after {told - begun:.0f} s", flush=True)
    except StopIteration as finished:
        return finished.value


def warn(text: str) -> None:
    """Print a warning on stderr; nothing if it is empty."""
    if text:
        print(f"neurarig: {text}", file=sys.stderr)


def follow(obj: Object, options: argparse.Namespace) -> None:
    """Have what hangs on a character follow it where the options say so, and warn of what cannot."""
    if options.follow_through:
        following.follow_through(obj)
        for sentence in hanging.refusals(obj):
            warn(sentence)


def armature(name: str | None, option: str = "--armature") -> Object:
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


def action(name: str | None) -> Action | None:
    """Return the action of that name; None where none is named."""
    if name is None:
        return None
    if name not in bpy.data.actions:
        known = ", ".join(f"'{action.name}'" for action in bpy.data.actions) or "none"
        raise NeuraRigError(f"There is no action named '{name}'; this file has: {known}.")
    return bpy.data.actions[name]


def limits(name: str, settings: Any = NeuraRigWalk) -> Limits:
    """Return the least and the most that a setting can be, None where nothing limits it."""
    declared = settings.bl_rna.properties[name]
    least, most = (float(f"{limit:.6g}") for limit in (declared.hard_min, declared.hard_max))
    return least if least > -_UNLIMITED else None, most if most < _UNLIMITED else None


def given(parsed: argparse.Namespace, options: Iterable[Option]) -> dict[str, Any]:
    """Return the options that were given, as arguments of the functions."""
    found = ((option, getattr(parsed, option.name, None)) for option in options)
    return {
        option.name: value.upper() if option.items else value for option, value in found if value is not None
    }


def file(text: str) -> Path:
    """Read the path of an output file, in an existing folder."""
    path = Path(name(text))
    try:
        has_folder, is_folder = path.resolve().parent.is_dir(), path.is_dir()
    except (OSError, RuntimeError, ValueError):  # not a valid path, or one that leads to itself
        has_folder, is_folder = False, False
    if not has_folder:
        raise argparse.ArgumentTypeError(f"there is no folder '{path.parent}'")
    if is_folder:
        raise argparse.ArgumentTypeError(f"'{path}' is a folder; name a file in it")
    return path


def _reader(option: Option) -> Callable[[str], Any]:
    """Return the reader of an option, which refuses what its setting cannot be."""
    if option.kind is str:
        return name
    if option.metavar == "FRAME":
        return frame
    return Number(option.rna.get("min"), option.rna.get("max"), is_whole=option.kind is int)


def given_file(text: str) -> Path:
    """Read the path of an input file."""
    return Path(name(text))


def output(text: str) -> Path:
    """Read the path of a file in a format that Blender can write."""
    path = file(text)
    if path.suffix.lower() not in export.WRITERS:
        raise argparse.ArgumentTypeError(f"'{text}' must end in one of {', '.join(export.WRITERS)}")
    return path
