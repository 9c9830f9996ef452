"""Trying damaged files one after the other, within bounds of time and memory."""

import signal
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import process_time
from traceback import extract_tb

from neurarig_addon.core.errors import LONGEST, NeuraRigError
from neurarig_addon.core.files.npz_file import UnfitError

from .kind import Kind

MEGABYTES = 300  # of one file
_HANG_S = 20.0


class HangError(BaseException):
    """A file took so long that it was given up."""


@dataclass
class Outcome:
    """`tried` files, of which some were `read` and the others refused; `slowest` in seconds of the processor.

    `faults`: what went wrong, once for each place in the code, with the file that shows it.
    """

    tried: int = 0
    read: int = 0
    slowest: float = 0.0
    faults: dict[str, bytes] = field(default_factory=dict)


def run(kind: Kind, count: int, seed: int) -> Outcome:
    """Try so many files; this process can have MEGABYTES more than it has after the sound ones."""
    rng, outcome, contents = Random(seed), Outcome(), kind.samples()
    with tempfile.TemporaryDirectory(prefix="neurarig ü ") as folder, warnings.catch_warnings():
        warnings.simplefilter("error")  # a warning on the console is noise
        path = Path(folder) / f"file{kind.ending}"
        for content in contents:
            path.write_bytes(content)
            kind.use(path)
        with _bounded_memory():
            for _ in range(count):
                _try(kind, path, kind.spoil(rng, rng.choice(contents)), outcome)
    return outcome


def _try(kind: Kind, path: Path, content: bytes, outcome: Outcome) -> None:
    path.write_bytes(content)
    outcome.tried += 1
    fault = ""
    begin = process_time()
    try:
        with _hang_is_an_error():
            kind.use(path)
        outcome.read += 1
    except (NeuraRigError, UnfitError) as refusal:
        fault = "" if _is_a_sentence(str(refusal)) else f"no sentence: {str(refusal)[:200]!r}"
    except (Exception, HangError) as problem:
        fault = _place(problem)
    seconds = process_time() - begin
    outcome.slowest = max(outcome.slowest, seconds)
    fault = fault or (f"slower than {kind.seconds:g} s" if seconds > kind.seconds else "")
    if fault:
        outcome.faults.setdefault(fault, content)


def _is_a_sentence(text: str) -> bool:
    return 10 < len(text) <= LONGEST and text.isprintable()


def _place(problem: BaseException) -> str:
    """Return what tells one fault from another: the error and where our own code met it."""
    frames = extract_tb(problem.__traceback__)
    own = [frame for frame in frames if "neurarig_addon" in frame.filename] or frames
    return f"{type(problem).__name__} at {Path(own[-1].filename).name}:{own[-1].lineno} ({str(problem)[:100]})"


@contextmanager
def _bounded_memory() -> Iterator[None]:
    """Let this process take no more than MEGABYTES beyond what it has, where the system can hold it to that."""
    if not sys.platform.startswith("linux"):
        yield
        return
    import resource

    now = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (now + MEGABYTES * 10**6, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


@contextmanager
def _hang_is_an_error() -> Iterator[None]:
    if not hasattr(signal, "setitimer"):
        yield
        return

    def give_up(*_args: object) -> None:
        raise HangError(f"longer than {_HANG_S:g} s")

    before = signal.signal(signal.SIGPROF, give_up)
    signal.setitimer(signal.ITIMER_PROF, _HANG_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)
