"""The record itself, made with bpy 5.0."""

from pathlib import Path

from tests.blender.record.condensed import Condensed
from tests.core.record.record import compared

FILE = Path(__file__).with_name("record.json")
MADE_WITH = (5, 0)  # others name and number properties, actions and reports in ways of their own
SAME = 2e-5  # of a part's size


def differences(now: Condensed, was: Condensed) -> list[str]:
    """Return which parts are not as recorded, each in a line."""
    return compared(now, was, SAME)
