"""A table of recorded points: its header, which says what each column holds and the frame rate, and its rows.

One row of names (`LeftWrist_x`, `LeftWrist.Y`, `Left Wrist Z`, `LeftWrist_visibility`); names above a row of
`X, Y, Z` as Vicon writes them; names, kinds and axes as Motive does, of which only positions are used; a list
`MARKER_NAMES` above bare numbers, as Qualisys does; or a .trc's or an OpenSim table's own rows. Rows are
converted one by one: a table takes no more memory than its numbers.
"""

import math
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, pairwise

import numpy as np

from ..errors import NeuraRigError
from ..files.given_file import worth

ROWS = 24  # rows searched for the header
_TIME = {"time", "times", "t", "seconds", "time (seconds)", "timestamp", "timestamp_s"}
_AXES = ("x", "y", "z")
_BETWEEN, _OPENING, _CLOSING = " \t\xa0_.:-/", "([", ")]"  # between name and axis, as in `LeftWrist (x)`
_SURE = ("visibility", "vis", "confidence", "conf", "score", "likelihood")
_LISTED = "MARKER_NAMES"
_METRES = {"m": 1.0, "cm": 0.01, "mm": 0.001}
_RATES = {"frequency", "export frame rate", "frame rate", "fps"}


@dataclass(frozen=True)
class Header:
    """What each column holds.

    `points`: name -> columns of x, y and z. `seconds`: the column of times, or None. `confidence`: name ->
    column of confidence.
    `fps`: frame rate in the header, 0 if none. `has_begun`: the last row read already holds numbers. `metres`
    per unit, None if untold.
    """

    points: dict[str, list[int]]
    seconds: int | None = None
    confidence: dict[str, int] = field(default_factory=dict)
    fps: float = 0.0
    has_begun: bool = False
    metres: float | None = None

    @classmethod
    def of(cls, read: list[list[str]]) -> "Header | None":
        """Return the header that the last row read completes, with the rows before it; None if it does
        not."""
        row = read[-1]
        if read[0][:1] == ["PathFileType"]:
            return cls._of_trc(read) if len(read) > 3 and read[-2][:1] == ["Frame#"] else None
        if row[:1] == ["time"] and any("DataType=Vec3" in cell for above in read for cell in above):
            return cls({name: _three(column, 1) for column, name in enumerate(row[1:])}, 0)
        listed = next((above for above in read[:-1] if above and above[0] == _LISTED), None)
        if listed is not None and _is_of_numbers(row):
            return cls._of_list([name for name in listed[1:] if name], row, _rate(read[:-1]))
        parts = _under_names(read) if len(read) > 1 and _names_axes(row) else _from_one_row(row)
        points: dict[str, list[int]] = {}
        for name, axis, column in parts:
            points.setdefault(name, [-1] * 3)["xyz".index(axis.lower())] = column
        whole = {name: columns for name, columns in points.items() if min(columns) >= 0}
        if not whole:
            return None
        seconds = next((column for column, cell in enumerate(row) if cell.lower() in _TIME), None)
        sure = {
            name: column for column, cell in enumerate(row) if (name := _before_confidence(cell)) in whole
        }
        return cls(whole, seconds, sure, _rate(read))

    @classmethod
    def _of_trc(cls, read: list[list[str]]) -> "Header":
        """Return the header of a .trc: a row of words, one of their values, and the names, each over the
        first of its columns."""
        told = dict(zip(read[1], read[2], strict=False))
        points = {name: _three(place, 2) for place, name in enumerate(name for name in read[-2][2:] if name)}
        rate = told.get("DataRate", "")
        return cls(
            points, 1, fps=float(rate) if _is_number(rate) else 0.0, metres=_METRES.get(told.get("Units", ""))
        )

    @classmethod
    def _of_list(cls, names: list[str], row: list[str], fps: float) -> "Header | None":
        """Return the header of listed names above bare numbers, which may begin with frame and time."""
        width = len(row) if row[-1] else len(row) - 1  # lines may end in a tab
        first = width - 3 * len(names)
        if first < 0:
            return None
        points = {name: _three(place, first) for place, name in enumerate(names)}
        return cls(points, fps=fps, has_begun=True)


def _three(place: int, first: int) -> list[int]:
    """Return the columns of x, y and z of the point at a place, where points begin with a column."""
    return [first + 3 * place + axis for axis in range(3)]


def _names_axes(row: list[str]) -> bool:
    return sum(cell.lower() in _AXES for cell in row) >= 3


def _under_names(read: list[list[str]]) -> Iterator[tuple[str, str, int]]:
    """Yield (point, axis, column) for a row of axes under a row of names, with a name over the first of its
    columns or over all."""
    axes, above = read[-1], read[-2]
    kinds = [cell.lower() for cell in above] if any(cell.lower() == "position" for cell in above) else []
    titled = [row for row in read[:-1] if "Name" in row[:2]]
    names = titled[-1] if titled else above
    name = ""
    for column, axis in enumerate(axes):
        name = (names[column] if column < len(names) else "") or name
        if axis.lower() in _AXES and (not kinds or (column < len(kinds) and kinds[column] == "position")):
            yield name or f"point {column // 3}", axis, column


def _from_one_row(row: list[str]) -> Iterator[tuple[str, str, int]]:
    for column, cell in enumerate(row):
        name, axis = _before_axis(cell)
        if name and cell.lower() not in _TIME:
            yield name, axis, column


def _before_axis(cell: str) -> tuple[str, str]:
    """Return the point's name and the axis at the end of a cell (`LeftWrist_x`, `Left Wrist [X]`); an empty
    name if there is none."""
    bare = cell[:-1] if cell[-1:] in _CLOSING else cell
    if bare[-1:].lower() not in _AXES:
        return "", ""
    stem = bare[:-2] if bare[-3:-1] == "_t" else bare[:-1]  # OpenSim's translations
    return _before(stem, _BETWEEN + _OPENING), bare[-1]


def _before_confidence(cell: str) -> str:
    """Return the point's name before a word for confidence (`LeftWrist_visibility`), empty if there is
    none."""
    stem = next((cell[: -len(word)] for word in _SURE if cell[-len(word) :].lower() == word), "")
    name = _before(stem, _BETWEEN)
    return name if name != stem else ""


def _before(text: str, signs: str) -> str:
    """Return a text without the signs at its end, keeping at least its first character."""
    return text[:1] + text[1:].rstrip(signs)


def _rate(read: list[list[str]]) -> float:
    """Return the frame rate from the rows above the numbers: beside a word for it, or alone in the second row
    as Vicon writes it."""
    for row in read:
        for word, value in pairwise(row):
            if word.lower() in _RATES and _is_number(value):
                return float(value)
    second = [cell for cell in read[1] if cell] if len(read) > 2 else []
    return float(second[0]) if len(second) == 1 and _is_number(second[0]) else 0.0


def _is_of_numbers(row: list[str]) -> bool:
    return any(row) and all(not cell or _is_number(cell) for cell in row)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


_NUMBER_BYTES = 8


def read_rows(name: str, rows: Iterable[list[str]], columns: list[int], size: int) -> np.ndarray:
    """Return some columns of a table's first section `(f, columns)`, NaN for empty and missing cells.

    `name` and `size` in bytes are the file's; raises NeuraRigError, naming file and row, for a cell that is
    not a number, and if rows lack so many cells that a small file would become a large table.
    """
    found = array("d")
    most = worth(size) // _NUMBER_BYTES
    for number, row in enumerate(_of_numbers(_of_first_section(rows), columns), 1):
        try:
            found.extend(
                [
                    float(cell) if column < len(row) and (cell := row[column].strip()) else math.nan
                    for column in columns
                ]
            )
        except ValueError as problem:
            raise NeuraRigError(
                f"'{name}' has a cell that is not a number in row {number} of its points ({problem})."
            ) from None
        if len(found) > most:
            raise NeuraRigError(
                f"'{name}' has rows that lack most of its {len(columns)} columns; export it again with all of"
                " them."
            )
    return np.frombuffer(found, dtype=float).reshape(-1, len(columns))


def cells_of(lines: Iterable[str]) -> Iterator[list[str]]:
    """Yield the rows of an OpenSim table or a .trc: cells between tabs or blanks, those of three numbers
    apart."""
    for line in lines:
        row = line.rstrip("\r\n").split("\t") if "\t" in line else line.split()
        yield [part.strip() for cell in row for part in cell.split(",")]


def rate_of(times: np.ndarray) -> float:
    """Return the frame rate from a column of times, 0 if it gives none; raises NeuraRigError if all rows have
    the same time."""
    known = np.flatnonzero(np.isfinite(times))
    span = times[known[-1]] - times[known[0]] if len(known) > 1 else 0.0
    if len(known) > 2 and span <= 0.0:
        raise NeuraRigError(
            f"All rows have the time {times[known[0]]:g}. Export the table with the seconds of each, or"
            " without a time."
        )
    return float((known[-1] - known[0]) / span) if span > 0.0 else 0.0


def _of_numbers(rows: Iterator[list[str]], columns: list[int]) -> Iterator[list[str]]:
    """Return the rows, without a first row of units."""
    first = next(rows, None)
    return rows if first is None or not _holds_numbers(first, columns) else chain([first], rows)


def _of_first_section(rows: Iterable[list[str]]) -> Iterator[list[str]]:
    """Yield the rows that are not empty, up to the title of another table below."""
    count = 0
    for row in rows:
        filled = [cell for cell in row if cell.strip()]
        if len(filled) == 1 and count > 1 and filled[0].strip()[:1].isalpha():
            return
        if filled:
            count += 1
            yield row


def _holds_numbers(row: list[str], columns: list[int]) -> bool:
    """Return whether a row holds numbers; an empty row, with no point seen, counts too."""
    cells = [row[column].strip() for column in columns if column < len(row)]
    return not any(cells) or any(
        cell[:1].isdigit() or cell[:1] in "+-." or cell.lower() in ("nan", "inf") for cell in cells if cell
    )
