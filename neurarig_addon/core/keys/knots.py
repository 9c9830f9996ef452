"""The keys of tracks during the search: where they are, the curves through them, and the curves' errors.

All is stored in arrays with one row per frame and one column per component of a track, so that many tracks change at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .hermite import THIRD, KeyCurve, fit
from .track import Track, off_by
from .windows import Windows

STEADY = 1e-6  # value per frame: if the slopes at a loop's ends differ by less, it goes on without a corner


@dataclass(frozen=True)
class Change:
    """Keys of the track number `number` at the rows `between` replacing those between its keys number `low` and `high`, which stay."""

    number: int
    low: int
    high: int
    between: tuple[int, ...]


@dataclass(frozen=True)
class Stretches:
    """`n` changes of tracks of one kind, of `m` components each, ready to fit: the windows of the first components, then the others'.

    `rows` `(n, k)` of their keys, padded with the last; `keys` `(n,)`: number of keys.  `change`, `row` `(r,)` of each sample.
    """

    changes: Sequence[Change]
    numbers: np.ndarray
    rows: np.ndarray
    keys: np.ndarray
    change: np.ndarray
    row: np.ndarray
    windows: Windows

    @property
    def starts(self) -> np.ndarray:
        """The first sample of each change `(n,)`."""
        return np.flatnonzero(np.diff(self.change, prepend=-1))


class Knots:
    """Keys of tracks at some of their rows.

    `off` `(f, t)`: error of each curve in metres or radians.  `loop`: the last row is the first of the next cycle.
    """

    def __init__(self, frames: np.ndarray, tracks: Sequence[Track], loop: bool) -> None:
        self.frames, self.tracks, self.loop = frames, tracks, loop
        widths = [track.values.shape[1] for track in tracks]
        self._column = np.cumsum([0, *widths])
        self._wanted = np.concatenate([track.values for track in tracks], axis=1)
        self._moving = np.gradient(self._wanted, frames, axis=0)
        self._values, self._slopes = self._wanted.copy(), self._moving.copy()
        self._ahead, self._behind = np.full_like(self._wanted, THIRD), np.full_like(self._wanted, THIRD)
        self._is_key = np.zeros((len(frames), len(tracks)), dtype=bool)
        self._next = np.zeros((len(frames), len(tracks)), dtype=int)  # at the key that starts a span: the row of the key that ends it
        self._held = np.zeros((len(frames), len(tracks)), dtype=bool)
        self._weights = np.ones((len(frames), len(tracks)))
        self.off = np.zeros((len(frames), len(tracks)))

    def begin(self, number: int, rows: np.ndarray, holds: np.ndarray) -> None:
        """Give a track keys at some rows, and the nearest curve through them.

        In the spans `holds` `(n, 2)`, see `Track.held`, keys have the sample's value and the span's slope.
        """
        columns, held = self._columns(number), np.zeros(len(self.frames), dtype=bool)
        for first, last in holds:
            held[first : last + 1] = True
            self._moving[first : last + 1, columns] = (self._wanted[last, columns] - self._wanted[first, columns]) / (
                self.frames[last] - self.frames[first]
            )
        if self.loop:
            held[[0, -1]] = held[0] and held[-1] and bool(np.allclose(*self._moving[[0, -1], columns], rtol=0.0, atol=STEADY))
        self._held[:, number] = held
        begun = fit(self.frames, self._wanted[:, columns], rows, held[rows], self._moving[rows, columns])
        self._values[rows, columns], self._slopes[rows, columns] = begun.values, begun.slopes
        self._slopes[held, columns] = self._moving[held, columns]
        self._is_key[rows, number] = True
        self._next[rows[:-1], number] = rows[1:]
        self._close([number])
        self._look(number)

    def aim(self, number: int, values: np.ndarray) -> None:
        """Have a track's errors measured from other values `(f, n)`; its keys stay, and held ones with them."""
        columns, free = self._columns(number), ~self._is_key[:, number]
        moving = np.gradient(values, self.frames, axis=0)
        self._wanted[:, columns] = values
        self._moving[:, columns] = np.where(self._held[:, [number]], self._moving[:, columns], moving)
        self._values[free, columns], self._slopes[free, columns] = values[free], self._moving[free, columns]
        if not free.all():
            self._look(number)

    def limit(self, number: int, limits: np.ndarray) -> None:
        """Have a track's errors weighted by its limits `(f,)`."""
        self._weights[:, number] = self.tracks[number].size / limits

    def rows(self, number: int) -> np.ndarray:
        """Return the rows of a track's keys."""
        return np.flatnonzero(self._is_key[:, number])

    def curve(self, number: int) -> KeyCurve:
        """Return a track's curve."""
        rows, columns = self.rows(number), self._columns(number)
        ahead, behind = self._ahead[rows[:-1], columns], self._behind[rows[:-1], columns]
        return KeyCurve(self.frames[rows], self._values[rows, columns], self._slopes[rows, columns], ahead, behind)

    def stretches(self, changes: Sequence[Change]) -> Stretches:
        """Return changes of tracks of one kind, ready to fit."""
        numbers = np.array([change.number for change in changes])
        of_tracks = {number: self.rows(number) for number in set(numbers.tolist())}
        ends = [(of_tracks[change.number][change.low], of_tracks[change.number][change.high]) for change in changes]
        keys = np.array([len(change.between) + 2 for change in changes])
        rows = np.repeat(np.array([last for _, last in ends])[:, None], keys.max(), axis=1)
        for row, change, (first, _) in zip(rows, changes, ends, strict=True):
            row[: len(change.between) + 1] = (first, *change.between)
        first, last = rows[:, 0], rows[:, -1]
        lengths = last - first + 1
        change = np.repeat(np.arange(len(changes)), lengths)
        row = np.arange(len(change)) - np.repeat(np.cumsum(lengths) - lengths - first, lengths)
        columns = self._column[numbers] + np.arange(self.tracks[numbers[0]].values.shape[1])[:, None]
        return Stretches(changes, numbers, rows, keys, change, row, self._windows(numbers, rows, keys, (change, row), columns))

    def _windows(
        self, numbers: np.ndarray, rows: np.ndarray, keys: np.ndarray, samples: tuple[np.ndarray, np.ndarray], columns: np.ndarray
    ) -> Windows:
        """Return the windows with keys at `rows` `(n, k)` of tracks `numbers` `(n,)`, one for each of `columns` `(m, n)`."""
        change, row = samples
        width, count = columns.shape
        place = np.arange(rows.shape[1])
        kept = self._next[rows[:, :-1], numbers[:, None]] == rows[:, 1:]
        inner = (place > 0) & (place < keys[:, None] - 1)
        first, last = rows[:, :1] == 0, rows[:, -1:] == len(self.frames) - 1
        outer = ((place == 0) & (first | self.loop)) | ((place == keys[:, None] - 1) & (last | self.loop))
        free = (inner | outer) & ~self._held[rows, numbers[:, None]]
        span = np.minimum((row[:, None] >= rows[change, 1:]).sum(axis=1), keys[change] - 2)

        def of(values: np.ndarray, at: np.ndarray) -> np.ndarray:
            return values[at, columns[:, :, None]].reshape(width * count, -1)

        tiled = np.tile(kept, (width, 1))
        return Windows(
            at=np.tile(self.frames[rows], (width, 1)),
            values=of(self._values, rows),
            slopes=of(self._slopes, rows),
            ahead=np.where(tiled, of(self._ahead, rows[:, :-1]), THIRD),
            behind=np.where(tiled, of(self._behind, rows[:, :-1]), THIRD),
            free=np.tile(free, (width, 1)),
            window=(change + count * np.arange(width)[:, None]).reshape(-1),
            span=np.tile(span, width),
            frames=np.tile(self.frames[row], width),
            wanted=self._wanted[row, columns[:, change]].reshape(-1),
            weights=np.tile(self._weights[row, numbers[change]], width),
            groups=count,
            periodic=self.loop,
        )

    def off_by(self, stretches: Stretches, values: np.ndarray) -> np.ndarray:
        """Return the errors `(r,)` of fitted stretches in metres or radians, from their values at the samples `(m * r,)`."""
        samples = len(stretches.row)
        track = self.tracks[stretches.numbers[0]]
        off = off_by(values.reshape(-1, samples).T, stretches.windows.wanted.reshape(-1, samples).T, track.mode)
        return off * np.array([1.0 if track.mode else self.tracks[number].unit for number in stretches.numbers])[stretches.change]

    def make(self, which: np.ndarray, stretches: Stretches, fitted: Windows, off: np.ndarray) -> None:
        """Make some of the changes `(n,)`, which share no span, as fitted, with their errors `(r,)`."""
        taken = which[stretches.change]
        row, number = stretches.row[taken], stretches.numbers[stretches.change[taken]]
        keys = np.arange(stretches.rows.shape[1]) < stretches.keys[:, None]
        change, place = np.nonzero(keys & which[:, None])
        rows, numbers = stretches.rows[change, place], stretches.numbers[change]
        self.off[row, number] = off[taken]
        self._is_key[row, number] = False
        self._is_key[rows, numbers] = True
        width = len(fitted.at) // len(which)
        spans = place < stretches.keys[change] - 1
        self._next[rows[spans], numbers[spans]] = stretches.rows[change[spans], place[spans] + 1]
        for component in range(width):
            dropped = ~self._is_key[row, number]
            column = self._column[number[dropped]] + component
            self._values[row[dropped], column] = self._wanted[row[dropped], column]
            self._slopes[row[dropped], column] = self._moving[row[dropped], column]
            window, column = component * len(which) + change, self._column[numbers] + component
            self._values[rows, column], self._slopes[rows, column] = fitted.values[window, place], fitted.slopes[window, place]
            at = window[spans], place[spans]
            self._ahead[rows[spans], column[spans]], self._behind[rows[spans], column[spans]] = fitted.ahead[at], fitted.behind[at]
        self._close(np.unique(stretches.numbers[which]))

    def made_exact(self, number: int, row: int) -> None:
        """Have the keys at both ends of the span from a row go through their samples."""
        columns = self._columns(number)
        for each in (row, int(self._next[row, number])):
            self._values[each, columns] = self._wanted[each, columns]
            self._held[each, number] = True
        self._look(number)

    def _close(self, numbers: Sequence[int] | np.ndarray) -> None:
        """Have loops of some tracks end as they begin, advanced by what they gain in a cycle."""
        if self.loop and len(numbers):
            columns = np.concatenate([np.arange(*self._column[[number, number + 1]]) for number in numbers])
            self._values[-1, columns] = self._values[0, columns] + self._wanted[-1, columns] - self._wanted[0, columns]
            self._slopes[-1, columns] = self._slopes[0, columns]

    def _look(self, number: int) -> None:
        self.off[:, number] = self.tracks[number].off(self.curve(number).at(self.frames))

    def _columns(self, number: int) -> slice:
        return slice(int(self._column[number]), int(self._column[number + 1]))
