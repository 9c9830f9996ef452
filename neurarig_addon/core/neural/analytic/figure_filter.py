"""Points as they most likely are: the Kalman update of a linear Gaussian model of figures, then bones as long as they are.

Seen from its trunk a figure is 81 numbers d: how far the trunk's eleven points depart from the reference pose's trunk, in body heights, and
the vectors of the other bones, in their own lengths (`figure_shape`).  Recorded people have them with some mean and covariance, a body's
points are linear in them, move besides by any small rigid motion (the trunk's turn was read from noisy points), and are seen with noise N,
which has no bounds where a point is missing.  With the points' mean m and covariance S the most likely ones are  x = m + G (y - m),
G = S (S + N)^-1,  and P = S - G S is what is left uncertain.  All this depends on body, noise and on what is missing, so it is found once.
Eleven noisy points tell a trunk, which hardly bends, far better than each tells its own; what is missing goes where it is on people whose
other points are where these are.

Then lengths: with D the unit directions of pairs that keep their distance, B their incidence matrix and r how much each is too short, the
multipliers solve  (D' B P B' D) f = r,  and the points move by  P B' D f.
"""

from dataclasses import dataclass, replace

import numpy as np

from ..geometry.vectors import lengths
from ..points import INDEX, JOINTS
from .figure_shape import IN_TRUNK, NUMBERS, PARENT_NUMBERS, FigureShape
from .network_body import NetworkBody
from .rigid_points import RigidPoints

_FINEST, _UNSEEN = 1e-5, 10.0  # heights: the noise of points that are called exact, and of missing ones
_EXACT = 1e-7  # heights: points that err less are left alone
# Knees and elbows that are not seen, beside ankles and wrists that are: what closed form says of them errs by so many heights.
_MIDDLES, _ENDS = ([INDEX[f"{part}.{side}"] for part in parts for side in "LR"] for parts in (("knee", "elbow"), ("ankle", "wrist")))
_BEND_ERR = 0.04
_TINY = 1e-9
_OF_FRAMES = ("centre", "gain", "constant", "kept", "left", "pull", "normal")
_SUM = np.ones(3)


@dataclass(frozen=True, eq=False)
class FigureFilter:
    """The update for one body, for the noise and the seen points of all frames or of each; build it with `of` and keep it.

    `centre` `(..., 1, 27)`: weights of the figure's middle.  `gain` `(..., 81, 81)`, `constant` `(..., 1, 81)`: from seen places, in rows,
    to likely ones, metres.  `kept` `(..., 27, 1)`: points that are exact.  `left` `(..., 27)`: variance along each axis, m^2, of the bones
    that end in the points, after the update.  `pairs`: p of them keep their distance; `pull` `(..., 3 p, 81)`, `normal` `(..., p, 3, 3 p)`,
    m^2: B P and B P B'.  `yielding` `(p, p)` m^2: keeps the solution finite where lines are parallel.  `steps`: of Newton's method.
    """

    centre: np.ndarray
    gain: np.ndarray
    constant: np.ndarray
    kept: np.ndarray
    left: np.ndarray
    pairs: RigidPoints
    pull: np.ndarray
    normal: np.ndarray
    yielding: np.ndarray
    steps: int

    @classmethod
    def of(cls, shape: FigureShape, body: NetworkBody, weights: np.ndarray, variances: np.ndarray) -> "FigureFilter":
        """Return the update for points of `weights` 0..1 and `variances` in m^2 `(..., 27)`."""
        if weights.ndim == 1:
            return cls._of(shape, body, weights, variances)
        _, first, rows = np.unique(np.concatenate([weights, variances], axis=-1), axis=0, return_index=True, return_inverse=True)
        found = cls._of(shape, body, weights[first], variances[first])
        return replace(found, **{name: getattr(found, name)[rows.ravel()] for name in _OF_FRAMES})

    @classmethod
    def _of(cls, shape: FigureShape, body: NetworkBody, weights: np.ndarray, variances: np.ndarray) -> "FigureFilter":
        height, seen = body.height, weights > 0.0
        usual, spread = shape.on(body)
        centre = np.where(IN_TRUNK, weights + _TINY, 0.0)
        centre /= centre.sum(axis=-1, keepdims=True)
        noise = np.where(seen, np.maximum(variances / height**2, _FINEST**2), np.where(_bent(weights), _BEND_ERR**2, _UNSEEN**2))
        seen_spread = spread + np.repeat(noise, 3, axis=-1)[..., None] * np.eye(NUMBERS)
        back = np.linalg.solve(seen_spread, np.broadcast_to(spread, seen_spread.shape))
        usual = height * (usual - centre[..., None, :] @ usual).reshape(centre.shape[:-1] + (1, NUMBERS))
        left = (spread - spread @ back) * height**2
        lines = np.kron(body.pairs.incidence, np.eye(3))
        pull = lines @ left
        return cls(
            centre=centre[..., None, :],
            gain=np.ascontiguousarray(back),
            constant=usual - usual @ back,
            kept=(seen & (variances <= (_EXACT * height) ** 2))[..., None],
            left=_of_bones(left),
            pairs=body.pairs,
            pull=pull,
            normal=(pull @ lines.T).reshape(pull.shape[:-2] + (-1, 3, len(lines))),
            yielding=(_FINEST * height) ** 2 * np.eye(len(body.pairs.lengths)),
            steps=1 if seen[..., : len(JOINTS)].all() else 2,
        )

    def apply(self, points: np.ndarray, turn: np.ndarray, in_length: bool = True) -> np.ndarray:
        """Return likely points `(f, 27, 3)`, with bones of their lengths unless `in_length` is false.

        `points`: finite; missing knees and elbows are where `missing.complete` has them.  `turn` `(f, 3, 3)`: roughly how the trunk is
        turned away from the reference pose.
        """
        middle = self.centre @ points
        seen = ((points - middle) @ turn).reshape(len(points), 1, NUMBERS)
        if self.gain.ndim == 2:
            seen = seen[:, 0]  # one product for all frames
        likely = (seen @ self.gain + self.constant).reshape(points.shape)
        if in_length:
            likely = self._in_length(likely)
        likely = likely @ turn.swapaxes(-1, -2)
        likely += middle
        return np.where(self.kept, points, likely) if self.kept.any() else likely

    def _in_length(self, places: np.ndarray) -> np.ndarray:
        """Return places `(f, 27, 3)` moved to where all pairs are as far apart as they are."""
        frames, pairs = len(places), self.pairs
        for _ in range(self.steps):
            lines = pairs.incidence @ places
            apart = lengths(lines)
            lines /= np.maximum(apart, _TINY)
            normal = (lines[:, :, None] @ self.normal).reshape(frames, -1, *lines.shape[1:])
            normal *= lines[:, None]
            normal = normal @ _SUM + self.yielding
            lines *= np.linalg.solve(normal, pairs.lengths[:, None] - apart[..., :1])
            places = places + (lines.reshape(frames, 1, -1) @ self.pull).reshape(places.shape)
        return places.take(pairs.places, axis=-2)


def _bent(weights: np.ndarray) -> np.ndarray:
    """Return which points `(..., 27)` are knees and elbows whose ankles and wrists are seen: closed form knows where they may be."""
    found = np.zeros(weights.shape, dtype=bool)
    found[..., _MIDDLES] = weights[..., _ENDS] > 0.0
    return found


def _of_bones(covariance: np.ndarray) -> np.ndarray:
    """Return the mean variance along the axes `(..., 27)` of the bones that end in points of a covariance `(..., 81, 81)`."""
    bones = covariance[..., 3:] - covariance[..., PARENT_NUMBERS]
    left = np.einsum("...jj->...j", bones[..., 3:, :] - bones[..., PARENT_NUMBERS, :])
    left = np.maximum(left, 0.0).reshape(left.shape[:-1] + (-1, 3)).mean(axis=-1)
    return np.concatenate([np.zeros(left.shape[:-1] + (1,)), left], axis=-1)
