"""The figure of random situations, from the command line:

    python -m tests.blender.situations --sequences 500 --steps 12

draws sequences on four rigs in turn and prints every one that fails, made as short as it goes. A process of
its own plays them, so that
one that takes Blender with it is a failure like others. `--seed N --rig plain` plays a single one again; with
`--things` they are about
what hands take and put down.
"""

import argparse
import os
import subprocess
import sys

import bpy

import neurarig_addon
from tests.blender.situations.characters import CHARACTERS
from tests.blender.situations.sequence import failure, shortest
from tests.blender.situations.steps import STEPS, drawn

CRASHED = "CRASHED"
MOST_STATUS = 100


def main() -> int:
    """Play the sequences and return the number of those that fail."""
    options = _options()
    rigs = [options.rig] if options.rig else list(CHARACTERS)
    if options.alone:
        return _play(options.rig, range(options.seed, options.seed + options.sequences), options)
    share = -(-options.sequences // len(rigs))
    failed = sum(play_apart(rig, range(options.seed, options.seed + share), options) for rig in rigs)
    print(
        f"{failed} of {share * len(rigs)} sequences of {options.steps} steps on {len(rigs)} rigs failed",
        flush=True,
    )
    return failed


def _play(rig: str, seeds: range, options: argparse.Namespace) -> int:
    failed = 0
    for seed in seeds:
        print(f"{rig} {seed}", file=sys.stderr, flush=True)  # should Blender crash, this was the one
        steps = drawn(seed, options.steps, options.things)
        found = failure(rig, steps)
        if found is None:
            continue
        failed += 1
        if options.shrink:
            steps = shortest(rig, steps)
            found = failure(rig, steps)
        print(f"\n{rig}, seed {seed}:\n{found}", flush=True)
    return failed


def play_apart(rig: str, seeds: range, options: argparse.Namespace) -> int:
    """Play sequences in another process and return how many fail; where one takes it down, say so and go on
    behind it.

    Of the options `steps`, `shrink` and `things` count.
    """
    failed = 0
    while seeds:
        given = [
            "--rig",
            rig,
            "--seed",
            str(seeds.start),
            "--sequences",
            str(len(seeds)),
            "--steps",
            str(options.steps),
        ]
        given += [] if options.shrink else ["--whole"]
        given += ["--things"] if options.things else []
        command = [sys.executable, "-m", "tests.blender.situations", "--alone", *given]
        ended = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
        said = [line for line in ended.stdout.splitlines() if not _is_chatter(line)]
        print("".join(f"{line}\n" for line in said), end="", flush=True)
        failed += sum(line.startswith(f"{rig}, seed ") for line in said)
        if 0 <= ended.returncode <= MOST_STATUS:
            return failed
        *_, last = [
            number for number, line in enumerate(ended.stderr.splitlines()) if line.startswith(f"{rig} ")
        ] or [0]
        steps = ended.stderr.splitlines()[last:]
        print(
            "\n".join([f"\n{steps[0]}: {CRASHED} with status {ended.returncode} at the last of", *steps[1:]]),
            flush=True,
        )
        failed += 1
        seeds = range(int(steps[0].split()[-1]) + 1, seeds.stop)
    return failed


def _is_chatter(line: str) -> bool:
    """Say whether a line is Blender's own, of which opening and saving files makes many."""
    return (
        not line
        or line.startswith(("Info:", "Warning:", "Read prefs", "Reloading external", "scripts disabled"))
        or "| " in line[:40]
    )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.blender.situations", description=__doc__)
    parser.add_argument("--sequences", type=int, default=1)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument(
        "--seed", type=int, default=0, help="of the first sequence; the next ones have the next"
    )
    parser.add_argument("--rig", choices=list(CHARACTERS), help="only this one")
    parser.add_argument(
        "--things", action="store_true", help="only what has to do with things that hands take"
    )
    parser.add_argument(
        "--whole", dest="shrink", action="store_false", help="print failing sequences as they were drawn"
    )
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    neurarig_addon.register()
    status = main()
    sys.stdout.flush()
    os._exit(min(status, MOST_STATUS))  # some bpy modules crash in the interpreter's own exit
