"""The keys of one track while they are looked for: where they are, how the curve goes through them, and by how many limits it is off."""

from dataclasses import dataclass

import numpy as np

from ..posing.channels import QUATERNION
from .hermite import THIRD, Curve, fit
from .track import Track
from .windows import Keys, Windows

QUATERNION_RADIANS = 2.0  # a component that changes by 1 turns by so much


@dataclass(frozen=True)
class Change:
    """Keys at the rows `between` in place of those between the keys number `low` and `high`, which stay as they are."""

    low: int
    high: int
    between: tuple[int, ...]


class Knots:
    """Keys of a track at some of its rows.

    `fixed`: rows that keep their key.  `flat` `(f,)`: rows whose keys have the sample's value and slope 0.  `loop`: the last row is the
    first of the next cycle.
    """

    def __init__(self, frames: np.ndarray, track: Track, fixed: np.ndarray, flat: np.ndarray, loop: bool) -> None:
        self.frames, self.track, self.fixed, self.loop = frames, track, set(fixed.tolist()), loop
        self.rows = fixed
        self._held = flat.copy()
        if loop:
            self._held[[0, -1]] = flat[0] and flat[-1]
        begun = fit(frames, track.values, fixed, self._held[fixed])
        self._values, self._slopes = track.values.copy(), np.gradient(track.values, frames, axis=0)
        self._values[fixed], self._slopes[fixed] = begun.values, begun.slopes
        self._slopes[self._held] = 0.0
        if loop:
            self._values[-1], self._slopes[-1] = self._values[0] + self.advance, self._slopes[0]
        self._ahead, self._behind = np.full_like(track.values, THIRD), np.full_like(track.values, THIRD)
        self._next = np.zeros(len(frames), dtype=int)  # of the key that starts a span: the row of the one that ends it
        self._next[fixed[:-1]] = fixed[1:]
        self.off = track.off(self.curve().at(frames))

    @property
    def advance(self) -> np.ndarray:
        """Return by how much values `(n,)` go on in a cycle."""
        return self.track.values[-1] - self.track.values[0]

    def curve(self) -> Curve:
        """Return the curve."""
        rows = self.rows
        return Curve(self.frames[rows], self._values[rows], self._slopes[rows], self._ahead[rows[:-1]], self._behind[rows[:-1]])

    def around(self, low: int, high: int, between: tuple[int, ...]) -> Change:
        """Return a change that moves keys `between` those number `low` and `high`; of a loop, all keys move."""
        if not self.loop:
            return Change(low, high, between)
        rows = self.rows.tolist()
        return Change(0, len(rows) - 1, (*rows[1 : low + 1], *between, *rows[high : len(rows) - 1]))

    def window(self, change: Change, limits: np.ndarray) -> Windows:
        """Return a change as stretches of curves, one a component, their samples span by span."""
        rows = self._rows(change)
        columns, keys = self.track.values.shape[1], len(rows)
        first, last = rows[0], rows[-1] + 1
        spans = np.repeat(np.arange(keys - 1), np.diff(rows))
        spans = np.append(spans, keys - 2)
        kept = self._next[rows[:-1]] == rows[1:]
        ends_free = np.array([self.loop or change.low == 0, *[True] * (keys - 2), self.loop or change.high == len(self.rows) - 1])
        size = QUATERNION_RADIANS if self.track.mode == QUATERNION else self.track.unit
        return Windows(
            at=np.tile(self.frames[rows], (columns, 1)),
            values=self._values[rows].T,
            slopes=self._slopes[rows].T,
            ahead=np.where(kept[:, None], self._ahead[rows[:-1]], THIRD).T,
            behind=np.where(kept[:, None], self._behind[rows[:-1]], THIRD).T,
            free=np.tile(ends_free & ~self._held[rows], (columns, 1)),
            window=np.repeat(np.arange(columns), last - first),
            span=np.tile(spans, columns),
            frames=np.tile(self.frames[first:last], columns),
            wanted=self.track.values[first:last].T.reshape(-1),
            weights=np.tile(size / limits[first:last], columns),
            periodic=self.loop,
        )

    def off_by(self, change: Change, values: np.ndarray) -> np.ndarray:
        """Return by how much a change's values `(n, r)` are off, sample by sample."""
        rows = self._rows(change)
        return self.track.off(values.T, slice(rows[0], rows[-1] + 1))

    def make(self, change: Change, fitted: Keys, off: np.ndarray) -> None:
        """Make a change: its stretches as they were fitted, one a component, and by how much they are off."""
        rows = self._rows(change)
        keys = len(rows)
        self._values[rows], self._slopes[rows] = fitted.values[:, :keys].T, fitted.slopes[:, :keys].T
        if self.loop:
            self._values[-1], self._slopes[-1] = self._values[0] + self.advance, self._slopes[0]
        self._ahead[rows[:-1]], self._behind[rows[:-1]] = fitted.ahead[:, : keys - 1].T, fitted.behind[:, : keys - 1].T
        self._next[rows[:-1]] = rows[1:]
        gone = np.setdiff1d(self.rows[change.low : change.high + 1], rows)
        self._values[gone] = self.track.values[gone]
        self.rows = np.concatenate([self.rows[: change.low], rows, self.rows[change.high + 1 :]])
        self.off[rows[0] : rows[-1] + 1] = off

    def made_exact(self, row: int) -> None:
        """Have the keys at both ends of the span from a row go through their samples."""
        for each in (row, int(self._next[row])):
            self._values[each] = self.track.values[each]
            self._held[each] = True
        self.off = self.track.off(self.curve().at(self.frames))

    def _rows(self, change: Change) -> np.ndarray:
        return np.array([self.rows[change.low], *change.between, self.rows[change.high]])
