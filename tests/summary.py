"""Add up the results of the suites: one line each, then `N passed, N failed, N skipped`.

python -m tests.summary FOLDER SUITE ... FOLDER holds SUITE.xml in JUnit's format; a missing file is a failure
"""

import sys
from pathlib import Path
from xml.etree import ElementTree


def main(folder: Path, suites: list[str]) -> int:
    """Print the table and return 1 when anything failed."""
    passed = failed = skipped = 0
    for suite in suites:
        counts = count(folder / f"{suite}.xml")
        if counts is None:
            print(f"{suite:20s} did not run")
            failed += 1
            continue
        print(
            f"{suite:20s} {counts[0]:5d} passed {counts[1]:3d} failed {counts[2]:4d} skipped "
            f" {counts[3]:6.1f} s"
        )
        passed, failed, skipped = passed + counts[0], failed + counts[1], skipped + counts[2]
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


def count(path: Path) -> tuple[int, int, int, float] | None:
    """Return passed, failed, skipped and seconds of one suite, None when it wrote no result."""
    if not path.exists():
        return None
    suites = ElementTree.parse(path).getroot().iter("testsuite")
    tests = failed = skipped = 0
    seconds = 0.0
    for suite in suites:
        tests += int(suite.get("tests", 0))
        failed += int(suite.get("failures", 0)) + int(suite.get("errors", 0))
        skipped += int(suite.get("skipped", 0))
        seconds += float(suite.get("time", 0.0))
    return tests - failed - skipped, failed, skipped, seconds


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
