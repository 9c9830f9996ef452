"""Makes one cell, wherever it runs: in a folder of its own, whose results are moved to their places only when
they are complete.

So a cell that is made twice at the same time, or whose maker is killed, leaves one whole result or none.
"""

import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib import util
from pathlib import Path
from secrets import token_hex

from ..core.errors import NeuraRigError
from ..core.files import json_text
from ..core.labels import label_file
from . import pictures, process, records
from .cell import Cell, Conditions, placed, words
from .process import Ended
from .records import ATTEMPTS, DONE, FAILED, STOPPED, Record
from .table import write_parquet

MISUSED = 2  # exit status of a wrong option: it would be wrong again
_FIGURES = (
    "slip_mm",
    "penetration_mm",
    "toe_clearance_mm",
    "reach",
    "ground_speed_m_s",
    "stride_m",
    "cadence_steps_min",
    "past_limits",
)
_PACKAGE = Path(__file__).resolve().parents[1]


def run_cell(cell: Cell, conditions: Conditions, is_stopped: Callable[[], bool] = lambda: False) -> Record:
    """Make a cell unless it is done, trying again if it fails, and return its record, which is also
    written."""
    output = Path(conditions.output)
    if (found := records.finished(output, cell)) is not None:
        return found
    record = Record(cell.key, cell.kind, cell.name, FAILED, attempts=0)
    for attempt in range(1, conditions.retries + 2):
        record, again = _attempt(cell, conditions, is_stopped)
        record = replace(record, attempts=attempt)
        if record.status != FAILED or not again:
            break
    records.write(output, cell, record)
    return record


def _attempt(cell: Cell, conditions: Conditions, is_stopped: Callable[[], bool]) -> tuple[Record, bool]:
    """Make a cell once; return its record, and whether it is worth another attempt."""
    output = Path(conditions.output)
    folder = output / ATTEMPTS / f"{cell.key}-{token_hex(4)}"
    try:
        (folder / cell.name).mkdir(parents=True)
        limits = conditions.seconds, conditions.memory_mb
        ended = process.run(
            _command(cell, conditions, folder),
            folder,
            *limits,
            _environment(),
            is_stopped,
            hears_all=not cell.file,
        )
        record = Record(
            cell.key,
            cell.kind,
            cell.name,
            FAILED,
            round(ended.seconds, 3),
            memory_mb=ended.memory_mb,
            sentence=ended.sentence,
        )
        if ended.killed and is_stopped():
            return replace(record, status=STOPPED), False
        if ended.status != 0 or ended.killed:
            return record, ended.status != MISUSED
        return _kept(cell, output, folder, record, ended), True
    except (OSError, NeuraRigError) as problem:
        return Record(cell.key, cell.kind, cell.name, FAILED, sentence=str(problem)), True
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _kept(cell: Cell, output: Path, folder: Path, record: Record, ended: Ended) -> Record:
    """Move the results of an attempt to their places, and return the record of a finished cell."""
    labels = folder / cell.labels if cell.labels else None
    if labels and cell.parquet:
        write_parquet(labels, labels.with_suffix(".parquet"))
    figures = _figures(json_text.parsed((folder / cell.report).read_bytes())) if cell.report else {}
    picture = pictures.sheet(label_file.load(labels)) if labels else ""
    records.sizes(folder, cell.results)
    records.file_of(output, cell).unlink(missing_ok=True)  # of results that are replaced now
    place = output / cell.kind
    place.mkdir(parents=True, exist_ok=True)
    for name in cell.results:
        if (place / name).is_dir():
            (place / name).rename(folder / f"old-{token_hex(4)}")
        (folder / name).replace(place / name)
    results = records.sizes(output, tuple(f"{cell.kind}/{name}" for name in cell.results))
    return replace(
        record, status=DONE, sentence=ended.sentence, results=results, figures=figures, picture=picture
    )


def _figures(report: dict) -> dict[str, object]:
    """Return what the table shows of a contact report; of both feet the worse."""
    found = {name: report[name] for name in _FIGURES if name in report}
    if isinstance(slip := found.get("slip_mm"), dict):
        found["slip_mm"] = max(
            (foot["max"] for foot in slip.values() if foot["max"] is not None), default=None
        )
    return found


def _command(cell: Cell, conditions: Conditions, folder: Path) -> list[str]:
    """Return the command that makes a cell; raises NeuraRigError where there is nothing to make it with."""
    arguments = cell.command(conditions.job, str(folder))
    if not cell.file:
        python = placed(cell.python, conditions.job) or sys.executable
        return [python, "-m", f"{_PACKAGE.name}.training", *arguments]
    file = placed(cell.file, conditions.job)
    if conditions.blender:
        return [*words(conditions.blender), "-b", file, "--command", "neurarig", *arguments]
    if util.find_spec("bpy") is None:
        raise NeuraRigError(
            'there is no Blender: name one in the job (blender = "...") or in BLENDER, or use a Python that'
            " has bpy"
        )
    return [sys.executable, "-m", f"{_PACKAGE.name}.batch.in_bpy", file, *arguments]


def _environment() -> dict[str, str]:
    """Return the environment of a cell: this add-on is found, and numpy takes one thread, as cells run side
    by side."""
    path = os.pathsep.join(filter(None, (str(_PACKAGE.parent), os.environ.get("PYTHONPATH", ""))))
    return {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", **os.environ, "PYTHONPATH": path}
