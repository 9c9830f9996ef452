"""What our command lines take, as data: `python -m tests.command_lines` writes `data/command_line.json`, of
Blender's commands where there is bpy, and of the training's where there is torch."""

import argparse
import json
from collections.abc import Iterator
from dataclasses import asdict, is_dataclass
from typing import Any

from neurarig_addon.core.files.option_values import Name, Number, Word
from neurarig_addon.core.shipped import DATA, shipped

TRAINING = "training"


def of_blender() -> dict[str, Any]:
    """Return the commands of Blender's command line, registered, with their options."""
    from neurarig_addon.blender import cli

    return dict(_commands(cli._parser(), ()))


def of_training() -> dict[str, Any]:
    """Return the commands of the training, with their options."""
    from neurarig_addon.training.__main__ import _parser

    return dict(_commands(_parser(), (TRAINING,)))


def stored(is_training: bool) -> dict[str, Any]:
    """Return what the file says of one of the two."""
    return {
        name: told
        for name, told in shipped("command_line").items()
        if name.startswith(TRAINING) is is_training
    }


def options_of(parser: argparse.ArgumentParser) -> dict[str, Any]:
    """Return flag or name of each option of a parser, and what it takes."""
    return {
        (action.option_strings or [action.dest])[-1]: _told(action)
        for action in parser._actions
        if not isinstance(action, argparse._HelpAction | argparse._SubParsersAction)
    }


def _commands(parser: argparse.ArgumentParser, words: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    under = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    if not under:
        yield " ".join(words), options_of(parser)
    for action in under:
        for word, one in action.choices.items():
            yield from _commands(one, (*words, word))


def _told(action: argparse.Action) -> dict[str, Any]:
    if action.nargs == 0:
        return {"reads": "Switch"}
    numbers = {int: Number(is_whole=True), float: Number()}
    read: Any = Word(tuple(action.choices)) if action.choices else numbers.get(action.type, action.type)
    read = read if is_dataclass(read) else Name()
    told = {"reads": type(read).__name__, **asdict(read)}
    told |= {"many": True} if isinstance(action, argparse._AppendAction) else {}
    return told | ({"count": action.nargs} if isinstance(action.nargs, int) else {})


if __name__ == "__main__":
    path, found = DATA / "command_line.json", {}
    if path.exists():
        found = json.loads(path.read_text())
    try:
        import bpy  # noqa: F401

        import neurarig_addon

        neurarig_addon.register()
        found = {name: told for name, told in found.items() if name.startswith(TRAINING)} | of_blender()
    except ImportError:
        found = {name: told for name, told in found.items() if not name.startswith(TRAINING)} | of_training()
    lines = [
        f" {json.dumps(name)}: {{\n"
        + ",\n".join(f"  {json.dumps(flag)}: {json.dumps(told)}" for flag, told in options.items())
        + "\n }"
        for name, options in sorted(found.items())
    ]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")
