"""A drawn line prepared for walking: points cleaned, evenly spaced as seen from above, smoothed, continued
beyond the ends."""

import numpy as np

from ..easing import gaussian, running
from ..errors import NeuraRigError

# Leg lengths between the places of the table; on long paths so many times that, at most, so that these can be
# dragged.
SPACING, COARSER = 0.02, 3.0
MANY_PLACES, MOST_PLACES = 6_000, 40_000
SHORTEST = 0.8  # leg lengths: a step
FARTHEST = 1e5  # leg lengths
SMOOTH = 0.35  # leg lengths: standard deviation of the Gaussian that rounds corners
REACH = 4.0  # extent of a Gaussian in standard deviations


def cleaned(points: np.ndarray, leg_length: float, is_closed: bool) -> np.ndarray:
    """Return the line's points without duplicates, a closed one's first again at its end; refuses a line
    without length."""
    if points.ndim != 2 or points.shape[1] != 3 or len(points) < 2:
        raise NeuraRigError("The path has fewer than two points; draw a line with a length.")
    if not np.isfinite(points).all() or np.abs(points - points[0]).max() > FARTHEST * leg_length:
        raise NeuraRigError("The path has points that are not finite or too far away. Move or delete them.")
    if is_closed:
        points = np.concatenate([points, points[:1]])
    steps, way = np.diff(points, axis=0), _ways(points)
    if way.sum() < SHORTEST * leg_length:
        rise = float(np.abs(steps[:, 2]).sum())
        if rise > way.sum():
            raise NeuraRigError("The path goes straight up; lead it along the ground.")
        raise NeuraRigError(
            f"The path is {way.sum():.2g} m long, shorter than a step; make it longer than"
            f" {SHORTEST * leg_length:.2g} m."
        )
    kept = np.concatenate([[True], way > 1e-6 * way.sum()])
    return points[kept]


def rounded(points: np.ndarray, leg_length: float, is_closed: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Return a line through points `(n, 3)` at equal steps `(m, 3)`, its corners rounded, and the metres of
    the drawn line up to each."""
    drawn = resampled(cleaned(points, leg_length, is_closed), leg_length)
    spacing = spacing_of(drawn)
    smooth = smoothed(drawn, SMOOTH * leg_length / spacing, is_closed)
    line = resampled(smooth, leg_length)
    way = running(_ways(smooth))
    return line, spacing * np.interp(np.linspace(0.0, way[-1], len(line)), way, np.arange(len(drawn)))


def resampled(line: np.ndarray, leg_length: float) -> np.ndarray:
    """Return places `(n, 3)` on a line at equal distances as seen from above."""
    way = running(_ways(line))
    count = way[-1] / (SPACING * leg_length)
    count = int(np.ceil(min(max(min(count, MANY_PLACES), count / COARSER), MOST_PLACES))) + 1
    at = np.linspace(0.0, way[-1], max(count, 8))
    still = np.zeros(len(at))  # a column of zeros stays zero: paths on the floor have one
    return np.stack([np.interp(at, way, column) if column.any() else still for column in line.T], -1)


def spacing_of(line: np.ndarray) -> float:
    """Return the mean distance between a line's places as seen from above, in metres."""
    return float(_ways(line).mean())


def _ways(line: np.ndarray) -> np.ndarray:
    """Return the distances `(n - 1,)` from place to place as seen from above, in metres."""
    x, y = np.diff(line[:, 0]), np.diff(line[:, 1])
    return np.sqrt(x * x + y * y)


def smoothed(values: np.ndarray, deviation: float, is_closed: bool, fades: bool = False) -> np.ndarray:
    """Return values `(n, m)` smoothed by a Gaussian with a deviation in rows, corrected for its shrinking of
    curves.

    An open line continues straight beyond its ends, which stay; values that `fades` are 0 there.
    """
    reach = max(1, int(np.ceil(REACH * deviation)))
    kernel = weights = gaussian(deviation, reach)
    if not fades:
        kernel = -np.convolve(weights, weights)
        kernel[reach:-reach] += 2.0 * weights
    reach = len(kernel) // 2
    padded = (
        np.pad(values, ((reach, reach), (0, 0)))
        if fades and not is_closed
        else continued(values, reach, is_closed)
    )
    still = np.zeros(len(values))  # as in `resampled`
    return np.stack(
        [np.convolve(column, kernel, mode="valid") if column.any() else still for column in padded.T], -1
    )


def continued(values: np.ndarray, rows: int, is_closed: bool) -> np.ndarray:
    """Return values `(n, ...)` with `rows` more on both sides: the last or next lap's, or straight on."""
    before, after = np.arange(-rows, 0), np.arange(1, rows + 1)
    if is_closed:
        count, lap = len(values) - 1, values[-1] - values[0]
        earlier, later = (np.multiply.outer(np.floor(at / count), lap) for at in (before, after + count))
        return np.concatenate([values[before % count] + earlier, values, values[after % count] + later])
    first, last = values[1] - values[0], values[-1] - values[-2]
    return np.concatenate(
        [values[0] + np.multiply.outer(before, first), values, values[-1] + np.multiply.outer(after, last)]
    )


def headings_of(line: np.ndarray, is_closed: bool) -> np.ndarray:
    """Return the headings `(n,)` of a line of places `(n, 3)`, unwrapped."""
    step = np.gradient(continued(line[:, :2], 1, is_closed), axis=0)[1:-1]
    headings = np.arctan2(step[:, 1], step[:, 0])
    if np.abs(np.diff(headings)).max() >= np.pi:
        headings = np.unwrap(headings)
    if is_closed:  # a lap later it has the same heading, some whole turns on
        headings[-1] = headings[0] + 2.0 * np.pi * np.round((headings[-1] - headings[0]) / (2.0 * np.pi))
    return headings
