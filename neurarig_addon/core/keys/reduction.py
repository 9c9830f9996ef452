"""Few keys instead of many: keys where animators look for them first, then where a curve is farthest off, then fewer again.

All tracks are searched side by side.  Each change of a curve's keys moves only the keys next to it, so changes that are apart, and those
of other curves, are fitted in one go.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from .hermite import Curve, with_thirds
from .knots import Change, Knots
from .track import Track
from .windows import Keys, joined, refined

CONSTANT = 0.2  # of the limit: what strays less gets a single key
TINY = 1e-9  # metres or radians: a limit of nothing
NEARLY_WORST = 0.5  # of a span's greatest error: a key pose that is off by as much takes the key
ROUNDS = 4  # of fitting a change
THINNINGS = 40  # rounds of looking for keys that can go
AT_ONCE = 60_000  # samples that are fitted in one go


@dataclass(frozen=True)
class Wishes:
    """Where keys are wanted, as rows of the frames: `always` there is one, `rather` there than elsewhere where one is missing.

    `loop`: the last row is the first of the next cycle; values may have advanced.
    """

    always: np.ndarray
    rather: np.ndarray
    loop: bool = False


@dataclass(frozen=True)
class _Tried:
    """A change of the keys of the track number `number`, fitted: its stretches, and by how many limits they are off, sample by sample."""

    number: int
    change: Change
    fitted: Keys
    off: np.ndarray
    worst: float


class Search:
    """The search for the fewest keys of tracks at `frames` `(f,)`; what has been found is where the next one begins."""

    def __init__(self, frames: np.ndarray, tracks: Sequence[Track], wishes: Wishes) -> None:
        self._frames, self._tracks, self._wishes = frames, tracks, wishes
        self._knots: dict[int, Knots] = {}
        self._limits: dict[int, np.ndarray] = {}
        self._failed: dict[int, set[tuple[int, ...]]] = {}

    def within(self, limits: Sequence[np.ndarray], thin: bool = True) -> list[Curve]:
        """Return curves of few keys that are nowhere farther from their tracks than the limits `(f,)` each, metres or radians.

        A track that hardly moves has a single key, and spans in which it does not move are flat.  `thin`: keys may also go again.
        """
        changed = []
        for number, (track, limit) in enumerate(zip(self._tracks, limits, strict=True)):
            limit = np.maximum(limit, TINY)
            if number in self._limits and (self._limits[number] == limit).all():
                continue
            self._limits[number], self._failed[number] = limit, set()
            if number not in self._knots and not self._rests(track, limit):
                self._knots[number] = self._begun(track)
            if number in self._knots:
                changed.append(number)
        self._fill(changed)
        if thin:
            self._thin(changed)
        return [self._knots[number].curve() if number in self._knots else self._single(track) for number, track in enumerate(self._tracks)]

    def _rests(self, track: Track, limit: np.ndarray) -> bool:
        values = track.values
        goes_on = self._wishes.loop and (values[-1] != values[0]).any()
        middle = np.broadcast_to(_middle(values), values.shape)
        return not goes_on and bool((track.off(middle) <= CONSTANT * limit).all())

    def _single(self, track: Track) -> Curve:
        middle = _middle(track.values)[None]
        return with_thirds(self._frames[:1], middle, np.zeros_like(middle))

    def _begun(self, track: Track) -> Knots:
        holds = track.held()
        still = np.zeros(len(self._frames), dtype=bool)
        for first, last in holds:
            still[first : last + 1] = True
        wanted = self._wishes.always[~still[self._wishes.always]]
        fixed = np.unique(np.concatenate([[0, len(self._frames) - 1], wanted, holds.ravel()]))
        return Knots(self._frames, track, fixed, still, self._wishes.loop)

    def _fill(self, numbers: Sequence[int]) -> None:
        """Add keys to tracks until they are within their limits."""
        while numbers:
            asked = []
            for number in numbers:
                knots = self._knots[number]
                asked += [(number, change) for change in _fillings(knots, knots.off / self._limits[number], self._wishes.rather)]
            for tried in list(self._tried(asked)):
                self._knots[tried.number].make(tried.change, tried.fitted, tried.off)
            numbers = sorted({number for number, _ in asked})

    def _thin(self, numbers: Sequence[int]) -> None:
        """Take keys away that tracks can do without, or put one in place of two."""
        for _ in range(THINNINGS):
            asked = []
            for number in numbers:
                for change in _thinnings(self._knots[number]):
                    keys = self._keys(number, change)
                    if keys not in self._failed[number]:
                        asked.append((number, change))
            good: dict[int, list[_Tried]] = {}
            for tried in self._tried(asked):
                if tried.worst <= 1.0:
                    good.setdefault(tried.number, []).append(tried)
                else:
                    self._failed[tried.number].add(self._keys(tried.number, tried.change))
            for number, found in good.items():
                knots = self._knots[number]
                for tried in _apart(sorted(found, key=lambda each: each.worst)):
                    knots.make(tried.change, tried.fitted, tried.off)
            numbers = sorted(good)

    def _keys(self, number: int, change: Change) -> tuple[int, ...]:
        rows = self._knots[number].rows
        return (int(rows[change.low]), *change.between, int(rows[change.high]))

    def _tried(self, asked: Sequence[tuple[int, Change]]) -> Iterator[_Tried]:
        """Yield each change that is asked for, fitted."""
        for part in _batches(asked, self._knots):
            windows = [self._knots[number].window(change, self._limits[number]) for number, change in part]
            fitted, values = refined(joined(windows), ROUNDS)
            row = sample = 0
            for (number, change), window in zip(part, windows, strict=True):
                columns = len(window.at)
                rows, samples = slice(row, row + columns), slice(sample, sample + len(window.frames))
                row, sample = rows.stop, samples.stop
                knots = self._knots[number]
                off = knots.off_by(change, values[samples].reshape(columns, -1))
                first = int(knots.rows[change.low])
                worst = float((off / self._limits[number][first : first + len(off)]).max())
                yield _Tried(number, change, fitted.keys(rows), off, worst)


def _middle(values: np.ndarray) -> np.ndarray:
    return 0.5 * (values.min(axis=0) + values.max(axis=0))


def _batches(asked: Sequence[tuple[int, Change]], knots: dict[int, Knots]) -> Iterator[list[tuple[int, Change]]]:
    """Yield changes in parts that are not too large; of loops, those with as many keys together."""
    found: dict[int, list[tuple[int, Change]]] = {}
    sizes: dict[int, int] = {}
    for number, change in asked:
        kind = len(change.between) if knots[number].loop else 0
        found.setdefault(kind, []).append((number, change))
        rows = knots[number].rows
        sizes[kind] = sizes.get(kind, 0) + int(rows[change.high] - rows[change.low]) * knots[number].track.values.shape[1]
        if sizes[kind] > AT_ONCE:
            yield found.pop(kind)
            sizes[kind] = 0
    yield from found.values()


def _fillings(knots: Knots, error: np.ndarray, rather: np.ndarray) -> list[Change]:
    """Return a further key in each span that is off, the worst spans first, none in two that share a key that moves."""
    rows = knots.rows
    spans = [(float(error[first : last + 1].max()), place) for place, (first, last) in enumerate(pairwise(rows))]
    found: list[Change] = []
    for worst, place in sorted(spans, reverse=True):
        if worst <= 1.0:
            break
        first, last = int(rows[place]), int(rows[place + 1])
        low, high = max(place - 1, 0), min(place + 2, len(rows) - 1)
        if any(low < other.high and other.low < high for other in found) or (found and knots.loop):
            continue
        if last - first < 2:
            knots.made_exact(first)
            between = tuple(rows[low + 1 : high].tolist())
        else:
            near = rather[(rather > first) & (rather < last)]
            at = (first + last) // 2
            near = near[error[near] >= NEARLY_WORST * error[first:last].max()]
            new = int(near[np.argmin(np.abs(near - at))]) if len(near) else at
            between = (*rows[low + 1 : place + 1].tolist(), new, *rows[place + 1 : high].tolist())
        found.append(knots.around(low, high, between))
    return sorted(found, key=lambda change: -change.low)


def _thinnings(knots: Knots) -> Iterator[Change]:
    """Yield changes that leave a key out, or put one between two in their place."""
    rows, last = knots.rows.tolist(), len(knots.rows) - 1
    goes = [row not in knots.fixed for row in rows]
    for place in range(1, last):
        if goes[place]:
            low, high = max(place - 2, 0), min(place + 2, last)
            yield knots.around(low, high, (*rows[low + 1 : place], *rows[place + 1 : high]))
        if goes[place] and goes[place + 1] and rows[place + 1] - rows[place] > 1:
            low, high = max(place - 2, 0), min(place + 3, last)
            middle = (rows[place] + rows[place + 1]) // 2
            yield knots.around(low, high, (*rows[low + 1 : place], middle, *rows[place + 2 : high]))


def _apart(tried: Iterable[_Tried]) -> list[_Tried]:
    """Return changes that share no span, the first that can be had first, from the last to the first along the curve."""
    found: list[_Tried] = []
    for each in tried:
        if all(each.change.high <= other.change.low or other.change.high <= each.change.low for other in found):
            found.append(each)
    return sorted(found, key=lambda each: -each.change.low)
