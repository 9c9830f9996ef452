"""The progress and the report of a batch: a table as CSV, and the same with contact sheets as one HTML page
that needs nothing else."""

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from time import monotonic
from typing import TextIO

from ..core.files.whole_file import write_text
from .cell import Cell
from .records import DONE, Record

_AXES = ("character", "item", "style", "speed", "seed")
_FIGURES = {
    "slip_mm": "slip mm",
    "penetration_mm": "penetration mm",
    "toe_clearance_mm": "toe clearance mm",
    "reach": "reach",
    "ground_speed_m_s": "speed m/s",
    "stride_m": "stride m",
    "cadence_steps_min": "steps/min",
    "past_limits": "past limits",
}
_STYLE = """body{font:14px/1.4 system-ui,sans-serif;margin:2em;color:#222;background:#fff}
table{border-collapse:collapse}th,td{padding:.25em .6em;border-bottom:1px solid #ddd;
text-align:left;vertical-align:middle}
th{position:sticky;top:0;background:#fff}td.n{text-align:right;font-variant-numeric:tabular-nums}
tr.bad td{background:#fde8e4}"""
Rows = Sequence[tuple[Cell, Record]]


def write_csv(path: Path, rows: Rows) -> None:
    """Write a row a cell; raises NeuraRigError if the file cannot be written."""
    text = io.StringIO(newline="")
    table = csv.writer(text)
    table.writerow(
        ["kind", "name", *_AXES, "status", "attempts", "seconds", "memory_mb", *_FIGURES, "remark", "results"]
    )
    for cell, record in rows:
        made = [record.status, record.attempts, record.seconds, record.memory_mb]
        table.writerow(
            [
                cell.kind,
                cell.name,
                *_axes(cell),
                *made,
                *_figures(record),
                record.sentence,
                " ".join(_named(cell, record)),
            ]
        )
    write_text(path, text.getvalue())


def write_html(path: Path, title: str, rows: Rows) -> None:
    """Write the page; raises NeuraRigError if it cannot be written."""
    count = Counter(record.status for _, record in rows)
    told = ", ".join(f"{number} {status}" for status, number in sorted(count.items()))
    seconds = sum(record.seconds for _, record in rows)
    head = ["kind", *_AXES, "status", "tries", "s", "MB", *_FIGURES.values(), "remark", "motion"]
    lines = [
        (
            '<!DOCTYPE html><html lang="en"><head><meta'
            f' charset="utf-8"><title>{escape(title)}</title><style>{_STYLE}</style></head><body>'
        ),
        f"<h1>{escape(title)}</h1><p>{len(rows)} cells: {told}; {seconds:.0f} s of work.</p><table>",
        f"<tr>{''.join(f'<th>{escape(name)}</th>' for name in head)}</tr>",
        *(_row(cell, record) for cell, record in rows),
        "</table></body></html>",
    ]
    write_text(path, "\n".join(lines) + "\n")


def _row(cell: Cell, record: Record) -> str:
    texts = [cell.kind, *_axes(cell), record.status]
    numbers = [str(record.attempts), f"{record.seconds:.1f}", str(record.memory_mb), *_figures(record)]
    cells = "".join(f"<td>{escape(text)}</td>" for text in texts) + "".join(
        f'<td class="n">{escape(text)}</td>' for text in numbers
    )
    bad = "" if record.status == DONE and not record.figures.get("past_limits") else ' class="bad"'
    return f"<tr{bad}>{cells}<td>{escape(record.sentence)}</td><td>{record.picture}</td></tr>"


def _axes(cell: Cell) -> list[str]:
    return [cell.axes.get(axis, "") for axis in _AXES]


def _figures(record: Record) -> Iterator[str]:
    for name in _FIGURES:
        value = record.figures.get(name)
        yield (
            f"{value:.4g}"
            if isinstance(value, int | float)
            else " ".join(value)
            if isinstance(value, list)
            else ""
        )


def _named(cell: Cell, record: Record) -> list[str]:
    """Return the results of a cell as the job names them: files, and folders in place of what is in them."""
    names = [f"{cell.kind}/{name}" for name in cell.results]
    return names if record.status == DONE else []


_BAR = 30  # characters
_WIDTH = 100  # of a line on a terminal
_CLEAR = "\r\x1b[K"


class BatchProgress:
    """The progress of `total` cells on a stream."""

    def __init__(self, total: int, stream: TextIO) -> None:
        self._total, self._stream, self._begun = total, stream, monotonic()
        self._ended = self._failed = 0

    def tell(self, cell: Cell, record: Record) -> None:
        """Count a cell that has ended."""
        self._ended += 1
        self._failed += record.status != DONE
        if record.status != DONE:
            self._line(f"{cell.title} {record.status}: {record.sentence}")
        elif not self._stream.isatty():
            self._line(
                f"{self._ended}/{self._total} {cell.title}: {record.seconds:.1f}"
                f" s{f'. {record.sentence}' if record.sentence else ''}"
            )
        if self._stream.isatty():
            self._stream.write(f"{_CLEAR}{self._bar()}"[: _WIDTH + len(_CLEAR)])
            self._stream.flush()

    def end(self) -> None:
        """Take the bar away."""
        if self._stream.isatty():
            self._stream.write(_CLEAR)

    def _line(self, text: str) -> None:
        self._stream.write(f"{_CLEAR if self._stream.isatty() else ''}{text}\n")
        self._stream.flush()

    def _bar(self) -> str:
        full = _BAR * self._ended // self._total
        left = round((monotonic() - self._begun) / self._ended * (self._total - self._ended))
        failed = f", {self._failed} failed" if self._failed else ""
        return (
            f"[{'#' * full}{'.' * (_BAR - full)}] {self._ended}/{self._total}{failed},"
            f" {left // 60}:{left % 60:02d} left"
        )
