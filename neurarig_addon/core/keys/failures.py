"""Changes of a track's keys that were tried in vain, as long as they are known to fail."""

import numpy as np


class Failures:
    """Rows of keys -> the worst error, in units of the limits, of the curve that was fitted through them."""

    def __init__(self) -> None:
        self._worst: dict[tuple[int, ...], float] = {}

    def __contains__(self, rows: tuple[int, ...]) -> bool:
        return rows in self._worst

    def note(self, rows: tuple[int, ...], worst: float) -> None:
        """Add a change that failed."""
        self._worst[rows] = worst

    def ease(self, moved: np.ndarray, wider: np.ndarray) -> None:
        """Forget what may succeed now that values have `moved` `(f,)`, in units of the new limits, and limits are `wider` `(f,)` times.

        A curve that would succeed now would before have been off by at most its error now and the move together.
        """
        eased = np.flatnonzero((moved > 0.0) | (wider > 1.0))
        if not len(eased):
            return
        kept = {}
        for rows, worst in self._worst.items():
            low, high = np.searchsorted(eased, (rows[0], rows[-1] + 1))
            if low < high:
                near = eased[low:high]
                worst = worst / max(float(wider[near].max()), 1.0) - float(moved[near].max())
            if worst > 1.0:
                kept[rows] = worst
        self._worst = kept
