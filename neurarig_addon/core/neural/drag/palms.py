"""Hands of a dragged body near the ground: they stay above it, and lie flat on it, fingers ahead."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...easing import smooth_between, smoothstep
from ...geometry.rotation import (
    about_z,
    from_axis_angle,
    normalized,
    norms,
    part_way,
    to_euler,
    transposed,
    twist,
)
from ...skeleton.roles import sided
from ..point_body import PointBody
from ..points import INDEX, POINTS
from ..reach.lock_plan import Limb
from .holds import Holds, PoseBefore

_THICK = 0.04  # metres on a body of human size: least height of wrists above the ground
_FROM = 0.17  # metres on a body of human size: height of hanging fingers at which the hand begins to lie down
_FOREARM = 0.5  # of the twist by which a hand lies down: the part that its forearm takes


class Palm(NamedTuple):
    """A hand: rows of its role, of its forearm's and of the wrist; its rotation from rest when it lies `flat`
    `(3, 3)`, its `length` in metres, and the forearm's line at rest, `along` `(3,)`."""

    role: int
    lower: int
    wrist: int
    flat: np.ndarray
    length: float
    along: np.ndarray


@dataclass(frozen=True, eq=False)
class Palms:
    """The hands of a body, in the pose before a drag, that may turn: how `thick` they are, and how high
    hanging fingers are when a hand `begins` to lie down, metres.

    `above` `(k,)`: rows of the points of hands that stay above the ground; `lowest` `(k,)`: how high they are
    before, metres. `were` `(p, 3)`: where the wrists are before: a hand that stays there does not turn.
    """

    body: PointBody
    palms: tuple[Palm, ...]
    above: tuple[int, ...]
    lowest: np.ndarray
    were: np.ndarray
    thick: float
    begins: float

    @classmethod
    def of(
        cls, body: PointBody, before: PoseBefore, holds: Holds, limbs: Iterable[Limb], size: float
    ) -> "Palms":
        """Return those of some limbs; locked hands stay as they are, and a hand below the ground may stay
        there."""
        found = []
        for limb in limbs:
            side = POINTS[limb.end][-1]
            if (
                POINTS[limb.start].startswith("shoulder")
                and not holds.is_locked[limb.end]
                and sided("hand", side) in body.tree.roles
            ):
                found.append(_palm(body, before, limb, side))
        above = tuple(
            row for palm in found for row in (palm.wrist, palm.wrist + INDEX["hand_tip.L"] - INDEX["wrist.L"])
        )
        were = before.points[[palm.wrist for palm in found]]
        return cls(
            body, tuple(found), above, before.points[list(above), 2], were, _THICK * size, _FROM * size
        )

    def raised(self, places: np.ndarray, floor: np.ndarray) -> np.ndarray:
        """Return the places of points `(f, 27, 3)`, hands raised above the ground at `floor` `(f,)`,
        metres."""
        if not self.above or not (places[:, self.above, 2] < floor[:, None] + self.thick).any():
            return places
        least = np.minimum(floor[:, None] + self.thick, self.lowest)
        found = places.copy()
        found[:, self.above, 2] = np.maximum(places[:, self.above, 2], least)
        return found

    def lay(self, away: np.ndarray, root: np.ndarray, floor: np.ndarray) -> None:
        """Turn hands near the ground at `floor` `(f,)` in roles' rotations `(f, r, 3, 3)`."""
        if not self.palms or np.isneginf(floor).all():
            return
        wrists = (
            self.body.tree.carried(away, self.body.tree.levers[:, [palm.wrist for palm in self.palms]])
            + root[:, None]
        )
        moved = norms(wrists - self.were).T
        for palm, height, far in zip(self.palms, (wrists[..., 2] - floor[:, None]).T, moved, strict=True):
            begins = palm.length + self.begins
            share = smooth_between(height, begins, self.thick) * smoothstep(far / self.thick)
            if share.any():
                forearm = normalized(away[:, palm.lower] @ palm.along)
                roll = twist(palm.flat @ transposed(away[:, palm.role]), forearm)
                turn = from_axis_angle(forearm, _FOREARM * share * roll)
                away[:, palm.lower] = turn @ away[:, palm.lower]
                away[:, palm.role] = part_way(
                    turn @ away[:, palm.role], np.broadcast_to(palm.flat, turn.shape), share
                )


def _palm(body: PointBody, before: PoseBefore, limb: Limb, side: str) -> Palm:
    wrist, tip = INDEX[f"wrist.{side}"], INDEX[f"hand_tip.{side}"]
    fingers = body.rest[tip] - body.rest[wrist]  # palm down in the reference pose
    ahead = to_euler(before.away[0])[1] - np.arctan2(fingers[1], fingers[0])
    along = body.at_rest[wrist] - body.at_rest[limb.middle]
    role = body.tree.roles.index(sided("hand", side))
    return Palm(role, limb.lower, wrist, about_z(ahead) @ body.turns[wrist], float(norms(fingers)), along)
