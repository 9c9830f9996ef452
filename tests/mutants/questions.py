"""The questions: tests, each asked in this process."""

import os
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol

from tests.conftest import STAYS

from .asked import Asker
from .suites import PACKAGE, REPOSITORY

NOT_ASKED = ("test_mutants.py", "test_mutants_asked.py")  # tests of these faults


def ask_tests(asker: Asker, folders: list[str], files: list[str]) -> None:
    """Ask the tests of some files, or of folders: those that reach most, then those of the nearest files."""
    sources = {
        file: (REPOSITORY / file).read_text(encoding="utf-8") for file in files or files_of_tests(folders)
    }
    pytest.main(["-q", "-p", "no:cacheprovider", *sources], plugins=[_Asking(asker, sources)])


def files_of_tests(folders: list[str]) -> list[str]:
    """Return the test files of folders that are asked."""
    found = [
        file
        for folder in folders
        for file in (REPOSITORY / folder).glob("test_*.py")
        if file.name not in NOT_ASKED
    ]
    return [file.relative_to(REPOSITORY).as_posix() for file in found]


def nearest_files(sources: Mapping[str, str], paths: Iterable[str]) -> list[str]:
    """Return test files: those that name the modules `paths` (of faults) or their rooms most often first,
    small ones before large ones."""
    places = [Path(path).with_suffix("").parts for path in paths]
    found = []
    for file, text in sources.items():
        named, words = _named(text)
        near = sum(".".join((PACKAGE, *parts)) in named for parts in places) + 0.3 * sum(
            parts[-1] in words for parts in places
        )
        near += 0.2 * sum(any(part in Path(file).stem for part in parts[1:]) for parts in places)
        found.append((-near, len(text), file))
    return [file for *_, file in sorted(found)]


@cache
def _named(text: str) -> tuple[set[str], set[str]]:
    """Return the modules of ours and the words that a test file names."""
    named = set(re.findall(rf"\b{PACKAGE}(?:\.\w+)+", text))
    for of, names in re.findall(rf"from ({PACKAGE}[.\w]*) import \(?([\w, \n]+)", text):
        named |= {f"{of}.{name}" for name in re.findall(r"\w+", names)}
    return named, set(re.findall(r"[a-z]+", text))


class _Asking:
    """A plugin of pytest that runs each test as a question; its fixtures are made anew each time, as a fault
    may be in them."""

    def __init__(self, asker: Asker, sources: Mapping[str, str]) -> None:
        self.asker, self.sources = asker, sources

    def pytest_configure(self, config: pytest.Config) -> None:
        config.pluginmanager.register(object(), STAYS)

    def pytest_collection_finish(self) -> None:
        self.asker.planted.find_caches()

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        asked = self.asker.told.asked
        waiting, left = {item.nodeid: item for item in session.items if item.nodeid not in asked}, set()
        ordered: list[str] = []
        while waiting and not self.asker.is_done():
            if left != self.asker.open_faults():  # those that are near what was found are no longer near
                left = self.asker.open_faults()
                places = {file: at for at, file in enumerate(nearest_files(self.sources, self._paths(left)))}
                ordered = sorted(waiting, key=lambda name: places.get(name.partition("::")[0], len(places)))
            name = self.asker.following(ordered)
            ordered.remove(name)
            item = waiting.pop(name)
            self.asker.ask(name, lambda item=item: _failure(item))
        return True

    def _paths(self, numbers: Iterable[int]) -> list[str]:
        return [self.asker.planted.paths_of[number] for number in numbers]


def _failure(item: pytest.Item) -> str:
    """Return the last line of a test's failure; '' where it passes or is skipped."""
    here = Path.cwd()
    try:
        reports = runtestprotocol(item, log=False, nextitem=None)
    finally:
        os.chdir(here)
    failed = [report for report in reports if report.failed]
    return str(failed[0].longrepr).strip().splitlines()[-1] if failed else ""
