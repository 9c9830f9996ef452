"""Prepares a recording for solving: removes impossible places, smooths jitter, bridges short gaps.

Three tests find points that cannot be where they were recorded, all relative to what is usual in the
recording itself, so that nothing depends on the actor or the system: sides that swap and swap back, which are
corrected; distances between a bone's joints that are not the bone's length, and single places off their path,
which count as unseen.
"""

from functools import partial

import numpy as np

from ..geometry.rotation import norms
from ..neural.point_body import PointBody
from ..neural.points import INDEX, JOINTS, PARENTS, POINTS
from ..neural.solver import PoseSolver
from .markers import are_seen
from .smoothing import Smoothed, bridged, smoothed

# Pairs that are rigid like bones, as far as skin and markers are.
_CARRIED = (("hip.L", "hip.R"), ("neck", "collar.L"), ("neck", "collar.R"))
_PAIRS = np.array(
    [(int(PARENTS[row]), row) for row in range(1, len(POINTS))] + [(INDEX[a], INDEX[b]) for a, b in _CARRIED]
)
_SIDES = [(row, INDEX[f"{point[:-1]}R"]) for row, point in enumerate(POINTS) if point.endswith(".L")]

# a swap: the crossed jumps over the straight ones are below this; least sum of the straight jumps (metres)
_SWAPPED, _APART = 0.25, 0.1
_SWAP_S = 1.0  # seconds: longest swap
# share of a distance, and metres: smaller deviations are normal for a bone
_USUAL_SHARE, _LEAST_OFF = 0.25, 0.05
_TIMES = 6.0  # standard deviations: farther off is not noise
_HARDEST = 250.0  # m/s^2: more than hands and feet reach in punches and kicks
_LONGEST_S = 0.07  # seconds: longest outlier found by its path; longer ones are found by the bones
_SPREAD = 1.4826  # median of absolute deviations -> standard deviation of a Gaussian
_TIE = 1e-3


def without_outliers(points: np.ndarray, fps: float, noise: float) -> np.ndarray:
    """Return recorded points `(f, 27, 3)` with NaN where impossible; `noise`: their usual error in metres
    along each axis."""
    found = _unswapped(points, fps, noise)
    found = _with_bones(found, noise)
    return _on_paths(found, fps, noise)


def _unswapped(points: np.ndarray, fps: float, noise: float) -> np.ndarray:
    """Return points with left and right exchanged where both jump to each other's place, and back soon
    after."""
    if len(points) < 3:
        return points
    found = points.copy()
    for left, right in _SIDES:
        straight = _jumps(points, left, left) + _jumps(points, right, right)
        crossed = _jumps(points, left, right) + _jumps(points, right, left)
        with np.errstate(invalid="ignore"):
            turns = 1 + np.flatnonzero((crossed < _SWAPPED * straight) & (straight > _APART + _TIMES * noise))
        at = 0
        while at + 1 < len(turns):
            first, end = turns[at : at + 2]
            if end - first <= _SWAP_S * fps:
                found[first:end, [left, right]] = points[first:end, [right, left]]
                at += 1
            at += 1
    return found


def _jumps(points: np.ndarray, one: int, other: int) -> np.ndarray:
    """Return the distance of a point in each frame from another (or itself) in the frame before `(f -
    1,)`."""
    return norms(points[1:, one] - points[:-1, other])


def _with_bones(points: np.ndarray, noise: float) -> np.ndarray:
    """Return points with NaN where bone lengths are unusual: of a bone's two ends, the one with more unusual
    bones."""
    seen = are_seen(points)
    wrong = np.zeros((len(points), len(_PAIRS)), dtype=bool)
    known = np.logical_and.reduce(seen[:, _PAIRS], axis=-1)
    for column, (low, high) in enumerate(_PAIRS):
        rows = np.flatnonzero(known[:, column])
        if len(rows):
            lengths = norms(points[rows, high] - points[rows, low])
            usual = np.median(lengths)
            off = np.abs(lengths - usual)
            limit = max(_LEAST_OFF, _USUAL_SHARE * usual, _TIMES * _SPREAD * np.median(off), _TIMES * noise)
            wrong[rows, column] = off > limit
    removed = np.zeros_like(seen)
    members = (_PAIRS[:, :, None] == np.arange(len(POINTS))).any(axis=1).astype(float)
    rows = np.flatnonzero(wrong.any(axis=1))
    while len(rows):
        bad = wrong[rows] @ members
        share = bad / np.maximum(known[rows] @ members, 1.0) + _TIE * bad
        worst = np.argmax(share, axis=1)
        removed[rows, worst] = True
        theirs = members[:, worst].T > 0.0
        wrong[rows] &= ~theirs
        known[rows] &= ~theirs
        rows = rows[wrong[rows].any(axis=1)]
    return np.where(removed[..., None], np.nan, points)


def _on_paths(points: np.ndarray, fps: float, noise: float) -> np.ndarray:
    """Return points with NaN where they leave their path for a moment, farther than any punch or kick would
    take them.

    A place that is off for k frames is twice as far from the middle of its neighbours k frames before and
    after as those are from theirs.
    """
    found = points.copy()
    for reach in range(1, max(1, round(_LONGEST_S * fps)) + 1):
        if len(points) <= 2 * reach:
            break
        off = np.full(points.shape[:2], -np.inf)
        apart = norms(found[reach:-reach] - 0.5 * (found[2 * reach :] + found[: -2 * reach]))
        usual = np.nanmedian(apart, axis=0) if np.isfinite(apart).any(axis=0).all() else _medians(apart)
        limit = (
            np.maximum(np.maximum(_TIMES * noise, _LEAST_OFF), _TIMES * usual)
            + 0.5 * _HARDEST * (reach / fps) ** 2
        )
        off[reach:-reach] = np.where(np.isfinite(apart), apart, -np.inf)
        around = np.full_like(off, -np.inf)
        around[reach:] = off[:-reach]
        around[:-reach] = np.maximum(around[:-reach], off[reach:])
        found[(off > limit) & (off >= around)] = np.nan
    return found


def _medians(values: np.ndarray) -> np.ndarray:
    """Return the medians of the finite values of columns `(f, n)`; 0 if there are none."""
    return np.array(
        [np.median(column[np.isfinite(column)]) if np.isfinite(column).any() else 0.0 for column in values.T]
    )


_EXACT = 0.001  # metres of noise: optical systems deliver smoothed points, which are kept as they are


def mended(points: np.ndarray, fps: float, noise: float) -> Smoothed:
    """Return recorded points `(f, 27, 3)` in metres, NaN unseen, ready to be solved; `noise`: error in metres
    along each axis."""
    known = without_outliers(points, fps, noise)
    return smoothed(known, fps, noise) if noise > _EXACT else bridged(known, fps, noise)


def seeming_noise(points: np.ndarray) -> float:
    """Return the noise of points `(f, 27, 3)` along each axis, estimated from frame to frame: bones do not
    change their lengths.

    Both ends of a bone are noisy in both frames, so a change of length has four times the variance of a
    point.
    """
    lengths = norms(points[:, 1:] - points[:, PARENTS[1:]])
    changes = np.abs(np.diff(lengths, axis=0))
    bones = [column[np.isfinite(column)] for column in changes.T]
    spreads = [_SPREAD * float(np.median(column)) / 2.0 for column in bones if len(column) >= len(POINTS)]
    return float(np.median(spreads)) if spreads else 0.0


STEPS = 8  # levels of trust that are distinguished
_FEW = 8  # mean frames per pattern below which patterns save nothing


def solve_recording(
    solver: PoseSolver,
    body: PointBody,
    points: np.ndarray,
    trust: np.ndarray,
    noise: float,
    refine: int,
    around: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Return rotations `(f, 22, 3, 3)` and the pelvis' place `(f, 3)`, as `PoseSolver.solve`; `trust` `(27,)`
    or `(f, 27)`."""
    solve = partial(solver.solve, refine=refine, around=around)
    known = are_seen(points)
    weights = np.where(known, np.ceil(STEPS * trust) / STEPS, 0.0)
    patterns, which = np.unique(weights, axis=0, return_inverse=True)
    which = which.reshape(-1)  # only numpy 2.0 keeps the axis
    if len(patterns) == 1:
        return solve(body, points, patterns[0], noise)
    if _FEW * len(patterns) > len(points):
        return solve(body, points, weights, noise)
    rotations, roots = np.empty((len(points), len(JOINTS), 3, 3)), np.empty((len(points), 3))
    for number, pattern in enumerate(patterns):
        rows = np.flatnonzero(which == number)
        rotations[rows], roots[rows] = solve(body, points[rows], pattern, noise)
    return rotations, roots
