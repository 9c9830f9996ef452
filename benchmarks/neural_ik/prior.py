"""What poses are likely: a Gaussian over the turns of the joints away from their mean, each as seen from its parent."""

from dataclasses import dataclass

import numpy as np

from benchmarks.neural_ik.metrics import seen_from_parent
from benchmarks.neural_ik.people import JOINT_PARENTS, Poses
from neurarig_addon.core.geometry.rotation import rotation_vector, transposed
from neurarig_addon.core.neural.carriers import mean_rotation

PRIOR_EVERY = 4  # frames of the recordings it is fitted to: every fourth of 30 a second
NARROWEST = np.radians(0.5)  # standard deviation added to every turn: a joint that the recordings never bend is stiff, not fixed


@dataclass(frozen=True)
class PosePrior:
    """`mean` `(21, 3, 3)`: mean rotation of each joint but the pelvis, as seen from its parent.

    `covariance` `(63, 63)`: of the rotation vectors away from the mean, radians squared.
    """

    mean: np.ndarray
    covariance: np.ndarray

    @classmethod
    def of(cls, people: list[Poses]) -> "PosePrior":
        """Fit the prior to poses."""
        local = seen_from_parent(np.concatenate([poses.rotations for poses in people]), JOINT_PARENTS)[:, 1:]
        mean = mean_rotation(local, np.ones(len(local)) / len(local))
        away = rotation_vector(transposed(mean) @ local).reshape(len(local), -1)
        return cls(mean, away.T @ away / len(away) + NARROWEST**2 * np.eye(away.shape[1]))

    def precision(self) -> np.ndarray:
        """Return the inverse covariance `(63, 63)`."""
        return np.linalg.inv(self.covariance)

    def directions(self, count: int) -> np.ndarray:
        """Return the principal directions `(63, count)`, each as long as its standard deviation."""
        values, vectors = np.linalg.eigh(self.covariance)
        return vectors[:, ::-1][:, :count] * np.sqrt(values[::-1][:count])
