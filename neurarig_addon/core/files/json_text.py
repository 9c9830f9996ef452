"""Untrusted JSON: only what can be written again, and numbers checked for count and limits."""

import json
import re
from collections.abc import Mapping
from sys import float_info
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import ArrayLike

# half of a UTF-16 surrogate pair; alone it is invalid, and Blender cannot store it
_HALF = re.compile(r"\\u[dD][89a-fA-F]")


def parsed(text: str | bytes, **options: Any) -> Any:
    """Return the value of a JSON text; `options`: those of `json.loads`.

    Raises ValueError if it is not JSON or a text in it is not Unicode, RecursionError if it is nested too
    deeply.
    """
    written = text.decode("utf-8-sig") if isinstance(text, bytes) else text
    found = json.loads(written, **options)
    if _HALF.search(written):
        json.dumps(found, ensure_ascii=False).encode("utf-8")
    return found


def document(text: str | bytes, format_name: str, version: int, called: str) -> dict[str, Any]:
    """Return the object of one of our own JSON texts, which gives its format and version; raises ValueError
    with the problem in words."""
    try:
        content = parsed(text)
    except (ValueError, RecursionError):
        raise ValueError("it is damaged or cut off") from None
    if (
        not isinstance(content, dict)
        or content.get("format") != format_name
        or content.get("version") != version
    ):
        raise ValueError(f"it is not {called} of version {version}")
    return content


def numbers_of(
    content: Mapping[str, Any], name: str, shape: tuple[int | None, ...], within: tuple[float, float]
) -> np.ndarray:
    """Return the numbers under a name, of `shape` (None: any count) and within limits; raises ValueError,
    with the name, for others."""
    given = content.get(name)
    try:
        found = np.array(given, dtype=float) if _is_numeric(given) else None
    # rows of unequal depth, an integer of 400 digits, deeply nested lists
    except (ValueError, OverflowError, RecursionError):
        found = None
    if found is None:
        raise ValueError(f"'{name}' is not a number, or not a list of them")
    if found.ndim != len(shape) or any(
        count not in (None, own) for count, own in zip(shape, found.shape, strict=True)
    ):
        counts = " x ".join("some" if count is None else str(count) for count in shape)
        raise ValueError(f"'{name}' does not hold {counts or 'one'} number{'s' * bool(shape)}")
    if not ((found >= within[0]) & (found <= within[1])).all():  # false for NaN
        raise ValueError(f"'{name}' is not within {within[0]:g} and {within[1]:g}")
    return found


def numbers_by_channel(
    content: Mapping[str, Any], name: str, most: Mapping[str, float], shape: tuple[int, ...]
) -> np.ndarray:
    """Return the numbers `(channels, *shape)` that an object under a name has for channels of a walk, 0 for
    missing ones; `most`: of each channel. Raises ValueError as `numbers_of`, and for other names."""
    given = content.get(name)
    if not isinstance(given, dict) or not given.keys() <= most.keys():
        raise ValueError(f"'{name}' names something that is not a channel of a walk")
    found = np.zeros((len(most), *shape))
    for row, (channel, limit) in enumerate(most.items()):
        if channel in given:
            found[row] = numbers_of(given, channel, shape, (-limit, limit))
    return found


def text_of(content: Mapping[str, Any], name: str, longest: int) -> str:
    """Return the text under a name, '' if there is none; raises ValueError if it is not a text of at most
    `longest` characters."""
    found = content.get(name, "")
    if not isinstance(found, str) or len(found) > longest:
        raise ValueError(f"its {name} is not a short text")
    return found


def named_texts(
    content: Mapping[str, Any], names: tuple[str, ...], longest_name: int, longest: int
) -> dict[str, str]:
    """Return the texts under some names, the first of which must be there and short; raises ValueError for
    others."""
    found = {name: text_of(content, name, longest) for name in names}
    if not found[names[0]].strip() or len(found[names[0]]) > longest_name:
        raise ValueError("it has no name, or too long a one")
    return found


def lines(content: Mapping[str, Any]) -> str:
    """Return an object as JSON text, short, with each of its entries on a line."""
    return json.dumps(content, separators=(",", ":"), ensure_ascii=False).replace(',"', ',\n"') + "\n"


def rounded(values: ArrayLike, digits: int) -> list:
    """Return an array as nested lists of rounded numbers."""
    return np.round(np.asarray(values, dtype=float), digits).tolist()


def _is_numeric(given: object) -> bool:
    if isinstance(given, list):
        return len({len(part) if isinstance(part, list) else -1 for part in given}) <= 1 and all(
            map(_is_numeric, given)
        )
    return isinstance(given, int | float) and not isinstance(given, bool)


def is_finite(value: Any) -> TypeGuard[float]:
    """Return whether a value is a number that a float can hold: no truth value, no NaN, no infinity, and no
    whole number beyond floats."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= float_info.max
