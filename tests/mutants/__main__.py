"""Put small faults into the code, one at a time, and see whether the tests notice: python -m tests.mutants
ROOM ... [--count N] [--seed N].

A room is a folder or file below neurarig_addon (`core/gait`, `core/gait/feet/feet.py`); of
`core/gait/feet/feet.py:113` every fault of the
line is tried. Each is put into a copy of the tree and tried with the tests that run the function it is in.
What is found is printed
with the test that found it, what survives with the change; equivalent.txt lists the faults that change
nothing that anyone could see.
"""

import argparse
import random
from collections import Counter
from pathlib import Path

from .faults import Fault, faults_of
from .trials import FOUND, PACKAGE, REPOSITORY, SLOW, SUITES, all_tried, callers_of

ROOT = REPOSITORY / PACKAGE
ROOMS = (*sorted(f"core/{path.parent.name}" for path in (ROOT / "core").glob("*/__init__.py")), "link")
EQUIVALENT = Path(__file__).with_name("equivalent.txt")


def main() -> int:
    """Draw faults, try them, print what survived and the share found in each room; 1 when something
    survived."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "rooms",
        nargs="*",
        default=ROOMS,
        metavar="ROOM",
        help=f"folders or files below {PACKAGE} (default: all rooms of core, and link)",
    )
    parser.add_argument(
        "--count", type=int, default=50, help="faults to draw from all rooms together (default 50)"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--suites",
        nargs="+",
        choices=SUITES,
        default=["core"],
        help="tests to ask, in this order (default core)",
    )
    parser.add_argument(
        "--tests",
        nargs="+",
        default=[],
        metavar="FILE",
        help="ask these test files alone (default: all of the suites)",
    )
    parser.add_argument(
        "--as-known",
        action="store_true",
        help="do not run tests again to learn what they call, though files have changed",
    )
    parser.add_argument("--jobs", type=int, default=1, help="faults tried side by side")
    parser.add_argument(
        "--seconds", type=float, default=60.0, help="of tests for one fault and suite, at most"
    )
    options = parser.parse_args()
    faults = drawn(options.rooms, options.count, options.seed)
    suites = {suite: callers_of(suite, options.tests, options.as_known) for suite in options.suites}
    verdicts = Counter()
    for path, fault, verdict, found_by in all_tried(faults, suites, options.jobs, options.seconds):
        room = next(room for room in options.rooms if path.startswith(room.partition(":")[0]))
        verdicts[room, verdict in (FOUND, SLOW)] += 1
        was, now = fault.shown((ROOT / path).read_bytes())
        rest = f"   {found_by}" if verdict in (FOUND, SLOW) else f"\n    - {was}\n    + {now}"
        print(f"{verdict:15s} {PACKAGE}/{path}:{fault.line}{rest}", flush=True)
    print()
    for room in options.rooms:
        print(share(room, verdicts[room, True], verdicts[room, False]))
    found, missed = (
        sum(count for (_, was), count in verdicts.items() if was == wanted) for wanted in (True, False)
    )
    print(share("all", found, missed))
    return 1 if missed else 0


def drawn(rooms: list[str], count: int, seed: int) -> list[tuple[str, Fault]]:
    """Return `count` faults with the files they belong into, each line as likely as any other; and all faults
    of lines that are named."""
    known, draw = equivalent(), random.Random(seed)
    sources: dict[str, bytes] = {}
    by_line: dict[tuple[str, int], list[Fault]] = {}
    named: list[tuple[str, int]] = []
    for room in rooms:
        place, _, line = room.partition(":")
        for file in files_of(place):
            path = file.relative_to(ROOT).as_posix()
            if path in sources:
                continue  # of a file of which two lines are named
            sources[path] = file.read_bytes()
            for fault in faults_of(sources[path]):
                by_line.setdefault((path, fault.line), []).append(fault)
        named += [(place, int(line))] if line else []

    def counts(path: str, fault: Fault) -> bool:
        return fault.is_python(sources[path]) and (path, *fault.shown(sources[path])) not in known

    found = [(path, fault) for path, line in named for fault in by_line[path, line] if counts(path, fault)]
    anywhere = sorted(line for line in by_line if line[0] not in dict(named))
    for path, line in draw.sample(anywhere, len(anywhere)):
        if len(found) >= count:
            break
        faults = draw.sample(by_line[path, line], len(by_line[path, line]))
        found += [(path, fault) for fault in faults if counts(path, fault)][:1]
    return found


def files_of(place: str) -> list[Path]:
    """Return the files of a room, or the file itself."""
    return [ROOT / place] if place.endswith(".py") else sorted((ROOT / place).rglob("*.py"))


def equivalent() -> set[tuple[str, str, str]]:
    """Return the faults that change nothing: file, line as it was, line as it would be."""
    paragraphs = (
        part.splitlines()
        for part in EQUIVALENT.read_text(encoding="utf-8").split("\n\n")
        if part.strip() and part[0] != "#"
    )
    return {(path, was.removeprefix("- "), now.removeprefix("+ ")) for path, was, now, *_ in paragraphs}


def share(room: str, found: int, missed: int) -> str:
    """Return a line of the result."""
    return f"{room:20s} {found:4d} found {missed:4d} missed   {100.0 * found / max(found + missed, 1):5.1f} %"


if __name__ == "__main__":
    raise SystemExit(main())
