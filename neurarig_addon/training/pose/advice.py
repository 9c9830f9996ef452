"""The target for what a lesson's points leave open: the pose near the true one that is most likely given the points.

A recorded pose contains what noise and missing points hide, which cannot be known; learned from few people, it teaches their habits.
The most likely pose under a Gaussian prior contains only what follows from the points and from the most common habits, so it also holds
for people who were never recorded.
"""

import numpy as np

from ...core.neural.analytic.network_body import NetworkBody
from ...core.neural.analytic.noise import variances
from ...core.neural.likely.likely_pose import Trust
from ...core.neural.likely.pose_prior import PosePrior
from ...core.neural.likely.refine import Refinement


def advised(
    body: NetworkBody, rotations: np.ndarray, points: np.ndarray, weights: np.ndarray, sigma: float | np.ndarray, prior: PosePrior
) -> np.ndarray:
    """Return poses `(f, 22, 3, 3)` a Gauss-Newton step from the true ones towards those most likely under their points.

    `points` `(f, 27, 3)` in metres about the true pelvis, finite, with `weights` 0..1 `(27,)` or `(f, 27)` and noise `sigma` metres.
    """
    trust = Trust.of(body, weights, variances(body, weights, sigma))
    refinement = Refinement(body.offsets, prior)
    found, _ = refinement.solve(rotations.astype(float), np.zeros((len(rotations), 3)), points, trust.sharp, trust.strength)
    return found
