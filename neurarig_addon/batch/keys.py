"""The key of a cell: a hash of its part of the job, of the content of its input files, and of the add-on that
makes it."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path

from ..core.files.given_file import reading
from .cell import Cell, placed

_PACKAGE = Path(__file__).resolve().parents[1]
_OF_NO_ACCOUNT = ("batch", "__pycache__")  # rooms that do not change what a cell makes
_TRAINING = "training"


def with_keys(cells: Iterable[Cell], folder: Path, blender: str) -> Iterator[Cell]:
    """Yield the cells with their keys; each input file is read once."""
    read = cache(_hash_of_file)
    for cell in cells:
        files = [read(Path(placed(path, str(folder)))) for path in cell.inputs]
        made_by = blender if cell.file else cell.python
        told = [asdict(cell), files, made_by, addon_hash(is_training=not cell.file)]
        yield replace(cell, key=hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:32])


@cache
def addon_hash(is_training: bool) -> str:
    """Return the hash of all files of this add-on that a cell may use: its version, to the letter."""
    found = hashlib.sha256()
    for path in sorted(_PACKAGE.rglob("*")):
        parts = path.relative_to(_PACKAGE).parts
        counts = not set(parts) & set(_OF_NO_ACCOUNT) and (is_training or parts[0] != _TRAINING)
        if counts and path.is_file():
            found.update("/".join(parts).encode() + b"\0" + path.read_bytes())
    return found.hexdigest()


def _hash_of_file(path: Path) -> str:
    with reading(path), path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
