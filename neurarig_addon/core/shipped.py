"""The data that comes with the add-on: its folder, and the tables in it."""

import json
from functools import cache
from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[1] / "data"


@cache
def shipped(name: str) -> dict[str, Any]:
    """Return the table of a name, read once; nobody changes it."""
    return json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
