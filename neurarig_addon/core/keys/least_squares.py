"""The slopes, handles and values of keys with which curves are nearest to a motion.

All columns are fitted at once, by Levenberg and Marquardt. At a fixed time a Bézier curve is linear in its
keys' values and slopes but
not in its handles' lengths. A span's samples depend on its two keys and two handles only: handles are
eliminated span by span, which
leaves a value and a slope a key, coupled to its neighbours', a block tridiagonal system for each column.
"""

import itertools
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ..easing import piece
from ..geometry.blocks import solved
from .hermite import THIRD, along, bernstein, parameter

ROUNDS = 30
EVENLY = 2e-3  # share of the limit: a span that is straight within this is kept straight
SHORTEST, LONGEST = 0.05, 0.85  # length of a handle, as shares of its span
TOGETHER = 0.98  # most length of both handles, as a share of their span: Blender shortens more than 1
# weight that pulls handles to a third of their span, against errors in units of the limits
DRAWN_TO_THIRDS = 1e-3
# weight that pulls slopes to those of the motion: between neighbouring keys nothing else determines them
DRAWN_TO_MOTION = 1e-4
# times that errors are evened; rounds each time; weight of a sample without error
EVENINGS, EVENING_ROUNDS, LEAST_WEIGHT = 3, 6, 0.2
TINY = 1e-9
# initial; factor after a round that improved; factor after one that did not
DAMPING, CALMER, WILDER = 1e-3, 0.2, 10.0
ENOUGH = 1e-3  # share of the cost: a round that gains no more is the last
TIED = 1e6  # weight that keeps the two keys of a break on one value


class FitShape(NamedTuple):
    """What is fitted: `values` and `slopes` `(k, n)`, and `ahead` and `behind` `(k - 1, n)`."""

    values: np.ndarray
    slopes: np.ndarray
    ahead: np.ndarray
    behind: np.ndarray

    def moved(self, step: "FitShape") -> "FitShape":
        """Return the shape after a step, its handles within their limits."""
        ahead, behind = (
            np.clip(a + b, SHORTEST, LONGEST)
            for a, b in ((self.ahead, step.ahead), (self.behind, step.behind))
        )
        over = np.maximum(ahead + behind, TOGETHER) / TOGETHER
        return FitShape(self.values + step.values, self.slopes + step.slopes, ahead / over, behind / over)

    def where(self, which: np.ndarray, other: "FitShape") -> "FitShape":
        """Return the columns `which` `(n,)` of this, the rest of the other."""
        return FitShape(*(np.where(which, mine, theirs) for mine, theirs in zip(self, other, strict=True)))


@dataclass(frozen=True)
class Task:
    """A motion in units of its limits between `keys` `(k,)`, rows, with `values` `(k, n)`; `chords`,
    `straight` `(k - 1, n)`: of spans.

    `free` `(k, n)`: whether a key may have another value; `tied` `(k - 1,)`: whether it has that of the next,
    at a break.
    Its samples: `span` `(r,)`, in ascending order, `x` `(r, 1)` share of the span, `length` `(r, 1)`,
    `wanted` `(r, n)`,
    `weights` `(r, n)` or `(r, 1)` of their errors. `paces` `(k, n)`: slopes of the motion at the keys.
    `starts`: the first sample of
    each span that has any.
    """

    keys: np.ndarray
    values: np.ndarray
    chords: np.ndarray
    straight: np.ndarray
    free: np.ndarray
    tied: np.ndarray
    span: np.ndarray
    x: np.ndarray
    length: np.ndarray
    wanted: np.ndarray
    paces: np.ndarray
    starts: np.ndarray
    weights: np.ndarray

    @classmethod
    def of(
        cls, frames: np.ndarray, values: np.ndarray, keys: np.ndarray, weights: np.ndarray, free: bool
    ) -> "Task":
        """Return the task of keys at rows `keys`, where a break is twice; `free`: those that are not at a
        straight span or an end."""
        span = piece(keys, np.arange(len(frames)))
        lengths = np.diff(frames[keys])[:, None]
        chords = np.diff(values[keys], axis=0) / np.maximum(lengths, 1.0)
        x, length = (frames - frames[keys[span]])[:, None] / lengths[span], lengths[span]
        off = np.abs(values - values[keys[span]] - chords[span] * x * length)
        straight = np.abs(chords) * lengths < EVENLY
        inner = np.setdiff1d(np.arange(len(frames)), keys)
        straight[np.unique(span[inner])] = True
        np.logical_and.at(straight, span, off < EVENLY)
        tied = lengths[:, 0] == 0.0
        ends = np.pad(straight & ~tied[:, None], ((1, 1), (0, 0)), constant_values=True)
        held = ends[:-1] | ends[1:]
        held[:-1] |= tied[:, None] & held[1:]
        held[1:] |= tied[:, None] & held[:-1]
        paces = np.gradient(values, frames, axis=0)[keys]
        starts = np.flatnonzero(np.diff(span, prepend=-1))
        return cls(
            keys,
            values[keys],
            chords,
            straight,
            ~held & free,
            tied,
            span,
            x,
            length,
            values,
            paces,
            starts,
            weights,
        )

    def spans_of(self, samples: np.ndarray) -> np.ndarray:
        """Return the sums `(k - 1, n)` of what belongs to samples `(r, n)`; straight spans have none."""
        found = np.zeros(self.straight.shape)
        if len(self.starts):
            found[self.span[self.starts]] = np.add.reduceat(samples, self.starts, axis=0)
        return found * ~self.straight


def fitted_shape(task: Task, evenings: int) -> FitShape:
    """Return the shape of least squares, then with smaller worst errors at the expense of the others
    (Lawson)."""
    shape = FitShape(
        task.values.copy(),
        task.paces.copy(),
        np.full(task.straight.shape, THIRD),
        np.full(task.straight.shape, THIRD),
    )
    shape = _least_squares(task, shape, ROUNDS)
    for _ in range(evenings if len(task.starts) else 0):
        off = np.abs(_Look.of(task, shape).off)
        worst = off.max(axis=0)
        tried = _least_squares(
            replace(task, weights=task.weights * (LEAST_WEIGHT + off / np.maximum(worst, TINY))),
            shape,
            EVENING_ROUNDS,
        )
        shape = tried.where(np.abs(_Look.of(task, tried).off).max(axis=0) < worst, shape)
    return shape


def _least_squares(task: Task, shape: FitShape, rounds: int) -> FitShape:
    """Return a shape after some rounds of fitting."""
    damping = np.full(task.values.shape[1], DAMPING)
    look = _Look.of(task, shape)
    for _ in range(rounds):
        tried = shape.moved(_step(task, shape, look, damping))
        seen = _Look.of(task, tried, look.s)
        nearer = seen.cost < look.cost
        over = np.abs(look.cost - seen.cost) <= ENOUGH * look.cost
        damping *= np.where(nearer, CALMER, WILDER)
        shape, look = tried.where(nearer, shape), seen.where(nearer, look)
        if over.all():
            break
    return shape


class _Look(NamedTuple):
    """A shape seen at the samples: the curves' parameter `s` `(r, n)`, how far they are `off`, `(r, n)`,
    their `derivatives` by value and slope at one end and at the other, then by the handles, `(r, n)` each,
    and the `cost` `(n,)`."""

    s: np.ndarray
    off: np.ndarray
    derivatives: tuple[np.ndarray, ...]
    cost: np.ndarray

    @classmethod
    def of(cls, task: Task, shape: FitShape, start: np.ndarray | None = None) -> "_Look":
        """Return a shape as seen; `start`: the parameter of a similar one."""
        span, length = task.span, task.length
        leaving, arriving = (
            np.where(task.straight, task.chords, slopes)[span]
            for slopes in (shape.slopes[:-1], shape.slopes[1:])
        )
        ahead, behind = shape.ahead[span], shape.behind[span]
        s = parameter(task.x, ahead, behind, start)
        shares, back = bernstein(s), 1.0 - s
        p0, p3 = shape.values[:-1][span], shape.values[1:][span]
        p1, p2 = p0 + leaving * ahead * length, p3 - arriving * behind * length
        curve = shares[0] * p0 + shares[1] * p1 + shares[2] * p2 + shares[3] * p3
        rises = 3.0 * (back**2 * (p1 - p0) + 2.0 * back * s * (p2 - p1) + s**2 * (p3 - p2))
        steep = rises / np.maximum(along(s, ahead, behind), 1e-6)
        first, second = task.weights * shares[1], task.weights * shares[2]
        derivatives = (
            (task.weights * shares[0] + first) * task.free[:-1][span],
            first * ahead * length,
            (second + task.weights * shares[3]) * task.free[1:][span],
            -second * behind * length,
            first * (leaving * length - steep),
            second * (steep - arriving * length),
        )
        off = task.weights * (task.wanted - curve)
        handles = (shape.ahead - THIRD) ** 2 + (shape.behind - THIRD) ** 2
        slopes = (shape.slopes - task.paces) ** 2
        cost = (
            (off * off).sum(axis=0)
            + DRAWN_TO_THIRDS * handles.sum(axis=0)
            + DRAWN_TO_MOTION * slopes.sum(axis=0)
        )
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


def _step(task: Task, shape: FitShape, look: _Look, damping: np.ndarray) -> FitShape:
    """Return the least-squares step from a shape, with `damping` `(n,)` as a share of the diagonal."""
    d, has_values = look.derivatives, task.free.any()
    ends = (0, 1, 2, 3) if has_values else (1, 3)
    each = len(ends) // 2  # unknowns of a key
    products = {
        (i, j): task.spans_of(d[i] * d[j])
        for i, j in itertools.combinations_with_replacement((*ends, 4, 5), 2)
    }
    sums = {i: task.spans_of(d[i] * look.off) for i in (*ends, 4, 5)}
    for handle, at in ((4, shape.ahead), (5, shape.behind)):
        products[handle, handle] = products[handle, handle] * (1.0 + damping) + DRAWN_TO_THIRDS
        sums[handle] += DRAWN_TO_THIRDS * (THIRD - at)
    share = 1.0 / (products[4, 4] * products[5, 5] - products[4, 5] ** 2)
    inverse = products[5, 5] * share, -products[4, 5] * share, products[4, 4] * share
    by = {
        i: (
            products[i, 4] * inverse[0] + products[i, 5] * inverse[1],
            products[i, 4] * inverse[1] + products[i, 5] * inverse[2],
        )
        for i in ends
    }
    left = np.empty((len(ends), len(ends), *task.straight.shape))
    for (row, i), (column, j) in itertools.combinations_with_replacement(enumerate(ends), 2):
        left[row, column] = left[column, row] = (
            products[i, j] - by[i][0] * products[j, 4] - by[i][1] * products[j, 5]
        )
    right = np.stack([sums[i] - by[i][0] * sums[4] - by[i][1] * sums[5] for i in ends], axis=-1)
    left = np.moveaxis(left, (0, 1), (2, 3))
    diagonal, wanted = np.zeros((*task.values.shape, each, each)), np.zeros((*task.values.shape, each))
    diagonal[..., 0, 0] = np.where(task.free, TINY, 1.0)
    diagonal[..., -1, -1], wanted[..., -1] = DRAWN_TO_MOTION, DRAWN_TO_MOTION * (task.paces - shape.slopes)
    for end, part in ((slice(None, each), slice(None, -1)), (slice(each, None), slice(1, None))):
        diagonal[part] += left[..., end, end]
        wanted[part] += right[..., end]
        for n, i in enumerate(ends[end]):
            diagonal[part][..., n, n] += damping * products[i, i]
    beside = left[..., :each, each:]
    tied = TIED * (task.tied[:, None] & task.free[:-1])
    diagonal[:-1, :, 0, 0] += tied
    diagonal[1:, :, 0, 0] += tied
    beside[..., 0, 0] -= tied
    keys = solved(diagonal, beside, wanted)
    both = np.concatenate([keys[:-1], keys[1:]], axis=-1)
    rest = [sums[i] - sum(products[j, i] * both[..., row] for row, j in enumerate(ends)) for i in (4, 5)]
    handles = inverse[0] * rest[0] + inverse[1] * rest[1], inverse[1] * rest[0] + inverse[2] * rest[1]
    return FitShape(keys[..., 0] if has_values else np.zeros(task.values.shape), keys[..., -1], *handles)
