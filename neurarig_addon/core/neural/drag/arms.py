"""Arms that nobody holds, while the body stoops: they come down, and the hands rest on the thighs."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...body.limbs import ReachingLimbs
from ...easing import smooth_between, smoothstep
from ...geometry.rotation import between, normalized, part_way, rejected, rotation_vector, transposed
from ...geometry.vectors import lengths
from ..point_body import PointBody
from ..points import INDEX, POINTS
from ..reach.lock_plan import Limb, bent_limbs
from .holds import PoseBefore

_DOWN_AT = 0.4  # metres on a body of human size: depth of a stoop from which arms are all the way down
# of the thigh, from the hip, and metres on a body of human size from its middle: where a hand rests
_ALONG, _BESIDE = 0.65, 0.09
# radians: turn of an upper arm from rest, relative to what carries it, by which it counts as posed
_UNPOSED = 0.35
_HANGS = 0.6, 0.9  # cosines between an arm and straight down: it begins to count as hanging, and hangs
# metres on a body of human size from the place on the thigh: a hand begins to count as resting there, and
# rests
_RESTS = 0.25, 0.15
_OUT = np.array([0.6, 0.8])  # ahead and aside of the thigh: the way from its middle to the hand


@dataclass(frozen=True, eq=False)
class FreeArms:
    """Arms with their legs beside them, `legs` `(n, 2)`: rows of hips and knees.

    `loose` `(n,)`: how far each is free to come down, 0..1: arms that hang or that nobody has posed; an arm
    in any other pose is meant.
    """

    body: PointBody
    arms: tuple[Limb, ...]
    legs: np.ndarray
    loose: np.ndarray

    @classmethod
    def of(cls, body: PointBody, before: PoseBefore, limbs: tuple[Limb, ...]) -> "FreeArms":
        """Return those among limbs of two bones, in the pose before a drag."""
        arms = tuple(limb for limb in limbs if POINTS[limb.start].startswith("shoulder"))
        legs = np.array(
            [[INDEX[f"{part}{POINTS[arm.start][-2:]}"] for part in ("hip", "knee")] for arm in arms],
            dtype=int,
        ).reshape(-1, 2)
        free = cls(body, arms, legs, np.zeros(len(arms)))
        return cls(body, arms, legs, free._looseness(before)) if arms else free

    def come_down(self, away: np.ndarray, root: np.ndarray, depth: np.ndarray, held: np.ndarray) -> None:
        """Turn the arms in roles' rotations `(f, r, 3, 3)` for a body that stoops by `depth` `(f,)`, metres
        of a human, hands `held`."""
        if not self.arms or not depth.any() or not self.loose.any():
            return
        share = (
            self.loose
            * smoothstep(depth / _DOWN_AT)[:, None]
            * (1.0 - held.take([arm.end for arm in self.arms], axis=1))
        )
        starts, ends, *legs = (
            self._at(away, root).swapaxes(0, 1).reshape(4, len(self.arms), len(away), 3).swapaxes(1, 2)
        )
        lines, wanted = ends - starts, self._places(away[:, 0], *legs) - starts
        far = lengths(lines)
        turned = part_way(np.eye(3), between(lines, wanted), share) @ lines[..., None]
        way = turned[..., 0] * (1.0 + share[..., None] * (lengths(wanted) / far - 1.0))
        limbs = self._limbs
        moved = limbs.reached(away.take(limbs.bones, axis=1), way)
        kept = np.concatenate([share, share], axis=1)[..., None, None] == 0.0
        away[:, limbs.bones] = np.where(kept, away.take(limbs.bones, axis=1), moved)

    def _looseness(self, before: PoseBefore) -> np.ndarray:
        away, tree, points = before.away, self.body.tree, before.points
        upper = [arm.upper for arm in self.arms]
        turned = (
            lengths(rotation_vector(transposed(away[tree.parents[upper]]) @ away[upper]))[:, 0] / _UNPOSED
        )
        lines = points[[arm.end for arm in self.arms]] - points[[arm.start for arm in self.arms]]
        places = self._places(away[None, 0], points[None, self.legs[:, 0]], points[None, self.legs[:, 1]])[0]
        apart = lengths(points[[arm.end for arm in self.arms]] - places)[:, 0] / self.body.size
        hangs = smooth_between(-normalized(lines)[:, 2], *_HANGS)
        rests = smooth_between(apart, *_RESTS)
        return np.maximum(np.maximum(hangs, rests), np.exp(-turned * turned))

    def _places(self, pelvis: np.ndarray, hips: np.ndarray, knees: np.ndarray) -> np.ndarray:
        """Return where hands rest on the thighs `(f, n, 3)`; the pelvis' rotation `(f, 3, 3)`, hips and knees
        `(f, n, 3)`."""
        thighs = knees - hips
        aside = np.sign(self.body.rest[self.legs[:, 0], 1])[:, None] * pelvis[:, None, :, 1]
        ahead = pelvis[:, None, :, 0]
        out = _OUT[0] * ahead + _OUT[1] * aside
        line = normalized(thighs)
        out = normalized(rejected(out, line))
        return hips + _ALONG * thighs + _BESIDE * self.body.size * out

    def _at(self, away: np.ndarray, root: np.ndarray) -> np.ndarray:
        """Return the places of the arms' starts, their ends, the hips and the knees `(f, 4 n, 3)`."""
        return self.body.tree.carried(away, self._levers) + root[:, None]

    @cached_property
    def _levers(self) -> np.ndarray:
        rows = [*(arm.start for arm in self.arms), *(arm.end for arm in self.arms), *self.legs.T.ravel()]
        return self.body.tree.levers[:, rows]

    @cached_property
    def _limbs(self) -> ReachingLimbs:
        return bent_limbs(self.body, self.arms)
