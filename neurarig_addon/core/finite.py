"""What counts as a number where a script or a file may give anything."""

from sys import float_info
from typing import Any


def is_finite(value: Any) -> bool:
    """Return whether a value is a number that a float can hold: no truth value, no NaN, no infinity, and no whole number beyond floats."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= float_info.max
