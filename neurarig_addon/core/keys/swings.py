"""Feet in the air: their control and the pivots that roll them share the motion, so that few keys are enough
for all of them.

On the ground the control stands still and the pivots say how the foot rolls. In the air only the sum of their
angles counts.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..easing import smoothstep
from .pose_fit import fitted

TURNS = 4  # times that the pivots take over what the control cannot do with its keys
RIGHT_ENOUGH = np.radians(0.5)
MOST = 6.0  # times that an error of a foot may be multiplied at the knee


@dataclass(frozen=True)
class KeySwings:
    """When feet are in the air: `frames` `(f,)` ascending, `in_air` `(f, 2)`.

    `rows` of the key poses; `breaks`: those where a foot lands, or is last on the ground; `loop`: the last
    frame is the first of the next cycle.
    """

    frames: np.ndarray
    in_air: np.ndarray
    rows: np.ndarray
    breaks: np.ndarray
    loop: bool = False

    def shared(self, total: np.ndarray, pivots: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Return the angles `(f, 2)` of both feet's pivots, which in the air differ from those given.

        `total` `(f, 2)`: how far a foot is pitched; what is not of the pivots is of its control. A pivot
        first eases from its angle at the
        lift to that at the landing. Then pivots and control by turns take over what is left of the total by
        the others' few keys.
        """
        angles = [eased(self.frames, self.in_air, each) for each in pivots]
        played = [self._played(each) for each in angles]
        best, least = angles, np.full(total.shape[1], np.inf)
        for turn in range(TURNS * len(angles) if len(self.rows) > 1 else 0):
            wanted = total - sum(played)
            left = wanted - self._played(wanted)
            worst = np.abs(left).max(axis=0)
            best = [np.where(worst < least, new, old) for new, old in zip(angles, best, strict=True)]
            least = np.minimum(worst, least)
            pivot = turn % len(angles)
            angles = [*angles[:pivot], angles[pivot] + np.where(self.in_air, left, 0.0), *angles[pivot + 1 :]]
            played[pivot] = self._played(angles[pivot])
        return [np.where(self.in_air, self._played(each), each) for each in best]

    def _played(self, angles: np.ndarray) -> np.ndarray:
        """Return angles as few keys play them."""
        limits = np.full(angles.shape[1], RIGHT_ENOUGH)
        return fitted(self.frames, angles, self.rows, limits, self.breaks, evenings=0, loop=self.loop).at(
            self.frames
        )


def eased(frames: np.ndarray, in_air: np.ndarray, angles: np.ndarray) -> np.ndarray:
    """Return angles `(f, 2)` of both feet that ease through swings; one that is cut by the first or the last
    frame begins or ends there."""
    found = angles.copy()
    for side in range(angles.shape[1]):
        edges = np.flatnonzero(np.diff(np.pad(in_air[:, side].astype(int), 1))).reshape(-1, 2)
        for first, end in edges.tolist():
            lift, landing = max(first - 1, 0), min(end, len(angles) - 1)
            between = slice(lift, landing + 1)
            x = (frames[between] - frames[lift]) / max(frames[landing] - frames[lift], 1e-9)
            found[between, side] = angles[lift, side] + (
                angles[landing, side] - angles[lift, side]
            ) * smoothstep(x)
    return found


def knee_weights(legs: np.ndarray, longest: np.ndarray) -> np.ndarray:
    """Return how many times farther the knees move than the feet that pull at them `(f, 2)`, from 1.

    `legs` `(f, 2)`: from hip to ankle; `longest` `(2,)`: straight. A knee bent by an angle a moves 1 / (2
    sin(a / 2)) times as far.
    """
    half = np.arccos(np.clip(legs / longest, 0.0, 1.0))
    return np.clip(0.5 / np.maximum(np.sin(half), 1e-6), 1.0, MOST)
