"""Play scenarios with the add-on that is first on the path, and write all that is seen into a folder.

python -m tests.compare.play FOLDER NAME [SCENARIO ...] `rigs` for NAME writes the rigs that the scenarios
begin with.
"""

import os
import pickle
import sys
import time
import traceback
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

import bpy

import neurarig_addon
from tests.compare import DEFINITIONS, rigs
from tests.compare.differences import Parts
from tests.compare.scenarios import Scenario, scenarios
from tests.compare.seen import Seen


def main(folder: Path, name: str, wanted: list[str]) -> None:
    """Play scenarios by the beginnings of their names, all where none is given."""
    if name == "rigs":
        rigs.write(folder / "rigs")
        return
    (folder / "seen" / name).mkdir(parents=True)
    for title, scenario in scenarios().items():
        if not wanted or title.startswith((DEFINITIONS, *wanted)):
            began = time.process_time()
            parts = played(scenario, folder / "rigs")
            (folder / "seen" / name / f"{title}.pickle").write_bytes(pickle.dumps(parts))
            print(f"{name:5s}{time.process_time() - began:6.2f} s  {title}", flush=True)


def played(scenario: Scenario, folder: Path) -> Parts:
    """Return what a scenario shows; where it fails, how."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    # Long lines are broken behind a hyphen only where a letter comes next.
    with TemporaryDirectory(prefix="neurarig-compare-n") as own, chdir(own):
        neurarig_addon.register()
        seen = Seen(folder, Path(own))
        try:
            scenario(seen)
            seen.file()
        except Exception:
            traceback.print_exc()
            seen.parts["failed"] = {"here": traceback.format_exc().splitlines()[-1]}
        finally:
            neurarig_addon.unregister()
        return seen.parts


if __name__ == "__main__":
    status = 1
    try:
        main(Path(sys.argv[1]), sys.argv[2], sys.argv[3:])
        status = 0
    except Exception:
        traceback.print_exc()
    sys.stdout.flush()
    os._exit(status)  # bpy may crash in the interpreter's own exit
