"""Tells how a batch comes along: a bar on a terminal, a line a cell elsewhere."""

from time import monotonic
from typing import TextIO

from .cell import Cell
from .records import DONE, Record

_BAR = 30  # characters
_WIDTH = 100  # of a line on a terminal
_CLEAR = "\r\x1b[K"


class Progress:
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
