"""The network's pose between what it says itself and the pose most likely under points and prior.

The network knows what a Gaussian cannot, the Gauss-Newton step how all points and bones belong together: what lies between is better
than either.
"""

from functools import cache
from pathlib import Path

import numpy as np

from .. import rotation
from .network_body import NetworkBody
from .points import JOINTS
from .pose_prior import PosePrior, read_pose_prior
from .refine import Refinement

PRIOR = Path(__file__).parents[2] / "data" / "weights" / "pose_prior.safetensors"
_OWN = 0.2  # of the network's pose in the mixture
_STRENGTH, _LOUD = 0.2, 0.05  # what the prior counts without noise; the noise, in body heights, that adds as much as a whole prior
_NEARLY_NONE = 1e-9
_FINEST, _SOFT = 0.0005, 0.012  # body heights: the least noise that is believed, and with which a step begins where points are missing


def likely_pose(
    body: NetworkBody,
    rotations: np.ndarray,
    root: np.ndarray,
    points: np.ndarray,
    weights: np.ndarray,
    variances: np.ndarray,
    steps: int,
) -> tuple[np.ndarray, np.ndarray]:
    """Return rotations `(f, 22, 3, 3)` and the pelvis' place `(f, 3)` after some steps from the network's.

    `points` `(f, 27, 3)` metres, finite, of `weights` 0..1 and `variances` in m^2 `(f, 27)`.  Frames with missing joints take one more
    step, the first of them as if all points were noisy: exact ones leave no way to a pose that is far off.
    """
    refinement = Refinement(body.anchor.neighbours.arms, bundled_prior())
    noise = float(np.sqrt((weights * variances).sum() / max(weights.sum(), _NEARLY_NONE))) / body.height
    strength = _STRENGTH + noise / _LOUD
    found = rotations, root
    if weights[:, : len(JOINTS)].min() == 0.0:
        found = refinement.solve(*found, points, _trust(body, weights, variances, _SOFT), strength)
    found, place = refinement.solve(*found, points, _trust(body, weights, variances, _FINEST), strength, steps)
    return rotation.part_way(found, rotations, np.full(found.shape[:2], _OWN)), place


def _trust(body: NetworkBody, weights: np.ndarray, variances: np.ndarray, least: float) -> np.ndarray:
    return weights / np.maximum(variances, (least * body.height) ** 2)


@cache
def bundled_prior() -> PosePrior:
    """Return the prior that comes with the add-on."""
    return read_pose_prior(PRIOR)
