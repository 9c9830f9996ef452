"""Logic profiles made longer, wider and deeper than anybody writes them."""

import json
from collections.abc import Callable

from neurarig_addon.core.logic.document import MOST_FORMULAS

FIVE = "+".join(["sin(phase)"] * 5)


def with_formulas(text: str, formula: str, count: int) -> str:
    """Return a profile with so many formulas more."""
    whole = json.loads(text)
    whole["Schema"]["Rules"][0]["Logic"] |= {f"more_{number}": formula for number in range(count)}
    return json.dumps(whole)


def largest(text: str) -> str:
    """Return a profile with about as many formulas as are allowed."""
    return with_formulas(text, FIVE, MOST_FORMULAS - 100)


def _wider(text: str, size: int) -> str:
    whole = json.loads(text)
    whole["Schema"]["Bindings"][0]["Size"] = 10_000 * size
    return json.dumps(whole)


def _with_a_long_name(text: str, size: int) -> str:
    whole = json.loads(text)
    whole["Schema"]["Bindings"][0]["Name"] *= 100 * size
    return json.dumps(whole)


def _with_a_long_number(text: str, size: int) -> str:
    return json.dumps(json.loads(text) | {"Version": 12345.5}).replace("12345.5", "9" * 100 * size)


GROWN: dict[str, Callable[[str, int], str]] = {
    "brackets": lambda _text, size: "[" * 500 * size,
    "objects": lambda _text, size: '{"Profile":' * 50 * size,
    "blanks": lambda text, size: " " * 1_000 * size + text,
    "wide": _wider,
    "a long name": _with_a_long_name,
    "a long number": _with_a_long_number,
    "formulas": lambda text, size: with_formulas(text, FIVE, 20 * size),
    "a long formula": lambda text, size: with_formulas(text, "+".join(["sin(phase)"] * size), 1),
    "a deep formula": lambda text, size: with_formulas(text, "(" * size + "phase" + ")" * size, 1),
    "signs": lambda text, size: with_formulas(text, "-" * size + "phase", 1),
    "unknown names": lambda text, size: with_formulas(
        text, "+".join(f"wrong{number}" for number in range(size)), 1
    ),
    "members nobody reads": lambda text, size: json.dumps(
        json.loads(text) | {"Extra": {f"c{n}": n for n in range(100 * size)}}
    ),
}
