"""Curves through given poses: keys at common frames with the motion's own values; slopes and handles fitted to what is between.

All columns are fitted at once, by Levenberg and Marquardt.  At a fixed time a Bézier curve is linear in its keys' slopes but not in its
handles' lengths.  A span's samples depend on two slopes and two handles only: handles are eliminated span by span, which leaves one
slope a key, coupled to its neighbours', a tridiagonal system for each column.
"""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from ..easing import piece
from .hermite import THIRD, KeyCurve, along, bernstein, parameter

ROUNDS = 30
LONG = 3  # rows of a span: next to a shorter one, a key is where the motion is, trembling or not
EVENLY = 2e-3  # share of the limit: a span that is straight within this is kept straight
SHORTEST, LONGEST = 0.05, 0.85  # length of a handle, as shares of its span
TOGETHER = 0.98  # most length of both handles, as a share of their span: Blender shortens more than 1
DRAWN_TO_THIRDS = 1e-3  # weight that pulls handles to a third of their span, against errors in units of the limits
DRAWN_TO_MOTION = 1e-4  # weight that pulls slopes to those of the motion: between neighbouring keys nothing else determines them
EVENINGS, EVENING_ROUNDS, LEAST_WEIGHT = 3, 6, 0.2  # times that errors are evened; rounds each time; weight of a sample without error
TINY = 1e-9
DAMPING, CALMER, WILDER = 1e-3, 0.2, 10.0  # initial; factor after a round that improved; factor after one that did not
SMOOTHED = (-3.0 / 35.0, 12.0 / 35.0, 17.0 / 35.0, 12.0 / 35.0, -3.0 / 35.0)  # a parabola through five samples (Savitzky and Golay)


def steady(values: np.ndarray, limits: np.ndarray) -> np.ndarray:
    """Return values `(f, n)` without the trembling of recordings, off by half the `limits` `(n,)` at most: for keys to go through."""
    padded = np.pad(values, ((2, 2), (0, 0)), mode="reflect", reflect_type="odd")
    smooth = sum((share * padded[row : row + len(values)] for row, share in enumerate(SMOOTHED)), np.zeros_like(values))
    return values + np.clip(smooth - values, -0.5 * limits, 0.5 * limits)


def fitted(
    frames: np.ndarray,
    values: np.ndarray,
    rows: np.ndarray,
    limits: np.ndarray,
    breaks: np.ndarray,
    weights: np.ndarray | None = None,
    evenings: int = EVENINGS,
    through: np.ndarray | None = None,
    loop: bool = False,
) -> KeyCurve:
    """Return the curve with keys at `rows` `(k,)`, first and last included, of a motion with `values` `(f, n)` at `frames` `(f,)`.

    `limits` `(n,)`: error of each column that matters.  `breaks`: rows where it may change its speed at once, as a foot that lands.
    `weights` `(f, n)` or `(f, 1)`: how much more an error matters on some frames.  `through` `(f, n)`: what keys go through, if it is not
    the motion itself.  `loop`: the last row is the first of the next cycle, into which it goes on without a corner.
    A span in which a column does not move, or moves evenly, is exactly so.
    """
    if loop:
        return _unrolled(frames, values, rows, limits, breaks, weights=weights, evenings=evenings, through=through)
    if len(rows) < 2:
        return KeyCurve.still(float(frames[0]), values[0])
    keys = np.sort(np.concatenate([rows, np.intersect1d(breaks, rows[1:-1])]))  # a break is a span of no length
    task = _Task.of(frames, values / limits, keys, np.ones((len(frames), 1)) if weights is None else weights)
    if through is not None:
        task = task.going_through(through[keys] / limits)
    return _curve(task, _fitted(task, evenings), frames, rows, limits)


def _unrolled(frames: np.ndarray, values: np.ndarray, rows: np.ndarray, limits: np.ndarray, breaks: np.ndarray, **given: Any) -> KeyCurve:
    """Return the middle one of three turns of a loop, fitted together."""
    last, length, gain = len(frames) - 1, frames[-1] - frames[0], values[-1] - values[0]
    turns = (-1, 0, 1)

    def thrice(part: np.ndarray, step: np.ndarray | float) -> np.ndarray:
        return np.concatenate([*(part[:-1] + turn * step for turn in turns), part[-1:] + step])

    every = [np.unique(np.concatenate([part + (turn + 1) * last for turn in turns])) for part in (rows, breaks)]
    for name, step in (("weights", 0.0), ("through", gain)):
        given[name] = None if given[name] is None else thrice(given[name], step)
    first = int(np.searchsorted(every[0], last))
    curve = fitted(thrice(frames, length), thrice(values, gain), every[0], limits, every[1], **given)
    return curve.rows(slice(first, first + len(rows)))


class _Shape(NamedTuple):
    """What is fitted: `slopes` `(k, n)`, and `ahead` and `behind` `(k - 1, n)`."""

    slopes: np.ndarray
    ahead: np.ndarray
    behind: np.ndarray

    def moved(self, step: "_Shape") -> "_Shape":
        """Return the shape after a step, its handles within their limits."""
        ahead, behind = (np.clip(a + b, SHORTEST, LONGEST) for a, b in ((self.ahead, step.ahead), (self.behind, step.behind)))
        over = np.maximum(ahead + behind, TOGETHER) / TOGETHER
        return _Shape(self.slopes + step.slopes, ahead / over, behind / over)

    def where(self, which: np.ndarray, other: "_Shape") -> "_Shape":
        """Return the columns `which` `(n,)` of this, the rest of the other."""
        return _Shape(*(np.where(which, mine, theirs) for mine, theirs in zip(self, other, strict=True)))


@dataclass(frozen=True)
class _Task:
    """A motion in units of its limits between `keys` `(k,)`, rows, with `values` `(k, n)`; `chords`, `straight` `(k - 1, n)`: of spans.

    Its samples between keys: `span` `(r,)`, in ascending order, `x` `(r, 1)` share of the span, `length` `(r, 1)`, `wanted` `(r, n)`,
    `weights` `(r, n)` or `(r, 1)` of their errors.  `paces` `(k, n)`: slopes of the motion at the keys.  `starts`: the first sample of
    each span that has any.
    """

    keys: np.ndarray
    values: np.ndarray
    chords: np.ndarray
    straight: np.ndarray
    span: np.ndarray
    x: np.ndarray
    length: np.ndarray
    wanted: np.ndarray
    paces: np.ndarray
    starts: np.ndarray
    weights: np.ndarray

    @classmethod
    def of(cls, frames: np.ndarray, values: np.ndarray, keys: np.ndarray, weights: np.ndarray) -> "_Task":
        """Return the task of keys at rows `keys`, where a break is twice."""
        inner = np.setdiff1d(np.arange(len(frames)), keys)
        span = piece(keys, inner)
        lengths = np.diff(frames[keys])[:, None]
        chords = np.diff(values[keys], axis=0) / np.maximum(lengths, 1.0)
        x, length = (frames[inner] - frames[keys[span]])[:, None] / lengths[span], lengths[span]
        off = np.abs(values[inner] - values[keys[span]] - chords[span] * x * length)
        straight = np.ones(chords.shape, dtype=bool)
        np.logical_and.at(straight, span, off < EVENLY)
        alone = np.setdiff1d(np.arange(len(straight)), span)  # spans without samples
        straight[alone] = np.abs(chords[alone]) * lengths[alone] < EVENLY
        paces = np.gradient(values, frames, axis=0)[keys]
        starts = np.flatnonzero(np.diff(span, prepend=-1))
        return cls(keys, values[keys], chords, straight, span, x, length, values[inner], paces, starts, weights[inner])

    def going_through(self, values: np.ndarray) -> "_Task":
        """Return the task with other values `(k, n)` of keys, but for those next to others and at the ends of straight spans."""
        straight = self.straight | (np.diff(self.keys) < LONG)[:, None]
        straight = np.pad(straight, ((1, 1), (0, 0)), constant_values=True)
        return replace(self, values=np.where(straight[:-1] | straight[1:], self.values, values))

    def spans_of(self, samples: np.ndarray) -> np.ndarray:
        """Return the sums `(k - 1, n)` of what belongs to samples `(r, n)`; straight spans have none."""
        found = np.zeros(self.straight.shape)
        if len(self.starts):
            found[self.span[self.starts]] = np.add.reduceat(samples, self.starts, axis=0)
        return found * ~self.straight


def _fitted(task: _Task, evenings: int) -> _Shape:
    """Return the shape of least squares, then with smaller worst errors at the expense of the others (Lawson)."""
    shape = _Shape(task.paces.copy(), np.full(task.straight.shape, THIRD), np.full(task.straight.shape, THIRD))
    shape = _least_squares(task, shape, ROUNDS)
    for _ in range(evenings if len(task.starts) else 0):
        off = np.abs(_Look.of(task, shape).off)
        worst = off.max(axis=0)
        tried = _least_squares(replace(task, weights=task.weights * (LEAST_WEIGHT + off / np.maximum(worst, TINY))), shape, EVENING_ROUNDS)
        shape = tried.where(np.abs(_Look.of(task, tried).off).max(axis=0) < worst, shape)
    return shape


def _least_squares(task: _Task, shape: _Shape, rounds: int) -> _Shape:
    """Return a shape after some rounds of fitting."""
    damping = np.full(task.values.shape[1], DAMPING)
    look = _Look.of(task, shape)
    for _ in range(rounds):
        tried = shape.moved(_step(task, shape, look, damping))
        seen = _Look.of(task, tried, look.s)
        nearer = seen.cost < look.cost
        damping *= np.where(nearer, CALMER, WILDER)
        shape, look = tried.where(nearer, shape), seen.where(nearer, look)
    return shape


class _Look(NamedTuple):
    """A shape seen at the samples: the curves' parameter `s` `(r, n)`, how far they are `off`, `(r, n)`, their `derivatives` by the slopes
    and handles at both ends, `(r, n)` each, and the `cost` `(n,)`."""

    s: np.ndarray
    off: np.ndarray
    derivatives: tuple[np.ndarray, ...]
    cost: np.ndarray

    @classmethod
    def of(cls, task: _Task, shape: _Shape, start: np.ndarray | None = None) -> "_Look":
        """Return a shape as seen; `start`: the parameter of a similar one."""
        span, length = task.span, task.length
        leaving, arriving = (np.where(task.straight, task.chords, slopes)[span] for slopes in (shape.slopes[:-1], shape.slopes[1:]))
        ahead, behind = shape.ahead[span], shape.behind[span]
        s = parameter(task.x, ahead, behind, start)
        shares, back = bernstein(s), 1.0 - s
        p0, p3 = task.values[:-1][span], task.values[1:][span]
        p1, p2 = p0 + leaving * ahead * length, p3 - arriving * behind * length
        curve = shares[0] * p0 + shares[1] * p1 + shares[2] * p2 + shares[3] * p3
        rises = 3.0 * (back**2 * (p1 - p0) + 2.0 * back * s * (p2 - p1) + s**2 * (p3 - p2))
        steep = rises / np.maximum(along(s, ahead, behind), 1e-6)
        first, second = task.weights * shares[1], task.weights * shares[2]
        derivatives = (
            first * ahead * length,
            -second * behind * length,
            first * (leaving * length - steep),
            second * (steep - arriving * length),
        )
        off = task.weights * (task.wanted - curve)
        handles = (shape.ahead - THIRD) ** 2 + (shape.behind - THIRD) ** 2
        slopes = (shape.slopes - task.paces) ** 2
        cost = (off * off).sum(axis=0) + DRAWN_TO_THIRDS * handles.sum(axis=0) + DRAWN_TO_MOTION * slopes.sum(axis=0)
        return cls(s, off, derivatives, cost)

    def where(self, which: np.ndarray, other: "_Look") -> "_Look":
        """Return the columns `which` `(n,)` of this, the rest of the other."""
        pairs = zip(self.derivatives, other.derivatives, strict=True)
        return _Look(
            np.where(which, self.s, other.s),
            np.where(which, self.off, other.off),
            tuple(np.where(which, mine, theirs) for mine, theirs in pairs),
            np.where(which, self.cost, other.cost),
        )


def _step(task: _Task, shape: _Shape, look: _Look, damping: np.ndarray) -> _Shape:
    """Return the least-squares step from a shape, with `damping` `(n,)` as a share of the diagonal."""
    d = look.derivatives
    products = {(i, j): task.spans_of(d[i] * d[j]) for i in range(4) for j in range(i, 4)}
    sums = [task.spans_of(each * look.off) for each in d]
    for handle, at in ((2, shape.ahead), (3, shape.behind)):
        products[handle, handle] = products[handle, handle] * (1.0 + damping) + DRAWN_TO_THIRDS
        sums[handle] += DRAWN_TO_THIRDS * (THIRD - at)
    share = 1.0 / (products[2, 2] * products[3, 3] - products[2, 3] ** 2)
    inverse = products[3, 3] * share, -products[2, 3] * share, products[2, 2] * share
    by = [
        (products[i, 2] * inverse[0] + products[i, 3] * inverse[1], products[i, 2] * inverse[1] + products[i, 3] * inverse[2])
        for i in (0, 1)
    ]
    left = {(i, j): products[i, j] - by[i][0] * products[j, 2] - by[i][1] * products[j, 3] for i, j in ((0, 0), (0, 1), (1, 1))}
    right = [sums[i] - by[i][0] * sums[2] - by[i][1] * sums[3] for i in (0, 1)]
    diagonal, wanted = DRAWN_TO_MOTION * np.ones_like(task.values), DRAWN_TO_MOTION * (task.paces - shape.slopes)
    diagonal[:-1] += left[0, 0] + damping * products[0, 0]
    diagonal[1:] += left[1, 1] + damping * products[1, 1]
    wanted[:-1] += right[0]
    wanted[1:] += right[1]
    slopes = _tridiagonal(diagonal, left[0, 1], wanted)
    rest = [sums[i] - products[0, i] * slopes[:-1] - products[1, i] * slopes[1:] for i in (2, 3)]
    return _Shape(slopes, inverse[0] * rest[0] + inverse[1] * rest[1], inverse[1] * rest[0] + inverse[2] * rest[1])


def _tridiagonal(diagonal: np.ndarray, beside: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return the solutions `(k, n)` of symmetric tridiagonal systems, one a column, by elimination and substitution."""
    found, factors, pivot = np.empty_like(right), np.empty_like(beside), diagonal[0]
    found[0] = right[0] / pivot
    for row in range(1, len(diagonal)):
        factors[row - 1] = beside[row - 1] / pivot
        pivot = diagonal[row] - beside[row - 1] * factors[row - 1]
        found[row] = (right[row] - beside[row - 1] * found[row - 1]) / pivot
    for row in range(len(diagonal) - 2, -1, -1):
        found[row] -= factors[row] * found[row + 1]
    return found


def _curve(task: _Task, shape: _Shape, frames: np.ndarray, rows: np.ndarray, limits: np.ndarray) -> KeyCurve:
    """Return the curve of a fitted shape with keys at `rows` `(k,)`; what stands still between keys has equal ones."""
    first, last = np.searchsorted(task.keys, rows), np.searchsorted(task.keys, rows, side="right") - 1
    straight = np.pad(task.straight, ((1, 1), (0, 0)))
    chords = np.pad(task.chords, ((1, 1), (0, 0)))
    arriving = np.where(straight[first], chords[first], shape.slopes[first])
    leaving = np.where(straight[last + 1], chords[last + 1], shape.slopes[last])
    arriving[0], leaving[-1] = leaving[0], arriving[-1]
    ahead, behind = (np.where(task.straight, THIRD, each)[last[:-1]] for each in (shape.ahead, shape.behind))
    values = task.values[last]
    for key in range(1, len(rows)):
        still = straight[last[key - 1] + 1] & (np.abs(values[key] - values[key - 1]) < EVENLY)
        values[key] = np.where(still, values[key - 1], values[key])
        leaving[key - 1], arriving[key] = (np.where(still, 0.0, each) for each in (leaving[key - 1], arriving[key]))
    return KeyCurve(frames[rows], values * limits, arriving * limits, leaving * limits, ahead, behind)
