"""The questions: scenarios of the records, and tests, each asked in this process."""

import os
import re
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol

from tests.conftest import STAYS

from .asked import Asker, in_turns
from .faults import Fault
from .trials import PACKAGE, REPOSITORY

NOT_ASKED = ("test_record.py", "test_mutants.py", "test_mutants_within.py")  # the record is asked itself; tests of these faults


def ask_scenarios(asker: Asker, in_blender: bool, beginning: tuple[str, ...] = ("",)) -> None:
    """Ask the scenarios of a record whose names have one of these beginnings, one of each room before the next of any."""
    if in_blender:
        from tests.blender.record.record import FILE, differences
        from tests.blender.record.scenarios import played, scenarios
        from tests.core.record.record import read

        def answer(name: str) -> list[str]:
            return differences(played(cases[name]), known[name])

        known = read(FILE)
    else:
        from tests.core.record.record import differences, read
        from tests.core.record.scenarios import scenarios

        def answer(name: str) -> list[str]:
            return differences(name, cases[name](), known[name])

        known = read()
    cases = scenarios()
    asker.planted.find_caches()
    for name in in_turns([name for name in cases if name in known and name.startswith(beginning)]):
        if asker.is_done():
            return
        asker.ask(name, lambda name=name: "; ".join(answer(name)[:1]))


def ask_tests(asker: Asker, files: list[str]) -> None:
    """Ask the tests of some files, in their order."""
    pytest.main(["-q", "-p", "no:cacheprovider", *files], plugins=[_Asking(asker)])


def nearest_files(folders: list[str], faults: list[tuple[str, Fault]]) -> list[str]:
    """Return the test files of folders: those that name the modules of most faults first, small ones before large ones."""
    modules = [".".join((PACKAGE, *Path(path).with_suffix("").parts)) for path, _ in faults]
    found = []
    for file in (file for folder in folders for file in (REPOSITORY / folder).glob("test_*.py") if file.name not in NOT_ASKED):
        text = file.read_text(encoding="utf-8")
        named = set(re.findall(rf"\b{PACKAGE}(?:\.\w+)+", text))
        named |= {f"{of}.{name}" for of, names in re.findall(rf"from ({PACKAGE}[.\w]*) import \(?([\w, \n]+)", text) for name in
                  re.findall(r"\w+", names)}  # fmt: skip
        words = set(re.findall(r"[a-z]+", text))
        near = sum(module in named for module in modules) + 0.3 * sum(module.rpartition(".")[2] in words for module in modules)
        found.append((-near, len(text), file.relative_to(REPOSITORY).as_posix()))
    return [file for *_, file in sorted(found)]


class _Asking:
    """A plugin of pytest that runs each test as a question; its fixtures are made anew each time, as a fault may be in them."""

    def __init__(self, asker: Asker) -> None:
        self.asker = asker

    def pytest_configure(self, config: pytest.Config) -> None:
        config.pluginmanager.register(object(), STAYS)

    def pytest_collection_finish(self) -> None:
        self.asker.planted.find_caches()

    def pytest_runtest_protocol(self, item: pytest.Item) -> bool:
        if self.asker.is_done():
            item.session.shouldstop = "all is told"
            return True
        self.asker.ask(item.nodeid, lambda: _failure(item))
        return True


def _failure(item: pytest.Item) -> str:
    """Return the last line of a test's failure; '' where it passes or is skipped."""
    here = Path.cwd()
    try:
        reports = runtestprotocol(item, log=False, nextitem=None)
    finally:
        os.chdir(here)
    failed = [report for report in reports if report.failed]
    return str(failed[0].longrepr).strip().splitlines()[-1] if failed else ""
