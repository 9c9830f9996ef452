"""Reading trajectories of many agents from one file of another program: a table (.csv, .tsv, .txt) or .json.

A table has a row for every agent and moment, and columns `agent` or `id`, `t` (seconds) or `frame`, `x`, `y`
and perhaps `z`, as crowd simulations and trackers write them; units may follow a name, as in `x/m`, and a
comment may tell the frame rate (`#framerate: 25`). Without a header it is one of ETH's or UCY's recordings:
frame, agent, x, y, every 0.4 s. JSON is a list of such rows, `{"agent": 3, "t": 0.5, "x": 1.0, "y": 2.0}`, or
`{"3": [[0.5, 1.0, 2.0], ...]}` with time, x, y, z.
"""

import math
import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import NeuraRigError
from ..files.given_file import content_of
from ..files.json_text import is_finite, parsed

LARGEST_FILE = 32 * 2**20
HEADER = 100  # lines in which the names of columns are looked for
MOST_AGENTS = 5_000
# A table without a header: columns, of those that have heights and speeds too, rows looked at, seconds from
# row to row of an agent.
_BARE, _OBSERVED, _BARE_ROWS, _BARE_SECONDS = 4, 8, 5_000, 0.4
FARTHEST = 1e6  # units, seconds, frames
_COLUMNS = {
    "agent": {
        "agent",
        "id",
        "agent_id",
        "agentid",
        "ped",
        "ped_id",
        "pedestrian",
        "pedestrianid",
        "person",
        "name",
        "track",
        "track_id",
    },
    "t": {"t", "time", "seconds", "sec", "timestamp", "simtime"},
    "frame": {"frame", "fr", "frames", "frame_number"},
    "x": {"x", "pos_x", "x_pos"},
    "y": {"y", "pos_y", "y_pos"},
    "z": {"z", "pos_z", "z_pos"},
}
_NAMES = {name: column for column, names in _COLUMNS.items() for name in names}
_RATE = re.compile(r"#\s*(?:framerate|fps|frame rate)\s*[:=]?\s*([0-9.]{1,12})", re.IGNORECASE)

Row = tuple[str, float, float, float, float]  # agent, time, x, y, z


@dataclass(frozen=True)
class Trajectory:
    """Where an agent is at times: `times` `(n,)`, rising, and `places` `(n, 3)` in units of the file.

    `in_frames`: its times are frames, else seconds.  `lost`: moments without a place, which are left out.
    """

    name: str
    times: np.ndarray
    places: np.ndarray
    in_frames: bool
    lost: int = 0


def read_trajectories(path: str | Path) -> list[Trajectory]:
    """Return the trajectories of a file, by agent in the order of the file.

    Raises NeuraRigError, naming the file and what it lacks, if it is not such a table.
    """
    path = Path(path)
    content = content_of(path, LARGEST_FILE, "export fewer agents, or fewer moments of each")
    rows, in_frames = (
        _from_json(path.name, content) if path.suffix.lower() == ".json" else _from_table(path.name, content)
    )
    moments: dict[str, array[float]] = {}
    lost = Counter[str]()
    for agent, *numbers in rows:
        if any(map(math.isnan, numbers)):
            lost[agent] += 1
            continue
        if not all(abs(value) <= FARTHEST for value in numbers):
            raise NeuraRigError(
                f"'{path.name}' has a number for agent '{agent}' that is not finite or too large; export it"
                " again."
            )
        if agent not in moments and len(moments) == MOST_AGENTS:
            raise NeuraRigError(f"'{path.name}' has more than {MOST_AGENTS} agents; export fewer.")
        moments.setdefault(agent, array("d")).extend(numbers)
    if not moments:
        raise NeuraRigError(f"'{path.name}' has no rows; export it again.")
    return [
        _trajectory(agent, np.array(rows_read).reshape(-1, 4), in_frames, lost[agent])
        for agent, rows_read in moments.items()
    ]


def _trajectory(agent: str, moments: np.ndarray, in_frames: bool, lost: int) -> Trajectory:
    """Return an agent's trajectory from rows of time and place `(n, 4)` in any order; of two at the same time
    the first."""
    times, rows = np.unique(moments[:, 0], return_index=True)
    return Trajectory(agent, times, moments[rows, 1:], in_frames, lost)


def _from_table(name: str, content: bytes) -> tuple[Iterator[Row], bool]:
    """Return the rows of a table, and whether its times are frames."""
    lines = content.decode("utf-8-sig", errors="replace").splitlines()
    rate = 0.0
    for number, line in enumerate(lines[:HEADER]):
        if told := _RATE.match(line):
            rate = _number(told[1]) or 0.0
            continue
        between = next((sign for sign in sorted(",;\t", key=line.count, reverse=True) if sign in line), None)
        cells = _cells(line.lstrip("# \t"), between)
        columns = {column: place for place, cell in enumerate(cells) if (column := _NAMES.get(_plain(cell)))}
        if {"agent", "x", "y"} <= columns.keys() and columns.keys() & {"t", "frame"}:
            in_frames = "t" not in columns and not rate
            return _table_rows(name, lines[number + 1 :], columns, between, rate), in_frames
        bare = _cells(line, between)
        if len(bare) >= _BARE and all(_number(cell) is not None for cell in bare):
            columns, first, step = _bare_columns(lines[number:], between)
            rate = rate or (step / _BARE_SECONDS if step > 1.0 else 0.0)
            return _table_rows(name, lines[number:], columns, between, rate, first), not rate
    raise NeuraRigError(
        f"'{name}' has no columns agent (or id), t (or frame), x and y; name them in its header row."
    )


def _bare_columns(lines: Sequence[str], between: str | None) -> tuple[dict[str, int], float, float]:
    """Return the columns of a table without a header, its first frame, and the frames between an agent's
    rows.

    Frames are where agents go on smoothly.
    """
    read = [[_number(cell) for cell in _cells(line, between)] for line in lines[:_BARE_ROWS]]
    rows = np.array(
        [
            row[:_BARE] + row[_BARE : _BARE + 1] * (len(row) > _BARE)
            for row in read
            if row and None not in row and len(row) == len(read[0])
        ]
    )
    across = 4 if len(read[0]) == _OBSERVED and not rows[:, 3].any() else 3
    columns = []
    for frame, agent in ((0, 1), (1, 0)):
        sorted_rows = rows[np.lexsort((rows[:, frame], rows[:, agent]))]
        goes = np.diff(sorted_rows, axis=0)[np.diff(sorted_rows[:, agent]) == 0.0]
        way = float(np.median(np.hypot(goes[:, 2], goes[:, across]))) if len(goes) else np.inf
        columns.append((way, frame, agent, float(np.median(goes[:, frame])) if len(goes) else 1.0))
    _, frame, agent, step = min(columns)
    return {"frame": frame, "agent": agent, "x": 2, "y": across}, float(rows[:, frame].min()), step


def _table_rows(
    name: str,
    lines: Iterable[str],
    columns: dict[str, int],
    between: str | None,
    rate: float,
    first: float = 0.0,
) -> Iterator[Row]:
    time = columns["t" if "t" in columns else "frame"]
    scale = 1.0 / rate if rate and "t" not in columns else 1.0
    wanted = [time, *(columns[axis] for axis in "xyz" if axis in columns)]
    for line in lines:
        if not line.strip() or line.startswith("#"):
            continue
        cells = _cells(line, between)
        numbers = [_number(cells[column]) if column < len(cells) else None for column in wanted]
        if numbers[0] is not None and any(
            cells[column].lower() == "nan" for column in wanted if column < len(cells)
        ):
            numbers = [numbers[0], *[math.nan] * (len(wanted) - 1)]
        if None in numbers or columns["agent"] >= len(cells):
            raise NeuraRigError(f"'{name}' has a row that is not numbers: '{line[:60]}'. Mend or delete it.")
        when, *place = (value for value in numbers if value is not None)
        yield (
            cells[columns["agent"]][:60].removesuffix(".0"),
            (when - first) * scale,
            place[0],
            place[1],
            place[2] if len(place) > 2 else 0.0,
        )


def _cells(line: str, between: str | None) -> list[str]:
    return [cell.strip().strip("\"'") for cell in line.split(between)]


def _plain(cell: str) -> str:
    """Return the name of a column without its unit: x of `X/m`, `x (m)` and `x[m]`."""
    return re.split(r"[/(\[]", cell.lower(), maxsplit=1)[0].strip().replace(" ", "_")


def _number(cell: str) -> float | None:
    try:
        value = float(cell)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _from_json(name: str, content: bytes) -> tuple[Iterator[Row], bool]:
    """Return the rows of a JSON file, and whether its times are frames."""
    try:
        given = parsed(content)
    except (ValueError, RecursionError) as problem:
        raise NeuraRigError(f"'{name}' is not JSON ({str(problem)[:80]}); export it again.") from None
    given = given.get("agents", given) if isinstance(given, dict) else given
    rows = list(_json_rows(name, given))
    kinds = {is_frame for *_, is_frame in rows}
    if len(kinds) > 1:
        raise NeuraRigError(f"'{name}' has rows with a time and rows with a frame; use one of them.")
    return iter([row for row, _ in rows]), kinds == {True}


def _json_rows(name: str, given: Any) -> Iterator[tuple[Row, bool]]:
    if isinstance(given, dict):
        listed: Iterable[tuple[str | None, Any]] = (
            (agent, row) for agent, rows in given.items() for row in _listed(name, rows)
        )
    else:
        listed = ((None, row) for row in _listed(name, given))
    for agent, row in listed:
        cells: dict[str, Any] = {}
        if isinstance(row, dict):
            cells = {column: value for key, value in row.items() if (column := _NAMES.get(key.lower()))}
        elif isinstance(row, list):
            cells = dict(zip(("t", "x", "y", "z"), row, strict=False))
        who = cells.pop("agent", agent) if agent is None else agent
        is_frame = "t" not in cells
        numbers = [
            cells.get("frame" if is_frame else "t"),
            cells.get("x"),
            cells.get("y"),
            cells.get("z", 0.0),
        ]
        if not isinstance(who, str | int | float) or not all(map(is_finite, numbers)):
            raise NeuraRigError(
                f"'{name}' needs an agent, t (or frame), x and y in each row, not '{str(row)[:60]}'."
            )
        when, x, y, z = (float(value) for value in numbers if value is not None)
        yield (str(who)[:60], when, x, y, z), is_frame


def _listed(name: str, rows: Any) -> Sequence[Any]:
    if not isinstance(rows, list):
        raise NeuraRigError(f"'{name}' needs a list of rows for each agent, not '{str(rows)[:60]}'.")
    return rows
