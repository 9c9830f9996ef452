"""Changes of a track's keys that are worth a try: a key more, a key less, one instead of two, or the same keys fitted again."""

from collections.abc import Iterator, Sequence

import numpy as np

from .knots import Change, Knots
from .track import Spans

NEARLY_WORST = 0.5  # share of a span's greatest error: a key pose with at least this error gets the key
ONE_SPAN, TWO_SPANS = 2.5, 4.0  # spans that one, or two, may replace: with fitted handles they reach a little farther than a cubic
TOWARDS = 0.25  # share of the way that a key moves towards one that is removed


def fillings(knots: Knots, number: int, limits: np.ndarray, rather: np.ndarray, more: bool = True) -> list[Change]:
    """Return one more key for each span past its limit, the worst first, but not for two spans that share a key that moves.

    Without `more`, the keys around such a span as they are, to be fitted again.
    """
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
        new: tuple[int, ...] = ()
        if not more:
            pass
        elif last - first < 2:
            knots.made_exact(number, first)
        else:
            near = rather[(rather > first) & (rather < last)]
            at = (first + last) // 2
            near = near[error[near] >= NEARLY_WORST * error[first:last].max()]
            new = (int(near[np.argmin(np.abs(near - at))]) if len(near) else at,)
        found.append(
            around(rows, number, (low, high), (*rows[low + 1 : place + 1].tolist(), *new, *rows[place + 1 : high].tolist()), knots.loop)
        )
    return found


def left_out(rows: np.ndarray, fixed: np.ndarray, spans: Spans) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Yield how a key of a track can be removed, if the span that remains is not too long: the ends of the change and the keys between."""
    passed, last, every = spans.passed[rows], len(rows) - 1, rows.tolist()
    short = passed[2:] - passed[:-2] < ONE_SPAN
    for place in (np.flatnonzero(short & ~fixed[1:-1]) + 1).tolist():
        low, high = max(place - 2, 0), min(place + 2, last)
        yield low, high, (*every[low + 1 : place], *every[place + 1 : high])


def merged(rows: np.ndarray, fixed: np.ndarray, spans: Spans) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Yield how two keys of a track can be replaced by one between them, if the spans that remain are not too long."""
    passed, last, every = spans.passed[rows], len(rows) - 1, rows.tolist()
    short = (passed[3:] - passed[:-3] < TWO_SPANS) & (rows[2:-1] - rows[1:-2] >= 2)
    for place in (np.flatnonzero(short & ~fixed[1:-2] & ~fixed[2:-1]) + 1).tolist():
        low, high = max(place - 2, 0), min(place + 3, last)
        yield low, high, (*every[low + 1 : place], (every[place] + every[place + 1]) // 2, *every[place + 2 : high])


def gathered(rows: np.ndarray, fixed: np.ndarray, spans: Spans) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Yield how a key of a track can be removed if the keys before or after it, or both, move towards it."""
    passed, last, every = spans.passed[rows], len(rows) - 1, rows.tolist()
    short = passed[2:] - passed[:-2] < TWO_SPANS
    for place in (np.flatnonzero(short & ~fixed[1:-1]) + 1).tolist():
        low, high = max(place - 3, 0), min(place + 3, last)
        before, here, after = every[place - 1 : place + 2]
        later = before if fixed[place - 1] else before + round(TOWARDS * (here - before))
        earlier = after if fixed[place + 1] else after - round(TOWARDS * (after - here))
        for pair in sorted({(later, after), (before, earlier), (later, earlier)} - {(before, after)}):
            kept = (row for row in pair if every[low] < row < every[high])
            yield low, high, (*every[low + 1 : place - 1], *kept, *every[place + 2 : high])


def around(rows: np.ndarray, number: int, ends: tuple[int, int], between: tuple[int, ...], loop: bool) -> Change:
    """Return a change that moves a track's keys `between` those at both ends; in a loop, all keys move."""
    low, high = ends
    if not loop:
        return Change(number, low, high, between)
    last = len(rows) - 1
    return Change(number, 0, last, (*rows[1 : low + 1].tolist(), *between, *rows[high:last].tolist()))


def apart(changes: Sequence[Change], worst: np.ndarray) -> np.ndarray:
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
