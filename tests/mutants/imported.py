"""Scenarios of Blender's record with a fault in from the start: python -m tests.mutants.imported FILE START END NEW ROOM

For what runs while modules are imported, such as the making of properties.  Prints the first scenario of a room that is not as recorded.
"""

import os
import sys
from importlib.machinery import SourceFileLoader
from tempfile import TemporaryDirectory

from tests.mutants.__main__ import ROOT


def main(path: str, start: str, end: str, new: str, room: str) -> int:
    """Import everything with bytes `start` to `end` of a file below the package changed, and play scenarios; 1 when one is another."""
    file, plain = str(ROOT / path), SourceFileLoader.get_data

    def with_fault(loader: SourceFileLoader, wanted: str) -> bytes:
        found = plain(loader, wanted)
        return found[: int(start)] + new.encode() + found[int(end) :] if wanted == file else found

    with TemporaryDirectory(prefix="neurarig-") as empty:
        sys.pycache_prefix = empty  # what is compiled elsewhere is without the fault
        SourceFileLoader.get_data = with_fault
        # Only now: they import the package.
        from tests.blender.record.record import FILE, differences
        from tests.blender.record.scenarios import played, scenarios
        from tests.core.record.record import read

        known = read(FILE)
        for name, case in scenarios().items():
            if name.startswith(f"{room}:") and (differs := differences(played(case), known[name])):
                print(f"\n{name} > {differs[0]}", flush=True)
                return 1
    return 0


if __name__ == "__main__":
    try:
        status = main(*sys.argv[1:])
    except Exception as failure:
        print(f"\nimport > {type(failure).__name__}: {failure}", flush=True)
        status = 1
    sys.stdout.flush()
    os._exit(status)
