"""Recorded points as smooth as people move: jitter is removed, gaps are bridged, and nothing lags, as past
and future are known.

A point's velocity is a random walk; its rate, q in m^2/s^3, is found from the recording itself, so a standing
foot is held still
and a kick is not flattened. With noise sigma and frame time dt the likeliest path has the least sum (y - x)^2
/ sigma^2 +
sum |x[t-1] - 2 x[t] + x[t+1]|^2 / (q dt^3) (Whittaker 1923), the same as a Kalman smoother's; q is then taken
from that path's own
accelerations around each frame, and the path solved again.

The normal equations have two diagonals on either side of the main one; they are treated as a chain of 2 x 2
blocks and solved by block
cyclic reduction: every second block is expressed by its two neighbours, which leaves half as many, so a clip
of n frames takes log2(n)
steps on whole arrays. All paths of a clip are solved together, each with its own weights; nothing is
approximated.
"""

from dataclasses import dataclass

import numpy as np

from .markers import are_seen

_STEP = np.array([1.0, -2.0, 1.0])  # the second difference


def whittaker(seen: np.ndarray, weights: np.ndarray, stiffness: np.ndarray) -> np.ndarray:
    """Return the smoothest paths `(f, n, 3)` near the seen places.

    Args:
        seen: `(f, n, 3)`, finite.
        weights: `(f, n)`, w, how closely each place is kept; 0 where it was not seen. Two per path must be
        above 0.
        stiffness: `(f - 2, n)`, v, above 0, how closely each three neighbours follow a straight line.
    """
    frames = len(seen)
    bands = _bands(weights, stiffness)
    if frames % 2:  # pads with a last row, tied to nothing
        bands = np.pad(bands, ((0, 0), (0, 1), (0, 0)))
        bands[0, -1] = 1.0
        seen, weights = np.pad(seen, ((0, 1), (0, 0), (0, 0))), np.pad(weights, ((0, 1), (0, 0)))
    first, second = bands[:, 0::2], bands[:, 1::2]
    chain = _Chain(
        np.array([[first[0], first[1]], [first[1], second[0]]]),
        np.array([[first[2], np.zeros_like(first[0])], [second[1], second[2]]])[:, :, :-1],
    )
    right_side = (
        np.moveaxis(seen * weights[..., None], -1, 0)
        .reshape(3, -1, 2, weights.shape[1])
        .transpose(2, 0, 1, 3)
    )
    found = chain.solve(np.ascontiguousarray(right_side))
    return np.moveaxis(found.transpose(1, 2, 0, 3).reshape(3, -1, weights.shape[1]), 0, -1)[:frames]


def _bands(weights: np.ndarray, stiffness: np.ndarray) -> np.ndarray:
    """Return the main diagonal and the two beside it `(3, f, n)`; the last rows of the latter are 0."""
    bands = np.zeros((3, *weights.shape))
    bands[0] = weights
    count = len(stiffness)
    for low in range(3):
        for high in range(low, 3):
            bands[high - low, low : low + count] += _STEP[low] * _STEP[high] * stiffness
    return bands


@dataclass(frozen=True)
class _Chain:
    """Symmetric chains of 2 x 2 blocks: `blocks` `(2, 2, k, n)` on the diagonal, `links` `(2, 2, k - 1, n)`
    between each and the next."""

    blocks: np.ndarray
    links: np.ndarray

    def solve(self, right_side: np.ndarray) -> np.ndarray:
        """Return x `(2, c, k, n)` with  chain x = `right_side` `(2, c, k, n)`."""
        inverse = _inverse(self.blocks[:, :, 0::2])
        if self.blocks.shape[2] == 1:
            return _product(inverse, right_side)
        # Eliminate the even blocks: x = inverse (asked - links x neighbours).
        odd = self.blocks.shape[2] // 2
        # from an even block to the next, and to the one before
        before, after = self.links[:, :, 0::2], _transposed(self.links[:, :, 1::2])
        own = _product(inverse, right_side[:, :, 0::2])
        up, down = (
            _product(inverse[:, :, : before.shape[2]], before),
            _product(inverse[:, :, 1 : after.shape[2] + 1], after),
        )
        blocks = self.blocks[:, :, 1::2] - _product(_transposed(before), up)
        left = right_side[:, :, 1::2] - _product(_transposed(before), own[:, :, :odd])
        upward = _transposed(after)
        reach = upward.shape[2]
        blocks[:, :, :reach] -= _product(upward, down)
        left[:, :, :reach] -= _product(upward, own[:, :, 1 : reach + 1])
        links = -_product(upward[:, :, : odd - 1], up[:, :, 1:odd])
        found = np.empty_like(right_side)
        kept = found[:, :, 1::2] = _Chain(blocks, links).solve(left)
        own[:, :, :odd] -= _product(up, kept)
        own[:, :, 1 : reach + 1] -= _product(down, kept[:, :, :reach])
        found[:, :, 0::2] = own
        return found


def _product(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return the products `(2, c, ...)` of blocks `(2, 2, ...)` and `(2, c, ...)`: written out, as the blocks
    are small and many."""
    return left[:, 0, None] * right[None, 0] + left[:, 1, None] * right[None, 1]


def _inverse(blocks: np.ndarray) -> np.ndarray:
    """Return the inverses of symmetric blocks `(2, 2, ...)`."""
    (a, b), (_, c) = blocks
    return np.array([[c, -b], [-b, a]]) / (a * c - b * b)


def _transposed(blocks: np.ndarray) -> np.ndarray:
    return blocks.swapaxes(0, 1)


# Fitted on the pose network's training subjects (CMU) for the least error of points over 5 to 40 mm of noise
# and 30 to 120 fps. USUAL is where the search begins; GAIN makes up for the accelerations that smoothing
# removes from the path they are measured on.
_USUAL, _GAIN, _LEAST = 1.0, 3.0, 0.05  # m^2/s^3; factor; share of USUAL, where nothing moves
_ROUNDS = 3
_NEAR_S = 0.04  # seconds: half the width of the box filter, applied twice, that averages accelerations
_FINEST = 1e-4  # metres: noise assumed to bridge gaps of exact recordings
# share of the remaining error given to the solver: remaining errors are smooth, and bones belong together
_LEFT = 0.8
# metres of uncertainty at which a bridged point has half the trust (as the solver's own,
# `neural/analytic/noise`)
_DOUBT = 0.03
_LEAST_TRUST = 0.1  # trust below which a point is unknown: longer gaps stay open
_FEWEST = 4  # fewest seen frames of a point that can be smoothed


@dataclass(frozen=True)
class Smoothed:
    """Points `(f, 27, 3)`, NaN where unknown; `trust` `(f, 27)` 0..1: 1 where seen; `noise`: error of seen
    points in metres."""

    points: np.ndarray
    trust: np.ndarray
    noise: float


def smoothed(points: np.ndarray, fps: float, noise: float) -> Smoothed:
    """Return recorded points `(f, n, 3)`, NaN unseen, with noise (metres along each axis) removed and gaps
    bridged."""
    paths, seen, wander = _paths(points, fps, max(noise, _FINEST))
    found = np.where(np.isfinite(paths), paths, points)
    left = noise * _left(seen, wander, fps, max(noise, _FINEST))
    return _with_trust(found, seen, wander, fps, left)


def bridged(points: np.ndarray, fps: float, noise: float) -> Smoothed:
    """Return recorded points `(f, n, 3)` as they are, with their gaps bridged."""
    seen = are_seen(points)
    if seen.all():
        return Smoothed(points, np.ones(points.shape[:2]), noise)
    paths, seen, wander = _paths(points, fps, _FINEST)
    return _with_trust(np.where(seen[..., None], points, paths), seen, wander, fps, noise)


def _paths(points: np.ndarray, fps: float, noise: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the likeliest paths `(f, n, 3)`, NaN for points hardly seen; which are seen `(f, n)`; the rates
    q `(f, n)`."""
    seen = are_seen(points)
    paths, wander = np.full(points.shape, np.nan), np.full(seen.shape, _USUAL)
    rows = np.flatnonzero(seen.sum(axis=0) >= _FEWEST)
    if not len(rows):
        return paths, seen, wander
    weights = np.ascontiguousarray(seen[:, rows], dtype=float)
    known = np.where(weights[..., None] > 0.0, points[:, rows], 0.0)
    middle = known.sum(axis=(0, 1)) / weights.sum()
    known -= middle * weights[..., None]  # precision would be lost far from the origin
    local = np.full(weights.shape, _USUAL)
    path = known
    for _ in range(_ROUNDS):
        path = whittaker(known, weights, noise**2 * fps**3 / local[1:-1])
        local = _LEAST * _USUAL + _GAIN * _wander(path, fps)
    paths[:, rows], wander[:, rows] = path + middle, local
    return paths, seen, wander


def _wander(path: np.ndarray, fps: float) -> np.ndarray:
    """Return the rate q of velocities along paths `(f, n, 3)` around each frame `(f, n)`, m^2/s^3 along each
    axis."""
    bends = path[2:] - 2.0 * path[1:-1] + path[:-2]
    squares = np.einsum("fnx,fnx->fn", bends, bends) * (fps**3 / 3.0)
    reach = round(_NEAR_S * fps)
    return np.pad(_boxed(_boxed(squares, reach), reach), ((1, 1), (0, 0)), mode="edge")


def _boxed(values: np.ndarray, reach: int) -> np.ndarray:
    """Return the means of values `(f, n)` over `reach` frames before and after each."""
    total = np.cumsum(np.concatenate([np.zeros((1, values.shape[1])), values]), axis=0)
    rows = np.arange(len(values))
    first, end = np.maximum(rows - reach, 0), np.minimum(rows + reach + 1, len(values))
    return (total[end] - total[first]) / (end - first)[:, None]


def _left(seen: np.ndarray, wander: np.ndarray, fps: float, noise: float) -> float:
    """Return the root mean square share of the noise that is left in seen points.

    Far from its ends a path keeps 1 / (2 sqrt(2)) L^(-1/4) of the variance, with the penalty L = sigma^2 / (q
    dt^3).
    """
    share = np.minimum(1.0, 2.0**-1.5 * (wander / (noise**2 * fps**3)) ** 0.25)
    return _LEFT * float(np.sqrt(share[seen].mean())) if seen.any() else _LEFT


def _with_trust(
    points: np.ndarray, seen: np.ndarray, wander: np.ndarray, fps: float, noise: float
) -> Smoothed:
    """Return points with the trust of those in gaps, by their variance; those without trust are NaN.

    Between two seen ends t1 and t2 seconds away a point whose velocity is a random walk has the variance
    q t1^3 t2^3 / (3 (t1 + t2)^3), after the last one  q t^3 / 3.
    """
    trust = np.ones(seen.shape)
    if not seen.all():
        before, after = _since_seen(seen) / fps, _since_seen(seen[::-1])[::-1] / fps
        with np.errstate(divide="ignore"):
            variance = np.maximum(wander, _USUAL) / (3.0 * (1.0 / before + 1.0 / after) ** 3)
        trust = np.where(seen, 1.0, _DOUBT**2 / (_DOUBT**2 + variance))
        trust = np.where(trust < _LEAST_TRUST, 0.0, trust)
    known = np.isfinite(points).all(axis=-1) & (trust > 0.0)
    return Smoothed(np.where(known[..., None], points, np.nan), np.where(known, trust, 0.0), noise)


def _since_seen(seen: np.ndarray) -> np.ndarray:
    """Return how many frames ago each point was last seen `(f, n)`, infinite before the first time."""
    rows = np.arange(len(seen), dtype=float)[:, None]
    return rows - np.maximum.accumulate(np.where(seen, rows, -np.inf), axis=0)
