"""Spans of frames: flags over time, cleaned, and as intervals; values smoothed over consecutive frames."""

import numpy as np

from ..easing import averaged, running
from ..geometry.rotation import norms


def intervals_of(flags: np.ndarray) -> np.ndarray:
    """Return the first and last row `(n, 2)` of each run of True in `(f,)`."""
    padded = np.concatenate([[False], flags, [False]]).astype(np.int8)
    edges = np.diff(padded)
    return np.stack([np.flatnonzero(edges > 0), np.flatnonzero(edges < 0) - 1], axis=1)


def flags_of(intervals: np.ndarray, frames: int) -> np.ndarray:
    """Return `(frames,)` flags that are True in the intervals `(n, 2)`: the inverse of `intervals_of`."""
    steps = np.zeros(frames + 1, dtype=int)
    np.add.at(steps, intervals[:, 0], 1)
    np.add.at(steps, intervals[:, 1] + 1, -1)
    return np.cumsum(steps[:-1]) > 0


def touched(spans: np.ndarray, by: np.ndarray) -> np.ndarray:
    """Return the runs of `spans` `(f, ...)` in which `by` `(f, ...)` is True at least once: hysteresis."""
    shape = spans.shape
    spans, by = spans.reshape(len(spans), -1), by.reshape(len(by), -1)
    chosen_runs = np.zeros_like(spans)
    for column in range(spans.shape[1]):
        runs = intervals_of(spans[:, column])
        count = running(by[:, column] & spans[:, column])
        chosen = count[runs[:, 1] + 1] > count[runs[:, 0]]
        chosen_runs[:, column] = flags_of(runs[chosen], len(spans))
    return chosen_runs.reshape(shape)


def kept(flags: np.ndarray, shortest: int) -> np.ndarray:
    """Return flags `(f, ...)` without runs of fewer than `shortest` frames."""
    shape = flags.shape
    flags = flags.reshape(len(flags), -1)
    long_runs = np.zeros_like(flags)
    for column in range(flags.shape[1]):
        runs = intervals_of(flags[:, column])
        long_runs[:, column] = flags_of(runs[runs[:, 1] - runs[:, 0] + 1 >= shortest], len(flags))
    return long_runs.reshape(shape)


def kept_for(flags: np.ndarray, seconds: float, fps: float) -> np.ndarray:
    """Return flags `(f, ...)` without runs of fewer seconds, or of a single frame."""
    return kept(flags, max(2, round(seconds * fps)))


def closed(flags: np.ndarray, longest: int, places: np.ndarray, moved: float) -> np.ndarray:
    """Return flags `(f,)` with gaps of up to `longest` frames closed if the point at `places` `(f, 3)` moves
    less than `moved` in them."""
    runs = intervals_of(flags)
    if len(runs) < 2:
        return flags
    ends, starts = runs[:-1, 1], runs[1:, 0]
    short = (starts - ends - 1 <= longest) & (norms(places[starts] - places[ends]) < moved)
    return flags | flags_of(np.stack([ends, starts], axis=1)[short], len(flags))


def rates(values: np.ndarray, span_s: float, fps: float) -> np.ndarray:
    """Return how values `(f, ...)` change a second, over a span around each frame."""
    reach, rows = max(1, round(0.5 * span_s * fps)), np.arange(len(values))
    before, after = np.maximum(rows - reach, 0), np.minimum(rows + reach, len(values) - 1)
    seconds = np.maximum(after - before, 1) / fps
    return (values[after] - values[before]) / seconds.reshape(-1, *[1] * (values.ndim - 1))


def around(flags: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows of the last flag up to each row `(f, ...)` and of the first from it on; far outside
    where there is none."""
    rows = np.arange(len(flags)).reshape(-1, *[1] * (flags.ndim - 1))
    last = np.maximum.accumulate(np.where(flags, rows, -len(rows)), axis=0)
    return last, np.minimum.accumulate(np.where(flags, rows, 3 * len(rows))[::-1], axis=0)[::-1]


def smoothed(values: np.ndarray, half_width_s: float, fps: float) -> np.ndarray:
    """Return values `(f, ...)` averaged with a raised cosine, ends continued."""
    reach = max(1, round(half_width_s * fps))
    weights = 1.0 + np.cos(np.pi * np.arange(-reach, reach + 1) / (reach + 1.0))
    return averaged(held_on(values, reach, reach), weights / weights.sum())


def held_on(values: np.ndarray, before: int, after: int) -> np.ndarray:
    """Return rows continued as they begin and as they end."""
    return np.pad(values, [(before, after)] + [(0, 0)] * (values.ndim - 1), mode="edge")
