"""What is known of finished cells: one JSON file each, written whole or not at all, and where their results
are."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ..core.errors import NeuraRigError
from ..core.files import json_text
from ..core.files.whole_file import write_text
from .cell import Cell

RECORDS, ATTEMPTS = Path(".batch/records"), Path(".batch/attempts")  # folders in the output
DONE, FAILED, STOPPED = "done", "failed", "stopped"


@dataclass(frozen=True)
class Record:
    """How a cell ended: `seconds` of the last attempt, `memory_mb` its peak; `sentence`: why it failed, or a
    warning.

    `results`: file under the output folder -> bytes. `figures`: of the contact report. `picture`: SVG, ''
    without a motion.
    """

    key: str
    kind: str
    name: str
    status: str
    seconds: float = 0.0
    attempts: int = 1
    memory_mb: int = 0
    sentence: str = ""
    results: Mapping[str, int] = field(default_factory=dict)
    figures: Mapping[str, Any] = field(default_factory=dict)
    picture: str = ""


def file_of(output: Path, cell: Cell) -> Path:
    """Return the file of a cell's record: one for its name, as it has one place for its results, whatever
    they were made of."""
    return output / RECORDS / cell.kind / f"{cell.name}.json"


def write(output: Path, cell: Cell, record: Record) -> None:
    """Keep a cell's record in place of an older one; raises NeuraRigError if it cannot be written."""
    file_of(output, cell).parent.mkdir(parents=True, exist_ok=True)
    write_text(file_of(output, cell), json.dumps(asdict(record)) + "\n")


def finished(output: Path, cell: Cell) -> Record | None:
    """Return the record of a cell that is done, with this key, and whose results are all there as they were
    made; None for any other."""
    try:
        record = Record(**json_text.parsed(file_of(output, cell).read_bytes()))
        is_done = record.status == DONE and record.key == cell.key
        is_whole = is_done and all(
            (output / name).stat().st_size == size for name, size in record.results.items()
        )
    except (OSError, ValueError, TypeError, AttributeError, RecursionError):
        return None
    return record if is_whole else None


def sizes(output: Path, names: tuple[str, ...]) -> dict[str, int]:
    """Return the files of results, which may be folders, and their sizes in bytes; raises NeuraRigError if
    one is missing."""
    found: dict[str, int] = {}
    for name in names:
        if not (output / name).exists():
            raise NeuraRigError(f"'{name}' was not made")
        files = (
            [output / name]
            if (output / name).is_file()
            else sorted(path for path in (output / name).rglob("*") if path.is_file())
        )
        found |= {path.relative_to(output).as_posix(): path.stat().st_size for path in files}
    return found
