"""The options of the command line that a job may give: as `data/command_line.json` describes them, and as
arguments."""

from argparse import ArgumentTypeError
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import takewhile
from typing import Any

from ..core.errors import NeuraRigError
from ..core.files.option_values import Shipped, Slider, meant, reader
from ..core.shipped import shipped
from .cell import JOB
from .table import is_number

PRINTS = "prints"
FILES = (PRINTS, "profile")  # options whose value may be a file
SWITCH, TRAINING = "Switch", "training "  # in the descriptions
# Names of characters and files, styles and speeds have keys of their own in a job.
_OF_JOBS = (
    "armature",
    "target",
    "file",
    "folder",
    "output",
    "report",
    "labels",
    "style",
    "overwrite",
    "keep",
)
_NOT_IN = {"walk": ("speed",), "retarget": ("source", "action", "all_actions")}


@cache
def known(command: str) -> dict[str, dict[str, Any]]:
    """Return the options of a command that a job may give, by name, and what each takes."""
    options = shipped("command_line")[command]
    names = {flag.removeprefix("--").replace("-", "_"): told for flag, told in options.items()}
    left_out = (*_OF_JOBS, *_NOT_IN.get(command, ()))
    return {name: told for name, told in names.items() if name not in left_out}


def arguments(where: str, command: str, given: Mapping[str, Any]) -> list[str]:
    """Return options as arguments of a command; raises NeuraRigError, beginning with `where`, for what it
    does not have, and for values that it cannot take."""
    found: list[str] = []
    for name, value in given.items():
        if name not in known(command):
            raise NeuraRigError(
                f"{where}: '{command}' has no option '{name}' in a job; {meant(name, known(command))}"
            )
        told = known(command)[name]
        flag, problem = f"--{name.replace('_', '-')}", f"{where}: the option '{name}'"
        if told["reads"] == SWITCH:
            if not isinstance(value, bool):
                raise NeuraRigError(f"{problem} needs true or false, not {value!r}.")
            found += [flag] * value
            continue
        texts = list(_texts(problem, told, value))
        found += [flag, *texts] if "count" in told else [f"{flag}={text}" for text in texts]
    return found


def require(problem: str, command: str, name: str, value: Any) -> str:
    """Return a value of an option as text; raises NeuraRigError, beginning with `problem`, if the command
    would refuse it."""
    flag = f"--{name.replace('_', '-')}"
    return _text(problem, _read(shipped("command_line")[command][flag]), value)


def _texts(problem: str, told: Mapping[str, Any], value: Any) -> Iterator[str]:
    """Yield the values of an option as texts; raises NeuraRigError if it cannot have them."""
    read = _read(told)
    if isinstance(read, Slider):
        if not isinstance(value, Mapping) or not value:
            raise NeuraRigError(f"{problem} needs a table, such as {{ lean = 3.0 }}, not {value!r}.")
        for slider, one in value.items():
            yield _text(problem, read, one, f"{slider}=")
        return
    count = told.get("count")
    has_several = count or told.get("many")
    if has_several and (not isinstance(value, list) or not value or (count and len(value) != count)):
        what = "two whole numbers, such as [1, 96]" if count else "a list that is not empty"
        raise NeuraRigError(f"{problem} needs {what}, not {value!r}.")
    for one in value if has_several else [value]:
        yield _text(problem, read, one)
    if count and value[0] > value[-1]:
        raise NeuraRigError(f"{problem} needs its last after its first, not {value!r}.")


def _read(told: Mapping[str, Any]) -> Callable[[str], Any]:
    return reader({name: value for name, value in told.items() if name not in ("count", "many")})


def _text(problem: str, read: Any, value: Any, before: str = "") -> str:
    """Return a value as the text that a reader takes."""
    is_text = isinstance(value, str) and value.isprintable()
    if not (is_number(value) if read.takes is float else is_text):
        what = "a number" if read.takes is float else "a text in quotes"
        raise NeuraRigError(f"{problem} needs {what}, not {before}{value!r}.")
    text = before + (f"{value:g}" if isinstance(value, float) else str(value))
    if not isinstance(read, Shipped) or text.startswith(JOB):
        _check(problem, read, text)
    else:
        _check(problem, read.require_shipped, text)
    return text


def _check(problem: str, read: Callable[[str], Any], text: str) -> None:
    try:
        read(text)
    except ArgumentTypeError as wrong:
        end = "" if str(wrong).endswith(("?", ".")) else "."
        raise NeuraRigError(f"{problem}: {wrong}{end}") from None


def require_training(where: str, given: Sequence[str]) -> None:
    """Raise NeuraRigError, beginning with `where`, for arguments that the training would refuse."""
    commands = {
        name.removeprefix(TRAINING): told
        for name, told in shipped("command_line").items()
        if name.startswith(TRAINING)
    }
    words = " ".join(given[:2])
    command = next((name for name in commands if f"{words} ".startswith(f"{name} ")), None)
    if command is None:
        raise NeuraRigError(f"{where}: the training has no '{words}'; {meant(words, commands)}")
    for at, text in enumerate(given):
        flag, is_given, value = text.partition("=")
        if not flag.startswith("--"):
            continue
        problem, told = f"{where}: the argument '{flag}'", commands[command].get(flag)
        if told is None:
            raise NeuraRigError(f"{problem} is none of '{command}'; {meant(flag, commands[command])}")
        if told["reads"] != SWITCH:
            texts = (
                [value] if is_given else list(takewhile(_is_value, given[at + 1 :]))[: told.get("count", 1)]
            )
            for one in texts or [""]:
                _check(problem, _read(told), one)


def _is_value(text: str) -> bool:
    return not text.startswith("--")
