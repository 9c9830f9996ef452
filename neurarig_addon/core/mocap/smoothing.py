"""Recorded points as smooth as people move: what trembles is taken out, gaps are bridged, and nothing lags, as past and future are known.

A point moves at a velocity that wanders; how much, q in m^2/s^3, is found from the recording itself, so a foot that stands is held still
and a kick is not flattened.  With noise sigma and frame time dt the likeliest path has the least  sum (y - x)^2 / sigma^2 +
sum |x[t-1] - 2 x[t] + x[t+1]|^2 / (q dt^3)  (`whittaker`), the same as a Kalman smoother's; q is then taken from that path's own
accelerations around each frame, and the path solved again.
"""

from dataclasses import dataclass

import numpy as np

from .markers import are_seen
from .whittaker import whittaker

# Fitted on the people from whom the pose network learned (CMU), so that the points' error is least over 5 to 40 mm and 30 to 120 frames
# a second.  USUAL is where the search begins; GAIN makes up for the accelerations that smoothing takes out of the path it is measured on.
USUAL, GAIN, LEAST = 1.0, 3.0, 0.05  # m^2/s^3; 1; of USUAL, where nothing moves
ROUNDS = 3
NEAR_S = 0.04  # half the width of the box, twice applied, over which accelerations are averaged
FINEST = 1e-4  # metres: noise with which gaps of exact recordings are bridged
LEFT = 0.8  # of the error that is left, what the solver is told: rest errors are smooth, and bones belong together
DOUBT = 0.03  # metres: a bridged point that is so uncertain has half the trust (as the solver's own, `neural/analytic/noise`)
LEAST_TRUST = 0.1  # less is no knowledge: longer gaps stay open
_FEWEST = 4  # seen frames of a point that can be smoothed


@dataclass(frozen=True)
class Smoothed:
    """Points `(f, 27, 3)`, NaN where nobody knows; `trust` `(f, 27)` 0..1: 1 where seen; `noise`: metres that seen points are off."""

    points: np.ndarray
    trust: np.ndarray
    noise: float


def smoothed(points: np.ndarray, fps: float, noise: float) -> Smoothed:
    """Return recorded points `(f, n, 3)`, NaN unseen, without noise (metres, as recorded along each axis), gaps bridged."""
    paths, seen, wander = _paths(points, fps, max(noise, FINEST))
    found = np.where(np.isfinite(paths), paths, points)
    left = noise * _left(seen, wander, fps, max(noise, FINEST))
    return _with_trust(found, seen, wander, fps, left)


def bridged(points: np.ndarray, fps: float, noise: float) -> Smoothed:
    """Return recorded points `(f, n, 3)` that are kept as they are, their gaps bridged."""
    seen = are_seen(points)
    if seen.all():
        return Smoothed(points, np.ones(points.shape[:2]), noise)
    paths, seen, wander = _paths(points, fps, FINEST)
    return _with_trust(np.where(seen[..., None], points, paths), seen, wander, fps, noise)


def _paths(points: np.ndarray, fps: float, noise: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the likeliest paths `(f, n, 3)`, NaN for points hardly seen; what is seen `(f, n)`; how velocities wander `(f, n)`."""
    seen = are_seen(points)
    paths, wander = np.full(points.shape, np.nan), np.full(seen.shape, USUAL)
    rows = np.flatnonzero(seen.sum(axis=0) >= _FEWEST)
    if not len(rows):
        return paths, seen, wander
    weights = np.ascontiguousarray(seen[:, rows], dtype=float)
    known = np.where(weights[..., None] > 0.0, points[:, rows], 0.0)
    middle = known.sum(axis=(0, 1)) / weights.sum()
    known -= middle * weights[..., None]  # far from the origin digits would be lost
    local = np.full(weights.shape, USUAL)
    path = known
    for _ in range(ROUNDS):
        path = whittaker(known, weights, noise**2 * fps**3 / local[1:-1])
        local = LEAST * USUAL + GAIN * _wander(path, fps)
    paths[:, rows], wander[:, rows] = path + middle, local
    return paths, seen, wander


def _wander(path: np.ndarray, fps: float) -> np.ndarray:
    """Return how velocities wander along paths `(f, n, 3)` around each frame `(f, n)`, m^2/s^3 along each axis."""
    bends = path[2:] - 2.0 * path[1:-1] + path[:-2]
    squares = np.einsum("fnx,fnx->fn", bends, bends) * (fps**3 / 3.0)
    reach = round(NEAR_S * fps)
    return np.pad(_boxed(_boxed(squares, reach), reach), ((1, 1), (0, 0)), mode="edge")


def _boxed(values: np.ndarray, reach: int) -> np.ndarray:
    """Return the means of values `(f, n)` over as many frames before and after each."""
    total = np.cumsum(np.concatenate([np.zeros((1, values.shape[1])), values]), axis=0)
    rows = np.arange(len(values))
    first, end = np.maximum(rows - reach, 0), np.minimum(rows + reach + 1, len(values))
    return (total[end] - total[first]) / (end - first)[:, None]


def _left(seen: np.ndarray, wander: np.ndarray, fps: float, noise: float) -> float:
    """Return the share of the noise that is left in seen points, root mean square.

    Far from the ends a path keeps  1 / (2 sqrt(2)) L^(-1/4)  of the variance, with the penalty L = sigma^2 / (q dt^3).
    """
    share = np.minimum(1.0, 2.0**-1.5 * (wander / (noise**2 * fps**3)) ** 0.25)
    return LEFT * float(np.sqrt(share[seen].mean())) if seen.any() else LEFT


def _with_trust(points: np.ndarray, seen: np.ndarray, wander: np.ndarray, fps: float, noise: float) -> Smoothed:
    """Return points with trust in those of gaps, by how far they may be off; those that are not trusted are NaN.

    Between two seen ends t1 and t2 seconds away a point whose velocity wanders has the variance  q t1^3 t2^3 / (3 (t1 + t2)^3), after
    the last one  q t^3 / 3.
    """
    trust = np.ones(seen.shape)
    if not seen.all():
        before, after = _since_seen(seen) / fps, _since_seen(seen[::-1])[::-1] / fps
        with np.errstate(divide="ignore"):
            variance = np.maximum(wander, USUAL) / (3.0 * (1.0 / before + 1.0 / after) ** 3)
        trust = np.where(seen, 1.0, DOUBT**2 / (DOUBT**2 + variance))
        trust = np.where(trust < LEAST_TRUST, 0.0, trust)
    known = np.isfinite(points).all(axis=-1) & (trust > 0.0)
    return Smoothed(np.where(known[..., None], points, np.nan), np.where(known, trust, 0.0), noise)


def _since_seen(seen: np.ndarray) -> np.ndarray:
    """Return how many frames ago each point was seen `(f, n)`, infinite before it ever was."""
    rows = np.arange(len(seen), dtype=float)[:, None]
    return rows - np.maximum.accumulate(np.where(seen, rows, -np.inf), axis=0)
