"""All scenarios: what a user does, by buttons, scripts and command lines, and when to look."""

from collections.abc import Callable
from importlib import import_module

from tests.compare.seen import Seen

ROOMS = ("walks", "ways", "prints", "bakes", "clips", "poses", "styles", "words")
Scenario = Callable[[Seen], None]


def scenarios() -> dict[str, Scenario]:
    """Return `room, name` -> what plays it."""
    return {
        f"{room}, {name}": case
        for room in ROOMS
        for name, case in import_module(f"tests.compare.scenarios.{room}").cases().items()
    }
