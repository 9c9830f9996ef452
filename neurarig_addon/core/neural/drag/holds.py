"""How targets hold while others are dragged: free, soft or locked; what is dragged itself is reached in any case."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...easing import smoothstep
from ..points import INDEX, POINTS

_MOVED = 0.005  # of a body of human size, metres: a target so far from where its point was is one that was dragged
_SOFT, _LIMB_SOFT = 0.6, 1e4  # square metres: how far a soft target gives way to what pulls, where the whole moves by 1 m^2
_FREE = 1e4
_EXACT, _FIRM = 0.02, 0.001  # of one that was dragged, and of a locked one, before they insist
_PULL, _LOCKED_PULL = 6.0, 400.0  # how hard these may insist, where the whole resists its shift by 1 m with 1


@dataclass(frozen=True, eq=False)
class Holds:
    """The points of a body that have targets: `names`, `is_locked` `(27,)`, and how soft ones hold, `weights` `(27,)` 0 free to 1."""

    names: tuple[str, ...]
    is_locked: np.ndarray
    weights: np.ndarray

    @classmethod
    def of(cls, names: Iterable[str], locked: Iterable[str] = (), weights: Mapping[str, float] | None = None) -> "Holds":
        """Return how points hold; those that are neither locked nor named in `weights` are soft."""
        names = tuple(names)
        is_locked, pull = np.zeros(len(POINTS), dtype=bool), np.zeros(len(POINTS))
        for name in names:
            pull[INDEX[name]] = (weights or {}).get(name, 1.0)
        for name in locked:
            is_locked[INDEX[name]] = True
        return cls(names, is_locked, pull)

    def moved(self, away: np.ndarray, size: float) -> np.ndarray:
        """Return how far points count as dragged, 0..1 `(f, 27)`, whose targets are `away` `(f, 27)` metres from where they were.

        A pose is told by where targets are, not by which one is under the mouse: who has moved a target means it to hold.
        """
        return np.where(self.weights > 0.0, self.weights, 1.0) * smoothstep(np.minimum(away / (_MOVED * size), 1.0))

    def gives(self, rows: np.ndarray, moved: np.ndarray, is_limb: bool) -> np.ndarray:
        """Return how far points `(n,)`, the ends of limbs or points of the trunk, give way `(f, n)`, square metres."""
        soft = _LIMB_SOFT if is_limb else np.minimum(_SOFT / np.maximum(self.weights[rows], _SOFT / _FREE), _FREE)
        loose = 1.0 - moved
        return np.where(self.is_locked[rows], _FIRM, _EXACT + loose * loose * loose * soft)

    def pulls(self, rows: Sequence[int], held: np.ndarray) -> np.ndarray:
        """Return how hard points `(n,)` may insist on their places `(f, n)`; `held` `(f, 27)`."""
        rows = list(rows)
        return np.where(self.is_locked[rows], _LOCKED_PULL, _PULL * held.take(rows, axis=1))

    def locks_more_than(self, stems: Sequence[str]) -> bool:
        """Return whether other points than these, of either side, are locked."""
        return any(self.is_locked[INDEX[name]] and name.partition(".")[0] not in stems for name in self.names)
