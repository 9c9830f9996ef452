"""Say what another commit does otherwise, with bpy 5.0: python -m tests.compare BASE [SCENARIO ...].

The same scenarios are played by the add-on of BASE and by that of the working tree, each in a process of its
own, and all that is seen is
compared: bones, keys with their handles, settings, panels, sentences, definitions, the rest of the file.
Nothing is kept from one run to
the next. The scenarios are those of the working tree, and touch only what both have: `blender.api`, the
command line, buttons and panels.
"""

import argparse
import io
import os
import pickle
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

from tests.compare import DEFINITIONS
from tests.compare.differences import Difference, differences

REPOSITORY = Path(__file__).resolve().parents[2]
FOLDER = REPOSITORY / "out" / "compare"
MOST = 6  # differences that are printed of a scenario


def main() -> int:
    """Compare, print and return 1 where something differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.compare", description=__doc__.splitlines()[0])
    parser.add_argument("base", metavar="BASE", help="the commit to compare the working tree with")
    parser.add_argument("scenarios", nargs="*", metavar="SCENARIO", help="beginnings of names (default: all)")
    parser.add_argument(
        "--all", action="store_true", help=f"print every difference, not {MOST} of a scenario"
    )
    options = parser.parse_args()
    shutil.rmtree(FOLDER, ignore_errors=True)
    extract(options.base, FOLDER / "base")
    finish({"rigs": start(REPOSITORY, "rigs", [])})
    checkouts = {"base": FOLDER / "base", "now": REPOSITORY}
    finish({name: start(checkout, name, options.scenarios) for name, checkout in checkouts.items()})
    return tell(*(FOLDER / "seen" / name for name in checkouts), most=sys.maxsize if options.all else MOST)


def extract(commit: str, folder: Path) -> None:
    """Write the add-on of a commit into a folder."""
    packed = subprocess.run(
        ["git", "archive", commit, "neurarig_addon"], cwd=REPOSITORY, capture_output=True, check=False
    )
    if packed.returncode:
        sys.exit(packed.stderr.decode())
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
        archive.extractall(folder, filter="data")


def start(checkout: Path, name: str, scenarios: list[str]) -> subprocess.Popen:
    """Start to play scenarios with the add-on of a checkout, and the settings of nobody."""
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(map(str, (checkout, REPOSITORY))),
        "BLENDER_USER_RESOURCES": str(FOLDER / "user" / name),
        "PYTHONHASHSEED": "0",
        "OPENBLAS_NUM_THREADS": "1",
    }
    command = [sys.executable, "-P", "-m", "tests.compare.play", FOLDER, name, *scenarios]
    with (FOLDER / f"{name}.log").open("w") as log:
        return subprocess.Popen(command, cwd=FOLDER, env=environment, stdout=log, stderr=subprocess.STDOUT)


def finish(processes: dict[str, subprocess.Popen]) -> None:
    """Wait for the end of processes that play."""
    for name, process in processes.items():
        if process.wait():
            sys.exit(f"{name} failed: {FOLDER / name}.log")


def tell(base: Path, now: Path, most: int) -> int:
    """Print what differs between two folders of scenarios, and return 1 where something does."""
    names = sorted({path.name for folder in (base, now) for path in folder.iterdir()})
    seen = {
        name: tuple(pickle.loads((folder / name).read_bytes()) for folder in (base, now))  # noqa: S301
        for name in names
    }
    defined = (
        {path.partition(".")[2] for path in parts["settings"]} for parts in seen[f"{DEFINITIONS}.pickle"]
    )
    moved = set.symmetric_difference(*defined)  # the definitions tell of them
    differing = 0
    for name, parts in seen.items():
        found = [
            one
            for one in differences(*parts)
            if DEFINITIONS in name or not (one.part == "settings" and setting(one.path) in moved)
        ]
        if found or any("failed" in one for one in parts):
            differing += 1
            print(
                Path(name).stem,
                *lines(found, most),
                *(f"  failed   {one['failed']}" for one in parts if "failed" in one),
                sep="\n",
            )
    print(
        f"{len(names)} scenarios, {differing} differ"
        if differing
        else f"{len(names)} scenarios, nothing differs"
    )
    return int(bool(differing))


def setting(path: str) -> str:
    """Return the name by which the definitions know a setting at `look 2, Hero: walk.prints[3].along`."""
    return re.sub(r"\[[^]]*\]", "", path.rpartition(": ")[2])


def lines(found: list[Difference], most: int) -> list[str]:
    """Return differences as lines to read."""
    return [f"  {one}" for one in found[:most]] + (
        [f"  ... and {len(found) - most} more"] if len(found) > most else []
    )


if __name__ == "__main__":
    sys.exit(main())
