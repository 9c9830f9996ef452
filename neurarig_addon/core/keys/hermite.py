"""Curves through few keys: a Bézier curve over each span, with handles of fitted length.

A handle a third of its span long makes the span a cubic of time.  With such handles and the keys' frames given, values and slopes of all
keys are one linear least-squares problem (`fit`), from which the search for handles of other lengths begins (`windows`).
"""

from dataclasses import dataclass

import numpy as np

DRAWN_TO_DATA = 1e-4  # weight that pulls slopes to those of the samples: between neighbouring keys nothing else determines them
THIRD = 1.0 / 3.0  # share of a span: handles of this length make it a cubic of time
NEWTON_STEPS = 7  # bisections down to float rounding, for the longest handles


@dataclass(frozen=True)
class KeyCurve:
    """Keys at `frames` `(k,)` ascending, with `values` `(k, n)` and `slopes` `(k, n)` per frame.

    `ahead`, `behind` `(k - 1, n)`: lengths of the handles at both ends of a span along time, in shares of it, together at most 1.
    """

    frames: np.ndarray
    values: np.ndarray
    slopes: np.ndarray
    ahead: np.ndarray
    behind: np.ndarray

    def at(self, frames: np.ndarray) -> np.ndarray:
        """Return values `(f, n)` at frames between the first key and the last."""
        if len(self.frames) == 1:
            return np.repeat(self.values, len(frames), axis=0)
        span, x, length = _places(frames, self.frames)
        ahead, behind = self.ahead[span], self.behind[span]
        first = self.values[span] + self.slopes[span] * ahead * length[:, None]
        second = self.values[span + 1] - self.slopes[span + 1] * behind * length[:, None]
        shares = bernstein(parameter(x[:, None], ahead, behind))
        return shares[0] * self.values[span] + shares[1] * first + shares[2] * second + shares[3] * self.values[span + 1]

    def handles(self, column: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the length in frames of each key's handles before and after it `(k,)`; outermost handles equal the inner ones."""
        length = np.diff(self.frames)
        ahead, behind = self.ahead[:, column] * length, self.behind[:, column] * length
        if not len(length):
            return np.ones(1), np.ones(1)
        return np.concatenate([ahead[:1], behind]), np.concatenate([ahead, behind[-1:]])


def with_thirds(frames: np.ndarray, values: np.ndarray, slopes: np.ndarray) -> KeyCurve:
    """Return the curve whose spans are cubics of time."""
    third = np.full((max(len(frames) - 1, 0), values.shape[1]), THIRD)
    return KeyCurve(frames, values, slopes, third, third.copy())


def parameter(x: np.ndarray, ahead: np.ndarray, behind: np.ndarray, start: np.ndarray | None = None) -> np.ndarray:
    """Return the parameter 0..1 at which Bézier curves with these handles are at the share `x` of their span, all of one shape."""
    s = x.copy() if start is None else start
    one, two, three = _powers(ahead, behind)
    for _ in range(NEWTON_STEPS if start is None else 3):
        off = ((three * s + two) * s + one) * s - x
        s = np.clip(s - off / ((3.0 * three * s + 2.0 * two) * s + one), 0.0, 1.0)
    return s


def along(s: np.ndarray, ahead: np.ndarray, behind: np.ndarray) -> np.ndarray:
    """Return the speed of such curves along their span at a parameter."""
    one, two, three = _powers(ahead, behind)
    return (3.0 * three * s + 2.0 * two) * s + one


def _powers(ahead: np.ndarray, behind: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the factors of a parameter, its square and its cube in the share of the span elapsed."""
    one, rest = 3.0 * ahead, 3.0 * (1.0 - behind)
    return one, rest - 2.0 * one, one - rest + 1.0


def bernstein(s: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return the Bernstein weights of a cubic Bézier curve's four points at a parameter."""
    back = 1.0 - s
    ahead, behind = back * back, s * s
    return ahead * back, 3.0 * ahead * s, 3.0 * back * behind, behind * s


def fit(frames: np.ndarray, values: np.ndarray, knots: np.ndarray, held: np.ndarray, slopes: np.ndarray | None = None) -> KeyCurve:
    """Return the least-squares curve of cubics of time with keys at the rows `knots` `(k,)` of samples `(f, n)`.

    `frames` `(f,)` and `knots` ascending, first and last row among the knots.  `slopes` `(k, n)` at the keys, by default
    those of the samples; `held` `(k,)`: keys with exactly the sample's value and this slope.
    """
    count = len(knots)
    if count < 2:
        return with_thirds(frames[knots], values[knots], np.zeros_like(values[knots]))
    wished: np.ndarray = np.gradient(values, frames, axis=0)[knots] if slopes is None else slopes
    span, x, length = _places(frames, frames[knots])
    shares = bernstein(x)
    weights = np.stack([shares[0] + shares[1], length * x * (1.0 - x) ** 2, shares[2] + shares[3], -length * x**2 * (1.0 - x)], axis=1)
    unknowns = np.stack([span, count + span, span + 1, count + span + 1], axis=1)  # values first, then slopes
    normal = np.zeros((2 * count, 2 * count))
    right = np.zeros((2 * count, values.shape[1]))
    np.add.at(normal, (unknowns[:, :, None], unknowns[:, None, :]), weights[:, :, None] * weights[:, None, :])
    np.add.at(right, unknowns, weights[:, :, None] * values[:, None, :])
    own = np.arange(count, 2 * count)
    normal[own, own] += DRAWN_TO_DATA
    right[own] += DRAWN_TO_DATA * wished
    fixed = np.concatenate([np.flatnonzero(held), count + np.flatnonzero(held)])
    known = np.concatenate([values[knots][held], wished[held]])
    free = np.setdiff1d(np.arange(2 * count), fixed)
    found = np.empty_like(right)
    found[fixed] = known
    if len(free):
        found[free] = np.linalg.solve(normal[np.ix_(free, free)], right[free] - normal[np.ix_(free, fixed)] @ known)
    return with_thirds(frames[knots], found[:count], found[count:])


def _places(frames: np.ndarray, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return for each frame its span, the share of it elapsed, and its length, `(f,)` each."""
    span = np.clip(np.searchsorted(keys, frames, side="right") - 1, 0, len(keys) - 2)
    length = keys[span + 1] - keys[span]
    return span, (frames - keys[span]) / length, length
