"""Untrusted JSON: every value is checked, and errors name its place."""

import json
from collections.abc import Callable, Collection, Mapping
from difflib import get_close_matches
from sys import float_info
from typing import Any, TypeVar

from ..errors import NeuraRigError
from ..files import json_text

WIDEST = 1_024  # inputs, or outputs
LARGEST_NUMBER = float_info.max
_SHOWN = 40  # characters of the file's text in a message
_COMPARED = 100  # names, and characters of each, when searching for a similar one

Part = TypeVar("Part")


def quoted(text: Any) -> str:
    """Return text of the file, or any value in its place, short enough for a message."""
    if isinstance(text, (dict, list)):
        return "a list" if isinstance(text, list) else "an object"
    shown = text if isinstance(text, str) else json.dumps(text)
    return repr(shown if len(shown) <= _SHOWN else shown[:_SHOWN] + "...")


def parse_json(text: str) -> Any:
    """Return the value of a JSON text; raises NeuraRigError."""
    try:
        return json_text.parsed(text, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise NeuraRigError(
            f"The profile is not valid JSON: {error.msg} at line {error.lineno}, column {error.colno}."
        ) from None
    except (ValueError, RecursionError):
        raise NeuraRigError(
            "The profile is not readable JSON: its numbers are too long or its brackets too deep; write it"
            " again."
        ) from None


def _no_number(text: str) -> Any:
    raise NeuraRigError(f"The profile holds {text}, which is not a finite number; replace it.")


def wrong(what: str, wanted: str, value: Any) -> NeuraRigError:
    """Return the error for a value other than the one wanted."""
    return NeuraRigError(f"{what[:1].upper()}{what[1:]} must be {wanted} and is {quoted(value)}.")


def an_object(value: Any, what: str) -> dict[str, Any]:
    """Return an object; like the readers below it raises NeuraRigError, naming `what`, for anything else."""
    if not isinstance(value, dict):
        raise wrong(what, "an object in braces", value)
    return value


def a_text(value: Any, what: str) -> str:
    """Return a text."""
    if not isinstance(value, str):
        raise wrong(what, "a text in quotes", value)
    return value


def a_number(value: Any, what: str) -> int | float:
    """Return a number that float64 can hold."""
    if (
        not isinstance(value, (int, float))
        or isinstance(value, bool)
        or not -LARGEST_NUMBER <= value <= LARGEST_NUMBER
    ):
        raise wrong(what, "a finite number", value)
    return value


def a_count(value: Any, what: str) -> int:
    """Return a number of columns."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= WIDEST:
        raise wrong(what, f"a whole number from 0 to {WIDEST}", value)
    return value


def a_list_of(part: Callable[[Any, str], Part]) -> Callable[[Any, str], tuple[Part, ...]]:
    """Return a reader of lists whose entries are read by `part`."""

    def read(value: Any, what: str) -> tuple[Part, ...]:
        if not isinstance(value, list):
            raise wrong(what, "a list in square brackets", value)
        return tuple(part(entry, f"entry {n} of {what}") for n, entry in enumerate(value, 1))

    return read


def member(
    owner: Mapping[str, Any], key: str, read: Callable[[Any, str], Part], what: str, default: Any = None
) -> Part:
    """Read one member of an object; it is required unless it has a default."""
    if key in owner:
        return read(owner[key], f"{key} of {what}")
    if default is None:
        raise NeuraRigError(f"{key} is missing in {what}; add it, or choose a profile file.")
    return default


def instead(name: str, names: Collection[str]) -> str:
    """Return the end of a sentence about a name that is not one of `names`."""
    close = get_close_matches(name[:_COMPARED], [other[:_COMPARED] for other in list(names)[:_COMPARED]], 1)
    return (
        f", which is missing; did you mean {quoted(close[0])}?"
        if close
        else ", which is missing; add it or correct the name."
    )
