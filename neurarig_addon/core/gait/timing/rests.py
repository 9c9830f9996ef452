"""Where a walk stands still: before its start, in pauses, and after its end."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Rests:
    """Standstills `(n,)`: `begin`, `end` in seconds since the start, possibly infinite; phase before `feet` are added; metres."""

    begin: np.ndarray
    end: np.ndarray
    phase: np.ndarray
    distance: np.ndarray

    def __len__(self) -> int:
        return len(self.begin)

    @classmethod
    def of(cls, seconds: np.ndarray, speed: np.ndarray, phase: np.ndarray, distance: np.ndarray) -> "Rests":
        """Return the standstills among knots `(knots,)`; a walk also stands before a first and after a last knot of zero speed."""
        slow = speed <= 0.0
        still = np.zeros(len(speed) + 3, dtype=bool)  # intervals between knots, with those before and after all, and one more beside each
        still[1], still[2:-2], still[-2] = slow[0], slow[1:] & slow[:-1], slow[-1]
        first, last = np.flatnonzero(still[1:] != still[:-1]).reshape(-1, 2).T - [[0], [1]]
        times = np.concatenate([[-np.inf], seconds, [np.inf]])
        knot = np.minimum(first, len(seconds) - 1)
        return cls(times[first], times[last + 1], phase[knot], distance[knot])

    def within(self, begin: np.ndarray, end: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return whether the phases from `begin` to `end` `(...)`, before `feet` are added, contain a standstill, and its distance."""
        held = (self.phase >= begin[..., None]) & (self.phase < end[..., None])
        first = np.argmax(held, axis=-1)
        return np.any(held, axis=-1, keepdims=True)[..., 0], self.distance[first]
