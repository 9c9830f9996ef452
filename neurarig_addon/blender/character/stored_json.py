"""JSON texts in the .blend file: they may come from any file, so nothing in them is trusted before its form
is checked."""

from collections.abc import Callable, Mapping
from typing import Any

from ...core.files import json_text

Check = Callable[[Any], bool]
LARGEST_WHOLE = 2**31 - 1


def parsed(text: str) -> Any:
    """Return the content of a text, None if it is damaged."""
    try:
        return json_text.parsed(text)
    except (ValueError, RecursionError):
        return None


def misfit(value: Any, form: Mapping[str, Check]) -> str | None:
    """Return the first key of a form that an object lacks or has with a wrong type, None if it fits; the
    first key for a non-object."""
    owner = value if isinstance(value, dict) else {}
    return next((key for key, fits in form.items() if key not in owner or not fits(owner[key])), None)


def is_text(value: Any) -> bool:
    """Return whether a value is a text."""
    return isinstance(value, str)


def is_flag(value: Any) -> bool:
    """Return whether a value is true or false."""
    return isinstance(value, bool)


def is_whole(value: Any) -> bool:
    """Return whether a value is an integer that fits a C int."""
    return isinstance(value, int) and abs(value) <= LARGEST_WHOLE


def is_number(value: Any) -> bool:
    """Return whether a value is a number that fits a float; NaN counts, as rigs may have it in their
    poses."""
    return isinstance(value, float) or is_whole(value)


def list_of(fits: Check) -> Check:
    """Return the check for a list of entries of one form."""
    return lambda value: isinstance(value, list) and all(map(fits, value))


def row_of(*columns: Check) -> Check:
    """Return the check for a list with one entry of each form."""

    def fits(row: Any) -> bool:
        return (
            isinstance(row, list)
            and len(row) == len(columns)
            and all(check(item) for check, item in zip(columns, row, strict=True))
        )

    return fits


def map_of(fits: Check) -> Check:
    """Return the check for an object of any keys with values of one form."""
    return lambda value: isinstance(value, dict) and all(map(fits, value.values()))
