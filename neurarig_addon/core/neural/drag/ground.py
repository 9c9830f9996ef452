"""The ground under a dragged body: knees and hips stay above the soles on which it stands.

A shin leans forward over its ankle until the knee is as low as allowed. The knee's place there follows from
the foot alone, and the
shin leans less wherever the hip is at least a thigh's length away from that place: of two triangles with the
same two sides, the one
with the wider angle between them has the longer third side. So a bound on a knee is a bound on the distance
of its hip, as in limbs'
reach, and the trunk need not know about knees.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ...geometry.rotation import ON_GROUND, UP, dot, normalized, norms, rotated
from ..point_body import PointBody
from ..points import INDEX, POINTS
from ..reach.lock_plan import Limb, span

# of the shin: least height above the soles of knees, and of hips straight above the ankles
_KNEES, _HIPS = 0.55, 0.65
_KNEELS = 0.15  # of the shin: least height of knees above the soles when the hips are dragged down: kneeling
# slope: how much lower hips may be per length farther back, as squatting sits back and leans forward
_BACK = 0.5
# share at which a hip's sideways distance counts for its knee: a leg that tilts sideways lowers its knee
_ASIDE = 0.5
_UPRIGHT = 0.98  # of the shin: a knee's lowest place is at most this far below or above its ankle
_STRAIGHT = 1e-3  # of the thigh: weight of the pole, which gives a straight leg a bend direction
_PULL = 20.0  # largest pull of these bounds, where the whole resists a shift by 1 m with 1
# square metres: compliance of these bounds at first, and of bounds that may not pull
_GIVES, _FREE = 0.02, 1e4
_STANDS = 0.5  # share from which a body stands on the ground
_TINY = 1e-9


@dataclass(frozen=True, eq=False)
class DragGround:
    """The ground under the `legs` `n` of a body in the pose before a drag.

    `ahead` `(n, 3)`: the horizontal direction in which each knee bends. `soles` `(n,)`: depth of soles below
    ankles, metres.
    `stands` `(n,)`: 1 where the leg stands on its foot, 0 where it lies or hangs.
    `shins` `(n,)`, `least` `(2 n,)`: lengths, and least distances of hips, mapped by `seen`, from the places
    of `under`, metres.
    """

    legs: tuple[Limb, ...]
    ahead: np.ndarray
    soles: np.ndarray
    stands: np.ndarray
    shins: np.ndarray
    least: np.ndarray

    @classmethod
    def of(
        cls, body: PointBody, away: np.ndarray, points: np.ndarray, pinned: Mapping[str, Limb]
    ) -> "DragGround":
        """Return the ground in a pose with roles turned by `away` `(r, 3, 3)` and points at `points` `(27,
        3)`; `pinned`: limbs by target.

        A body that squats, kneels or sits below the bounds may stay there, but not go lower.
        """
        legs = tuple(
            limb for name, limb in pinned.items() if name.startswith("ankle") and limb.upper != limb.lower
        )
        bends = np.array([_bend(body, leg, away, points) for leg in legs]).reshape(-1, 3)
        level = bends * ON_GROUND
        soles = np.array([points[_foot(leg), 2].min() for leg in legs])
        hips = np.array([points[leg.start] for leg in legs]).reshape(-1, 3)
        shins = np.array([span(body, leg, 1) for leg in legs])
        thighs = np.array([span(body, leg, 0) for leg in legs])
        ground = cls(
            legs=legs,
            ahead=level / np.maximum(norms(level)[..., None], _TINY),
            soles=np.array([points[leg.end, 2] for leg in legs]) - soles,
            stands=norms(level) * (hips[:, 2] > soles),
            shins=shins,
            least=np.concatenate([thighs, shins]),
        )
        lines = np.tile(hips, (2, 1)) - ground.under(points[None], np.zeros((1, len(points))))[0]
        return replace(ground, least=np.minimum(ground.least, norms(rotated(ground.seen, lines))))

    def under(self, places: np.ndarray, held: np.ndarray) -> np.ndarray:
        """Return the places that hips keep away from `(f, 2 n, 3)`, for points wanted at `places` `(f, 27,
        3)`, `held` by `(f, 27)`.

        First the knees' lowest places, then places a shin's length below the slope on which hips may sit.
        """
        count = len(self.legs)
        ankles = places.take(self._rows[2], axis=1)
        heights = ankles[..., 2]
        ground = np.minimum.reduce(heights - self.soles, axis=1, initial=np.inf, keepdims=True)
        most = _UPRIGHT * self.shins
        up = np.minimum(
            np.maximum(ground + (_KNEES + (_KNEELS - _KNEES) * held[:, :1]) * self.shins - heights, -most),
            most,
        )
        found = np.concatenate([ankles, ankles], axis=1)
        found[:, :count] += np.sqrt(self.shins * self.shins - up * up)[..., None] * self.ahead
        found[:, :count, 2] += up
        found[:, count:, 2] = ground + _HIPS * self.shins
        found[:, count:] -= self.shins[:, None] * self._slope
        return found

    def floor(self, places: np.ndarray, held: np.ndarray) -> np.ndarray:
        """Return the height of the ground `(f,)` for points wanted at `places` `(f, 27, 3)`, `held` by `(f,
        27)`; none: minus infinity."""
        lowest = np.minimum.reduce(
            places.take(self._rows[2], axis=1)[..., 2] - self.soles, axis=1, initial=np.inf
        )
        return np.where(self.standing(held) > _STANDS, lowest, -np.inf)

    def standing(self, held: np.ndarray) -> np.ndarray:
        """Return how far the body stands on a foot that holds `(f,)`, 0..1, for points `held` by `(f,
        27)`."""
        return np.maximum.reduce(self.stands * held.take(self._rows[2], axis=1), axis=1, initial=0.0)

    def pulls(self, held: np.ndarray) -> np.ndarray:
        """Return how hard hips may pull away from there `(f, 2 n)`, for points `held` by `(f, 27)`: held feet
        stand on the ground, and dragged knees or hips are meant to go where they are dragged."""
        starts, middles, ends = self._rows
        pull, loose = _PULL * self.stands * held.take(ends, axis=1), 1.0 - held
        return np.concatenate(
            [pull * loose.take(middles, axis=1), pull * loose[:, :1] * loose.take(starts, axis=1)], axis=1
        )

    def gives(self, pulls: np.ndarray) -> np.ndarray:
        """Return the compliance of hips that may pull so hard `(f, 2 n)`: `(f, 2 n, 3)`, square metres on a
        body of human size."""
        return np.minimum(_GIVES * _PULL / np.maximum(pulls, _TINY), _FREE)[..., None].repeat(3, axis=-1)

    @cached_property
    def seen(self) -> np.ndarray:
        """Maps of offsets between hips and the places of `under` `(2 n, 3, 3)`: sideways shortened; onto the
        slope's normal."""
        aside = np.cross(self.ahead, [0.0, 0.0, 1.0])
        knees = np.eye(3) - (1.0 - _ASIDE) * aside[:, :, None] * aside[:, None]
        return np.concatenate([knees, self._slope[:, :, None] * self._slope[:, None]])

    @cached_property
    def _slope(self) -> np.ndarray:
        """The unit normals `(n, 3)` of the slopes above which hips stay."""
        return normalized(UP - _BACK * self.ahead)

    @cached_property
    def _rows(self) -> np.ndarray:
        """The points `(3, n)` at which legs start, bend and end."""
        return np.array([leg[:3] for leg in self.legs], dtype=int).reshape(-1, 3).T


def _foot(leg: Limb) -> list[int]:
    """Return the rows of the points of a leg's foot."""
    side = POINTS[leg.end].partition(".")[2]
    return [INDEX[f"{stem}.{side}"] for stem in ("ankle", "ball", "toe_tip")]


def _bend(body: PointBody, leg: Limb, away: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Return the unit direction `(3,)` in which a leg's knee bends in a pose."""
    pole = away[leg.upper] @ (leg.pole @ body.turns[body.tree.joints[leg.upper]])
    thigh, line = points[leg.middle] - points[leg.start], normalized(points[leg.end] - points[leg.start])
    bend = thigh + _STRAIGHT * span(body, leg, 0) * pole
    return normalized(bend - dot(bend, line) * line)
