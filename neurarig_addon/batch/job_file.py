"""Reads a job file: TOML, checked from beginning to end before anything runs."""

import os
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..core.errors import NeuraRigError
from ..core.files.given_file import content_of
from . import grid
from .cell import Cell, Conditions, with_keys
from .grid import JobCharacter
from .table import BatchTable

LARGEST = 2**20  # bytes of a job file
MOST_CELLS = 100_000
MOST_WORKERS = 256
LONGEST_S, MOST_MEMORY_MB, MOST_RETRIES = 30 * 24 * 3600, 2**20, 20


@dataclass(frozen=True)
class Job:
    """What a job file asks for: its cells, how they run, and how many side by side."""

    name: str
    cells: tuple[Cell, ...]
    conditions: Conditions
    workers: int


def read_job(path: Path) -> Job:
    """Read a job file; raises NeuraRigError, a sentence with the key and the remedy, for the first mistake in
    it."""
    text = content_of(path, LARGEST, "split it into several jobs")
    try:
        content = tomllib.loads(text.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise NeuraRigError(f"'{path.name}' is not valid TOML: {problem}. Mend that line.") from None
    table = BatchTable(f"'{path.name}'", content)
    folder = path.resolve().parent
    conditions = Conditions(
        job=str(folder),
        output=str(folder / table.text("output")),
        retries=table.whole("retries", 0, MOST_RETRIES, 1),
        seconds=table.whole("seconds", 1, LONGEST_S, 600),
        memory_mb=table.whole("memory_mb", 64, MOST_MEMORY_MB, 8192),
        blender=table.text("blender", os.environ.get("BLENDER", "")),
    )
    workers = table.whole("workers", 1, MOST_WORKERS, max(1, (os.cpu_count() or 2) // 2))
    characters = _characters(table, folder)
    cells = []
    for kind, make in grid.KINDS.items():
        for one in table.tables(kind):
            for cell in _of_table(one, make(one, characters, folder)):
                cells.append(cell)
                if len(cells) > MOST_CELLS:
                    raise NeuraRigError(
                        f"'{path.name}' has more than {MOST_CELLS} cells; split it into several jobs."
                    )
    table.require_known()
    if not cells:
        raise NeuraRigError(
            f"'{path.name}' makes nothing; add one of {', '.join(f'[[{kind}]]' for kind in grid.KINDS)}."
        )
    _require_own_names(path.name, cells)
    return Job(path.stem, tuple(with_keys(cells, folder, conditions.blender)), conditions, workers)


def _of_table(table: BatchTable, cells: Iterator[Cell]) -> Iterator[Cell]:
    """Yield the cells of one table, then refuse what it has besides."""
    yield from cells
    table.require_known()


def _characters(table: BatchTable, folder: Path) -> dict[str, JobCharacter]:
    found: dict[str, JobCharacter] = {}
    for one in table.tables("characters"):
        character = JobCharacter(
            one.text("name"), grid.file_of(one, "file", folder, (".blend",)), one.text("armature", "")
        )
        one.require_known()
        if character.name in found:
            one.refuse("name", "must differ from those of other characters", character.name)
        found[character.name] = character
    return found


def _require_own_names(job: str, cells: list[Cell]) -> None:
    met: set[str] = set()
    for cell in cells:
        title = cell.title.lower()  # some file systems know no capitals
        if title in met:
            raise NeuraRigError(f"'{job}' makes '{cell.title}' twice; give one of them another name.")
        met.add(title)
