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
_FIGURES = {  # in a contact report -> what it is called on the page, and what is counted there
    "slip_mm": ("slip mm", 1.0),
    "penetration_mm": ("sinks mm", 1.0),
    "toe_clearance_mm": ("toes clear mm", 1.0),
    "reach": ("reach %", 100.0),
    "ground_speed_m_s": ("speed m/s", 1.0),
    "stride_m": ("stride m", 1.0),
    "cadence_steps_min": ("steps a minute", 1.0),
    "past_limits": ("past limits", 1.0),
}
_STYLE = """body{font:13px/1.4 system-ui,sans-serif;margin:1em;color:#222;background:#fff}
table{border-collapse:collapse}th,td{padding:.25em .4em;text-align:left;vertical-align:bottom}
th{position:sticky;top:0;background:#fff;border-bottom:1px solid #999;font-size:12px}
td:nth-child(2),td:nth-child(3),td[colspan]{overflow-wrap:anywhere;min-width:6em}
td.n{text-align:right;font-variant-numeric:tabular-nums}tbody{border-bottom:1px solid #ddd}
.bad{background:#fde8e4}svg{display:block;max-width:100%}"""
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
    words = ["kind", *_AXES, "status"]
    head = [*words, "tries", "s", "MB", *(called for called, _ in _FIGURES.values())]
    table = [[*_words(cell, record), *_numbers(record)] for cell, record in rows]
    shown = [at for at in range(len(head)) if any(texts[at] for texts in table)]
    lines = [
        (
            '<!DOCTYPE html><html lang="en"><head><meta'
            f' charset="utf-8"><title>{escape(title)}</title><style>{_STYLE}</style></head><body>'
        ),
        f"<h1>{escape(title)}</h1><p>{len(rows)} cells: {told}; {seconds:.0f} s of work.</p><table>",
        f"<thead><tr>{''.join(f'<th>{escape(head[at])}</th>' for at in shown)}</tr></thead>",
    ]
    for (_, record), texts in zip(rows, table, strict=True):
        bad = "" if record.status == DONE and not record.figures.get("past_limits") else ' class="bad"'
        kinds = ["" if at < len(words) else ' class="n"' for at in shown]
        cells = "".join(f"<td{kind}>{escape(texts[at])}</td>" for kind, at in zip(kinds, shown, strict=True))
        seen = f'<td colspan="{len(shown)}">{escape(record.sentence)}{record.picture}</td>'
        lines.append(f"<tbody{bad}><tr>{cells}</tr><tr>{seen}</tr></tbody>")
    lines.append("</table></body></html>")
    write_text(path, "\n".join(lines) + "\n")


def _words(cell: Cell, record: Record) -> list[str]:
    return [cell.kind, *_axes(cell), record.status]


def _numbers(record: Record) -> Iterator[str]:
    yield from (str(record.attempts), _short(record.seconds), _short(record.memory_mb))
    for name, (_, times) in _FIGURES.items():
        value = record.figures.get(name)
        yield _short(times * value) if isinstance(value, int | float) else " ".join(value or ())


def _short(value: float) -> str:
    """Return a number as somebody reads it: three digits at most, none below a hundredth."""
    return f"{value:.{0 if abs(value) >= 100.0 else 1 if abs(value) >= 10.0 else 2}f}"


def _axes(cell: Cell) -> list[str]:
    return [cell.axes.get(axis, "") for axis in _AXES]


def _figures(record: Record) -> Iterator[object]:
    for name in _FIGURES:
        value = record.figures.get(name)
        yield " ".join(value) if isinstance(value, list) else value


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
