"""All scenarios of the record."""

from collections.abc import Callable
from importlib import import_module

from tests.core.record.condensed import Answer

ROOMS = ("walks", "manners", "lines", "grounds", "prints", "clips", "skeletons", "poses", "points", "rules", "wire", "rigs")


def scenarios() -> dict[str, Callable[[], Answer]]:
    """Return everything that is recorded: `room: name` -> what works it out."""
    return {f"{room}: {name}": case for room in ROOMS for name, case in import_module(f"tests.core.record.{room}").cases().items()}
