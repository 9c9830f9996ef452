"""Faults drawn from rooms of the package."""

import random
from pathlib import Path

from .faults import Fault, faults_of
from .suites import ROOT

EQUIVALENT = Path(__file__).with_name("equivalent.txt")


def drawn(rooms: list[str], count: int, seed: int) -> list[tuple[str, Fault]]:
    """Return `count` faults with the files they belong into, each line as likely as any other; and all faults
    of lines that are named."""
    known, draw = equivalent(), random.Random(seed)
    sources: dict[str, bytes] = {}
    by_line: dict[tuple[str, int], list[Fault]] = {}
    named: list[tuple[str, int]] = []
    for room in rooms:
        place, _, line = room.partition(":")
        for file in files_of(place):
            path = file.relative_to(ROOT).as_posix()
            if path in sources:
                continue  # of a file of which two lines are named
            sources[path] = file.read_bytes()
            for fault in faults_of(sources[path]):
                by_line.setdefault((path, fault.line), []).append(fault)
        named += [(place, int(line))] if line else []

    def counts(path: str, fault: Fault) -> bool:
        return fault.is_python(sources[path]) and (path, *fault.shown(sources[path])) not in known

    found = [(path, fault) for path, line in named for fault in by_line[path, line] if counts(path, fault)]
    anywhere = sorted(line for line in by_line if line[0] not in dict(named))
    for path, line in draw.sample(anywhere, len(anywhere)):
        if len(found) >= count:
            break
        faults = draw.sample(by_line[path, line], len(by_line[path, line]))
        found += [(path, fault) for fault in faults if counts(path, fault)][:1]
    return found


def files_of(place: str) -> list[Path]:
    """Return the files of a room, or the file itself."""
    return [ROOT / place] if place.endswith(".py") else sorted((ROOT / place).rglob("*.py"))


def equivalent() -> set[tuple[str, str, str]]:
    """Return the faults that change nothing: file, line as it was, line as it would be."""
    paragraphs = (
        part.splitlines()
        for part in EQUIVALENT.read_text(encoding="utf-8").split("\n\n")
        if part.strip() and part[0] != "#"
    )
    return {(path, was.removeprefix("- "), now.removeprefix("+ ")) for path, was, now, *_ in paragraphs}
