"""Which recorded people the pose network learns from, is chosen on and is judged by.

The split goes by CMU subject number, never by clip: two clips of one person share the body and the habits.
"""

import csv
from dataclasses import dataclass
from pathlib import Path

from ...core.errors import NeuraRigError

TRAINING, VALIDATION, TEST = "training", "validation", "test"

# Judged by, never trained or tuned on.  Each both walks and does something else, and nothing that they do was chosen for being easy:
# 2 walks, jogs, fights with a sword, boxes, jumps, bends down and washes; 5 walks and dances ballet; 17 sneaks and boxes;
# 131 walks, turns, hops, ducks, jumps and stops.  About 355 s.
TEST_SUBJECTS = ("2", "5", "17", "131")
# Chosen on: epochs, widths, weights of losses, and the prior weights of the baselines; the shipped network may learn from them at the end,
# once its recipe is fixed.  11 kicks a ball; 49 runs, leaps, dances, balances and does acrobatics; 91 walks in several moods.  About 277 s.
VALIDATION_SUBJECTS = ("11", "49", "91")
# The others, about 1 700 s: among them 1 (climbing), 14 (everyday life), 16 (locomotion), 29 (mime), 60/61 and 94 (dances).


@dataclass(frozen=True)
class Recording:
    """One file of the mocap folder; `metres_per_unit` is what its lengths are given in."""

    path: Path
    subject: str
    group: str
    metres_per_unit: float

    @property
    def part(self) -> str:
        """Return the part of the split it belongs to."""
        return part_of(self.subject)


def part_of(subject: str) -> str:
    """Return which part of the split a subject is in."""
    if subject in TEST_SUBJECTS:
        return TEST
    return VALIDATION if subject in VALIDATION_SUBJECTS else TRAINING


def recordings(folder: Path, part: str | None = None) -> list[Recording]:
    """Return the files that the folder's manifest lists, in its order; of one part of the split where `part` is given."""
    manifest = folder / "manifest.csv"
    try:
        with manifest.open(encoding="utf-8", newline="") as lines:
            rows = list(csv.DictReader(lines))
    except OSError as problem:
        raise NeuraRigError(f"'{manifest}' cannot be read ({problem.strerror}); name the motion capture's folder.") from problem
    found = [Recording(folder / row["file"], row["subject"], row["group"], float(row["unit_to_m"])) for row in rows]
    return [one for one in found if part in (None, one.part)]
