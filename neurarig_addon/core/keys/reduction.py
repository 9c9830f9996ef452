"""Few keys instead of many: keys where animators look for them first, then where the curve is farthest off."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from .hermite import Curve, fit
from .track import Track

CONSTANT = 0.2  # of the limit: what strays less gets a single key
TINY = 1e-9  # metres or radians: a limit of nothing
MOST_TRIED = 64  # keys of a curve: of more, to try each one takes longer than the few that go are worth
NEARLY_WORST = 0.5  # of a span's greatest error: a key pose that is off by as much takes the key


@dataclass(frozen=True)
class Wishes:
    """Where keys are wanted, as rows of the frames: `always` there is one, `rather` there than elsewhere where one is missing.

    `loop`: the last row is the first of the next cycle; values may have advanced.
    """

    always: np.ndarray
    rather: np.ndarray
    loop: bool = False


def reduced(frames: np.ndarray, track: Track, limits: np.ndarray, wishes: Wishes) -> Curve:
    """Return a curve of few keys that is nowhere farther from a track than the limits `(f,)`, metres or radians.

    `frames` `(f,)` ascending.  A track that hardly moves has a single key, and spans in which it does not move are flat.
    """
    values = track.values
    middle = 0.5 * (values.min(axis=0) + values.max(axis=0))
    goes_on = wishes.loop and (values[-1] != values[0]).any()
    if not goes_on and (track.off(np.broadcast_to(middle, values.shape)) <= CONSTANT * limits).all():
        return Curve(frames[:1], middle[None], np.zeros_like(middle)[None])
    return _Search(frames, track, limits, wishes).found()


class _Search:
    """The search for the fewest keys: added where the curve is off, taken away again where it can do without."""

    def __init__(self, frames: np.ndarray, track: Track, limits: np.ndarray, wishes: Wishes) -> None:
        self._frames, self._track, self._limits, self._wishes = frames, track, np.maximum(limits, TINY), wishes
        holds = track.held()
        self._still = np.zeros(len(frames), dtype=bool)
        for first, last in holds:
            self._still[first : last + 1] = True
        wanted = wishes.always[~self._still[wishes.always]]
        self._fixed = np.unique(np.concatenate([[0, len(frames) - 1], wanted, holds.ravel()]))

    def found(self) -> Curve:
        """Return the curve."""
        rows = self._fixed
        curve, past = self._tried(rows)
        while missing := _missing(past, rows, self._wishes.rather):
            rows = np.union1d(rows, missing)
            curve, past = self._tried(rows)
        spare = np.setdiff1d(rows, self._fixed).tolist()
        for row in spare if len(rows) <= MOST_TRIED else ():
            fewer, past = self._tried(rows[rows != row])
            if past.max() <= 1.0:
                curve, rows = fewer, rows[rows != row]
        return curve

    def _tried(self, rows: np.ndarray) -> tuple[Curve, np.ndarray]:
        """Return the curve with keys at rows, and by how many limits it is off `(f,)`."""
        curve = _fitted(self._frames, self._track.values, rows, self._still[rows], self._wishes.loop)
        return curve, self._track.off(curve.at(self._frames)) / self._limits


def _fitted(frames: np.ndarray, values: np.ndarray, rows: np.ndarray, flat: np.ndarray, loop: bool) -> Curve:
    """Return the fitted curve; that of a loop goes through its seam as through any key, for it is fitted between two others."""
    if not loop:
        return fit(frames, values, rows, flat)
    length, advance, last = frames[-1] - frames[0], values[-1] - values[0], len(frames) - 1
    flat = flat.copy()
    flat[[0, -1]] = flat[0] and flat[-1]
    around = np.concatenate([frames[:-1] - length, frames[:-1], frames + length])
    thrice = np.concatenate([values[:-1] - advance, values[:-1], values + advance])
    knots = np.concatenate([rows[:-1], rows[:-1] + last, rows + 2 * last])
    whole = fit(around, thrice, knots, np.concatenate([flat[:-1], flat[:-1], flat]))
    own = slice(len(rows) - 1, 2 * len(rows) - 1)
    found, slopes = whole.values[own].copy(), whole.slopes[own].copy()
    found[-1], slopes[-1] = found[0] + advance, slopes[0]
    return Curve(frames[rows], found, slopes)


def _missing(error: np.ndarray, rows: np.ndarray, rather: np.ndarray) -> list[int]:
    """Return rows for further keys: one in each span that is off, the worst spans first, none in two that touch."""
    spans = [(error[first : last + 1].max(), place) for place, (first, last) in enumerate(pairwise(rows))]
    taken: set[int] = set()
    found = []
    for worst, place in sorted(spans, reverse=True):
        first, last = rows[place], rows[place + 1]
        if worst <= 1.0 or last - first < 2 or not taken.isdisjoint((place - 1, place + 1)):
            continue
        taken.add(place)
        at = first + 1 + int(np.argmax(error[first + 1 : last]))
        near = rather[(rather > first) & (rather < last)]
        near = near[error[near] >= NEARLY_WORST * error[at]]
        found.append(int(near[np.argmin(np.abs(near - at))]) if len(near) else at)
    return found
