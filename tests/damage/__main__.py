"""Try damaged files: `python -m tests.damage --count 20000`, or some kinds only: `python -m tests.damage bvh
npz=40 --count 100`.

With a Python that has bpy the kinds that Blender's side reads are tried too. The exit status is 1 where one
was neither read nor refused
in a sentence, or took too much time or memory; it is kept in --keep.
"""

import argparse
import hashlib
import os
import sys
from importlib import util
from pathlib import Path
from time import process_time

from . import kinds
from .trial import Outcome, run

KINDS = dict(kinds.KINDS)
if util.find_spec("bpy"):
    from . import in_blender

    KINDS |= in_blender.KINDS


def main() -> int:
    """Try the kinds asked for and print a line for each, and one for each fault."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kinds", nargs="*", type=_kind, metavar="KIND[=COUNT]", help=", ".join(KINDS))
    parser.add_argument(
        "--count", type=int, default=1_000, help="files of each other kind (default: %(default)s)"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--keep", type=Path, default=Path("out/damage"), metavar="FOLDER", help="default: %(default)s"
    )
    parser.add_argument(
        "--first",
        type=int,
        default=0,
        help="number of the first one: to try one again, or more of them (default: 0)",
    )
    options = parser.parse_args()
    failed, files, sent = False, 0, 0
    for name, count in options.kinds or [(name, None) for name in KINDS]:
        begin = process_time()
        outcome = run(KINDS[name], options.count if count is None else count, options.seed, options.first)
        print(_line(name, outcome, process_time() - begin), flush=True)
        if KINDS[name].parts > 1:
            sent += KINDS[name].parts * outcome.tried
        else:
            files += outcome.tried
        for fault, (number, content) in outcome.faults.items():
            options.keep.mkdir(parents=True, exist_ok=True)
            kept = (
                options.keep / f"{name}_{hashlib.sha256(fault.encode()).hexdigest()[:8]}{KINDS[name].ending}"
            )
            kept.write_bytes(content)
            print(f"    number {number}: {fault}: {kept}", flush=True)
            failed = True
    print(f"seed {options.seed}, from number {options.first}: {files} files, {sent} packets", flush=True)
    return int(failed)


def _kind(text: str) -> tuple[str, int | None]:
    """Return a kind, and how many of it if that is said."""
    name, _, count = text.partition("=")
    if name not in KINDS:
        raise argparse.ArgumentTypeError(f"no kind {name!r}")
    return name, int(count) if count else None


def _line(name: str, outcome: Outcome, seconds: float) -> str:
    """Return what came of a kind: `seconds` of the processor were spent on all of it."""
    parts = KINDS[name].parts
    holds = f" of {parts} packets" if parts > 1 else ""
    worst = f"slowest {outcome.slowest:5.3f} s, largest {outcome.largest:5.1f} MB"
    return (
        f"{name:18} {outcome.tried:7} tried{holds} {outcome.read:7} read, {worst}, {len(outcome.faults)}"
        f" faults, {seconds:.0f} s in all"
    )


if __name__ == "__main__":
    status = main()
    sys.stderr.flush()
    os._exit(status)  # some bpy modules crash in the interpreter's own exit
