"""Curves through given poses: keys at common frames; slopes and handles, and of recordings values too, fitted
to what is between."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..easing import smoothstep
from .hermite import THIRD, KeyCurve
from .least_squares import EVENINGS, EVENLY, FitShape, Task, fitted_shape


def fitted(
    frames: np.ndarray,
    values: np.ndarray,
    rows: np.ndarray,
    limits: np.ndarray,
    breaks: np.ndarray,
    weights: np.ndarray | None = None,
    evenings: int = EVENINGS,
    free: bool = False,
    loop: bool = False,
) -> KeyCurve:
    """Return the curve with keys at `rows` `(k,)`, first and last included, of a motion with `values` `(f,
    n)` at `frames` `(f,)`.

    `limits` `(n,)`: error of each column that matters. `breaks`: rows where it may change its speed at once,
    as a foot that lands.
    `weights` `(f, n)` or `(f, 1)`: how much more an error matters on some frames. `free`: keys have values
    near the motion's, those of
    least squares, not its own; the first and the last have its own. `loop`: the last row is the first of the
    next cycle, into which it
    goes on without a corner.
    A span in which a column does not move, or moves evenly, is exactly so.
    """
    if loop:
        return _unrolled(frames, values, rows, limits, breaks, weights=weights, evenings=evenings, free=free)
    if len(rows) < 2:
        return KeyCurve.still(float(frames[0]), values[0])
    weights = np.ones((len(frames), 1)) if weights is None else weights
    if free:
        frames, values, weights, rows = (
            _with_middles(frames),
            _with_middles(values),
            np.repeat(weights, 2, axis=0)[:-1],
            2 * rows,
        )
    # a break is a span of no length
    keys = np.sort(np.concatenate([rows, np.intersect1d(breaks, rows[1:-1])]))
    task = Task.of(frames, values / limits, keys, weights, free)
    return _curve(task, fitted_shape(task, evenings), frames, rows, limits)


def _with_middles(rows: np.ndarray) -> np.ndarray:
    """Return rows `(f, n)` and between them `(2 f - 1, n)` what is halfway, on cubic curves: frames alone let
    a curve bend there."""
    found = np.repeat(rows, 2, axis=0)[:-1]
    padded = np.concatenate([2.0 * rows[:1] - rows[1:2], rows, 2.0 * rows[-1:] - rows[-2:-1]])
    found[1::2] = (9.0 * (rows[:-1] + rows[1:]) - padded[:-3] - padded[3:]) / 16.0
    return found


def _unrolled(
    frames: np.ndarray,
    values: np.ndarray,
    rows: np.ndarray,
    limits: np.ndarray,
    breaks: np.ndarray,
    **given: Any,
) -> KeyCurve:
    """Return the middle one of three turns of a loop, fitted together."""
    last, length, gain = len(frames) - 1, frames[-1] - frames[0], values[-1] - values[0]
    turns = (-1, 0, 1)

    def thrice(part: np.ndarray, step: np.ndarray | float) -> np.ndarray:
        return np.concatenate([*(part[:-1] + turn * step for turn in turns), part[-1:] + step])

    every = [
        np.unique(np.concatenate([part + (turn + 1) * last for turn in turns])) for part in (rows, breaks)
    ]
    if given["weights"] is not None:
        given["weights"] = thrice(given["weights"], 0.0)
    first = int(np.searchsorted(every[0], last))
    curve = fitted(thrice(frames, length), thrice(values, gain), every[0], limits, every[1], **given)
    return curve.rows(slice(first, first + len(rows)))


def _curve(task: Task, shape: FitShape, frames: np.ndarray, rows: np.ndarray, limits: np.ndarray) -> KeyCurve:
    """Return the curve of a fitted shape with keys at `rows` `(k,)`; what stands still between keys has equal
    ones."""
    first, last = np.searchsorted(task.keys, rows), np.searchsorted(task.keys, rows, side="right") - 1
    straight = np.pad(task.straight, ((1, 1), (0, 0)))
    chords = np.pad(task.chords, ((1, 1), (0, 0)))
    arriving = np.where(straight[first], chords[first], shape.slopes[first])
    leaving = np.where(straight[last + 1], chords[last + 1], shape.slopes[last])
    arriving[0], leaving[-1] = leaving[0], arriving[-1]
    ahead, behind = (np.where(task.straight, THIRD, each)[last[:-1]] for each in (shape.ahead, shape.behind))
    values = shape.values[last]
    for key in range(1, len(rows)):
        still = straight[last[key - 1] + 1] & (np.abs(values[key] - values[key - 1]) < EVENLY)
        values[key] = np.where(still, values[key - 1], values[key])
        leaving[key - 1], arriving[key] = (
            np.where(still, 0.0, each) for each in (leaving[key - 1], arriving[key])
        )
    return KeyCurve(frames[rows], values * limits, arriving * limits, leaving * limits, ahead, behind)


TURNS = 4  # times that the pivots take over what the control cannot do with its keys
RIGHT_ENOUGH = np.radians(0.5)
MOST = 6.0  # times that an error of a foot may be multiplied at the knee


@dataclass(frozen=True)
class KeySwings:
    """When feet are in the air: `frames` `(f,)` ascending, `in_air` `(f, 2)`.

    `rows` of the key poses; `breaks`: those where a foot lands, or is last on the ground; `loop`: the last
    frame is the first of the next cycle.
    """

    frames: np.ndarray
    in_air: np.ndarray
    rows: np.ndarray
    breaks: np.ndarray
    loop: bool = False

    def shared(self, total: np.ndarray, pivots: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Return the angles `(f, 2)` of both feet's pivots, which in the air differ from those given.

        `total` `(f, 2)`: how far a foot is pitched; what is not of the pivots is of its control. A pivot
        first eases from its angle at the
        lift to that at the landing. Then pivots and control by turns take over what is left of the total by
        the others' few keys.
        """
        angles = [eased(self.frames, self.in_air, each) for each in pivots]
        played = [self._played(each) for each in angles]
        best, least = angles, np.full(total.shape[1], np.inf)
        for turn in range(TURNS * len(angles) if len(self.rows) > 1 else 0):
            wanted = total - sum(played)
            left = wanted - self._played(wanted)
            worst = np.abs(left).max(axis=0)
            best = [np.where(worst < least, new, old) for new, old in zip(angles, best, strict=True)]
            least = np.minimum(worst, least)
            pivot = turn % len(angles)
            angles = [*angles[:pivot], angles[pivot] + np.where(self.in_air, left, 0.0), *angles[pivot + 1 :]]
            played[pivot] = self._played(angles[pivot])
        return [np.where(self.in_air, self._played(each), each) for each in best]

    def _played(self, angles: np.ndarray) -> np.ndarray:
        """Return angles as few keys play them."""
        limits = np.full(angles.shape[1], RIGHT_ENOUGH)
        return fitted(self.frames, angles, self.rows, limits, self.breaks, evenings=0, loop=self.loop).at(
            self.frames
        )


def eased(frames: np.ndarray, in_air: np.ndarray, angles: np.ndarray) -> np.ndarray:
    """Return angles `(f, 2)` of both feet that ease through swings; one that is cut by the first or the last
    frame begins or ends there."""
    found = angles.copy()
    for side in range(angles.shape[1]):
        edges = np.flatnonzero(np.diff(np.pad(in_air[:, side].astype(int), 1))).reshape(-1, 2)
        for first, end in edges.tolist():
            lift, landing = max(first - 1, 0), min(end, len(angles) - 1)
            between = slice(lift, landing + 1)
            x = (frames[between] - frames[lift]) / max(frames[landing] - frames[lift], 1e-9)
            found[between, side] = angles[lift, side] + (
                angles[landing, side] - angles[lift, side]
            ) * smoothstep(x)
    return found


def knee_weights(legs: np.ndarray, longest: np.ndarray) -> np.ndarray:
    """Return how many times farther the knees move than the feet that pull at them `(f, 2)`, from 1.

    `legs` `(f, 2)`: from hip to ankle; `longest` `(2,)`: straight. A knee bent by an angle a moves 1 / (2
    sin(a / 2)) times as far.
    """
    half = np.arccos(np.clip(legs / longest, 0.0, 1.0))
    return np.clip(0.5 / np.maximum(np.sin(half), 1e-6), 1.0, MOST)
