"""Reading recorded points from .csv and .npz files.

A .csv has one row for each frame and three columns for each point, in one of two forms: one header row with the names of the columns
(`LeftWrist_x`, `LeftWrist.Y`, `Left Wrist Z` ...), or a row of point names above a row of `X, Y, Z, X, Y, Z ...`, as capture systems export
trajectories.  A column `time` (seconds) or `frame` is not a point.  An empty cell is a point that was not seen.

An .npz has `names` `(n,)` and `positions` `(f, n, 3)`, and may have `fps`.
"""

import csv
import math
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import numpy as np

from ..errors import NeuraRigError
from .markers import MOST_MARKERS, Markers

LARGEST_FILE = 1024 * 2**20
HEADER_ROWS = 12  # within so many rows the header is found
_AXIS = re.compile(r"^(?P<name>.+?)[\s_.:\-/(\[]*(?P<axis>[xyzXYZ])[)\]]?$")
_POINT_KEYS = ("positions", "points", "places", "xyz")
_TIME = {"time", "times", "t", "seconds", "time (seconds)", "timestamp", "timestamp_s"}
_AXES = ("x", "y", "z")


def read_markers(path: str | Path) -> Markers:
    """Return the points of a .csv or .npz file; raises NeuraRigError, naming file and column, where it is none or is damaged."""
    path = Path(path)
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise NeuraRigError(f"'{path.name}' is larger than {LARGEST_FILE // 2**20} MB; cut it into shorter clips.")
        if path.suffix.lower() == ".npz":
            return _read_npz(path)
        with path.open(newline="", encoding="utf-8-sig", errors="replace") as lines:
            return _read_csv(path, lines)
    except OSError as problem:
        raise NeuraRigError(f"'{path}' cannot be read: {problem.strerror or problem}.") from problem


def _read_npz(path: Path) -> Markers:
    try:
        with np.load(path, allow_pickle=False) as stored:
            key = next((key for key in _POINT_KEYS if key in stored), None)
            if key is None or "names" not in stored:
                raise NeuraRigError(f"'{path.name}' has no 'names' and 'positions'; it holds {', '.join(stored.files) or 'nothing'}.")
            names = tuple(str(name) for name in np.ravel(stored["names"]))
            places = np.array(stored[key], dtype=float)
            rate = float(stored["fps"]) if "fps" in stored else 0.0
    except (ValueError, TypeError, KeyError, zipfile.BadZipFile) as problem:
        raise NeuraRigError(f"'{path.name}' is no .npz of points ({problem}); write it again without pickled objects.") from problem
    return Markers(path.stem, rate, names, np.where(np.isfinite(places), places, np.nan))


def _read_csv(path: Path, lines: TextIO) -> Markers:
    sample = lines.read(4096)
    lines.seek(0)
    rows = csv.reader(lines, delimiter=max(",;\t", key=sample.count))
    read: list[list[str]] = []
    for row in rows:
        read.append([cell.strip() for cell in row])
        header = _Header.of(read)
        if header:
            return _markers(path, header, [cells for cells in rows if any(cell.strip() for cell in cells)])
        if len(read) > HEADER_ROWS:
            break
    raise NeuraRigError(f"'{path.name}' has no columns named as points (such as 'Head_x, Head_y, Head_z'); name them in its header row.")


@dataclass(frozen=True)
class _Header:
    """Which columns hold what: point name -> columns of x, y and z; the column of seconds, or None."""

    points: dict[str, list[int]]
    seconds: int | None

    @classmethod
    def of(cls, read: list[list[str]]) -> "_Header | None":
        """Return the header that the last row read is, under those before it; None where it is none."""
        row = read[-1]
        parts = _from_two_rows(read[-2], row) if len(read) > 1 and _names_axes(row) else _from_one_row(row)
        points: dict[str, list[int]] = {}
        for name, axis, column in parts:
            points.setdefault(name, [-1] * 3)["xyz".index(axis.lower())] = column
        whole = {name: columns for name, columns in points.items() if min(columns) >= 0}
        seconds = next((column for column, cell in enumerate(row) if cell.lower() in _TIME), None)
        return cls(whole, seconds) if whole else None


def _names_axes(row: list[str]) -> bool:
    return sum(cell.lower() in _AXES for cell in row) >= 3


def _from_two_rows(names: list[str], axes: list[str]) -> Iterator[tuple[str, str, int]]:
    """Yield (point, axis, column) of a row of axes below one of names, in which a name stands over the first of its columns."""
    name = ""
    for column, axis in enumerate(axes):
        name = (names[column] if column < len(names) else "") or name
        if axis.lower() in _AXES:
            yield name or f"point {column // 3}", axis, column


def _from_one_row(row: list[str]) -> Iterator[tuple[str, str, int]]:
    for column, cell in enumerate(row):
        found = _AXIS.match(cell)
        if found and cell.lower() not in _TIME:
            yield found["name"], found["axis"], column


def _markers(path: Path, header: _Header, rows: list[list[str]]) -> Markers:
    points = header.points
    if len(points) > MOST_MARKERS:
        raise NeuraRigError(f"'{path.name}' has more than {MOST_MARKERS} points; export fewer.")
    if rows and not _holds_numbers(rows[0], header):
        rows = rows[1:]  # a row of units
    columns = [column for three in points.values() for column in three]
    table = np.array([_numbers(path, number, row, columns) for number, row in enumerate(rows, 1)]).reshape(len(rows), -1, 3)
    table[~np.isfinite(table).all(axis=-1)] = np.nan
    rate = 0.0 if header.seconds is None else _rate(path, rows, header.seconds)
    return Markers(path.stem, rate, tuple(points), table)


def _numbers(path: Path, number: int, row: list[str], columns: list[int]) -> list[float]:
    """Return some cells of a row as numbers, NaN for an empty or missing one."""
    try:
        return [float(cell) if column < len(row) and (cell := row[column].strip()) else math.nan for column in columns]
    except ValueError as problem:
        raise NeuraRigError(f"'{path.name}' has a cell that is no number in row {number} of its points ({problem}).") from None


def _holds_numbers(row: list[str], header: _Header) -> bool:
    """Say whether a row holds numbers; one of nothing, in which no point was seen, counts as well."""
    cells = [row[column].strip() for columns in header.points.values() for column in columns if column < len(row)]
    return not any(cells) or any(cell[:1].isdigit() or cell[:1] in "+-." or cell.lower() in ("nan", "inf") for cell in cells if cell)


def _rate(path: Path, rows: list[list[str]], seconds: int) -> float:
    """Return the frames a second that a column of times tells, 0 where it tells none."""
    times = np.array([_numbers(path, number, row, [seconds])[0] for number, row in enumerate(rows, 1)])
    known = np.flatnonzero(np.isfinite(times))
    span = times[known[-1]] - times[known[0]] if len(known) > 1 else 0.0
    return float((known[-1] - known[0]) / span) if span > 0.0 else 0.0
