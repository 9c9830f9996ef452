"""Tests with a fault in from the start: python -m tests.mutants.imported FILE START END NEW TEST_FILE ...

For what runs while modules are imported, such as the making of properties.
"""

import os
import sys
from importlib.machinery import SourceFileLoader
from tempfile import TemporaryDirectory

import pytest

from tests.mutants.suites import ROOT


def main(path: str, start: str, end: str, new: str, *tests: str) -> int:
    """Import everything with bytes `start` to `end` of a file below the package changed, and return pytest's
    status of some test files."""
    file, plain = str(ROOT / path), SourceFileLoader.get_data

    def with_fault(loader: SourceFileLoader, wanted: str) -> bytes:
        found = plain(loader, wanted)
        return found[: int(start)] + new.encode() + found[int(end) :] if wanted == file else found

    with TemporaryDirectory(prefix="neurarig-") as empty:
        sys.pycache_prefix = empty  # what is compiled elsewhere is without the fault
        SourceFileLoader.get_data = with_fault
        return int(pytest.main(["-q", "-x", "-p", "no:cacheprovider", *tests]))


if __name__ == "__main__":
    try:
        status = main(*sys.argv[1:])
    except Exception as failure:
        print(f"\nimport > {type(failure).__name__}: {failure}", flush=True)
        status = 1
    sys.stdout.flush()
    os._exit(status)
