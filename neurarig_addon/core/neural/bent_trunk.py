"""Poses of a rig with one control that bends the whole spine: what the chest carries moves with the bend, and
locks allow for it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..geometry.rotation import rotated, transposed
from ..posing.trunk_bend import TrunkBend
from ..skeleton.roles import SPINE, stem_of
from .drag.drag import Drag
from .point_body import PointBody
from .reach.locks import Locks

_PELVIS = 0  # row of the tree's roles
_NEAR = 2e-6  # of the body's height: converged once the chest moves less from one round to the next
_MOST_ROUNDS = 24


@dataclass(frozen=True)
class BentTrunk:
    """A body whose chest, the only posed bone of its spine, moves as `bend` says."""

    body: PointBody
    bend: TrunkBend

    @cached_property
    def _chest(self) -> int:
        return next(row for row, role in enumerate(self.body.tree.roles) if stem_of(role) == SPINE)

    @cached_property
    def _above(self) -> np.ndarray:
        """Whether the chest carries each role `(r,)`, itself included."""
        return self.body.tree.above[:, self._chest] > 0.0

    def shift(self, away: np.ndarray) -> np.ndarray:
        """Return the shift of the chest `(f, 3)`, walk frame, metres, under rotations from rest `(f, r, 3,
        3)`."""
        pelvis = away[:, _PELVIS]
        return rotated(pelvis, self.bend.shift(transposed(pelvis) @ away[:, self._chest]))

    def heads(self, away: np.ndarray, root: np.ndarray) -> np.ndarray:
        """Return the roles' heads `(f, r, 3)`, as the rig bends."""
        return self.body.tree.heads(away, root) + self._above[:, None] * self.shift(away)[:, None]

    def locked(
        self, names: tuple[str, ...], away: np.ndarray, root: np.ndarray, places: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return what `Locks.apply` does, with points that the chest carries at their places `(f, 27, 3)` as
        the rig bends."""
        locks = Locks.of(self.body, names)
        return self._bent(lambda moved: locks.apply(away, root, moved), (away, root), places)

    def dragged(self, drag: Drag, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the roles' rotations and heads for targets dragged to `points` `(f, 27, 3)`, as the rig
        bends."""
        before = drag.before.away[None].repeat(len(points), axis=0)
        away, root = self._bent(drag.apply, (before, drag.before.root[None]), points)
        return away, self.heads(away, root)

    def _bent(
        self,
        posed: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]],
        found: tuple[np.ndarray, np.ndarray],
        places: np.ndarray,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return what `posed` gives for places `(f, 27, 3)`, those that the chest carries moved back by its
        shift."""
        carried, shift = self._above[self.body.tree.holders][:, None], self.shift(found[0])
        for _ in range(_MOST_ROUNDS):
            found = posed(places - carried * shift[:, None])
            before, shift = shift, self.shift(found[0])
            if np.abs(shift - before).max(initial=0.0) < _NEAR * self.body.height:
                break
        return found
