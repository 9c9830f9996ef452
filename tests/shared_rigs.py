"""Rigs made by others, from the shared data: what their manifest says of each, and how they are loaded."""

import csv
import importlib.util
from typing import Any

from tests.shared_data import find_shared, shared_path

_FOLDER = find_shared("rigs")
ROWS = tuple(csv.DictReader((_FOLDER / "manifest.csv").open(encoding="utf-8"))) if _FOLDER else ()
BIPEDS = tuple(row for row in ROWS if row["is_biped"] == "true")
LYING = ("lying", "degenerate")  # rest poses that say nothing: refused with a sentence
STANDING = tuple(row for row in BIPEDS if row["rest_pose"] not in LYING)


def load(row: dict[str, str], kept: str = "rigs") -> Any:
    """Load the rig of a row of the manifest into the open file, by the module that comes with the rigs, and
    return its armature."""
    folder = shared_path(kept)
    spec = importlib.util.spec_from_file_location("load_rig", folder / "load_rig.py")
    assert spec and spec.loader
    loader = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loader)
    file = folder / row["file"]
    if not file.exists():
        file = shared_path("control-rigs") / row["file"]
    return loader.load(str(file), row["armature"] or None)
