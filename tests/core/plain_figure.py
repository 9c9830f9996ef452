"""A figure of round numbers, and what detection sees of it."""

from dataclasses import replace

import numpy as np

from neurarig_addon.core.detection.arms import arm_candidates
from neurarig_addon.core.detection.biped import biped_evidence
from neurarig_addon.core.detection.figure import Figure
from neurarig_addon.core.detection.head import head_candidates
from neurarig_addon.core.detection.legs import leg_candidates, single_legs
from neurarig_addon.core.detection.pairs import Candidates
from neurarig_addon.core.detection.trunk import chest_evidence, find_trunk

from . import skeletons as made

LEG, ARM = 0.9, 0.5  # lengths
LEFT: made.Table = {
    "thigh_l": ("hips", (0.1, 0, 1.0), (0.1, 0, 0.6)),
    "shin_l": ("thigh_l", (0.1, 0, 0.6), (0.1, 0, 0.1)),
    "foot_l": ("shin_l", (0.1, 0, 0.1), (0.1, -0.15, 0)),
    "toe_l": ("foot_l", (0.1, -0.15, 0), (0.1, -0.25, 0)),
    "collar_l": ("chest", (0.05, 0, 1.4), (0.2, 0, 1.4)),
    "upper_l": ("collar_l", (0.2, 0, 1.4), (0.5, 0, 1.4)),
    "fore_l": ("upper_l", (0.5, 0, 1.4), (0.7, 0, 1.4)),
    "hand_l": ("fore_l", (0.7, 0, 1.4), (0.8, 0, 1.4)),
    "index_l": ("hand_l", (0.75, -0.02, 1.4), (0.77, -0.02, 1.4)),
    "index_tip_l": ("index_l", (0.77, -0.02, 1.4), (0.78, -0.02, 1.4)),
    "thumb_l": ("hand_l", (0.72, 0.02, 1.4), (0.74, 0.02, 1.4)),
    "thumb_tip_l": ("thumb_l", (0.74, 0.02, 1.4), (0.75, 0.02, 1.4)),
}
PLAIN: made.Table = {
    "root": (None, (0, 0, 0), (0, 0.1, 0)),
    "hips": ("root", (0, 0, 1.1), (0, 0, 1.2)),
    "chest": ("hips", (0, 0, 1.2), (0, 0, 1.5)),
    "neck": ("chest", (0, 0, 1.5), (0, 0, 1.6)),
    "head": ("neck", (0, 0, 1.6), (0, 0, 1.8)),
    **made.both(LEFT),
}


def with_bones(**left: tuple) -> made.Table:
    """Return the figure with some bones otherwise; a left one brings its mirror image."""
    sided = {name: bone for name, bone in left.items() if name.endswith("_l")}
    return ordered(
        PLAIN | {name: bone for name, bone in left.items() if name not in sided} | made.both(sided)
    )


def elsewhere(*stems: str, by: made.Point, before: str = "") -> made.Table:
    """Return bones of both sides, moved; a name `before` theirs makes copies of them that hang on the
    hips."""
    found: made.Table = {}
    for name, (parent, head, tail) in PLAIN.items():
        if name[:-2] in stems:
            above = f"{before}{parent}" if parent and parent[:-2] in stems else parent
            start, end = ((x + by[0], y + by[1], z + by[2]) for x, y, z in (head, tail))
            found[before + name] = above, start, end
    return found


def ordered(table: made.Table) -> made.Table:
    """Return the bones with parents before children."""
    known: made.Table = {}
    while len(known) < len(table):
        known |= {
            name: bone
            for name, bone in table.items()
            if name not in known and (bone[0] is None or bone[0] in known)
        }
    return known


class Seen:
    """A figure, its limbs by the names of their bones, and what is seen of them."""

    def __init__(
        self,
        table: made.Table = PLAIN,
        leg=("thigh", "shin", "foot"),
        arm=("upper", "fore", "hand"),
        **changed,
    ):
        self.figure = Figure(replace(made.skeleton(ordered(table)), **changed))
        self.row = self.figure.skeleton.index
        self.legs, self.leg = self._pair(leg_candidates(self.figure, single_legs(self.figure)), leg)
        self.pair = self.legs.pair(self.leg)
        self.used = {row for top in self.pair.rows[:, 0] for row in self.figure.below(int(top))}
        self.arms, self.arm = self._pair(arm_candidates(self.figure, self.pair, self.used), arm)
        self.arm_pair = self.arms.pair(self.arm)

    def _pair(self, found: Candidates | None, parts: tuple[str, ...]) -> tuple[Candidates, int]:
        assert found is not None
        rows = {tuple(self.row.get(f"{part}_{side}", -1) for part in parts) for side in "lr"}
        both = zip(
            found.limbs.rows[found.pairs.one].tolist(),
            found.limbs.rows[found.pairs.other].tolist(),
            strict=True,
        )
        return found, next(k for k, (one, other) in enumerate(both) if {tuple(one), tuple(other)} == rows)

    def of_leg(self, what: str) -> float:
        return float(self.legs.seen[what][self.leg])

    def of_arm(self, what: str) -> float:
        return float(self.arms.seen[what][self.arm])

    def of_head(self, what: str, bone: str) -> float:
        heads = head_candidates(self.figure, self.pair, self.arm_pair, self.used)
        assert heads is not None
        return float(heads.seen[what][heads.rows.tolist().index(self.row[bone])])

    def of_chest(self, what: str, *way: str) -> list[float]:
        return chest_evidence(
            self.figure, [self.row[bone] for bone in (*way, "head")], self.pair, self.arm_pair
        )[what].tolist()

    def of_biped(self, what: str, arms: bool = True) -> float:
        best = replace(
            self.legs, merit=np.where(np.arange(len(self.legs.merit)) == self.leg, 1e3, self.legs.merit)
        )
        trunk = find_trunk(self.figure, self.pair, self.arm_pair, self.used)
        return float(biped_evidence(self.figure, best, self.arm_pair if arms else None, trunk)[what][0])


SEEN = Seen()
