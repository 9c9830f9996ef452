"""Which functions a question runs, as it was seen without a fault: who is known to reach an open fault is asked before others."""

import json
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType

from .trials import PACKAGE

LEAST_S = 0.2  # of starting any question


class Reached:
    """Functions `path::name` by question, and the seconds of the processor it takes; kept in a file, a row for each question.

    It may be of an older tree: it gives an order, and leaves nobody out.  Noting takes as long again as the question.
    """

    def __init__(self, file: Path, notes: bool) -> None:
        """`notes`: questions that are not known yet are noted."""
        self.file, self.notes = file, notes
        self.functions: dict[str, frozenset[str]] = {}
        self.seconds: dict[str, float] = {}
        for row in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
            question, seconds, functions = json.loads(row)
            self._take(question, seconds, functions)

    @contextmanager
    def noted(self, question: str) -> Iterator[None]:
        """Note what is called meanwhile, if that is wanted and not known; `add` keeps it."""
        codes: set[CodeType] = set()

        def called(frame: FrameType, _event: str, _argument: object) -> None:
            codes.add(frame.f_code)  # of a function that begins; lines and returns are not asked for

        if question in self.functions or not self.notes:
            yield
            return
        before = sys.gettrace()
        sys.settrace(called)
        try:
            yield
        finally:
            sys.settrace(before)
            ours = [(code.co_filename.partition(f"/{PACKAGE}/")[2], code.co_qualname) for code in codes]
            self.functions[question] = frozenset(f"{path}::{name}" for path, name in ours if path)

    def add(self, question: str, seconds: float) -> None:
        """Keep what was noted of a question that took so long."""
        if question in self.functions and question not in self.seconds:
            row = [question, round(seconds, 2), sorted(self.functions[question])]
            with self.file.open("a", encoding="utf-8") as file:
                file.write(f"{json.dumps(row)}\n")
            self._take(*row)

    def nearest(self, waiting: Sequence[str], wanted: Mapping[str, float]) -> str:
        """Return the question to ask next; `wanted`: functions with open faults -> how much each is worth.

        Those that reach most worth in their time come first, then the unknown ones in their order, then those known to reach none.
        """
        worth = {name: self._worth(name, wanted) for name in waiting if name in self.seconds}
        best = max(worth, key=worth.__getitem__, default="")
        if worth.get(best):
            return best
        return next((name for name in waiting if name not in worth), waiting[0])

    def _worth(self, question: str, wanted: Mapping[str, float]) -> float:
        reached = wanted.keys() & self.functions[question]
        return sum(wanted[function] for function in reached) / ((LEAST_S + self.seconds[question]) * (1 + len(reached)))

    def _take(self, question: str, seconds: float, functions: Collection[str]) -> None:
        self.functions[question], self.seconds[question] = frozenset(functions), seconds
