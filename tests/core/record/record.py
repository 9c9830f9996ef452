"""The record itself: a file of a few numbers for each scenario."""

import json
from collections.abc import Mapping
from pathlib import Path

from tests.core.record.condensed import Answer, condensed

FILE = Path(__file__).with_name("record.json")
DIGITS = 11  # of a number that are kept
SAME = 1e-7  # of the size of what is added up
SAME_IN_SINGLES = 2e-5  # where it is worked out in singles, of which numpy and the processor decide the last digits, or step by step
IN_SINGLES = ("poses", "points")
Record = dict[str, dict[str, tuple[float, float]]]


def read(file: Path = FILE) -> Record:
    """Return a record: scenario -> part -> weighted sum, size."""
    return json.loads(file.read_text(encoding="utf-8"))


def differences(name: str, answer: Answer, was: dict[str, tuple[float, float]]) -> list[str]:
    """Return what of a scenario's answer is not as recorded, each in a line."""
    return compared(condensed(answer), was, SAME_IN_SINGLES if name.partition(":")[0] in IN_SINGLES else SAME)


def compared(now: Mapping[str, tuple[float, float]], was: Mapping[str, tuple[float, float]], same: float) -> list[str]:
    """Return which parts are not as recorded, by more than a share of their size, each in a line."""
    found = [f"{part}: is in {'the record' if part in was else 'the answer'} alone" for part in sorted(now.keys() ^ was.keys())]
    for part in sorted(now.keys() & was.keys()):
        (total, size), (recorded, recorded_size) = now[part], was[part]
        off = max(abs(total - recorded), abs(size - recorded_size)) / max(recorded_size, 1e-12)
        if not off < same:
            found.append(f"{part}: {total:.9g} and not {recorded:.9g}, {off:.1e} of its size")
    return found


def write(record: Record, file: Path = FILE) -> None:
    """Write a record, a line for each scenario."""
    rows = [
        f"{json.dumps(name)}: {json.dumps({part: [_short(v) for v in pair] for part, pair in record[name].items()})}" for name in record
    ]
    file.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")


def _short(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")
