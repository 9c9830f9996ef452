"""Logic profiles made longer, wider and deeper than anybody writes them."""

import json

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
