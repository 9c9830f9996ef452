"""The speed table: rows of what was measured against what must be reached."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from time import thread_time


@dataclass(frozen=True)
class Row:
    """One line: `value` has to be at most `limit`, or at least where `at_least`."""

    what: str
    value: float
    limit: float
    unit: str
    at_least: bool = False
    note: str = ""

    @property
    def passed(self) -> bool:
        """Say whether the figure is reached."""
        return self.value >= self.limit if self.at_least else self.value <= self.limit


def print_table(rows: list[Row]) -> None:
    """Print the rows, and at the end how many figures are reached."""
    width = max(len(row.what) for row in rows)
    for row in rows:
        sign = ">=" if row.at_least else "<="
        figures = f"{row.value:10.4g} {row.unit:4s} must be {sign} {row.limit:<7.4g}"
        print(f"{row.what:{width}s} {figures} {'ok  ' if row.passed else 'MISS'} {row.note}".rstrip())
    print(f"{sum(row.passed for row in rows)} of {len(rows)} figures reached")


def best_of(function: Callable[[], object], repeats: int = 7) -> float:
    """Return the shortest of some runs in seconds of the processor's, after one to warm up: on a busy machine
    others, and the longer runs, measure what else runs there."""
    function()
    times = []
    for _ in range(repeats):
        start = thread_time()
        function()
        times.append(thread_time() - start)
    return min(times)


def save(rows: list[Row], path: Path) -> None:
    """Write rows to a JSON file, for another Python to go on with."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps([asdict(row) for row in rows], indent=2) + "\n", encoding="utf-8")


def load(path: Path) -> list[Row]:
    """Return the rows of a JSON file."""
    return [Row(**row) for row in json.loads(path.read_text(encoding="utf-8"))]
