"""Which statements a question runs, as it was seen without a fault: only who reaches an open fault is asked,
the quickest first."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from .suites import PACKAGE, REPOSITORY

LEAST_S = 0.2  # of starting any question


@dataclass(frozen=True)
class Run:
    """What one question runs: `statements` `path:line`, of the files `paths`, in so many seconds of the
    processor.

    `is_sure`: neither the package nor the question has changed since, so it runs nothing else of these files.
    """

    seconds: float
    statements: frozenset[str]
    paths: frozenset[str]
    is_sure: bool

    def reaches(self, statements: Iterable[str]) -> bool:
        """Say whether the question may run one of some statements."""
        return any(
            each in self.statements or not (self.is_sure and each.rpartition(":")[0] in self.paths)
            for each in statements
        )


class Reached:
    """What questions run, kept in a file, a row for each; `notes`: questions that are not known for sure are
    noted."""

    def __init__(self, file: Path, notes: bool = False) -> None:
        """Read what is known; of files that have changed since, nothing is."""
        self.file, self.notes = file, notes
        self.runs: dict[str, Run] = {}
        for row in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
            self._take(*json.loads(row))

    def may_reach(self, question: str, statements: Iterable[str]) -> bool:
        """Say whether a question may run one of some statements."""
        run = self.runs.get(question)
        return run is None or run.reaches(statements)

    def wants(self, question: str) -> bool:
        """Say whether a question is to be noted."""
        return self.notes and not (question in self.runs and self.runs[question].is_sure)

    def add(self, question: str, seconds: float, statements: Collection[str], paths: Iterable[str]) -> None:
        """Note which statements of some files a question ran."""
        lines: dict[str, int] = dict.fromkeys(sorted(paths), 0)
        for path, _, line in (each.rpartition(":") for each in statements):
            lines[path] |= 1 << int(line)
        row = [
            question,
            _key(question),
            round(seconds, 2),
            {path: f"{_digest(path)} {bits:x}" for path, bits in lines.items()},
        ]
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with self.file.open("a", encoding="utf-8") as file:
            file.write(f"{json.dumps(row)}\n")
        self._take(*row)

    def nearest(self, waiting: Sequence[str], wanted: Mapping[str, float]) -> str:
        """Return the question to ask next; `wanted`: statements with open faults -> how much each is worth.

        Those that reach most worth in their time come first, then the unknown ones in their order, then those
        known to reach none.
        """
        worth = {name: self._worth(self.runs[name], wanted) for name in waiting if name in self.runs}
        best = max(worth, key=worth.__getitem__, default="")
        if worth.get(best):
            return best
        return next((name for name in waiting if name not in worth), waiting[0])

    def _worth(self, run: Run, wanted: Mapping[str, float]) -> float:
        reached = wanted.keys() & run.statements
        return sum(wanted[statement] for statement in reached) / (
            (LEAST_S + run.seconds) * (1 + len(reached))
        )

    def _take(self, question: str, key: str, seconds: float, files: Mapping[str, str]) -> None:
        known = {
            path: int(row.split()[1], 16) for path, row in files.items() if row.split()[0] == _digest(path)
        }
        statements = {
            f"{path}:{line}"
            for path, bits in known.items()
            for line in range(bits.bit_length())
            if bits >> line & 1
        }
        self.runs[question] = Run(seconds, frozenset(statements), frozenset(known), key == _key(question))


@cache
def _digest(*places: str) -> str:
    """Return a number for the sources of the package's files or folders, '' where one is missing."""
    found = sha256()
    for place in places:
        path = REPOSITORY / PACKAGE / place
        files = [path] if path.is_file() else sorted(path.rglob("*.py"))
        if not files:
            return ""
        for file in files:
            found.update(file.read_bytes())
    return found.hexdigest()[:8]


def _key(question: str) -> str:
    """Return a number for all that decides what a test runs: the package, and its file."""
    return _digest("", f"../{question.partition('::')[0]}")
