"""Curves through few keys: each span a cubic of time, which is a Bézier curve whose handles lie at a third of its span.

With the keys' frames given, values and slopes of all keys are one linear least-squares problem.
"""

from dataclasses import dataclass

import numpy as np

DRAWN_TO_DATA = 1e-4  # weight of a slope's wish to be that of the samples: where two keys are neighbours nothing else tells it


@dataclass(frozen=True)
class Curve:
    """Keys at `frames` `(k,)` ascending, with `values` `(k, n)` and `slopes` `(k, n)` a frame."""

    frames: np.ndarray
    values: np.ndarray
    slopes: np.ndarray

    def at(self, frames: np.ndarray) -> np.ndarray:
        """Return values `(f, n)` at frames between the first key and the last."""
        if len(self.frames) == 1:
            return np.repeat(self.values, len(frames), axis=0)
        span, weights = _weights(frames, self.frames)
        ends = np.stack([self.values[span], self.slopes[span], self.values[span + 1], self.slopes[span + 1]], axis=1)
        return np.einsum("fw,fwn->fn", weights, ends)


def fit(frames: np.ndarray, values: np.ndarray, knots: np.ndarray, flat: np.ndarray) -> Curve:
    """Return the curve with keys at the rows `knots` `(k,)` of samples `(f, n)` that is nearest to them in least squares.

    `frames` `(f,)` and `knots` ascending, first and last row among the knots.  `flat` `(k,)`: keys with the sample's value and slope 0.
    """
    count = len(knots)
    if count < 2:
        return Curve(frames[knots], values[knots], np.zeros_like(values[knots]))
    span, weights = _weights(frames, frames[knots])
    unknowns = np.stack([span, count + span, span + 1, count + span + 1], axis=1)  # values first, then slopes
    normal = np.zeros((2 * count, 2 * count))
    right = np.zeros((2 * count, values.shape[1]))
    np.add.at(normal, (unknowns[:, :, None], unknowns[:, None, :]), weights[:, :, None] * weights[:, None, :])
    np.add.at(right, unknowns, weights[:, :, None] * values[:, None, :])
    slopes = np.arange(count, 2 * count)
    normal[slopes, slopes] += DRAWN_TO_DATA
    right[slopes] += DRAWN_TO_DATA * np.gradient(values, frames, axis=0)[knots]
    held = np.concatenate([np.flatnonzero(flat), count + np.flatnonzero(flat)])
    known = np.concatenate([values[knots][flat], np.zeros_like(values[knots][flat])])
    free = np.setdiff1d(np.arange(2 * count), held)
    found = np.empty_like(right)
    found[held] = known
    if len(free):
        found[free] = np.linalg.solve(normal[np.ix_(free, free)], right[free] - normal[np.ix_(free, held)] @ known)
    return Curve(frames[knots], found[:count], found[count:])


def _weights(frames: np.ndarray, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return for each frame its span `(f,)` and the shares `(f, 4)` of the span's value, slope, next value, next slope in it."""
    span = np.clip(np.searchsorted(keys, frames, side="right") - 1, 0, len(keys) - 2)
    length = keys[span + 1] - keys[span]
    t = (frames - keys[span]) / length
    back = 1.0 - t
    shares = ((1.0 + 2.0 * t) * back**2, length * t * back**2, t**2 * (3.0 - 2.0 * t), -length * t**2 * back)
    return span, np.stack(shares, axis=1)
