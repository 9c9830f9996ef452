"""The result of the analytic solver: a pose in axes of bones, and the lines it was read from."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np


@dataclass(frozen=True)
class Sight:
    """The lines that a pose is read from when all joints are seen.

    `lines` `(29, 27)`: as sums of points; `given` `(1, 29, 3)`: 0 for one that shows nothing.  `missing`: the unseen ends of head, hands
    and toes; `holders` `(n,)`: the joints that carry them, `arms` `(n, 1, 3)`: their offsets along the axes of those joints.
    """

    lines: np.ndarray
    given: np.ndarray
    missing: slice | np.ndarray
    holders: np.ndarray
    arms: np.ndarray


class Analytic(NamedTuple):
    """An analytic pose in the walk frame.

    `axes` `(..., 22, 3, 3)`: axes y, x, z of the bone-aligned frames, in rows; `back` `(22, 3, 3)`: the same in the reference pose, in
    columns.  `trunk` `(..., 3, 3)`: the rotation of pelvis and chest as one from the reference pose.  `twists_shown` `(..., 6)`: how far
    points show the twists of hips, spine1, spine2 and shoulders, 0..1.  `shown` `(..., 27, 3)`: the points, except the ends that `sight`
    misses.
    """

    axes: np.ndarray
    back: np.ndarray
    trunk: np.ndarray
    twists_shown: np.ndarray
    shown: np.ndarray
    sight: Sight | None = None

    @property
    def rotations(self) -> np.ndarray:
        """Rotations `(..., 22, 3, 3)` from the reference pose."""
        return np.swapaxes(self.back @ self.axes, -1, -2)

    @property
    def root(self) -> np.ndarray:
        """Place of the pelvis `(..., 3)`."""
        return self.shown[..., 0, :]

    @property
    def points(self) -> np.ndarray:
        """Points `(..., 27, 3)`, the missing ends where their joints carry them."""
        points, sight = self.shown, self.sight
        if sight is None or not len(sight.holders):
            return points
        points = np.array(points)
        carried = sight.arms @ self.axes.take(sight.holders, axis=-3)
        points[..., sight.missing, :] = points.take(sight.holders, axis=-2) + carried[..., 0, :]
        return points
