"""Bounds of time and memory for what is tried, and what of them it took."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

MEGABYTES = 300  # of one file
_HANG_S = 20.0
_PROCESS = Path("/proc/self")
_KB = 1024


class HangError(BaseException):
    """A file took so long that it was given up."""


@contextmanager
def bounded_memory() -> Iterator[None]:
    """Let this process take no more than MEGABYTES beyond what it has, where the system can hold it to
    that."""
    if not sys.platform.startswith("linux"):
        yield
        return
    import resource

    now = int((_PROCESS / "statm").read_text().split()[0]) * resource.getpagesize()
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (now + MEGABYTES * 10**6, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


@contextmanager
def hang_is_an_error() -> Iterator[None]:
    """Raise HangError in a block that does not end."""
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


def peak_mb() -> float:
    """Return the most memory in megabytes that this process held since the last `forget_peak`, 0 where the
    system does not say."""
    with suppress(OSError):
        for line in (_PROCESS / "status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * _KB / 1e6
    return 0.0


def forget_peak() -> float:
    """Begin to measure the peak anew, and return the megabytes that this process holds now."""
    with suppress(OSError):
        (_PROCESS / "clear_refs").write_text("5")
    return peak_mb()
