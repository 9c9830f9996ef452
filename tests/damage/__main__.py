"""Try damaged files: `python -m tests.damage --count 20000`, or some kinds only: `python -m tests.damage bvh npz --count 100`.

With a Python that has bpy the kinds that Blender's side reads are tried too.  The exit status is 1 where one was neither read nor refused
in a sentence, or took too much time or memory; it is kept in --keep.
"""

import argparse
import hashlib
import os
import sys
from importlib import util
from pathlib import Path
from time import perf_counter

from . import kinds
from .trial import run

KINDS = dict(kinds.KINDS)
if util.find_spec("bpy"):
    from . import in_blender

    KINDS |= in_blender.KINDS


def main() -> int:
    """Try the kinds asked for and print a line for each, and one for each fault."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kinds", nargs="*", choices=[*KINDS, []], metavar="KIND", help=", ".join(KINDS))
    parser.add_argument("--count", type=int, default=1_000, help="files of each kind (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, default=Path("out/damage"), metavar="FOLDER", help="default: %(default)s")
    options = parser.parse_args()
    failed = False
    for name in options.kinds or KINDS:
        begin = perf_counter()
        outcome = run(KINDS[name], options.count, options.seed)
        seconds = perf_counter() - begin
        print(
            f"{name:15} {outcome.tried:7} tried {outcome.read:7} read, slowest {outcome.slowest:5.2f} s,"
            f" {len(outcome.faults)} faults, {seconds:.0f} s in all",
            flush=True,
        )
        for fault, content in outcome.faults.items():
            options.keep.mkdir(parents=True, exist_ok=True)
            kept = options.keep / f"{name}_{hashlib.sha256(fault.encode()).hexdigest()[:8]}{KINDS[name].ending}"
            kept.write_bytes(content)
            print(f"    {fault}: {kept}", flush=True)
            failed = True
    return int(failed)


if __name__ == "__main__":
    status = main()
    sys.stderr.flush()
    os._exit(status)  # some bpy modules crash in the interpreter's own exit
