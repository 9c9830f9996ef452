"""What is asked about drawn faults, question by question, and what became of them; kept in a file, as a fault
may end the process."""

import faulthandler
import json
import os
import signal
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .planted import Planted
from .reached import Reached
from .suites import processor_seconds

Question = Callable[[], str]  # '' where all is as it should be, otherwise what is not
# seconds of the processor that a question may take, and so many times what it took without a fault
LATE_S, TIMES = 20.0, 6.0
AGAIN_S = 1.0  # whoever swallows the first interruption, as Blender does in a callback, is interrupted again
STUCK = 4.0  # so many times the limit, on the clock, end a process that no interruption reaches: a loop in C
UNSOUND = 75  # exit status: a fault has left something behind, another process goes on
WITHOUT = -1  # the number of no fault
BEGUN, FOUND, SPENT, RAN, ASKED, UNLIKE = "begun", "found", "spent", "ran", "asked", "unlike"


class LateError(BaseException):
    """A question that does not end."""


class Told:
    """Rows of a file: what was begun, how long it took, which faults were found, which questions were asked,
    which fail without a fault."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.begun: Counter[tuple[int, str]] = Counter()
        self.last = (WITHOUT, "")
        self.found: dict[int, str] = {}
        self.spent: Counter[int] = Counter()
        self.ran: set[int] = set()
        self.times: Counter[int] = Counter()  # that a fault was asked about
        self.asked: set[str] = set()
        self.unlike: dict[str, str] = {}
        for row in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
            self._take(*json.loads(row))

    def add(self, what: str, number: int, question: str, value: Any = None) -> None:
        """Write one row, at once."""
        with self.file.open("a", encoding="utf-8") as file:
            file.write(f"{json.dumps([what, number, question, value])}\n")
        self._take(what, number, question, value)

    def after_a_crash(self) -> None:
        """Note what the process died of: once may be due to what was there before, twice is the fault."""
        number, question = self.last
        if self.begun[self.last] > 1:
            self.add(
                *((ASKED, number, question) if number == WITHOUT else (FOUND, number, question, "a crash"))
            )

    def handed_on(self, file: Path) -> None:
        """Tell those who are asked next, in a file of their own, what was found and what has run."""
        for number in self.ran:
            Told(file).add(RAN, number, "")
        for number, said in self.found.items():
            Told(file).add(FOUND, number, *said.split(" > ", 1))

    def _take(self, what: str, number: int, question: str, value: Any) -> None:
        if what == BEGUN:
            self.last = number, question
            self.begun[self.last] += 1
        elif what == FOUND:
            self.found[number] = f"{question} > {value}"
        elif what == SPENT and number == WITHOUT:
            self.asked.add(question)
            self.spent[number] += value
        elif what == SPENT:
            self.times[number] += 1
            self.spent[number] += value
        elif what == RAN:
            self.ran.add(number)
        elif what == ASKED:
            self.asked.add(question)
        elif what == UNLIKE:
            self.unlike[question] = value


class Asker:
    """Asks each question without a fault, then with each fault whose statement it has run."""

    def __init__(self, planted: Planted, told: Told, reached: Reached, limit_s: float, all_s: float) -> None:
        """`limit_s`: seconds of the processor for one fault, `all_s` for questions without one."""
        self.planted, self.told, self.reached, self.limit_s, self.all_s = (
            planted,
            told,
            reached,
            limit_s,
            all_s,
        )
        self.may_be_unsound = False  # once a fault was found here

    def open_faults(self) -> set[int]:
        """Return the faults that may still be asked about."""
        return {
            number
            for number in self.planted.faulty
            if number not in self.told.found and self.told.spent[number] < self.limit_s
        }

    def is_done(self) -> bool:
        """Say whether nothing is left to ask or to note, or no time."""
        return not (self.open_faults() or self.reached.notes) or self.told.spent[WITHOUT] > self.all_s

    def following(self, waiting: list[str]) -> str:
        """Return which of some questions is best asked next: whoever reaches faults that were asked about
        least."""
        wanted: dict[str, float] = {}
        for number in self.open_faults():
            statement = self.planted.statements[number]
            wanted[statement] = wanted.get(statement, 0.0) + 1.0 / (1 + self.told.times[number])
        return self.reached.nearest(waiting, wanted)

    def ask(self, name: str, question: Question) -> str:
        """Ask a question of all that it may find; returns what it answers without a fault."""
        if name in self.told.asked or self.is_done() or not self._is_worthwhile(name):
            return ""
        plain, seconds = self._asked(name, WITHOUT, question, LATE_S + TIMES * LATE_S)
        if self.planted.paths and self.reached.wants(name) and not plain:
            self.reached.add(name, seconds, self.planted.ran, self.planted.paths)
        running = sorted(self.planted.runs & self.open_faults()) if not plain else []
        if plain and self.may_be_unsound:
            self._end()  # in a new process it may be answered rightly
        if plain:
            self.told.add(UNLIKE, WITHOUT, name, plain)
        for place, number in enumerate(running):
            said, spent = self._asked(name, number, question, LATE_S + TIMES * seconds)
            self.told.add(SPENT, number, name, spent)
            if number in self.planted.runs:
                self.told.add(RAN, number, name)
            if said:
                self.told.add(FOUND, number, name, said)
                self.may_be_unsound = True
                if running[place + 1 :] and self._asked(name, WITHOUT, question, LATE_S + TIMES * seconds)[0]:
                    self._end()
        self.told.add(SPENT, WITHOUT, name, seconds)
        return plain

    def _is_worthwhile(self, name: str) -> bool:
        """Say whether a question may run a statement with an open fault, or is to be noted."""
        return self.reached.wants(name) or self.reached.may_reach(
            name, (self.planted.statements[each] for each in self.open_faults())
        )

    def _asked(self, name: str, number: int, question: Question, limit_s: float) -> tuple[str, float]:
        """Return what a question answers with a fault in, and the seconds that it took."""
        self.told.add(BEGUN, number, name)
        self.planted.tell() if number == WITHOUT else self.planted.put_in(number)
        began = processor_seconds()
        try:
            said = _within(limit_s, question)
        finally:
            self.planted.take_out()
        return said, processor_seconds() - began

    def _end(self) -> None:
        """End the process; another goes on with the same question."""
        os._exit(UNSOUND)


def _within(limit_s: float, question: Question) -> str:
    """Return an answer, or that there is none within so many seconds of the processor."""
    signal.signal(signal.SIGPROF, _late)
    signal.setitimer(signal.ITIMER_PROF, limit_s, AGAIN_S)
    faulthandler.dump_traceback_later(STUCK * limit_s, exit=True)
    try:
        return question()
    except LateError:
        return "it does not end"
    except Exception as failure:
        return f"{type(failure).__name__}: {failure}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        faulthandler.cancel_dump_traceback_later()


def _late(*_: object) -> None:
    raise LateError
