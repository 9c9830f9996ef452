"""Points as they most likely are: the trunk's as trunks are, then all as far apart as the bones are long."""

from dataclasses import dataclass

import numpy as np

from .points import POINTS
from .rigid_points import RigidFit, RigidPoints
from .trunk_filter import TRUNK, TrunkFilter, TrunkShape

_LEFT = 0.3  # of the trunk's variance is left by the trunk's filter
_EXACT = 1e-7  # heights: points that err less are left alone
_IN_TRUNK = np.isin(np.arange(len(POINTS)), TRUNK)


@dataclass(frozen=True, eq=False)
class Cleaning:
    """How the points of one body are cleaned, of all frames or of each; build it with `of` and keep it.

    `kept` `(..., 27, 1)`: points that are exact.
    """

    trunk: TrunkFilter
    fit: RigidFit
    kept: np.ndarray

    @classmethod
    def of(
        cls, shape: TrunkShape, rest: np.ndarray, pairs: RigidPoints, weights: np.ndarray, variances: np.ndarray, sigma: float | np.ndarray
    ) -> "Cleaning":
        """Return the cleaning of points of weights 0..1 and variances in m^2 `(..., 27)`; `sigma`: the noise in metres."""
        kept = (weights > 0.0) & (variances <= (_EXACT * pairs.height) ** 2)
        left = variances * np.where(_IN_TRUNK, _LEFT, 1.0)
        trunk = TrunkFilter.of(shape, rest, pairs.height, weights, sigma)
        return cls(trunk, RigidFit.of(pairs, weights, left), kept[..., None])

    def apply(self, points: np.ndarray, turn: np.ndarray) -> np.ndarray:
        """Return likely points `(f, 27, 3)`; `turn` `(f, 3, 3)`: roughly how the trunk is turned away from the reference pose."""
        likely = self.fit.apply(self.trunk.apply(points, turn))
        return np.where(self.kept, points, likely) if self.kept.any() else likely
