"""Put small faults into the code and see whether the tests notice: python -m tests.mutants [ROOM ...]
[--count N] [--seed N] [--suites core training blender].

A room is a folder or file below neurarig_addon (`core/gait`, `core/gait/feet/feet.py`); of
`core/gait/feet/feet.py:113` every fault of the line is tried. What is found is printed with the test that
found it, what survives with the change; equivalent.txt lists faults that nobody could see.

Each test is played as it should be; the functions tell which drawn faults' statements it ran (`planted`), and
it is played again with
each of those that was not found yet (`asked`).  Nothing is learnt beforehand, started or
imported anew, so a fault takes seconds, and 200 of them hardly longer than one. A crash finds a fault as
well; whatever a fault
leaves behind ends the process, and another one goes on. What runs only while modules are imported is tried in
processes that begin with
the fault.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

from .asked import FOUND, UNSOUND, WITHOUT, Asker, Told
from .drawn import drawn, files_of
from .faults import Fault
from .planted import Planted, imported
from .questions import ask_tests, files_of_tests, nearest_files
from .reached import Reached
from .suites import REPOSITORY, ROOT, SUITES, environment

KEPT = REPOSITORY / "out" / "mutants"
NOWHERE = "nothing runs it"
ON_IMPORT = "a process that begins with it"
NEAREST = 4  # test files that are asked in such a process
ROOMS = (*sorted(f"core/{path.parent.name}" for path in (ROOT / "core").glob("*/__init__.py")), "link")
Faults = list[tuple[str, Fault]]


def main() -> int:
    """Draw faults, ask about them in processes that go on where the last one ended, print what survived; 1
    when something did."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rooms", nargs="*", default=ROOMS, metavar="ROOM")
    parser.add_argument("--suites", nargs="+", choices=SUITES, default=["core"], help="tests, in this order")
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=40.0, help="of the processor for one fault, at most")
    parser.add_argument(
        "--all-seconds", type=float, default=600.0, help="for questions without a fault, at most"
    )
    parser.add_argument(
        "--tests", nargs="*", metavar="FILE", help="ask these test files (default: all, the nearest first)"
    )
    parser.add_argument(
        "--note",
        action="store_true",
        help="play all tests and note what each runs: later draws ask only those that reach a fault",
    )
    parser.add_argument("--go-on", action="store_true", help="from where a run with this seed was broken off")
    parser.add_argument("--in-process", type=Path, metavar="FILE", help=argparse.SUPPRESS)
    options = parser.parse_args()
    faults = drawn(options.rooms, options.count, options.seed)
    if options.in_process:
        ask_all(faults, options)
    KEPT.mkdir(parents=True, exist_ok=True)
    rooms = "all" if options.rooms == ROOMS else "-".join(options.rooms).replace("/", ".")
    told, files = None, [KEPT / f"{suite}-{rooms}-{options.seed}.jsonl" for suite in options.suites]
    for suite, file in zip(options.suites, files, strict=True):
        if not options.go_on:
            file.unlink(missing_ok=True)
        if told and not file.exists():
            told.handed_on(file)
        asked_apart(suite, file)
        told = Told(file)
    return printed(faults, told)


def asked_apart(suite: str, file: Path) -> None:
    """Start processes of a suite that ask, until one has asked everything."""
    python = str(REPOSITORY / SUITES[suite][0] / "bin" / "python")
    command = [python, "-m", "tests.mutants", *sys.argv[1:], "--suites", suite, "--in-process", str(file)]
    while True:
        rows = file.stat().st_size if file.exists() else 0
        ended = subprocess.run(
            command,
            cwd=REPOSITORY,
            env=environment(),
            check=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        if ended.returncode == 0:
            return
        if not file.exists() or file.stat().st_size == rows:
            raise RuntimeError(f"Nothing could be asked:\n{ended.stderr.decode(errors='replace')[-2000:]}")
        if ended.returncode != UNSOUND:
            Told(file).after_a_crash()


def ask_all(faults: Faults, options: argparse.Namespace) -> None:
    """Ask tests in this process, and end it."""
    imported(options.rooms)
    [suite] = options.suites
    told = Told(options.in_process)
    reached = Reached(KEPT / f"reached-{suite}.jsonl", options.note)
    rooms = [room.partition(":")[0] for room in options.rooms if options.note]
    paths = [file.relative_to(ROOT).as_posix() for room in rooms for file in files_of(room)]
    asker = Asker(
        Planted(dict(enumerate(faults)), paths), told, reached, options.seconds, options.all_seconds
    )
    folders = [*SUITES[suite][1]]
    ask_tests(asker, folders, options.tests or [])
    sources = {
        file: (REPOSITORY / file).read_text(encoding="utf-8")
        for file in options.tests or files_of_tests(folders)
    }
    for number in sorted(asker.open_faults() - told.ran):
        if said := from_the_start(*faults[number], nearest_files(sources, [faults[number][0]])[:NEAREST]):
            told.add(FOUND, number, ON_IMPORT, said)
    os._exit(0)


def from_the_start(path: str, fault: Fault, tests: list[str]) -> str:
    """Return which test fails in a process that begins with a fault; '' where none does."""
    given = [path, str(fault.start), str(fault.end), fault.new.decode(), *tests]
    command = [sys.executable, "-m", "tests.mutants.imported", *given]
    ended = subprocess.run(
        command,
        cwd=REPOSITORY,
        env=environment(),
        check=False,
        capture_output=True,
        text=True,
        errors="replace",
    )
    failed = [line for line in ended.stdout.splitlines() if line.startswith(("FAILED", "ERROR", "import > "))]
    return "" if ended.returncode == 0 else failed[-1] if failed else "a crash"


def printed(faults: Faults, told: Told) -> int:
    """Print what became of every fault; 1 when one survived."""
    for number, (path, fault) in enumerate(faults):
        was, now = fault.shown((ROOT / path).read_bytes())
        verdict = "found" if number in told.found else "survived" if number in told.ran else NOWHERE
        print(
            f"{verdict:15s} {path}:{fault.line}   "
            + (told.found.get(number) or f"\n    - {was}\n    + {now}")
        )
    for name, said in told.unlike.items():
        print(f"not asked, as it fails without a fault: {name} > {said}")
    missed = len(faults) - len(told.found)
    print(
        f"{told.spent[WITHOUT]:.0f} s without a fault, {sum(told.spent.values()) - told.spent[WITHOUT]:.0f} s"
        " with one"
    )
    print(share("all", len(told.found), missed))
    return 1 if missed else 0


def share(room: str, found: int, missed: int) -> str:
    """Return a line of the result."""
    return f"{room:20s} {found:4d} found {missed:4d} missed   {100.0 * found / max(found + missed, 1):5.1f} %"


if __name__ == "__main__":
    raise SystemExit(main())
