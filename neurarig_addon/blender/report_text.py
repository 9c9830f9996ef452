"""The contact report in words, for panels and messages; the numbers are in the JSON."""

import json
from dataclasses import dataclass
from functools import lru_cache
from textwrap import wrap
from typing import Any

PANEL_WIDTH = 34  # characters that fit into a sidebar of default width


@dataclass(frozen=True)
class Line:
    """One figure of the report."""

    name: str
    value: str
    past_limit: bool = False


@dataclass(frozen=True)
class Shown:
    """A report as lines."""

    lines: tuple[Line, ...] = ()

    @property
    def past_limits(self) -> bool:
        """Say whether any figure is past its limit."""
        return any(line.past_limit for line in self.lines)


@lru_cache(maxsize=32)
def read(text: str) -> Shown:
    """Return a report's JSON text as lines; none where there is no report."""
    if not text:
        return Shown()
    return Shown(tuple(_lines(json.loads(text))))


def sentence(name: str, report: dict[str, Any]) -> str:
    """Return a report in one sentence."""
    return f"'{name}' walks."


def wrapped(text: str, width: int = PANEL_WIDTH) -> list[str]:
    """Return a sentence in lines that fit into the sidebar."""
    return wrap(text, width)


def _lines(report):
    return ()
