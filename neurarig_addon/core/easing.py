"""Going over softly: from nothing to all, and up to a limit."""

import numpy as np


def smoothstep(share: np.ndarray) -> np.ndarray:
    """Return 0 to 1 as a share goes from 0 to 1, level at both ends and beyond: the cubic 3 s^2 - 2 s^3."""
    share = np.minimum(np.maximum(share, 0.0), 1.0)  # np.clip costs twice that of few values
    return share * share * (3.0 - 2.0 * share)


def smooth_between(at: np.ndarray, begins: np.ndarray | float, ends: np.ndarray | float) -> np.ndarray:
    """Return the same as values go from where it begins to where it ends."""
    return smoothstep((at - begins) / (ends - begins))


def smootherstep(share: np.ndarray) -> np.ndarray:
    """Return the same, smooth to the second order: the quintic 10 s^3 - 15 s^4 + 6 s^5."""
    share = np.minimum(np.maximum(share, 0.0), 1.0)
    return share**3 * (10.0 + share * (6.0 * share - 15.0))


def bell(share: np.ndarray) -> np.ndarray:
    """Return 0 at both ends of 0..1, level there, and 1 in the middle: (4 s (1 - s))^2."""
    return (4.0 * share * (1.0 - share)) ** 2


def within(value: np.ndarray, most: np.ndarray | float) -> np.ndarray:
    """Return values eased to `most` where they are larger."""
    return value / (1.0 + np.abs(value / most) ** 6) ** (1.0 / 6.0)


def lesser(a: np.ndarray, b: np.ndarray, band: np.ndarray | float) -> np.ndarray:
    """Return a smooth minimum that never exceeds either (Quilez's polynomial); within a `band` it is below
    both."""
    share = np.maximum(band - np.abs(a - b), 0.0) / band
    return np.minimum(a, b) - 0.25 * band * share * share


def over(value: np.ndarray, band: np.ndarray | float) -> np.ndarray:
    """Return by how much values are above 0, never less than that, and as a parabola within `band` on both
    sides."""
    near = np.minimum(np.maximum(value, -band), band) + band
    return np.maximum(value - band, 0.0) + near * near / (4.0 * band)


def outside(at: np.ndarray, begin: float, end: float) -> np.ndarray:
    """Return how far values are outside of two limits, 0 within."""
    return np.maximum(np.maximum(begin - at, at - end), 0.0)


def running(steps: np.ndarray | list[float]) -> np.ndarray:
    """Return the sums `(n + 1,)` of steps `(n,)` up to each, 0 before the first."""
    return np.concatenate([[0], np.cumsum(steps)])


def hermite(
    share: np.ndarray, start: np.ndarray, leave: np.ndarray, end: np.ndarray, arrive: np.ndarray
) -> np.ndarray:
    """Return the cubic through `start` and `end` with slopes `leave` and `arrive` per unit of `share` in
    0..1."""
    back = 1.0 - share
    return (
        (1.0 + 2.0 * share) * back**2 * start
        + share**2 * (3.0 - 2.0 * share) * end
        + bend(share, leave, arrive)
    )


def bend(share: np.ndarray, leave: np.ndarray, arrive: np.ndarray) -> np.ndarray:
    """Return the cubic that is 0 at both ends of 0..1, with slopes `leave` and `arrive` there."""
    back = 1.0 - share
    return share * back * (back * leave - share * arrive)


def hermite_rate(
    share: np.ndarray, start: np.ndarray, leave: np.ndarray, end: np.ndarray, arrive: np.ndarray
) -> np.ndarray:
    """Return the slope of `hermite` per unit of `share`."""
    back = 1.0 - share
    return (
        6.0 * share * back * (end - start)
        + back * (1.0 - 3.0 * share) * leave
        + share * (3.0 * share - 2.0) * arrive
    )


def piece(knots: np.ndarray, at: np.ndarray | float) -> np.ndarray:
    """Return the rows `(...)` of the knots after which places lie, from the first to the last but one."""
    return np.clip(np.searchsorted(knots, at, side="right") - 1, 0, len(knots) - 2)


def cubic(knots: np.ndarray, values: np.ndarray, slopes: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Return the cubics through values with slopes `(n, ...)` at knots, at places `(...)`; beyond the ends as
    at these."""
    return hermite(*_pieces(knots, values, slopes, at)[1])


def cubics(
    knots: np.ndarray, values: np.ndarray, slopes: np.ndarray, at: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the same, and how they rise."""
    width, ends = _pieces(knots, values, slopes, at)
    return hermite(*ends), hermite_rate(*ends) / width


def _pieces(
    knots: np.ndarray, values: np.ndarray, slopes: np.ndarray, at: np.ndarray
) -> tuple[np.ndarray, tuple[np.ndarray, ...]]:
    row = piece(knots, at)
    width = knots[row + 1] - knots[row]
    share, width = (
        one.reshape(row.shape + (1,) * (values.ndim - 1))
        for one in (np.clip((at - knots[row]) / width, 0.0, 1.0), width)
    )
    return width, (share, values[row], slopes[row] * width, values[row + 1], slopes[row + 1] * width)


def spline_slopes(knots: np.ndarray, values: np.ndarray, level: bool) -> np.ndarray:
    """Return the slopes `(n, ...)` at which the second derivative is continuous (de Boor, *A Practical Guide
    to Splines*, IV).

    `level`: at both ends, else the second derivative is 0 there.
    """
    width, matrix, right = np.diff(knots), np.eye(len(knots)), np.zeros_like(values)
    secant = np.diff(values, axis=0) / width.reshape(-1, *[1] * (values.ndim - 1))
    for row in range(1, len(knots) - 1):
        before, after = width[row - 1 : row + 1]
        matrix[row, row - 1 : row + 2] = after, 2.0 * (before + after), before
        right[row] = 3.0 * (after * secant[row - 1] + before * secant[row])
    if not level:
        matrix[0, :2] = matrix[-1, :-3:-1] = 2.0, 1.0
        right[[0, -1]] = 3.0 * secant[[0, -1]]
    return np.linalg.solve(matrix, right)


def rising_slopes(knots: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return the slopes `(n,)` at knots with which cubics through values rise where these do, and never
    overshoot: harmonic means (Fritsch and Butland, 1984)."""
    secant = np.diff(values) / np.diff(knots)
    both, product = secant[1:] + secant[:-1], secant[1:] * secant[:-1]
    inner = np.divide(2.0 * product, both, out=np.zeros_like(both), where=product > 0.0)
    return np.concatenate([secant[:1], inner, secant[-1:]])


def b_spline(knots: np.ndarray, row: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Return cubic B-splines `(...)` with values `knots` `(..., n)`, a `share` `(...)` of the way from knot
    `row` `(...)` to the next.

    Smooth to the curvature, and never outside the four knots around; `row` is from 1 to `n - 3`.
    """
    back = 1.0 - share
    weights = (
        np.stack(
            [
                back**3,
                4.0 - 6.0 * share**2 + 3.0 * share**3,
                1.0 + 3.0 * (share + share**2 - share**3),
                share**3,
            ],
            axis=-1,
        )
        / 6.0
    )
    around = np.take_along_axis(
        np.broadcast_to(knots, row.shape + knots.shape[-1:]), row[..., None] + np.arange(-1, 3), axis=-1
    )
    return (weights * around).sum(axis=-1)


def straight(rows: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Return straight lines through rows `(n, ...)` at fractional rows `(m,)`; beyond the ends as at
    these."""
    at = np.clip(at, 0.0, len(rows) - 1.0)
    low = np.minimum(at.astype(int), max(len(rows) - 2, 0))
    start, end = rows[low], rows[np.minimum(low + 1, len(rows) - 1)]
    return start + (at - low).reshape(-1, *[1] * (rows.ndim - 1)) * (end - start)


def catmull_rom(rows: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Return smooth curves through rows `(n, ...)` at fractional rows `(...)`: Catmull-Rom cubics."""
    at = np.clip(at, 0.0, len(rows) - 1.0)
    row = np.minimum(at.astype(int), len(rows) - 2)
    s = (at - row).reshape(at.shape + (1,) * (rows.ndim - 1))
    before, here, there, after = (rows[np.clip(row + step, 0, len(rows) - 1)] for step in (-1, 0, 1, 2))
    turns = 2.0 * before - 5.0 * here + 4.0 * there - after
    return here + 0.5 * s * (there - before + s * (turns + s * (3.0 * (here - there) + after - before)))


def gaussian(deviation: float, reach: int) -> np.ndarray:
    """Return the weights `(2 reach + 1,)` of a Gaussian with a deviation in rows, together 1."""
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / deviation) ** 2)
    return weights / weights.sum()


def averaged(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return weighted means `(f, ...)` of `n` consecutive rows each, of values `(f + n - 1, ...)`."""
    return np.lib.stride_tricks.sliding_window_view(values, len(weights), axis=0) @ weights
