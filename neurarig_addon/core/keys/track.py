"""A property over time to be keyed again, and the error of other values."""

from dataclasses import dataclass

import numpy as np

from ..geometry.rotation import normalized, rotation_vector
from ..posing.channels import QUATERNION, from_mode

EVENLY = 1e-6  # metres or radians per frame: a smaller change of pace counts as even
SHORTEST_HOLD, SHORTEST_EVEN = 2, 5  # least frames of a hold, and of even motion
QUATERNION_RADIANS = 2.0  # radians of rotation per unit change of a component


@dataclass(frozen=True)
class Track:
    """Values `(f, n)` over time, without jumps (see `channels.continuous`), keyed at common frames.

    `mode`: the rotation mode of values that form one rotation, else ''.
    `unit`: metres (or radians) per unit change, for values that are no rotation.  `posed`: has a key wherever one is always wanted.
    """

    values: np.ndarray
    mode: str = ""
    unit: float = 1.0
    posed: bool = True

    def off(self, values: np.ndarray) -> np.ndarray:
        """Return the error of other values `(f, n)` in metres (or radians) per frame `(f,)`."""
        return (1.0 if self.mode else self.unit) * off_by(values, self.values, self.mode)

    @property
    def size(self) -> float:
        """About how many metres or radians a unit change of one value is."""
        return QUATERNION_RADIANS if self.mode == QUATERNION else self.unit

    def pushed(self, off: float) -> np.ndarray:
        """Return the values `(f, n, n)`, each with one component changed by about `step` metres or radians."""
        return self.values[:, None] + off / self.size * np.eye(self.values.shape[1])

    @property
    def spread(self) -> float:
        """How far it gets from the middle of its values, in metres or radians."""
        return float(self.off(np.broadcast_to(self.middle, self.values.shape)).max())

    @property
    def middle(self) -> np.ndarray:
        """The middle of its values `(n,)`."""
        return 0.5 * (self.values.min(axis=0) + self.values.max(axis=0))

    def held(self) -> np.ndarray:
        """Return the first and last rows `(n, 2)` of the spans in which it holds, or moves evenly, for a while.

        A standing foot moves evenly relative to an evenly moving character.
        """
        paces = self.unit * np.diff(self.values, axis=0)
        still, even = _runs(paces, SHORTEST_HOLD), _runs(np.diff(paces, axis=0), SHORTEST_EVEN - 1) + np.array([0, 1])
        found = np.concatenate([still, even[(np.abs(paces[even[:, 0]]) > EVENLY).any(axis=-1)]])
        found = found[np.argsort(found[:, 0])]
        found[1:, 0] += found[1:, 0] == found[:-1, 1]  # where two meet, the first one has the row
        return found[found[:, 1] > found[:, 0]]


def _runs(changes: np.ndarray, shortest: int) -> np.ndarray:
    """Return the first and last rows `(n, 2)` of spans of so many rows at least between which nothing changes `(f - 1, n)`."""
    edges = np.flatnonzero(np.diff(np.concatenate([[True], np.abs(changes).max(axis=-1) > EVENLY, [True]]).astype(int)))
    spans = edges.reshape(-1, 2)
    return spans[spans[:, 1] - spans[:, 0] + 1 >= shortest]


def off_by(values: np.ndarray, wanted: np.ndarray, mode: str) -> np.ndarray:
    """Return how far values `(f, n)` are from the wanted ones `(f,)`: radians for rotations, otherwise in their units."""
    if not mode:
        return np.linalg.norm(values - wanted, axis=-1)
    if mode == QUATERNION:
        one, other = normalized(wanted), normalized(values)
        chord = np.minimum(np.linalg.norm(other - one, axis=-1), np.linalg.norm(other + one, axis=-1))
        return 4.0 * np.arcsin(np.minimum(0.5 * chord, 1.0))
    turn = np.swapaxes(from_mode(wanted, mode), -1, -2) @ from_mode(values, mode)
    return np.linalg.norm(rotation_vector(turn), axis=-1)
