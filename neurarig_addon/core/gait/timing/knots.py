"""Piecewise linear values at knots in time: their integral and their extrapolation."""

import numpy as np


def zero(seconds: np.ndarray) -> int:
    """Return the index of the knot at the walk's start."""
    return int(np.argmin(np.abs(seconds)))


def integral(rate: np.ndarray, seconds: np.ndarray, since: int | None = None) -> np.ndarray:
    """Return the integral `(knots,)` of a rate since a knot, by default the walk's start."""
    steps = 0.5 * (rate[1:] + rate[:-1]) * np.diff(seconds)
    total = np.concatenate([[0.0], np.cumsum(steps)])
    return total - total[zero(seconds) if since is None else since]


def extended(x: np.ndarray, knots: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Interpolate linearly, and extrapolate linearly beyond the ends."""
    x = np.asarray(x, dtype=float)
    inside = np.interp(x, knots, values)
    first = (values[1] - values[0]) / max(knots[1] - knots[0], 1e-12)
    last = (values[-1] - values[-2]) / max(knots[-1] - knots[-2], 1e-12)
    return inside + np.minimum(x - knots[0], 0.0) * first + np.maximum(x - knots[-1], 0.0) * last
