"""Feet independent of rest poses: rotations from standing flat and pointing ahead."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Feet:
    """Both feet over time.

    `ankle` `(f, 2, 3)` metres.  `turn`, `toe` `(f, 2, 3, 3)`: rotations of foot and toes from standing flat and pointing ahead.
    """

    ankle: np.ndarray
    turn: np.ndarray
    toe: np.ndarray


@dataclass(frozen=True)
class FootAngles:
    """Angles about z, then x, then y: `heading` `(f, 2)` unwrapped, `bank`, `pitch` (toes down is positive), radians.

    In this order the heading depends on the foot's left axis alone, so it stays defined on tiptoe and when kneeling.
    """

    heading: np.ndarray
    bank: np.ndarray
    pitch: np.ndarray


def angles_of(turn: np.ndarray) -> FootAngles:
    """Return the angles of foot rotations `(f, ..., 3, 3)`."""
    left = turn[..., :, 1]
    heading = np.arctan2(-left[..., 0], left[..., 1])
    ahead = np.cos(heading) * turn[..., 0, 0] + np.sin(heading) * turn[..., 1, 0]
    return FootAngles(np.unwrap(heading, axis=0), np.arcsin(np.clip(left[..., 2], -1.0, 1.0)), np.arctan2(-turn[..., 2, 0], ahead))
