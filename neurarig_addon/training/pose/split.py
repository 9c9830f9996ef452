"""The recorded people that the pose network is trained, validated and tested on.

The split is by CMU subject number, never by clip: two clips of one person share the body and the habits.
"""

import csv
from dataclasses import dataclass
from pathlib import Path

from ...core.errors import NeuraRigError

TRAINING, VALIDATION, TEST = "training", "validation", "test"

# For testing, never trained or tuned on.  Each walks and does something else, and none of it was chosen for being easy:
# 2 walks, jogs, fights with a sword, boxes, jumps, bends down and washes; 5 walks and dances ballet; 17 sneaks and boxes;
# 131 walks, turns, hops, ducks, jumps and stops.  About 355 s.
TEST_SUBJECTS = ("2", "5", "17", "131")
# For choosing epochs, widths, loss weights, and the prior weights of the baselines; the shipped network may learn from them at the end,
# once its recipe is fixed.  11 kicks a ball; 49 runs, leaps, dances, balances and does acrobatics; 91 walks in several moods.  About 277 s.
VALIDATION_SUBJECTS = ("11", "49", "91")
# The others, about 1 700 s: among them 1 (climbing), 14 (everyday life), 16 (locomotion), 29 (mime), 60/61 and 94 (dances).


@dataclass(frozen=True)
class Recording:
    """One file of the mocap folder; `metres_per_unit`: its unit of length."""

    path: Path
    subject: str
    group: str
    metres_per_unit: float

    @property
    def part(self) -> str:
        """Return the part of the split it belongs to."""
        return part_of(self.subject)


def part_of(subject: str) -> str:
    """Return the part of the split that a subject is in."""
    if subject in TEST_SUBJECTS:
        return TEST
    return VALIDATION if subject in VALIDATION_SUBJECTS else TRAINING


def recordings(folder: Path, part: str | None = None) -> list[Recording]:
    """Return the files listed in the folder's manifest, in its order; of one part of the split if `part` is given."""
    manifest = folder / "manifest.csv"
    try:
        with manifest.open(encoding="utf-8", newline="") as lines:
            rows = list(csv.DictReader(lines))
    except OSError as problem:
        raise NeuraRigError(f"'{manifest}' cannot be read ({problem.strerror}); name the motion capture's folder.") from problem
    found = [Recording(folder / row["file"], row["subject"], row["group"], float(row["unit_to_m"])) for row in rows]
    return [one for one in found if part in (None, one.part)]
