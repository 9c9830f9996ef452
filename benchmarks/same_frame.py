"""Whether the same frame is the same pose: python -m benchmarks same_frame.

Draws who poses a character (walk, clip, targets), its rig and settings, and what moves, turns and resizes it
and what carries it; compares
its frames played, scrubbed, opened from a file and baked.  `COUNT=number`, `SEED=number` in the environment.
"""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.table import Row
from tests.blender.same_frame import LEGS, drawn


def rows() -> list[Row]:
    """Draw situations, print those in which a frame is another, and return the figures."""
    count, first = int(os.environ.get("COUNT", "100")), int(os.environ.get("SEED", "0"))
    largest, legs = 0.0, 0.0
    told = another = 0
    with TemporaryDirectory() as folder:
        for seed in range(first, first + count):
            seen = drawn(seed, Path(folder))
            told += bool(seen.told)
            if not seen.told:
                largest = max([largest, *(metres for way, metres in seen.off.items() if way != LEGS)])
                legs = max(legs, seen.off.get(LEGS, 0.0))
                another += seen.is_another
            if seen.is_another:
                ways = ", ".join(f"{way} {metres:.1e} m" for way, metres in seen.off.items())
                print(f"{seed}: {ways}; {' | '.join(seen.what)} {seen.told}", flush=True)
    note = f"of {count}, {told} of them told, from seed {first}; largest {largest:.1e} m, {LEGS} {legs:.1e} m"
    return [Row("drawn situations in which a frame is another, untold", another, 0, "", note=note)]
