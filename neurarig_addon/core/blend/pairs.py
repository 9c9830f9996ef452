"""The pairs of legs that a body stands on, each seen as the hind one: on two legs there is one."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..body.back import FORE_ROLES
from ..body.legs import hips_of
from ..character.body import FORWARD, Body
from ..character.motion import Motion
from ..skeleton.roles import SIDES, sided
from .poses import Poses


@dataclass(frozen=True)
class Pair:
    """A pair of legs: its `body`, where its feet are among all, what roles of hind legs, and of what they
    hang on, are called in it, and metres `(3,)` from the root to its own."""

    body: Body
    feet: slice
    names: Mapping[str, str]
    ahead: np.ndarray

    def of(self, poses: Poses) -> Poses:
        """Return poses with its legs as the hind ones."""
        return replace(poses, motions=self.seen(poses.motions), stands=poses.stands[:, self.feet])

    def seen(self, motions: Mapping[str, Motion]) -> dict[str, Motion]:
        """Return motions with its legs as the hind ones."""
        others = {role: motion for role, motion in motions.items() if role not in self.names}
        return others | {own: motions[role] for own, role in self.names.items() if role in motions}

    def named(self, motions: Mapping[str, Motion]) -> dict[str, Motion]:
        """Return motions of hind legs by the roles that these are."""
        return {self.names.get(role, role): motion for role, motion in motions.items()}

    def hips(self, seen: Mapping[str, Motion]) -> np.ndarray:
        """Return the joints `(f, 2, 3)` on which its legs hang, from motions with them as the hind ones."""
        if not self.names:
            return hips_of(self.body, seen["pelvis"])
        return np.stack([seen[sided("thigh", side)].position for side in SIDES], axis=1)


def pairs_of(body: Body) -> tuple[Pair, ...]:
    """Return the pairs of legs, the hind one first."""
    hind = Pair(body, slice(0, 2), {}, 0.0 * FORWARD)
    if body.fore is None:
        return (hind,)
    names = {**FORE_ROLES, "pelvis": f"spine.{len(body.spine)}" if len(body.spine) else "pelvis"}
    return hind, Pair(body.front_in_place, slice(2, 4), names, body.ahead * FORWARD)
