"""Which poses are likely: a Gaussian over the rotation vectors of the joints from their mean, each relative
to its parent.

Elbows and knees hinge, spines hardly twist, left and right go together: a mean and the covariance of 63
numbers describe this.
"""

import json
import os
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from ...errors import NeuraRigError
from ...geometry import rotation
from ...network.safetensors import read_tensors, take_tensor, write_tensors
from ..carriers import mean_rotation
from ..points import JOINTS, PARENTS, in_parents

# added to every spread: a joint that recordings never bend is stiff, not fixed
NARROWEST_RAD = np.radians(0.5)
_MOST_HABITS = 256  # cached
PARENT_ROWS = PARENTS[1 : len(JOINTS)]
_METADATA = {"format": "neurarig-pose-prior", "version": "1", "joints": json.dumps(JOINTS)}


@dataclass(frozen=True)
class Habit:
    """The prior of n of its numbers, the others marginalised: `precision` `(n, n)`; and the matrix from these
    to the expected others, `follow` `(n, 63 - n)`."""

    precision: np.ndarray
    follow: np.ndarray

    @classmethod
    def of(cls, covariance: np.ndarray, chosen: np.ndarray) -> "Habit":
        """Return the habit of the `chosen` `(63,)` numbers of a covariance `(63, 63)`."""
        precision = np.linalg.inv(covariance[np.ix_(chosen, chosen)])
        return cls(precision, precision @ covariance[np.ix_(chosen, ~chosen)])


@dataclass(frozen=True)
class PosePrior:
    """`mean` `(21, 3, 3)`: mean rotation of each joint but the pelvis relative to its parent; `covariance`
    `(63, 63)` radians squared."""

    mean: np.ndarray
    covariance: np.ndarray
    _habits: dict[bytes, Habit] = field(default_factory=dict, init=False, compare=False, repr=False)

    @classmethod
    def of(cls, rotations: np.ndarray) -> "PosePrior":
        """Fit the prior to poses `(n, 22, 3, 3)`, rotations from the reference pose."""
        local = in_parents(rotations)[:, 1:]
        mean = mean_rotation(local, np.full(len(local), 1.0 / len(local)))
        away = rotation.rotation_vector(rotation.transposed(mean) @ local).reshape(len(local), -1)
        return cls(mean, away.T @ away / len(away) + NARROWEST_RAD**2 * np.eye(away.shape[1]))

    @cached_property
    def mean_back(self) -> np.ndarray:
        """The mean rotations, transposed `(21, 3, 3)`."""
        return np.ascontiguousarray(rotation.transposed(self.mean))

    def habit(self, chosen: np.ndarray) -> Habit:
        """Return the prior of the `chosen` `(63,)` numbers by themselves, and how the others follow them."""
        key = chosen.tobytes()
        if key not in self._habits:
            if len(self._habits) >= _MOST_HABITS:
                self._habits.clear()
            self._habits[key] = Habit.of(self.covariance, chosen)
        return self._habits[key]


def write_pose_prior(path: str | os.PathLike, prior: PosePrior) -> None:
    """Write a prior with the names of its joints."""
    arrays = {"mean": prior.mean.reshape(-1, 9), "covariance": prior.covariance}
    write_tensors(path, _METADATA, {name: array.astype(np.float32) for name, array in arrays.items()})


def read_pose_prior(path: str | os.PathLike) -> PosePrior:
    """Read a prior; raises NeuraRigError, naming the file, if it is not one."""
    metadata, tensors = read_tensors(path)
    size = 3 * len(PARENT_ROWS)
    try:
        if metadata != _METADATA:
            raise ValueError("it is of another format")
        mean = (
            take_tensor(tensors, "mean", (len(PARENT_ROWS), 9), largest=1.1).astype(float).reshape(-1, 3, 3)
        )
        covariance = take_tensor(tensors, "covariance", (size, size), largest=np.pi**2).astype(float)
        covariance = 0.5 * (covariance + covariance.T)
        if (
            np.linalg.eigvalsh(covariance)[0] <= 0.0
            or np.abs(mean @ rotation.transposed(mean) - np.eye(3)).max() > 1e-3
        ):
            raise ValueError("its numbers are not a mean and covariance")
    except ValueError as error:
        raise NeuraRigError(
            f"'{Path(path).name}' holds no pose prior: {error}; install the add-on again."
        ) from None
    return PosePrior(mean, covariance)
