"""Feet independent of rest poses: what they can stand on, and how they are turned."""

from dataclasses import dataclass

import numpy as np

from ..character.motion import Motion
from ..geometry.rotation import rotated, transposed

SWING, HEEL, FLAT, BALL, TOE = range(5)


@dataclass(frozen=True)
class Feet:
    """Both feet over time.

    `ankle` `(f, 2, 3)` metres. `turn`, `toe` `(f, 2, 3, 3)`: rotations of foot and toes from standing flat
    and pointing ahead.
    """

    ankle: np.ndarray
    turn: np.ndarray
    toe: np.ndarray

    def __getitem__(self, rows: np.ndarray | slice) -> "Feet":
        """Return the feet on some of the frames."""
        return Feet(self.ankle[rows], self.turn[rows], self.toe[rows])

    def moved(self, way: np.ndarray) -> "Feet":
        """Return the feet moved by `(f, 1 or 2, 3)`."""
        return Feet(self.ankle + way, self.turn, self.toe)

    def seen(self, root: Motion) -> "Feet":
        """Return the feet relative to a root."""
        back = transposed(root.rotation)[:, None]
        return Feet(rotated(back, self.ankle - root.position[:, None]), back @ self.turn, back @ self.toe)


@dataclass(frozen=True)
class FootAngles:
    """Angles about z, then x, then y: `heading` `(f, 2)` unwrapped, `bank`, `pitch` (toes down is positive),
    radians.

    In this order the heading depends on the foot's left axis alone, so it stays defined on tiptoe and when
    kneeling.
    """

    heading: np.ndarray
    bank: np.ndarray
    pitch: np.ndarray


def angles_of(turn: np.ndarray) -> FootAngles:
    """Return the angles of foot rotations `(f, ..., 3, 3)`."""
    left = turn[..., :, 1]
    heading = np.arctan2(-left[..., 0], left[..., 1])
    ahead = np.cos(heading) * turn[..., 0, 0] + np.sin(heading) * turn[..., 1, 0]
    return FootAngles(
        np.unwrap(heading, axis=0),
        np.arcsin(np.clip(left[..., 2], -1.0, 1.0)),
        np.arctan2(-turn[..., 2, 0], ahead),
    )
