"""Noise taken out of points by what is certain: bones keep their lengths, and joints that coincide at rest coincide.

Wanted are the most likely places z of points seen at y with variances v, so that all distances |z_a - z_b| of rigid pairs are as in the
reference pose.  Newton's method on the conditions: with D the pairs' unit directions, B their incidence matrix and r how much each is too
short, the multipliers solve  (B v Bt * D Dt) m = r  (the product with * is element by element), and the points move by  v Bt (m D).
Of 81 noisy numbers about 30 are so corrected; nothing is learned, so it holds for every figure.
"""

from dataclasses import dataclass

import numpy as np

from .points import INDEX, PARENTS, POINTS

COINCIDENT = 2e-3  # of the body's height: points nearer than this in the reference pose are one
_STEPS = 2
_YIELDING = 1e-3  # of a condition's own weight: flat triangles make conditions that repeat one another
_SHORTEST = 1e-9  # metres
_UNSEEN = 1e4  # times the variance of the most uncertain seen point
_FINEST = 1e-5  # heights: what points that are called exact are off
# Rigid besides the bones: what pelvis and chest carry.
_CARRIED = (
    ("hip.L", "hip.R"),
    ("hip.L", "spine1"),
    ("hip.R", "spine1"),
    ("neck", "collar.L"),
    ("neck", "collar.R"),
    ("collar.L", "collar.R"),
)


@dataclass(frozen=True)
class RigidPoints:
    """The rigid pairs of a body.

    `groups` `(27,)`: which of n distinct places each point is at.  `members` `(n, 27)`: 1 for each point of a place.
    `incidence` `(p, n)`: each pair's second place less its first.  `lengths` `(p,)`: metres.
    """

    height: float
    groups: np.ndarray
    members: np.ndarray
    incidence: np.ndarray
    lengths: np.ndarray

    @classmethod
    def of(cls, rest: np.ndarray) -> "RigidPoints":
        """Return the rigid pairs of a body whose points in the reference pose are `rest` `(27, 3)`."""
        height = float(np.ptp(rest[:, 2]))
        pairs = [(int(PARENTS[row]), row) for row in range(1, len(POINTS))] + [(INDEX[a], INDEX[b]) for a, b in _CARRIED]
        first = np.arange(len(POINTS))
        for low, high in pairs:
            if np.linalg.norm(rest[high] - rest[low]) < COINCIDENT * height:
                first[first == first[high]] = first[low]
        _, groups = np.unique(first, return_inverse=True)
        members = (groups == np.arange(groups.max() + 1)[:, None]).astype(float)
        distinct = {(min(ends), max(ends)) for pair in pairs if len(ends := {int(groups[row]) for row in pair}) == 2}
        ends = np.array(sorted(distinct)).T
        incidence = np.zeros((ends.shape[1], len(members)))
        incidence[np.arange(len(incidence)), ends[0]] = -1.0
        incidence[np.arange(len(incidence)), ends[1]] = 1.0
        middles = members / members.sum(axis=-1, keepdims=True)
        return cls(height, groups, members, incidence, np.linalg.norm(incidence @ middles @ rest, axis=-1))


@dataclass(frozen=True)
class RigidFit:
    """How points of some variances are corrected, of all frames or of each; build it with `of` and keep it.

    `means` `(..., n, 27)`: the places' most likely means of their points.  `normal` `(..., p, p)`, `spread` `(..., n, p)`: B v Bt and
    v Bt.  `yielding` `(p, p)`: keeps the solution finite where lines are parallel or points coincide.
    """

    pairs: RigidPoints
    means: np.ndarray
    normal: np.ndarray
    spread: np.ndarray
    yielding: np.ndarray

    @classmethod
    def of(cls, pairs: RigidPoints, weights: np.ndarray, variances: np.ndarray) -> "RigidFit":
        """Return the fit for points of weights 0..1 and variances in m^2 `(..., 27)`; those without weight go where the others pull."""
        seen = weights > 0.0
        known = np.maximum(variances, (_FINEST * pairs.height) ** 2)
        most = np.max(np.where(seen, known, 0.0), axis=-1, keepdims=True) + (_FINEST * pairs.height) ** 2
        precision = 1.0 / np.where(seen, known, _UNSEEN * most)
        total = precision @ pairs.members.T
        means = pairs.members * precision[..., None, :] / total[..., None]
        spread = np.swapaxes(pairs.incidence / total[..., None, :], -1, -2)
        normal = pairs.incidence @ spread
        return cls(pairs, means, normal, spread, _YIELDING * np.eye(len(pairs.lengths)))

    def apply(self, points: np.ndarray) -> np.ndarray:
        """Return points `(f, 27, 3)`, all finite, moved to where the rigid pairs keep their lengths."""
        places = self.means @ points
        for _ in range(_STEPS):
            lines = self.pairs.incidence @ places
            lengths = np.sqrt(np.sum(lines * lines, axis=-1, keepdims=True))
            lines /= np.maximum(lengths, _SHORTEST)
            short = self.pairs.lengths[:, None] - lengths
            normal = self.normal * (lines @ np.swapaxes(lines, -1, -2) + self.yielding)
            pull = np.linalg.solve(normal, short)
            places += self.spread @ (pull * lines)
        return places.take(self.pairs.groups, axis=-2)
