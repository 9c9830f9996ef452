"""Parsing of command-line arguments: armatures, files, and errors of one sentence."""

import argparse
import math
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NoReturn

import bpy

from ...core.errors import NeuraRigError, readable
from ..animation.frame_range import checked_frame
from ..interface.options import Option
from . import export

MISUSED = 2  # exit status of a wrong option
TEXTS_OF_ACTS = ("thing", "place", "hand")


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one sentence, like all others; `--help` shows the usage."""

    def error(self, message: str) -> NoReturn:
        self.exit(MISUSED, f"{readable(f'neurarig: {message}. See --help.')}\n")

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
        self.takes(option, name, "NAME", told, **more)

    def number(self, option: str, metavar: str, told: str) -> None:
        """Add an option that is a number."""
        self.takes(option, number, metavar, told)

    def choice(self, option: str, choices: Iterable[str], told: str, **more: Any) -> None:
        """Add an option that is one of several words."""
        self.add_argument(option, choices=list(choices), type=str.lower, help=told, **more)

    def switch(self, option: str, told: str) -> None:
        """Add an option that is there or not."""
        self.add_argument(option, action="store_true", help=told)

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
                is_frame = option.name.startswith("frame")
                read = name if option.kind is str else frame if is_frame else _within(option)
                self.takes(flag, read, option.metavar, option.help, **own)


def command(commands: Any, called: str, run: Callable[[argparse.Namespace], None], told: str) -> Parser:
    """Add a command to those of a parser, and return its own."""
    parser = commands.add_parser(called, help=told)
    parser.set_defaults(run=run)
    return parser


def warn(text: str) -> None:
    """Print a warning on stderr; nothing if it is empty."""
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


def action(name: str) -> bpy.types.Action:
    """Return the action of that name."""
    if name not in bpy.data.actions:
        known = ", ".join(f"'{action.name}'" for action in bpy.data.actions) or "none"
        raise NeuraRigError(f"There is no action named '{name}'; this file has: {known}.")
    return bpy.data.actions[name]


def marker(text: str) -> dict[str, float]:
    """Read a marker on a path: METRES, then @FRAME, then +SECONDS, the last two optional."""
    where, _, pause = text.partition("+")
    distance, _, at = where.partition("@")
    try:
        found = (
            {"distance": number(distance)}
            | ({"frame": number(at)} if at else {})
            | ({"pause": number(pause)} if pause else {})
        )
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a marker; use METRES, METRES@FRAME or METRES@FRAME+SECONDS"
        ) from None
    return found


def act(text: str) -> dict[str, Any]:
    """Read an act on the way: KIND, then @METRES, @fFRAME or @OBJECT, then ,FIELD=VALUE for each of its other
    fields."""
    head, *fields = text.split(",")
    kind, _, where = head.partition("@")
    found: dict[str, Any] = {"kind": kind.strip().upper().replace("-", "_")}
    if where:
        found |= _where(where)
    for one in fields:
        name, is_given, value = one.partition("=")
        if not is_given:
            raise argparse.ArgumentTypeError(f"'{one}' of '{text}' is not FIELD=VALUE, such as length=1.2")
        found[name.strip()] = value.strip() if name.strip() in TEXTS_OF_ACTS else number(value)
    return found


def _where(text: str) -> dict[str, Any]:
    """Return the place or time of an act: metres, a frame after an f, or the name of an object."""
    for name, value in (("frame", text[1:] if text[:1] == "f" else ""), ("distance", text)):
        try:
            return {name: float(value)}
        except ValueError:
            continue
    return {"place": text}


def _within(option: Option) -> Callable[[str], float]:
    """Return the reader of an option's number, which refuses what its setting cannot be."""

    def read(text: str) -> float:
        value = int(text) if option.kind is int else number(text)
        least, most = option.rna.get("min", -math.inf), option.rna.get("max", math.inf)
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(
                f"{text} is not {f'at least {least:g}' if value < least else f'at most {most:g}'}"
            )
        return value

    return read


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


def name(text: str) -> str:
    """Read a name or path that is not empty."""
    if not text.strip():
        raise argparse.ArgumentTypeError("the name is empty; leave the option out, or give it one")
    return text


def given_file(text: str) -> Path:
    """Read the path of an input file."""
    return Path(name(text))


def number(text: str) -> float:
    """Read a finite number."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number")
    return value


def positive(text: str) -> float:
    """Read a finite number above zero."""
    value = number(text)
    if value <= 0.0:
        raise argparse.ArgumentTypeError(f"'{text}' is not above zero")
    return value


def frame(text: str) -> int:
    """Read a whole frame that a scene can have."""
    try:
        return int(checked_frame(int(text), "frame"))
    except (ValueError, NeuraRigError) as problem:
        why = problem if isinstance(problem, NeuraRigError) else f"'{text}' is not a whole number"
        raise argparse.ArgumentTypeError(str(why).rstrip(".")) from None


def output(text: str) -> Path:
    """Read the path of a file in a format that Blender can write."""
    path = file(text)
    if path.suffix.lower() not in export.WRITERS:
        raise argparse.ArgumentTypeError(f"'{text}' must end in one of {', '.join(export.WRITERS)}")
    return path
