"""Trying damaged files one after the other, within bounds of time and memory."""

import tempfile
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import process_time
from traceback import extract_tb

from neurarig_addon.core.errors import LONGEST, NeuraRigError
from neurarig_addon.core.files.npz_file import UnfitError

from .kind import Kind
from .limits import HangError, bounded_memory, forget_peak, hang_is_an_error, peak_mb


@dataclass
class Outcome:
    """`tried` files, of which some were `read` and the others refused; `slowest` in seconds of the processor,
    `largest` in megabytes.

    `faults`: what went wrong, once for each place in the code, with the number and content of the file that
    shows it.
    """

    tried: int = 0
    read: int = 0
    slowest: float = 0.0
    largest: float = 0.0
    faults: dict[str, tuple[int, bytes]] = field(default_factory=dict)


def run(kind: Kind, count: int, seed: int, first: int = 0) -> Outcome:
    """Try so many files; this process can have MEGABYTES more than it has after the sound ones.

    What is wrong with a file depends on the seed and its number alone: `first`, and a count of 1, try one
    again.
    """
    outcome, contents = Outcome(), kind.samples()
    with tempfile.TemporaryDirectory(prefix="neurarig ü ") as folder, warnings.catch_warnings():
        warnings.simplefilter("error")  # a warning on the console is noise
        path = Path(folder) / f"file{kind.ending}"
        for content in contents:
            path.write_bytes(content)
            kind.use(path)
        with bounded_memory():
            for number in range(first, first + count):
                rng = Random(f"{seed} {number}")
                _try(kind, path, number, kind.spoil(rng, rng.choice(contents)), outcome)
    return outcome


def _try(kind: Kind, path: Path, number: int, content: bytes, outcome: Outcome) -> None:
    path.write_bytes(content)
    outcome.tried += 1
    fault = ""
    held, begin = forget_peak(), process_time()
    try:
        with hang_is_an_error():
            kind.use(path)
        outcome.read += 1
    except (NeuraRigError, UnfitError) as refusal:
        fault = "" if _is_a_sentence(str(refusal)) else f"no sentence: {str(refusal)[:200]!r}"
    except (Exception, HangError) as problem:
        fault = _place(problem)
    seconds = process_time() - begin
    outcome.slowest = max(outcome.slowest, seconds)
    outcome.largest = max(outcome.largest, peak_mb() - held)
    fault = fault or (f"slower than {kind.seconds:g} s" if seconds > kind.seconds else "")
    if fault:
        outcome.faults.setdefault(fault, (number, content))


def _is_a_sentence(text: str) -> bool:
    return 10 < len(text) <= LONGEST and text.isprintable()


def _place(problem: BaseException) -> str:
    """Return what tells one fault from another: the error and where our own code met it."""
    frames = extract_tb(problem.__traceback__)
    own = [frame for frame in frames if "neurarig_addon" in frame.filename] or frames
    return (
        f"{type(problem).__name__} at {Path(own[-1].filename).name}:{own[-1].lineno} ({str(problem)[:100]})"
    )
