"""A plugin of pytest: which tests run which function of ours, and such tests alone, the quickest first."""

import json
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType

import pytest

PACKAGE = "/neurarig_addon/"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take what `trials` asks for."""
    parser.addoption("--record-callers", metavar="FILE", help="write which tests run which functions")
    parser.addoption("--tests-in", metavar="FILE", help="run the tests listed in a file, in its order")


def pytest_configure(config: pytest.Config) -> None:
    """Record where that is asked for."""
    if config.getoption("--record-callers"):
        config.pluginmanager.register(Recorder(Path(config.getoption("--record-callers"))))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the tests that are listed."""
    if config.getoption("--tests-in"):
        wanted = {
            name: place
            for place, name in enumerate(Path(config.getoption("--tests-in")).read_text("utf-8").splitlines())
        }
        items[:] = sorted(
            (item for item in items if item.nodeid in wanted), key=lambda item: wanted[item.nodeid]
        )


def processor_seconds() -> float:
    """Return what this process and those that it has started have had of the processor; what else a machine
    does has no part in it."""
    return sum(os.times()[:4])


class Recorder:
    """Writes `{"seconds": {test: s}, "calls": {test: [function]}, "failed": {test: outcome}}`, the seconds
    being the processor's.

    What a test file calls as it is read stands under the file's own path.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.seconds: dict[str, float] = {}
        self.calls: dict[str, list[str]] = {}
        self.failed: dict[str, str] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector: pytest.Collector) -> Iterator[None]:
        """Record what a test file calls as it is read."""
        with self.recorded(collector.nodeid):
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Record what a test and its fixtures call."""
        began = processor_seconds()
        with self.recorded(item.nodeid):
            answer = yield
        self.seconds[item.nodeid] = round(processor_seconds() - began, 4)
        return answer

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note tests that fail without a fault, or are skipped: they cannot find one."""
        if not report.passed:
            self.failed[report.nodeid] = report.outcome

    def pytest_sessionfinish(self) -> None:
        """Write it all."""
        self.path.write_text(
            json.dumps({"seconds": self.seconds, "calls": self.calls, "failed": self.failed}),
            encoding="utf-8",
        )

    @contextmanager
    def recorded(self, name: str) -> Iterator[None]:
        """Record what is called meanwhile, under a name."""
        codes: dict[int, CodeType] = {}

        def called(frame: FrameType, _event: str, _argument: object) -> None:
            # of a function that begins; lines and returns are not asked for
            codes[id(frame.f_code)] = frame.f_code

        threading.settrace(called)
        sys.settrace(called)
        try:
            yield
        finally:
            sys.settrace(None)
            threading.settrace(None)  # type: ignore[arg-type]
            ours = {
                f"{code.co_filename.partition(PACKAGE)[2]}::{code.co_qualname}"
                for code in codes.values()
                if PACKAGE in code.co_filename
            }
            self.calls[name] = sorted({*self.calls.get(name, ()), *ours})
