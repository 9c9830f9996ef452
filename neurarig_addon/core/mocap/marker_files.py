"""Reading recorded points from .c3d, .trc, .sto, .mot, .csv, .tsv, .npz, .npy and OpenPose's .json files.

A table has one row per frame and three columns per point; `marker_header` reads the headers of capture
systems and trackers. A
column `time` (seconds) or `frame` is not a point. A point counts as unseen if a cell is empty, if it is three
zeros but elsewhere in
other frames, or if its confidence or visibility is low.

Optical systems write .c3d (`c3d_file`). An .npz has `names` `(n,)` and `positions` `(f, n, 3)`, and may have
`fps`; an .npy, or an
.npz without names, has the points of a known tracker (`unnamed_points`).
"""

import csv
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TextIO

import numpy as np

from ..errors import NeuraRigError
from ..files.given_file import reading, size_of
from ..files.npz_file import UnfitError, array_names, read_array, read_arrays
from .c3d_file import read_c3d
from .joint_angles import has_angles
from .landmarks import named
from .marker_table import ROWS, Header, cells_of, rate_of, read_rows
from .markers import FARTHEST, MOST_MARKERS, Markers, are_blank, are_seen
from .openpose_files import read_openpose

LARGEST_FILE = 1024 * 2**20
LEAST_SURE = 0.3  # confidence below which a tracker's point counts as unseen
_OPENSIM = (".trc", ".sto", ".mot")
_FILES = (".npz", ".npy", ".c3d", ".csv", ".tsv", ".txt", *_OPENSIM)
_POINT_KEYS = ("positions", "points", "places", "xyz")


def read_markers(path: str | Path) -> Markers:
    """Return the points of a file; raises NeuraRigError, naming file and column, if it is damaged or not
    one."""
    path = Path(path)
    try:
        with reading(path):
            if path.suffix.lower() == ".json" or (path.suffix.lower() not in _FILES and path.is_dir()):
                return read_openpose(path)
            size = size_of(path, LARGEST_FILE)
            if path.suffix.lower() in (".npz", ".npy"):
                return _read_arrays(path)
            if path.suffix.lower() == ".c3d":
                return read_c3d(path)
            with path.open(newline="", encoding="utf-8-sig", errors="replace") as lines:
                return _read_csv(path, lines, size)
    except csv.Error as problem:
        raise NeuraRigError(
            f"'{path.name}' is not a table of points ({problem}); export it again."
        ) from problem


def _read_arrays(path: Path) -> Markers:
    try:
        stored = (
            {_POINT_KEYS[0]: read_array(path)}
            if path.suffix.lower() == ".npy"
            else read_arrays(path, ("names", "fps", *_POINT_KEYS))
        )
        key = next((key for key in _POINT_KEYS if key in stored), None)
        if key is None:
            raise NeuraRigError(
                f"'{path.name}' has no 'positions'; it holds"
                f" {', '.join(array_names(path)[:20]) or 'nothing'}."
            )
        unfit = UnfitError(
            f"it needs positions that are numbers, and at most {MOST_MARKERS} names, which are text"
        )
        if stored[key].dtype.kind not in "fiub":
            raise unfit
        places = stored[key].astype(float)
        places = np.where(np.abs(places) < FARTHEST, places, np.nan)
        if "names" not in stored:
            names, places = named(places)
        elif stored["names"].dtype.kind not in "US" or stored["names"].size > MOST_MARKERS:
            raise unfit
        else:
            names = stored["names"].astype(str).ravel().tolist()
        rate = float(stored["fps"].item()) if "fps" in stored else 0.0
    except (UnfitError, ValueError) as problem:
        raise NeuraRigError(
            f"'{path.name}' is not a valid point file: {problem}. Save it with numbers and text only."
        ) from problem
    return Markers(path.stem, rate, tuple(names), places)


def _read_csv(path: Path, lines: TextIO, size: int) -> Markers:
    sample = lines.read(4096)
    lines.seek(0)
    is_opensim = path.suffix.lower() in _OPENSIM
    rows = cells_of(lines) if is_opensim else csv.reader(lines, delimiter=max(",;\t", key=sample.count))
    read: list[list[str]] = []
    for row in rows:
        read.append([cell.strip() for cell in row])
        if is_opensim and has_angles(read[-1]):
            raise NeuraRigError(f"'{path.name}' holds angles of joints, no points. Use Retarget for it.")
        header = Header.of(read)
        if header and header.points:
            if len(header.points) > MOST_MARKERS:
                raise NeuraRigError(f"'{path.name}' has more than {MOST_MARKERS} points; export fewer.")
            found = _markers(
                path,
                header,
                read_rows(path.name, chain([row] if header.has_begun else [], rows), _columns(header), size),
            )
            return replace(found, metres=header.metres, up="y" if is_opensim else None)
        if header or len(read) > ROWS:
            break
    raise NeuraRigError(
        f"'{path.name}' has no columns named as points (such as 'Head_x, Head_y, Head_z'); name them in its"
        " header row."
    )


def _columns(header: Header) -> list[int]:
    """Return the columns that are read: x, y and z of every point, then confidences, then the times, if there
    are any."""
    places = [column for three in header.points.values() for column in three]
    return [*places, *header.confidence.values(), *([] if header.seconds is None else [header.seconds])]


def _markers(path: Path, header: Header, table: np.ndarray) -> Markers:
    """Return the points from the table `(f, n)` of the columns of `_columns`."""
    names = list(header.points)
    sure = table[:, 3 * len(names) :]
    places = table[:, : 3 * len(names)].reshape(-1, len(names), 3)
    places[~are_seen(places)] = np.nan
    places[are_blank(places)] = np.nan
    rows = {name: row for row, name in enumerate(names)}
    for column, name in enumerate(header.confidence):
        places[sure[:, column] < LEAST_SURE, rows[name]] = np.nan
    return Markers(
        path.stem, header.fps if header.seconds is None else rate_of(table[:, -1]), tuple(names), places
    )
