"""The most likely points: the Kalman update of a linear Gaussian model of figures, then bones brought to
their lengths.

Relative to its trunk a figure is 81 numbers d: the offsets of the trunk's eleven points from the reference
pose's trunk, in body heights,
and the vectors of the other bones, in their own lengths (`figure_shape`). Recorded people have them with some
mean and covariance; a
body's points are linear in them, move by any small rigid motion as well (its trunk's rotation is read from
noisy points), and
are seen with noise N, infinite where a point is missing. With the points' mean m and covariance S the most
likely ones are
x = m + G (y - m), G = S (S + N)^-1, and P = S - G S is the remaining covariance. All this depends on body,
noise and missing points,
so it is computed once. Eleven noisy points together show a trunk, which hardly bends, far better than each
alone; missing points go
where they are on people whose other points are where these are.

Then lengths: with D the unit directions of pairs that keep their distance, B their incidence matrix and r how
much each is too short, the
multipliers solve  (D' B P B' D) f = r,  and the points move by  P B' D f.
"""

from dataclasses import dataclass, replace

import numpy as np

from ...geometry.vectors import lengths
from ..points import JOINTS, POINTS
from .figure_shape import IN_TRUNK, NUMBERS, PARENT_NUMBERS, FigureShape, TrunkFacing, Turned, trunk_frame
from .network_body import NetworkBody

_FINEST = 1e-5  # heights: the noise assumed of exact points
_EXACT = 1e-7  # heights: points with less noise are left unchanged
_TINY = 1e-9
_ENDS_COUNT = 1e-6  # weight of an end of a limb for the trunk's place, against a point of the trunk
# most that a step may move points, in squared spreads: no human pose needs more for its lengths
_MOST_EFFORT = 20.0
_ENDS_TURN = 0.1  # and for its rotation
_OF_FRAMES = ("gain", "constant", "kept", "left", "pull", "normal")
_SUM, _THIRDS = np.ones(3), np.full(3, 1.0 / 3.0)
_ENDS = np.arange(3, NUMBERS)  # the 78 numbers of the points that bones end in
_SHIFTS = np.tile(np.eye(3), len(POINTS))  # all points moved by one along each axis


@dataclass(frozen=True, eq=False)
class FigureFilter:
    """The update for one body, and for the noise and seen points of all frames or of each; build it with `of`
    and keep it.

    `facing`: shows the trunk's rotation. `gain` `(..., 81, 81)`, `constant` `(..., 1, 81)`: from seen places
    along the trunk's axes, in
    rows, to likely ones, metres. `kept` `(..., 27, 1)`: whether a point is exact. `left` `(..., 27)`:
    variance along each axis, m^2, of
    the bones that end in the points, after the update. `lines` `(p, 27)`: pairs that keep their distance of
    `lengths` `(p, 1)`; `pull`
    `(..., 3 p, 81)`, `normal` `(..., p, 3, 3 p)`, m^2: B P and B P B'. `yielding` `(p, p)` m^2: keeps the
    solution finite where lines are
    parallel.  `steps`: of Newton's method.
    """

    facing: TrunkFacing | Turned
    gain: np.ndarray
    constant: np.ndarray
    kept: np.ndarray
    left: np.ndarray
    lines: np.ndarray
    lengths: np.ndarray
    pull: np.ndarray
    normal: np.ndarray
    yielding: np.ndarray
    steps: int

    @classmethod
    def of(
        cls,
        shape: FigureShape,
        body: NetworkBody,
        weights: np.ndarray,
        variances: np.ndarray,
        around: np.ndarray | None = None,
    ) -> "FigureFilter":
        """Return the update for points of `weights` 0..1 and `variances` in m^2 `(..., 27)`.

        `around` `(27, 3)`: the pose, metres, in which they are moved; without it figures are expected to be
        as people usually are.
        """
        if weights.ndim == 1:
            return cls._of(shape, body, weights, variances, around)
        _, first, rows = np.unique(
            np.concatenate([weights, variances], axis=-1), axis=0, return_index=True, return_inverse=True
        )
        found, rows = (
            [cls._of(shape, body, weights[row], variances[row], around) for row in first],
            rows.ravel(),
        )
        tables = {name: np.stack([getattr(each, name) for each in found])[rows] for name in _OF_FRAMES}
        facing = type(found[0].facing)(
            *(np.stack(parts)[rows] for parts in zip(*(each.facing for each in found), strict=True))
        )
        return replace(found[0], facing=facing, steps=max(each.steps for each in found), **tables)

    @classmethod
    def _of(
        cls,
        shape: FigureShape,
        body: NetworkBody,
        weights: np.ndarray,
        variances: np.ndarray,
        around: np.ndarray | None,
    ) -> "FigureFilter":
        height, seen, figure = body.height, weights > 0.0, shape.on(body)
        noise = np.maximum(variances / height**2, _FINEST**2)
        centre = _shares(np.where(IN_TRUNK, weights, _ENDS_COUNT * weights))
        if around is None:
            facing = TrunkFacing.of(figure.trunk, seen, noise, centre)
        else:
            counts = _shares(np.where(IN_TRUNK, weights, _ENDS_TURN * weights))
            figure, facing = figure.around(body, around), Turned.of(around, trunk_frame(body, around), counts)
        shown = np.flatnonzero(np.repeat(seen, 3))
        spread = figure.spread.take(shown, axis=0)
        held = spread.take(shown, axis=1)
        held.ravel()[:: len(shown) + 1] += np.repeat(noise, 3)[shown]
        gains = np.linalg.solve(held, spread)
        left = (figure.spread - spread.T @ gains) * height**2
        gain, constant = _about(centre, figure.places, shown, gains)
        low, high = body.pairs.ends
        rows = left.reshape(len(POINTS), 3, NUMBERS)
        pull = rows.take(high, axis=0) - rows.take(low, axis=0)
        columns = pull.reshape(*pull.shape[:2], len(POINTS), 3)
        normal = columns.take(high, axis=2) - columns.take(low, axis=2)
        # Points at one place take the result of the first of them.
        one_place = (3 * body.pairs.places[:, None] + np.arange(3)).ravel()
        return cls(
            facing=facing,
            gain=gain.take(one_place, axis=1),
            constant=height * constant.take(one_place, axis=1),
            kept=(seen & (variances <= (_EXACT * height) ** 2))[:, None],
            left=_of_bones(left),
            lines=body.pairs.incidence,
            lengths=body.pairs.lengths[:, None],
            pull=pull.reshape(-1, NUMBERS).take(one_place, axis=1),
            normal=normal.reshape(*pull.shape[:2], -1),
            yielding=(_FINEST * height) ** 2 * np.eye(len(body.pairs.lengths)),
            steps=1 if seen[: len(JOINTS)].all() else 2,
        )

    def apply(self, points: np.ndarray, in_length: bool = True) -> np.ndarray:
        """Return the likely points `(f, 27, 3)` for finite ones, with bones of their lengths unless
        `in_length` is false."""
        axes = self.facing.frames(points)
        seen = (points @ axes.swapaxes(-1, -2)).reshape(len(points), 1, NUMBERS)
        if self.gain.ndim == 2:
            seen = seen[:, 0]  # one product for all frames
        likely = (seen @ self.gain + self.constant).reshape(points.shape)
        if in_length:
            self._in_length(likely)
        likely = likely @ axes
        return np.where(self.kept, points, likely)

    def _in_length(self, places: np.ndarray) -> None:
        """Move places `(f, 27, 3)` to where all pairs have their distance."""
        frames = len(places)
        for _ in range(self.steps):
            lines = self.lines @ places
            apart = lengths(lines)
            apart += _TINY
            lines /= apart
            normal = (lines[:, :, None] @ self.normal).reshape(frames, -1, *lines.shape[1:])
            normal *= lines[:, None]
            normal = normal.reshape(-1, 3).dot(_SUM).reshape(frames, *self.yielding.shape)
            normal += self.yielding
            lacking = self.lengths - apart[..., :1]
            push = np.linalg.solve(normal, lacking)
            effort = np.maximum((push * lacking).sum(axis=1, keepdims=True), _TINY)
            lines *= push * np.minimum(np.sqrt(_MOST_EFFORT / effort), 1.0)
            places += (lines.reshape(frames, 1, -1) @ self.pull).reshape(places.shape)


def _shares(counts: np.ndarray) -> np.ndarray:
    return counts / max(counts.sum(), _TINY)


def _about(
    centre: np.ndarray, usual: np.ndarray, shown: np.ndarray, gains: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the gain `(81, 81)` and the constant `(1, 81)` for places relative to any origin.

    `gains` `(n, 81)`: the gain of the n numbers that are `shown`, for offsets from a mean with weights
    `centre` `(27,)`, which is added again; `usual` `(27, 3)`: the usual places.
    """
    gain = np.zeros((NUMBERS, NUMBERS))
    gain[shown] = gains
    away = (usual - centre @ usual).reshape(1, NUMBERS)
    constant = away - away @ gain
    gain += np.multiply.outer(centre, _SHIFTS - _SHIFTS @ gain).reshape(gain.shape)
    return gain, constant


def _of_bones(covariance: np.ndarray) -> np.ndarray:
    """Return the mean variance along the axes `(27,)` of the bones that end in the points, which have a
    covariance `(81, 81)`."""
    own, mixed, back, held = (
        covariance[rows, columns] for rows in (_ENDS, PARENT_NUMBERS) for columns in (_ENDS, PARENT_NUMBERS)
    )
    left = np.maximum((own - mixed) - (back - held), 0.0)
    return np.concatenate([np.zeros(1), left.reshape(-1, 3) @ _THIRDS])
