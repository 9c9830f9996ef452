"""Footprint files: edited prints as JSON that fits characters of any size.

`{"format": "neurarig-prints", "version": 1, "prints": [{"side": "left", "number": 3, "aside": 0.1, ...}]}`.
Lengths are in leg lengths,
angles in degrees, times in cycles; what is left out is as planned.
"""

import json
import math
from pathlib import Path
from typing import Any

from ...errors import NeuraRigError, about
from ...files import json_text
from ...files.given_file import content_of
from ...files.whole_file import write_text
from ..inputs.print_edits import LENGTHS, OFFSETS, SIDE_NAMES, PrintEdit, PrintEdits

FORMAT, VERSION = "neurarig-prints", 1
LARGEST = 2**22  # bytes
MOST = 1e9  # of a file's units
SIDES = {name: side for side, name in enumerate(SIDE_NAMES)}
FLAGS = ("held", "added")
_ANGLES = {"yaw", "slope", "bank", "ball_pivot"}
_DIGITS = 9


def save_prints(path: str | Path, edits: PrintEdits, leg_length: float) -> None:
    """Write edits, given the character's leg length in metres; raises NeuraRigError if the file cannot be
    written."""
    write_text(Path(path), to_text(edits, leg_length))


def load_prints(path: str | Path, leg_length: float) -> PrintEdits:
    """Read edits, given the character's leg length in metres; raises NeuraRigError, naming the file, if it
    holds none."""
    path = Path(path)
    content = content_of(path, LARGEST, "leave some prints out")
    with about(str(path)):
        return from_text(content, leg_length)


def to_text(edits: PrintEdits, leg_length: float) -> str:
    """Return the text of a file."""
    names = {row: name for name, row in SIDES.items()}
    prints = []
    for edit in edits.edits:
        values = {name: round(getattr(edit, name) / _unit(name, leg_length), _DIGITS) for name in OFFSETS}
        flags = {name: True for name in FLAGS if getattr(edit, name)}
        prints.append(
            {"side": names[edit.side], "number": edit.number}
            | {name: value for name, value in values.items() if value}
            | flags
        )
    return json.dumps({"format": FORMAT, "version": VERSION, "prints": prints}, indent=1) + "\n"


def from_text(text: str | bytes, leg_length: float) -> PrintEdits:
    """Return the edits in a text; raises NeuraRigError, naming the print, if they are not valid."""
    try:
        prints = json_text.document(text, FORMAT, VERSION, "a file of footprints").get("prints")
    except ValueError as problem:
        raise NeuraRigError(f"These footprints cannot be used: {problem}; save them again.") from None
    if not isinstance(prints, list):
        raise NeuraRigError("The file has no list of prints; save the footprints again.")
    return PrintEdits.of(_edit(entry, row, leg_length) for row, entry in enumerate(prints, start=1))


def _edit(entry: Any, row: int, leg_length: float) -> PrintEdit:
    number = entry.get("number") if isinstance(entry, dict) else None
    if not isinstance(number, int) or isinstance(number, bool) or entry.get("side") not in tuple(SIDES):
        raise NeuraRigError(
            f"Entry {row} is not a footprint; it needs a side (left or right) and a whole number."
        )
    unknown = entry.keys() - {"side", "number", *FLAGS, *OFFSETS}
    if unknown:
        raise NeuraRigError(
            f"Entry {row} has '{min(unknown)}', which is not a setting of a footprint; remove it."
        )
    values = {}
    for name in OFFSETS:
        value = entry.get(name, 0.0)
        if not json_text.is_finite(value) or abs(value) >= MOST:
            raise NeuraRigError(f"Entry {row} needs a number for '{name}'.")
        values[name] = float(value) * _unit(name, leg_length)
    flags = {name: entry.get(name, False) for name in FLAGS}
    for name, value in flags.items():
        if not isinstance(value, bool):
            raise NeuraRigError(f"Entry {row} needs true or false for '{name}'.")
    return PrintEdit(SIDES[entry["side"]], number, **flags, **values)


def _unit(name: str, leg_length: float) -> float:
    """Return the size of a file's unit in an edit's unit."""
    if name in LENGTHS:
        return leg_length
    return math.radians(1.0) if name in _ANGLES else 1.0
