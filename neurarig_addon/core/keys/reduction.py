"""Few keys instead of many: keys where animators look for them first, then where a curve is farthest off, then fewer again.

All tracks are searched side by side.  Each change of a curve's keys moves only the keys next to it, so changes that are apart, and those
of other curves, are fitted in one go.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from .hermite import KeyCurve, with_thirds
from .knots import Change, Knots, Stretches
from .spans import Spans
from .track import Track
from .windows import Windows, refined

CONSTANT = 0.2  # share of the limit: a track that varies less gets a single key
TINY = 1e-9  # metres or radians: the least limit
NEARLY_WORST = 0.5  # share of a span's greatest error: a key pose with at least this error gets the key
ROUNDS = 8  # rounds of fitting a change
THINNINGS = 40  # rounds of looking for keys that can go
ONE_SPAN, TWO_SPANS = 2.5, 4.0  # spans that one, or two, may replace: with fitted handles they reach a little farther than a cubic
AT_ONCE = 1000  # changes fitted together


@dataclass(frozen=True)
class Wishes:
    """Where keys are wanted, as rows of the frames: `always` have one; `rather` are preferred where one more is needed.

    `loop`: the last row is the first of the next cycle; values may have advanced.
    """

    always: np.ndarray
    rather: np.ndarray
    loop: bool = False


class Search:
    """The search for the fewest keys of tracks at `frames` `(f,)`; each search starts from the last one's result."""

    def __init__(self, frames: np.ndarray, tracks: Sequence[Track], wishes: Wishes) -> None:
        self._frames, self._tracks, self._wishes = frames, tracks, wishes
        self._knots = Knots(frames, tracks, wishes.loop)
        self._limits: dict[int, np.ndarray] = {}
        self._spans: dict[int, Spans] = {}  # of those that move
        self._fixed: dict[int, set[int]] = {}
        self._failed: dict[int, set[tuple[int, ...]]] = {}

    def within(self, limits: Sequence[np.ndarray], thin: bool = True) -> list[KeyCurve]:
        """Return curves of few keys that are nowhere farther from their tracks than the limits `(f,)` each, metres or radians.

        A track that hardly moves has a single key; where it moves evenly its curve is straight.  `thin`: keys may also be removed again.
        """
        changed = []
        for number, (track, limit) in enumerate(zip(self._tracks, limits, strict=True)):
            limit = np.maximum(limit, TINY)
            before = self._limits.get(number)
            if before is not None and (before == limit).all():
                continue
            if before is None or (before < limit).any():
                self._failed[number] = set()  # otherwise kept: what failed wider limits fails these
            self._limits[number] = limit
            if number in self._spans or not self._rests(track, limit):
                self._limit(number, track, limit)
                changed.append(number)
        self._fill(changed)
        if thin:
            self._thin(changed)
        return [self._knots.curve(number) if number in self._spans else self._single(track) for number, track in enumerate(self._tracks)]

    def _rests(self, track: Track, limit: np.ndarray) -> bool:
        values = track.values
        goes_on = self._wishes.loop and (values[-1] != values[0]).any()
        middle = np.broadcast_to(_middle(values), values.shape)
        return not goes_on and bool((track.off(middle) <= CONSTANT * limit).all())

    def _single(self, track: Track) -> KeyCurve:
        middle = _middle(track.values)[None]
        return with_thirds(self._frames[:1], middle, np.zeros_like(middle))

    def _limit(self, number: int, track: Track, limit: np.ndarray) -> None:
        """Give a track its limits, and at first its keys."""
        is_new = number not in self._spans
        self._spans[number] = Spans(track, limit)
        self._knots.limit(number, limit)
        if is_new:
            holds = track.held()
            still = np.zeros(len(self._frames), dtype=bool)
            for first, last in holds:
                still[first : last + 1] = True
            wanted = self._wishes.always[~still[self._wishes.always]]
            fixed = np.unique(np.concatenate([[0, len(self._frames) - 1], wanted, holds.ravel()]))
            self._fixed[number] = set(fixed.tolist())
            moving = [self._spans[number].between(*ends) for ends in pairwise(fixed) if not still[ends[0] : ends[1] + 1].all()]
            self._knots.begin(number, np.unique(np.concatenate([fixed, *moving])), holds)

    def _fill(self, numbers: Sequence[int]) -> None:
        """Add keys to tracks until they are within their limits."""
        while numbers:
            asked: list[Change] = []
            for number in numbers:
                asked += _fillings(self._knots, number, self._limits[number], self._wishes.rather)
            for tried, fitted, off, _ in list(self._tried(asked)):
                self._knots.make(np.ones(len(tried.changes), dtype=bool), tried, fitted, off)
            numbers = sorted({change.number for change in asked})

    def _thin(self, numbers: Sequence[int]) -> None:
        """Remove keys that tracks can do without, then replace pairs by one; each change may allow further ones."""
        for found in (_left_out, _merged):
            waiting = list(numbers)
            for _ in range(THINNINGS):
                asked: list[Change] = []
                for number in waiting:
                    rows = self._knots.rows(number)
                    fixed = np.isin(rows, list(self._fixed[number]))
                    asked += self._untried(rows, number, found(rows, fixed, self._spans[number]))
                waiting = self._made(asked)
                if not waiting:
                    break

    def _untried(self, rows: np.ndarray, number: int, found: Iterable[tuple[int, int, tuple[int, ...]]]) -> Iterator[Change]:
        """Yield the changes of a track that have not failed for limits as wide."""
        failed, loop = self._failed[number], self._wishes.loop
        for low, high, between in found:
            if loop or (int(rows[low]), *between, int(rows[high])) not in failed:
                change = _around(rows, number, (low, high), between, loop)
                if not loop or _keys(rows, change) not in failed:
                    yield change

    def _made(self, asked: Sequence[Change]) -> list[int]:
        """Make the changes that keep within their limits and share no span; return the tracks that changed."""
        numbers: set[int] = set()
        for tried, fitted, off, worst in list(self._tried(asked)):
            for row in np.flatnonzero(worst > 1.0):
                self._failed[int(tried.numbers[row])].add(tuple(tried.rows[row, : tried.keys[row]].tolist()))
            apart = _apart(tried.changes, worst)
            self._knots.make(apart, tried, fitted, off)
            numbers.update(tried.numbers[apart].tolist())
        return sorted(numbers)

    def _tried(self, asked: Sequence[Change]) -> Iterator[tuple[Stretches, Windows, np.ndarray, np.ndarray]]:
        """Yield the changes asked for, many at a time: fitted, with errors `(r,)`, and each one's worst error in units of its limits."""
        for part in _batches(asked, self._tracks, self._wishes.loop):
            stretches = self._knots.stretches(part)
            fitted, values = refined(stretches.windows, ROUNDS)
            off = self._knots.off_by(stretches, values)
            limits = np.concatenate(
                [self._limits[number][rows[0] : rows[-1] + 1] for number, rows in zip(stretches.numbers, stretches.rows, strict=True)]
            )
            yield stretches, fitted, off, np.maximum.reduceat(off / limits, stretches.starts)


def _keys(rows: np.ndarray, change: Change) -> tuple[int, ...]:
    return (int(rows[change.low]), *change.between, int(rows[change.high]))


def _middle(values: np.ndarray) -> np.ndarray:
    return 0.5 * (values.min(axis=0) + values.max(axis=0))


def _batches(asked: Sequence[Change], tracks: Sequence[Track], loop: bool) -> Iterator[list[Change]]:
    """Yield changes in batches of limited size: of one kind of track, all of a track together; of loops, those with as many keys."""
    found: dict[tuple, list[Change]] = {}
    for change in asked:
        track = tracks[change.number]
        kind = track.mode, track.values.shape[1], len(change.between) if loop else 0
        part = found.setdefault(kind, [])
        if len(part) > AT_ONCE and part[-1].number != change.number:
            yield found.pop(kind)
        found.setdefault(kind, []).append(change)
    yield from found.values()


def _fillings(knots: Knots, number: int, limits: np.ndarray, rather: np.ndarray) -> list[Change]:
    """Return one more key for each span past its limit, the worst first, but not for two spans that share a key that moves."""
    rows, error = knots.rows(number), knots.off[:, number] / limits
    worst = np.maximum(np.maximum.reduceat(error, rows[:-1]), error[rows[1:]])
    found: list[Change] = []
    taken = np.zeros(len(rows) - 1, dtype=bool)
    for place in np.argsort(-worst, kind="stable"):
        if worst[place] <= 1.0:
            break
        first, last = int(rows[place]), int(rows[place + 1])
        low, high = max(place - 1, 0), min(place + 2, len(rows) - 1)
        if taken[low:high].any() or (found and knots.loop):
            continue
        taken[low:high] = True
        if last - first < 2:
            knots.made_exact(number, first)
            new = ()
        else:
            near = rather[(rather > first) & (rather < last)]
            at = (first + last) // 2
            near = near[error[near] >= NEARLY_WORST * error[first:last].max()]
            new = (int(near[np.argmin(np.abs(near - at))]) if len(near) else at,)
        found.append(
            _around(rows, number, (low, high), (*rows[low + 1 : place + 1].tolist(), *new, *rows[place + 1 : high].tolist()), knots.loop)
        )
    return found


def _left_out(rows: np.ndarray, fixed: np.ndarray, spans: Spans) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Yield how a key of a track can be removed, if the span that remains is not too long: the ends of the change and the keys between."""
    passed, last, every = spans.passed[rows], len(rows) - 1, rows.tolist()
    short = passed[2:] - passed[:-2] < ONE_SPAN
    for place in (np.flatnonzero(short & ~fixed[1:-1]) + 1).tolist():
        low, high = max(place - 2, 0), min(place + 2, last)
        yield low, high, (*every[low + 1 : place], *every[place + 1 : high])


def _merged(rows: np.ndarray, fixed: np.ndarray, spans: Spans) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Yield how two keys of a track can be replaced by one between them, if the spans that remain are not too long."""
    passed, last, every = spans.passed[rows], len(rows) - 1, rows.tolist()
    short = (passed[3:] - passed[:-3] < TWO_SPANS) & (rows[2:-1] - rows[1:-2] >= 2)
    for place in (np.flatnonzero(short & ~fixed[1:-2] & ~fixed[2:-1]) + 1).tolist():
        low, high = max(place - 2, 0), min(place + 3, last)
        yield low, high, (*every[low + 1 : place], (every[place] + every[place + 1]) // 2, *every[place + 2 : high])


def _around(rows: np.ndarray, number: int, ends: tuple[int, int], between: tuple[int, ...], loop: bool) -> Change:
    """Return a change that moves a track's keys `between` those at both ends; in a loop, all keys move."""
    low, high = ends
    if not loop:
        return Change(number, low, high, between)
    last = len(rows) - 1
    return Change(number, 0, last, (*rows[1 : low + 1].tolist(), *between, *rows[high:last].tolist()))


def _apart(changes: Sequence[Change], worst: np.ndarray) -> np.ndarray:
    """Return which changes `(n,)` to make: within their limits and sharing no span, the most accurate first."""
    which = np.zeros(len(changes), dtype=bool)
    taken: dict[int, list[Change]] = {}
    for row in np.argsort(worst, kind="stable"):
        if worst[row] > 1.0:
            break
        change, others = changes[row], taken.setdefault(changes[row].number, [])
        if all(change.high <= other.low or other.high <= change.low for other in others):
            which[row] = True
            others.append(change)
    return which
