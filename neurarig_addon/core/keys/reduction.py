"""Few keys instead of many: keys where animators look for them first, then where a curve is farthest off, then fewer again.

All tracks are searched side by side.  Each change of a curve's keys moves only the keys next to it, so changes that are apart, and those
of other curves, are fitted in one go.  Changes that were tried in vain are remembered as long as they are known to fail.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from .candidates import apart, around, fillings, gathered, left_out, merged
from .hermite import KeyCurve, with_thirds
from .knots import Change, Knots, Stretches
from .track import Spans, Track
from .windows import Windows, evened, refined


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


CONSTANT = 0.2  # share of the limit: a track that varies less gets a single key
SAME = 1e-9  # values that differ by no more are the same
TINY = 1e-9  # metres or radians: the least limit
ROUNDS = 8  # rounds of fitting a change
THINNINGS = 40  # rounds of looking for keys that can go
MENDINGS = 3  # rounds of fitting keys again before there are more
AT_ONCE = 1000  # changes fitted together
NONE = np.zeros(0, dtype=int)


@dataclass(frozen=True)
class Wishes:
    """Where keys are wanted, as rows of the frames: `always` have one; `rather` are preferred where one more is needed.

    `loop`: the last row is the first of the next cycle; values may have advanced.  `thorough`: keys also move to save others, which takes
    longer.
    """

    always: np.ndarray
    rather: np.ndarray
    loop: bool = False
    thorough: bool = False


class Search:
    """The search for the fewest keys of tracks at `frames` `(f,)`; each search starts from the last one's result."""

    def __init__(self, frames: np.ndarray, tracks: Sequence[Track], wishes: Wishes) -> None:
        self._frames, self._tracks, self._wishes = frames, list(tracks), wishes
        self._knots = Knots(frames, self._tracks, wishes.loop)
        self._limits: dict[int, np.ndarray] = {}
        self._spans: dict[int, Spans] = {}  # of those that move
        self._fixed: dict[int, set[int]] = {}
        self._failed: dict[int, Failures] = {}
        self._moved: dict[int, np.ndarray] = {}  # aimed anew: by how much (f,)

    def aim(self, wished: Sequence[np.ndarray]) -> None:
        """Have curves of tracks follow other values `(f, n)` from now on, close to the ones before; keys stay where they are."""
        for number, (track, values) in enumerate(zip(self._tracks, wished, strict=True)):
            if np.abs(values - track.values).max() > SAME:
                self._moved[number] = track.off(values)
                self._tracks[number] = replace(track, values=values)
                self._knots.aim(number, values)

    def within(self, limits: Sequence[np.ndarray], thin: bool = True) -> list[KeyCurve]:
        """Return curves of few keys that are nowhere farther from their tracks than the limits `(f,)` each, metres or radians.

        A track that hardly moves has a single key; where it moves evenly its curve is straight.  `thin`: keys may also be removed again.
        """
        changed, new = [], set(range(len(self._tracks))) - self._spans.keys()
        for number, (track, limit) in enumerate(zip(self._tracks, limits, strict=True)):
            limit = np.maximum(limit, TINY)
            before = self._limits.get(number)
            moved = self._moved.get(number)
            if before is not None and moved is None and (before == limit).all():
                continue
            if before is None:
                self._failed[number] = Failures()
            else:
                self._failed[number].ease(np.zeros(len(limit)) if moved is None else moved / limit, limit / before)
            self._limits[number] = limit
            if number in self._spans or not self._rests(track, limit):
                self._limit(number, track, limit, thin)
                changed.append(number)
        self._mend([number for number in changed if number not in new])
        self._moved.clear()
        self._fill(changed)
        if thin:
            self._thin(changed)
        return [self._knots.curve(number) if number in self._spans else self._single(track) for number, track in enumerate(self._tracks)]

    def _rests(self, track: Track, limit: np.ndarray) -> bool:
        values = track.values
        goes_on = self._wishes.loop and (values[-1] != values[0]).any()
        middle = np.broadcast_to(track.middle, values.shape)
        return not goes_on and bool((track.off(middle) <= CONSTANT * limit).all())

    def _single(self, track: Track) -> KeyCurve:
        middle = track.middle[None]
        return with_thirds(self._frames[:1], middle, np.zeros_like(middle))

    def _limit(self, number: int, track: Track, limit: np.ndarray, thin: bool) -> None:
        """Give a track its limits, and at first its keys."""
        is_new = number not in self._spans
        if is_new or thin:
            self._spans[number] = Spans(track, limit)
        self._knots.limit(number, limit)
        if is_new:
            holds = track.held()
            still = np.zeros(len(self._frames), dtype=bool)
            for first, last in holds:
                still[first : last + 1] = True
            always = self._wishes.always if track.posed else NONE
            wanted = always[~still[always]]
            fixed = np.unique(np.concatenate([[0, len(self._frames) - 1], wanted, holds.ravel()]))
            self._fixed[number] = set(fixed.tolist())
            moving = [self._spans[number].between(*ends) for ends in pairwise(fixed) if not still[ends[0] : ends[1] + 1].all()]
            self._knots.begin(number, np.unique(np.concatenate([fixed, *moving])), holds)

    def _mend(self, numbers: Sequence[int]) -> None:
        """Fit keys again where tracks that were aimed anew are past their limits."""
        for _ in range(MENDINGS):
            changes = [each for number in numbers for each in fillings(self._knots, number, self._limits[number], NONE, more=False)]
            for tried, fitted, off, _ in list(self._tried(changes)):
                self._knots.make(np.ones(len(tried.changes), dtype=bool), tried, fitted, off)
            numbers = sorted({change.number for change in changes})

    def _fill(self, numbers: Sequence[int]) -> None:
        """Add keys to tracks until they are within their limits."""
        while numbers:
            changes: list[Change] = []
            for number in numbers:
                changes += fillings(self._knots, number, self._limits[number], self._wishes.rather)
            for tried, fitted, off, _ in list(self._tried(changes)):
                self._knots.make(np.ones(len(tried.changes), dtype=bool), tried, fitted, off)
            numbers = sorted({change.number for change in changes})

    def _thin(self, numbers: Sequence[int]) -> None:
        """Remove keys that tracks can do without, then replace pairs by one; each change may allow further ones."""
        for found in (left_out, merged, gathered) if self._wishes.thorough else (left_out, merged):
            waiting = list(numbers)
            for _ in range(THINNINGS):
                changes: list[Change] = []
                for number in waiting:
                    rows = self._knots.rows(number)
                    fixed = np.isin(rows, list(self._fixed[number]))
                    changes += self._untried(rows, number, found(rows, fixed, self._spans[number]))
                waiting = self._made(changes)
                if not waiting:
                    break

    def _untried(self, rows: np.ndarray, number: int, found: Iterable[tuple[int, int, tuple[int, ...]]]) -> Iterator[Change]:
        """Yield the changes of a track that have not failed for limits as wide."""
        failed, loop = self._failed[number], self._wishes.loop
        for low, high, between in found:
            if loop or (int(rows[low]), *between, int(rows[high])) not in failed:
                change = around(rows, number, (low, high), between, loop)
                if not loop or _keys(rows, change) not in failed:
                    yield change

    def _made(self, changes: Sequence[Change]) -> list[int]:
        """Make the changes that keep within their limits and share no span; return the tracks that changed."""
        numbers: set[int] = set()
        for tried, fitted, off, worst in list(self._tried(changes)):
            for row in np.flatnonzero(worst > 1.0):
                rows = tuple(tried.rows[row, : tried.keys[row]].tolist())
                self._failed[int(tried.numbers[row])].note(rows, float(worst[row]))
            chosen = apart(tried.changes, worst)
            self._knots.make(chosen, tried, fitted, off)
            numbers.update(tried.numbers[chosen].tolist())
        return sorted(numbers)

    def _tried(self, changes: Sequence[Change]) -> Iterator[tuple[Stretches, Windows, np.ndarray, np.ndarray]]:
        """Yield the changes asked for, many at a time: fitted, with errors `(r,)`, and each one's worst error in units of its limits."""
        for part in _batches(changes, self._tracks, self._wishes.loop):
            stretches = self._knots.stretches(part)
            fitted, values = evened(stretches.windows, *refined(stretches.windows, ROUNDS))
            off = self._knots.off_by(stretches, values)
            limits = np.concatenate(
                [self._limits[number][rows[0] : rows[-1] + 1] for number, rows in zip(stretches.numbers, stretches.rows, strict=True)]
            )
            yield stretches, fitted, off, np.maximum.reduceat(off / limits, stretches.starts)


def _keys(rows: np.ndarray, change: Change) -> tuple[int, ...]:
    return (int(rows[change.low]), *change.between, int(rows[change.high]))


def _batches(changes: Sequence[Change], tracks: Sequence[Track], loop: bool) -> Iterator[list[Change]]:
    """Yield changes in batches of limited size: of one kind of track, all of a track together; of loops, those with as many keys."""
    found: dict[tuple, list[Change]] = {}
    for change in changes:
        track = tracks[change.number]
        kind = track.mode, track.values.shape[1], len(change.between) if loop else 0
        part = found.setdefault(kind, [])
        if len(part) > AT_ONCE and part[-1].number != change.number:
            yield found.pop(kind)
        found.setdefault(kind, []).append(change)
    yield from found.values()
