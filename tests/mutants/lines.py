"""Which lines of ours run meanwhile, and which lines a fault's statement has."""

import ast
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from tests.mutants.callers import PACKAGE
from tests.mutants.faults import Fault

Lines = dict[str, set[int]]  # path below the package -> lines


@contextmanager
def noted(room: str) -> Iterator[Lines]:
    """Yield the lines of a folder or file of the package that run meanwhile; complete when it ends."""
    wanted, found = PACKAGE + room, Lines()

    def called(frame: FrameType, _event: str, _argument: object) -> Any:
        name = frame.f_code.co_filename
        if wanted not in name:
            return None  # what it calls is asked again, its own lines are not
        rows = found.setdefault(name.partition(PACKAGE)[2], set())

        def stepped(frame: FrameType, event: str, _argument: object) -> Any:
            if event == "line":
                rows.add(frame.f_lineno)
            return stepped

        return stepped

    threading.settrace(called)
    sys.settrace(called)
    try:
        yield found
    finally:
        sys.settrace(None)
        threading.settrace(None)  # type: ignore[arg-type]


def statement(source: bytes, fault: Fault) -> range:
    """Return the lines of the innermost statement that holds a fault; of a compound one those of its head."""
    heads = [range(fault.line, fault.line + 1)]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.stmt) and node.lineno <= fault.line:
            body = getattr(node, "body", None)
            last = max(node.lineno, body[0].lineno - 1) if body else node.end_lineno
            heads += [range(node.lineno, last + 1)] if fault.line <= last else []
    return max(heads[1:] or heads, key=lambda head: head.start)
