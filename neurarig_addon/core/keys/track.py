"""A property over time that is to be keyed anew, and by how much other values of it are off."""

from dataclasses import dataclass

import numpy as np

from ..geometry.rotation import normalized, rotation_vector
from ..posing.channels import QUATERNION, from_mode

HELD = 1e-6  # metres or radians: what differs less from one frame to the next does not move
SHORTEST_HOLD = 3  # frames
QUATERNION_RADIANS = 2.0  # a component that changes by 1 turns by so much


@dataclass(frozen=True)
class Track:
    """Values `(f, n)` over time, free of jumps (see `channels.continuous`), that get their keys at the same frames.

    `mode`: the rotation mode of values that turn a bone only together, else ''.
    `unit`: metres (or radians) that a change of 1 counts as, where they are no whole rotation.
    """

    values: np.ndarray
    mode: str = ""
    unit: float = 1.0

    def off(self, values: np.ndarray) -> np.ndarray:
        """Return by how many metres (or radians) other values `(f, n)` are off, frame by frame `(f,)`."""
        return (1.0 if self.mode else self.unit) * off_by(values, self.values, self.mode)

    @property
    def size(self) -> float:
        """How many metres or radians a change of one value by 1 is, about."""
        return QUATERNION_RADIANS if self.mode == QUATERNION else self.unit

    def pushed(self, off: float) -> np.ndarray:
        """Return the values `(f, n, n)` of which each has one component changed by about so many metres or radians."""
        return self.values[:, None] + off / self.size * np.eye(self.values.shape[1])

    def held(self) -> np.ndarray:
        """Return the first and last rows `(n, 2)` of the spans in which nothing moves for a while but before or after."""
        moves = self.unit * np.abs(np.diff(self.values, axis=0)).max(axis=-1) > HELD
        edges = np.flatnonzero(np.diff(np.concatenate([[True], moves, [True]]).astype(int)))
        spans = edges.reshape(-1, 2)
        return spans[spans[:, 1] - spans[:, 0] + 1 >= SHORTEST_HOLD]


def off_by(values: np.ndarray, wanted: np.ndarray, mode: str) -> np.ndarray:
    """Return how far values `(f, n)` are from those wanted `(f,)`: radians where they turn a bone in a mode, else in their units."""
    if not mode:
        return np.linalg.norm(values - wanted, axis=-1)
    if mode == QUATERNION:
        one, other = normalized(wanted), normalized(values)
        chord = np.minimum(np.linalg.norm(other - one, axis=-1), np.linalg.norm(other + one, axis=-1))
        return 4.0 * np.arcsin(np.minimum(0.5 * chord, 1.0))
    turn = np.swapaxes(from_mode(wanted, mode), -1, -2) @ from_mode(values, mode)
    return np.linalg.norm(rotation_vector(turn), axis=-1)
