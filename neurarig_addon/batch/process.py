"""Runs one command as a process of its own, with a limit of time and memory, and kills it and its children
beyond."""

import os
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import IO

_LOOKS_EVERY = 0.2  # seconds between looks at a process
# seconds between looks at its memory, which go through all processes; more often at first
_MEMORY_EVERY = 1.0
_LINES, _LONGEST_LINE = 200, 2_000  # that are kept of what a process says
_DRAINS_S = 2.0  # seconds to wait for the last words of a process that has ended
_HAS_GROUPS = os.name == "posix"
_PROC = Path("/proc")


@dataclass(frozen=True)
class Ended:
    """How a process ended: `status`, negative for a signal; `killed`, why we killed it, else ''; the peak of
    memory in MB, 0 if unknown."""

    status: int
    killed: str
    seconds: float
    memory_mb: int
    said: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """What it said of its end: our sentence, else its last line, else how it ended; '' after success
        without a warning."""
        own = [line.removeprefix(_OURS) for line in self.said if line.startswith(_OURS)]
        if self.killed or self.status == 0:
            return self.killed or " ".join(own)
        if own and self.status > 0:
            return own[-1]
        how = f"killed by signal {-self.status}" if self.status < 0 else f"ended with status {self.status}"
        last = next((line.strip() for line in reversed(self.said) if line.strip()), "")
        return f"{how}: {last}" if last else how


_OURS = "neurarig: "


def run(
    command: Sequence[str],
    folder: Path,
    seconds: float,
    memory_mb: int,
    environment: Mapping[str, str],
    is_stopped: Callable[[], bool] = lambda: False,
    hears_all: bool = False,
) -> Ended:
    """Run a command in a folder until it ends, or kill it when it is stopped or beyond a limit; OSError if it
    cannot be started.

    `hears_all`: what it prints counts as said, not only its error stream.
    """
    begun = monotonic()
    process = subprocess.Popen(
        command, cwd=folder, env=dict(environment), stdin=subprocess.DEVNULL, start_new_session=_HAS_GROUPS,
        stdout=subprocess.PIPE if hears_all else subprocess.DEVNULL,
        stderr=subprocess.STDOUT if hears_all else subprocess.PIPE,
    )  # fmt: skip
    said: deque[str] = deque(maxlen=_LINES)
    listener = Thread(
        target=_listen, args=(process.stdout if hears_all else process.stderr, said), daemon=True
    )
    listener.start()
    killed, peak, looks_at = "", 0, _LOOKS_EVERY
    try:
        while not killed:
            with suppress(subprocess.TimeoutExpired):
                process.wait(_LOOKS_EVERY)
                break
            took = monotonic() - begun
            if took >= looks_at:
                peak, looks_at = max(peak, _memory_mb(process.pid)), took + min(took, _MEMORY_EVERY)
            killed = _beyond(took, seconds, peak, memory_mb, is_stopped())
    finally:  # children that it left behind as well
        _kill(process)
        status = process.wait()
    took = monotonic() - begun
    listener.join(_DRAINS_S)
    return Ended(status, killed, took, peak, tuple(said))


def _beyond(took: float, seconds: float, peak: int, memory_mb: int, is_stopped: bool) -> str:
    if is_stopped:
        return "stopped with the batch"
    if took > seconds:
        return f"killed after {seconds:g} s; raise 'seconds' or make the cell shorter"
    if peak > memory_mb:
        return f"killed at {peak} MB of memory; raise 'memory_mb' or make the cell smaller"
    return ""


def _listen(stream: IO[bytes], said: deque[str]) -> None:
    with stream, suppress(OSError, ValueError):
        while line := stream.readline(_LONGEST_LINE):
            said.append(line.decode("utf-8", "replace").rstrip())


def _kill(process: subprocess.Popen) -> None:
    with suppress(OSError):
        if _HAS_GROUPS:
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


def _memory_mb(group: int) -> int:
    """Return the resident memory of a process group in MB; 0 where the system does not say (Windows)."""
    pages = 0
    if not _PROC.joinpath("self", "statm").exists():
        return _memory_of_ps(group)
    for entry in os.scandir(_PROC):
        if entry.name.isdecimal():
            with suppress(OSError, IndexError, ValueError):
                fields = (_PROC / entry.name / "stat").read_text().rpartition(")")[2].split()
                pages += int(fields[21]) if int(fields[2]) == group else 0
    return pages * os.sysconf("SC_PAGE_SIZE") >> 20


def _memory_of_ps(group: int) -> int:
    if sys.platform == "win32":
        return 0
    found = subprocess.run(
        ["ps", "-A", "-o", "pgid=,rss="], capture_output=True, text=True, check=False
    ).stdout
    rows = [line.split() for line in found.splitlines()]
    return sum(int(row[1]) for row in rows if len(row) == 2 and row[0] == str(group)) >> 10
