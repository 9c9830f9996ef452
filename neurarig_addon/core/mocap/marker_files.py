"""Reading recorded points from .c3d, .csv, .tsv and .npz files.

A table has one row for each frame and three columns for each point; `marker_header` knows the heads that capture systems and trackers give
it.  A column `time` (seconds) or `frame` is not a point.  An empty cell is a point that was not seen, and so are three zeros of a point
that is elsewhere in other frames, and one of whose confidence or visibility little is left.

A .c3d is what optical systems write (`c3d_file`).  An .npz has `names` `(n,)` and `positions` `(f, n, 3)`, and may have `fps`.
"""

import csv
import math
from pathlib import Path
from typing import TextIO

import numpy as np

from ..errors import NeuraRigError
from ..npz_file import UnfitError, array_names, read_arrays
from .c3d_file import read_c3d
from .marker_header import ROWS, Header
from .markers import FARTHEST, MOST_MARKERS, Markers, are_blank, are_seen

LARGEST_FILE = 1024 * 2**20
LEAST_SURE = 0.3  # confidence below which a tracker's point is taken as not seen
_POINT_KEYS = ("positions", "points", "places", "xyz")


def read_markers(path: str | Path) -> Markers:
    """Return the points of a .c3d, .csv, .tsv or .npz file; raises NeuraRigError, naming file and column, where it is damaged or none."""
    path = Path(path)
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise NeuraRigError(f"'{path.name}' is larger than {LARGEST_FILE // 2**20} MB; cut it into shorter clips.")
        if path.suffix.lower() == ".npz":
            return _read_npz(path)
        if path.suffix.lower() == ".c3d":
            return read_c3d(path)
        with path.open(newline="", encoding="utf-8-sig", errors="replace") as lines:
            return _read_csv(path, lines)
    except csv.Error as problem:
        raise NeuraRigError(f"'{path.name}' is no table of points ({problem}); export it again.") from problem
    except OSError as problem:
        raise NeuraRigError(f"'{path}' cannot be read: {problem.strerror or problem}.") from problem


def _read_npz(path: Path) -> Markers:
    try:
        stored = read_arrays(path, ("names", "fps", *_POINT_KEYS))
        key = next((key for key in _POINT_KEYS if key in stored), None)
        if key is None or "names" not in stored:
            raise NeuraRigError(f"'{path.name}' has no 'names' and 'positions'; it holds {', '.join(array_names(path)[:20]) or 'nothing'}.")
        names = tuple(stored["names"].astype(str).ravel().tolist())
        places = stored[key].astype(float)
        rate = float(stored["fps"].item()) if "fps" in stored else 0.0
    except (UnfitError, ValueError) as problem:
        raise NeuraRigError(f"'{path.name}' is no .npz of points: {problem}; write it again, of numbers and words alone.") from problem
    return Markers(path.stem, rate, names, np.where(np.abs(places) < FARTHEST, places, np.nan))


def _read_csv(path: Path, lines: TextIO) -> Markers:
    sample = lines.read(4096)
    lines.seek(0)
    rows = csv.reader(lines, delimiter=max(",;\t", key=sample.count))
    read: list[list[str]] = []
    for row in rows:
        read.append([cell.strip() for cell in row])
        header = Header.of(read)
        if header:
            return _markers(path, header, _of_first_section([row, *rows] if header.has_begun else list(rows)))
        if len(read) > ROWS:
            break
    raise NeuraRigError(f"'{path.name}' has no columns named as points (such as 'Head_x, Head_y, Head_z'); name them in its header row.")


def _of_first_section(rows: list[list[str]]) -> list[list[str]]:
    """Return rows up to the title of another table below; empty ones are left out."""
    found = []
    for row in rows:
        filled = [cell for cell in row if cell.strip()]
        if len(filled) == 1 and len(found) > 1 and filled[0].strip()[:1].isalpha():
            break
        if filled:
            found.append(row)
    return found


def _markers(path: Path, header: Header, rows: list[list[str]]) -> Markers:
    points = header.points
    if len(points) > MOST_MARKERS:
        raise NeuraRigError(f"'{path.name}' has more than {MOST_MARKERS} points; export fewer.")
    if rows and not _holds_numbers(rows[0], header):
        rows = rows[1:]  # a row of units
    columns = [column for three in points.values() for column in three]
    table = np.array([_numbers(path, number, row, columns) for number, row in enumerate(rows, 1)]).reshape(len(rows), len(points), 3)
    table[~are_seen(table)] = np.nan
    table[are_blank(table)] = np.nan
    for name, column in header.confidence.items():
        sure = np.array([_numbers(path, number, row, [column])[0] for number, row in enumerate(rows, 1)])
        table[sure < LEAST_SURE, list(points).index(name)] = np.nan
    rate = header.fps if header.seconds is None else _rate(path, rows, header.seconds)
    return Markers(path.stem, rate, tuple(points), table)


def _numbers(path: Path, number: int, row: list[str], columns: list[int]) -> list[float]:
    """Return some cells of a row as numbers, NaN for an empty or missing one."""
    try:
        return [float(cell) if column < len(row) and (cell := row[column].strip()) else math.nan for column in columns]
    except ValueError as problem:
        raise NeuraRigError(f"'{path.name}' has a cell that is no number in row {number} of its points ({problem}).") from None


def _holds_numbers(row: list[str], header: Header) -> bool:
    """Say whether a row holds numbers; one of nothing, in which no point was seen, counts as well."""
    cells = [row[column].strip() for columns in header.points.values() for column in columns if column < len(row)]
    return not any(cells) or any(cell[:1].isdigit() or cell[:1] in "+-." or cell.lower() in ("nan", "inf") for cell in cells if cell)


def _rate(path: Path, rows: list[list[str]], seconds: int) -> float:
    """Return the frames a second that a column of times tells, 0 where it tells none."""
    times = np.array([_numbers(path, number, row, [seconds])[0] for number, row in enumerate(rows, 1)])
    known = np.flatnonzero(np.isfinite(times))
    span = times[known[-1]] - times[known[0]] if len(known) > 1 else 0.0
    return float((known[-1] - known[0]) / span) if span > 0.0 else 0.0
