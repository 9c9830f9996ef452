"""How many roles of a detection are right, by group."""

from collections import defaultdict
from dataclasses import dataclass, field

from neurarig_addon.core.skeleton.roles import NECK, SPINE, RoleMap, mirrored
from tests.drawn_skeletons.truth import Truth, wrong_roles

GROUPS = {
    "pelvis": "pelvis", SPINE: "spine", NECK: "neck", "head": "head", "thigh": "legs", "shin": "legs",
    "foot": "feet", "toe": "feet",
    "clavicle": "arms", "upper_arm": "arms", "forearm": "arms", "hand": "hands",
}  # fmt: skip


@dataclass
class Score:
    """Counts of roles right and asked by group, of bipeds right in all roles, and of what is no biped and was
    refused."""

    right: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    asked: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    whole: int = 0
    bipeds: int = 0
    refused: int = 0
    others: int = 0

    @property
    def share(self) -> float:
        """Roles right of all roles asked."""
        return sum(self.right.values()) / max(sum(self.asked.values()), 1)

    def add(self, truth: Truth, found: RoleMap | None, either_side: bool = False) -> list[str]:
        """Count one biped (`found` None: refused) and return the roles that are wrong.

        `either_side` accepts a map with the sides swapped.
        """
        wrong = wrong_roles(truth, found)
        if either_side and found is not None:
            wrong = min(
                wrong,
                wrong_roles(truth, RoleMap({mirrored(role): bone for role, bone in found.bones.items()})),
                key=len,
            )
        asked = {*truth, *(wrong if found is not None else ())}
        for role in asked:
            group = GROUPS[role.split(".")[0]]
            self.asked[group] += 1
            self.right[group] += role not in wrong
        self.whole += not wrong
        self.bipeds += 1
        return wrong

    def lines(self) -> str:
        """Return the shares by group as text."""
        groups = dict.fromkeys(GROUPS.values())
        return "  ".join(
            f"{group} {100.0 * self.right[group] / max(self.asked[group], 1):.1f}" for group in groups
        )
