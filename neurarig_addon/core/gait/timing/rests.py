"""Where a walk stands: before it begins, where it waits, after it has come to its end."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Rests:
    """Standstills `(n,)`: `begin`, `end` in seconds since the start, infinite for ever; the phase before `feet` are added, metres gone."""

    begin: np.ndarray
    end: np.ndarray
    phase: np.ndarray
    distance: np.ndarray

    def __len__(self) -> int:
        return len(self.begin)

    @classmethod
    def of(cls, seconds: np.ndarray, speed: np.ndarray, phase: np.ndarray, distance: np.ndarray) -> "Rests":
        """Return the standstills among knots `(knots,)`; a walk stands before a first knot and after a last one without speed."""
        still = np.concatenate([speed[:1] <= 0.0, (speed[1:] <= 0.0) & (speed[:-1] <= 0.0), speed[-1:] <= 0.0])
        change = np.diff(np.concatenate([[False], still, [False]]).astype(int))
        first, last = np.flatnonzero(change > 0), np.flatnonzero(change < 0) - 1  # spaces between knots, the first one before them
        times = np.concatenate([[-np.inf], seconds, [np.inf]])
        knot = np.minimum(first, len(seconds) - 1)
        return cls(times[first], times[last + 1], phase[knot], distance[knot])

    def within(self, begin: np.ndarray, end: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return whether phases from `begin` to `end` `(...)`, before `feet` are added, hold a standstill, and the metres gone there."""
        held = (self.phase >= begin[..., None]) & (self.phase < end[..., None])
        first = np.argmax(held, axis=-1)
        return np.any(held, axis=-1, keepdims=True)[..., 0], self.distance[first]
