"""Write the record anew, with bpy 5.0: python -m tests.blender.record [--keep FOLDER] [ROOM ...].

Right only where what is seen is meant to be other; a commit that does it says what, and why.  `--keep` writes all that was seen as text,
a file for each scenario: two such folders tell what has changed.
"""

import argparse
import os
import sys
import time
import traceback
from pathlib import Path

from tests.blender.record.record import FILE, differences
from tests.blender.record.scenarios import played, scenarios
from tests.core.record import record


def main() -> int:
    """Write the record anew, of some rooms alone where they are named, and say what has changed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help="rooms, or beginnings of names of scenarios (default: all)")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="write all that was seen, as text")
    options = parser.parse_args()
    known, status = record.read(FILE) if FILE.exists() else {}, 0
    found: record.Record = {}
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
    for name, case in scenarios().items():
        if options.rooms and not name.startswith(tuple(options.rooms)):
            continue
        began = time.process_time()
        try:
            found[name] = played(case, options.keep / f"{name.replace(':', '').replace('/', ' ')}.txt" if options.keep else None)
        except Exception:
            print(f"{name}: failed, and is not recorded\n{traceback.format_exc()}", flush=True)
            status = 1
            continue
        keep({name: found[name]})
        differs = differences(found[name], known[name]) if name in known else ["is new"]
        words = "\n    ".join([name, *differs] if differs else [f"{name}: as before"])
        print(f"{time.process_time() - began:.2f} {words}", flush=True)
    keep({})
    return status


def keep(found: record.Record) -> None:
    """Write scenarios into the record at once, as rooms may be recorded side by side; what is none any more goes."""
    there = record.read(FILE) if FILE.exists() else {}
    record.write({name: found.get(name, there.get(name)) for name in scenarios() if name in found or name in there}, FILE)


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    os._exit(status)  # some bpy modules crash in the interpreter's own exit
