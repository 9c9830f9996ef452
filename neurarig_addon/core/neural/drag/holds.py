"""The pose in which targets are dragged, and how the others hold meanwhile: free, soft or locked; dragged
ones are reached in any case."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...easing import smoothstep
from ..point_body import PointBody
from ..points import INDEX, POINTS


@dataclass(frozen=True, eq=False)
class PoseBefore:
    """The pose in which targets are dragged: roles' rotations from rest `(r, 3, 3)`, the pelvis `(3,)` and
    the points `(27, 3)`.

    `seen` `(27, 3)`: the points as shown, where targets were made; they differ where bones had been moved
    away from their parents.
    """

    away: np.ndarray
    root: np.ndarray
    points: np.ndarray
    seen: np.ndarray

    @classmethod
    def of(cls, body: PointBody, rotations: np.ndarray, seen: np.ndarray) -> "PoseBefore":
        """Return the pose of the joints' rotations `(22, 3, 3)` from the reference pose and of the points as
        shown `(27, 3)`."""
        away = body.role_turns(rotations[None])
        return cls(away[0], seen[0], body.tree.points(away, body.tree.heads(away, seen[:1]))[0], seen)


_MOVED = 0.005  # metres on a body of human size: a target this far from where its point was counts as dragged
# square metres: compliance of a soft target, of trunk and limbs, where the whole moves by 1 m^2
_SOFT, _LIMB_SOFT = 0.6, 1e4
_FREE = 1e4  # square metres: compliance of a free target of the trunk
# square metres: compliance of a dragged and of a locked target, before multipliers add to it
_EXACT, _FIRM = 0.02, 0.001
_PULL, _LOCKED_PULL = 6.0, 400.0  # largest pulls of these, where the whole resists a shift by 1 m with 1


@dataclass(frozen=True, eq=False)
class Holds:
    """The points of a body that have targets: `names`, `is_locked` `(27,)`, and `weights` `(27,)` of soft
    ones, 0 (free) to 1."""

    names: tuple[str, ...]
    is_locked: np.ndarray
    weights: np.ndarray

    @classmethod
    def of(
        cls, names: Iterable[str], locked: Iterable[str] = (), weights: Mapping[str, float] | None = None
    ) -> "Holds":
        """Return how points hold; those neither locked nor named in `weights` are fully soft, weight 1."""
        names = tuple(names)
        is_locked, pull = np.zeros(len(POINTS), dtype=bool), np.zeros(len(POINTS))
        for name in names:
            pull[INDEX[name]] = (weights or {}).get(name, 1.0)
        for name in locked:
            is_locked[INDEX[name]] = True
        return cls(names, is_locked, pull)

    def moved(self, away: np.ndarray, size: float) -> np.ndarray:
        """Return how far points count as dragged, 0..1 `(f, 27)`, with targets `away` `(f, 27)` metres from
        where they were.

        The pose depends on where targets are, not on which one is under the mouse: a target that was moved is
        meant to hold.
        """
        return np.where(self.weights > 0.0, self.weights, 1.0) * smoothstep(
            np.minimum(away / (_MOVED * size), 1.0)
        )

    def gives(self, rows: np.ndarray, moved: np.ndarray, is_limb: bool) -> np.ndarray:
        """Return the compliance of points `(n,)`, ends of limbs or points of the trunk, `(f, n)`, square
        metres."""
        soft = (
            _LIMB_SOFT
            if is_limb
            else np.minimum(_SOFT / np.maximum(self.weights[rows], _SOFT / _FREE), _FREE)
        )
        loose = 1.0 - moved
        return np.where(self.is_locked[rows], _FIRM, _EXACT + loose * loose * loose * soft)

    def pulls(self, rows: Sequence[int], held: np.ndarray) -> np.ndarray:
        """Return how hard points `(n,)` may pull to their places `(f, n)`; `held` `(f, 27)`."""
        rows = list(rows)
        return np.where(self.is_locked[rows], _LOCKED_PULL, _PULL * held.take(rows, axis=1))

    def locks_more_than(self, stems: Sequence[str]) -> bool:
        """Return whether points other than these, on either side, are locked."""
        return any(self.is_locked[INDEX[name]] and name.partition(".")[0] not in stems for name in self.names)
