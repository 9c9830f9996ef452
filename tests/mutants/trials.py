"""What the tests say of a tree with one fault in it, in copies of the tree."""

import json
import os
import queue
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from .faults import Fault

REPOSITORY = Path(__file__).resolve().parents[2]
PACKAGE = "neurarig_addon"
# Environment and folders of the tests that need nothing but numpy, those that need torch, and those that need
# Blender.
SUITES = {
    "core": (".venv-dev", ("tests/core", "tests/link")),
    "training": (".venv-train", ("tests/training",)),
    "blender": (".venv", ("tests/blender",)),
    "blender42": (".venv-4.2", ("tests/blender",)),
}
# which test calls what is learnt once for both: the code that differs is within functions
SAME_TESTS = {"blender42": "blender"}
FOUND, SLOW, SURVIVED, UNTRIED = "found", "found by time", "survived", "no test runs it"
NOTHING_RUN = 5  # pytest's status
WAITS = 20  # times the processor's seconds that a fault gets: what only waits has no other end
ENDED_BY_LIMIT = (9, 24)  # signals: killed, out of the processor's time
TURN = 3  # tests of one file before those of the next


@dataclass(frozen=True)
class Callers:
    """Which tests of a suite run which function, and how long they take (see `callers.Recorder`); which
    modules a test file names."""

    seconds: dict[str, float]
    calls: dict[str, list[str]]
    failed: dict[str, str]
    named: dict[str, set[str]] = field(default_factory=dict)

    def tests_of(self, function: str, limit_s: float) -> list[str]:
        """Return the tests that run `path::name`, within some time: those that run little else, then the
        others of their files.

        A few of each file have their turn before more of any. What runs as its file is imported makes tables
        for all of that file: whoever
        runs anything of it may notice. What no test runs itself is asked of the files that name its module:
        they start it on its own.
        """
        usable = self.seconds.keys() - self.failed.keys()
        files = {test.partition("::")[0] for test, called in self.calls.items() if function in called}
        imported = any(function in called for name, called in self.calls.items() if "::" not in name)
        meant = function.partition("::")[0] + "::" if imported else function
        if not files:
            files = {
                file
                for file, modules in self.named.items()
                if _module(function.partition("::")[0]) in modules
            }
        order = sorted(usable, key=lambda test: (len(self.calls[test]), self.seconds[test], test))
        near = [
            test
            for test in order
            if any(call.startswith(meant) if imported else call == meant for call in self.calls[test])
        ]
        far = [test for test in order if test not in set(near) and test.partition("::")[0] in files]
        chosen, total = [], 0.0
        for test in _in_turns(near) + _in_turns(far):
            total += self.seconds[test]
            if total <= limit_s or not chosen:
                chosen.append(test)
        return chosen


def _in_turns(tests: list[str]) -> list[str]:
    """Return tests in their order, but the first few of each file before the next few of any."""
    turns: Counter[str] = Counter()
    placed = []
    for place, test in enumerate(tests):
        file = test.partition("::")[0]
        placed.append((turns[file] // TURN, place, test))
        turns[file] += 1
    return [test for *_, test in sorted(placed)]


def _module(path: str) -> str:
    """Return the name by which Python starts or imports a file below the package."""
    return (
        ".".join([PACKAGE, *Path(path).with_suffix("").parts])
        .removesuffix(".__main__")
        .removesuffix(".__init__")
    )


def callers_of(suite: str, only: Sequence[str] = (), as_known: bool = False) -> Callers:
    """Return who calls what in the tree as it is; test files are run once for it, and again when they or what
    they test have changed.

    `only`: ask these test files alone.  `as_known`: run none again, however old what is known of it.
    """
    suite = SAME_TESTS.get(suite, suite)
    python, folders = SUITES[suite]
    keys = {file: key for file, key in _keys(folders).items() if not only or file in only}
    kept = REPOSITORY / "out" / "mutants" / f"{suite}.json"
    known = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    stale = [
        file
        for file, key in keys.items()
        if file not in known or (known[file]["key"] != key and not as_known)
    ]
    if stale:
        kept.parent.mkdir(parents=True, exist_ok=True)
        print(f"running {len(stale)} test files once, to see which test calls what", flush=True)
        with copies(1) as waiting:  # what fails in a copy without a fault cannot find one there
            place = waiting.get()
            new = place / "calls.json"
            command = pytest_command(python, "--record-callers", str(new), *stale)
            subprocess.run(command, cwd=place, env=environment(), check=False, stdout=subprocess.DEVNULL)
            recorded = json.loads(new.read_text(encoding="utf-8"))
        for file in stale:
            parts = {
                part: {
                    test: value for test, value in recorded[part].items() if test.partition("::")[0] == file
                }
                for part in recorded
            }
            known[file] = {"key": keys[file], **parts}
        kept.write_text(json.dumps(known), encoding="utf-8")
    files = [known[file] for file in keys]
    named = {
        file: set(re.findall(rf"\b{PACKAGE}(?:\.\w+)+", (REPOSITORY / file).read_text(encoding="utf-8")))
        for file in keys
    }
    parts = (
        {test: value for file in files for test, value in file[part].items()}
        for part in ("seconds", "calls", "failed")
    )
    return Callers(*parts, named)


def _keys(folders: tuple[str, ...]) -> dict[str, str]:
    """Return for each test file of a suite what its record depends on, as a number: itself, the package, and
    what its tests share."""
    shared = sha256()
    common = [*(REPOSITORY / "tests").glob("*.py"), *(REPOSITORY / "tests" / "drawn_skeletons").glob("*.py")]
    common += [*(path for folder in folders for path in (REPOSITORY / folder).rglob("*.py"))]
    for path in sorted([*(REPOSITORY / PACKAGE).rglob("*.py"), *common]):
        if not path.name.startswith("test_"):
            shared.update(path.read_bytes())
    files = sorted(path for folder in folders for path in (REPOSITORY / folder).glob("test_*.py"))
    return {
        path.relative_to(REPOSITORY).as_posix(): sha256(shared.digest() + path.read_bytes()).hexdigest()
        for path in files
    }


def pytest_command(python: str, *arguments: str) -> list[str]:
    """Return the command that runs tests in one of our environments, with our plugin."""
    nice = ["nice", "-n", "10"] if shutil.which("nice") else []
    own = [
        str(REPOSITORY / python / "bin" / "python"),
        *["-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "tests.mutants.callers"],
    ]
    return [*nice, *own, *arguments]


def environment() -> dict[str, str]:
    """Return the environment of tests: no bytecode, as files change within a second, and the shared data
    where ours looks for it."""
    shared = os.environ.get("NEURARIG_SHARED", str(REPOSITORY.parent / "shared"))
    return os.environ | {
        "PYTHONDONTWRITEBYTECODE": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "NEURARIG_SHARED": shared,
    }


@contextmanager
def copies(count: int) -> Iterator[queue.Queue]:
    """Yield a queue of copies of the tree, without environments and results."""
    with TemporaryDirectory(prefix="neurarig-mutants-") as folder:
        waiting: queue.Queue = queue.Queue()
        for number in range(count):
            place = Path(folder) / str(number)
            shutil.copytree(
                REPOSITORY,
                place,
                ignore=shutil.ignore_patterns(".git", ".venv*", "out", "dist", "__pycache__"),
            )
            waiting.put(place)
        yield waiting


def tried(
    place: Path, path: str, fault: Fault, suites: dict[str, Callers], limit_s: float
) -> tuple[str, str]:
    """Return what becomes of a fault in the file `path` (below the package) of a copy of the tree, and the
    test that found it."""
    file = place / PACKAGE / path
    source = file.read_bytes()
    verdict, found_by = UNTRIED, ""
    try:
        file.write_bytes(fault.put_into(source))
        for suite, callers in suites.items():
            tests = callers.tests_of(f"{path}::{fault.function}", limit_s)
            if tests:
                verdict, found_by = _run(
                    place, suite, tests, 30.0 + 3.0 * sum(callers.seconds[test] for test in tests)
                )
            if verdict in (FOUND, SLOW):
                break
    finally:
        file.write_bytes(source)
    return verdict, found_by


def _run(place: Path, suite: str, tests: list[str], limit_s: float) -> tuple[str, str]:
    """Return what the tests say within so many seconds of the processor, and the first that fails."""
    listed, output = place / "tests-of-the-fault.txt", place / "output-of-the-tests.txt"
    listed.write_text("\n".join(tests), encoding="utf-8")
    files = sorted({test.partition("::")[0] for test in tests})
    command = pytest_command(SUITES[suite][0], "-x", "--tests-in", str(listed), *files)
    if shutil.which("sh"):  # on a busy machine the clock tells nothing
        command = ["sh", "-c", 'ulimit -t "$0" && exec "$@"', str(round(limit_s)), *command]
    with (
        output.open("wb") as written,
        subprocess.Popen(
            command, cwd=place, env=environment(), stdout=written, stderr=written, start_new_session=True
        ) as process,
    ):
        try:
            status = process.wait(WAITS * limit_s)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            return SLOW, ""
    if status < 0 and -status in ENDED_BY_LIMIT:
        return SLOW, ""
    if status == NOTHING_RUN:
        raise RuntimeError(f"None of the tests is there any more: {listed.read_text(encoding='utf-8')}")
    failed = re.findall(
        r"^(?:FAILED|ERROR) ([^\s]+)", output.read_text(encoding="utf-8", errors="replace"), re.MULTILINE
    )
    return SURVIVED if status == 0 else FOUND, failed[-1] if failed else ""


def all_tried(
    faults: list[tuple[str, Fault]], suites: dict[str, Callers], jobs: int, limit_s: float
) -> Iterator[tuple[str, Fault, str, str]]:
    """Yield every fault with what became of it and the test that found it, as the verdicts come."""
    with copies(jobs) as waiting, ThreadPoolExecutor(jobs) as pool:

        def one(path: str, fault: Fault) -> tuple[str, Fault, str, str]:
            place = waiting.get()
            try:
                return path, fault, *tried(place, path, fault, suites, limit_s)
            finally:
                waiting.put(place)

        try:
            for done in [pool.submit(one, *each) for each in faults]:
                yield done.result()
        finally:  # who has seen enough need not wait for the rest
            pool.shutdown(cancel_futures=True)
