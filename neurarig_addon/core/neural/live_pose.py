"""A motion solved as it comes, each frame from the one before: noise does not make the figure tremble."""

import numpy as np

from .point_body import PointBody
from .solver import PoseSolver

# A figure's pelvis is accelerated by about this much, m/s^2, and is seen this much better than a single point.
_ACCELERATION = 3.0
_FIT = 0.5
_LONGEST = 0.5  # seconds after which what was before says nothing


class LivePose:
    """The pose before, for the network to go on from, and a filter for the pelvis' place.

    The filter is an alpha-beta filter (constant velocity between frames); its gains follow from noise and frame time by Kalata's tracking
    index.  Points without noise pass unfiltered.
    """

    def __init__(self, solver: PoseSolver):
        self._solver = solver
        self.reset()

    def reset(self) -> None:
        """Forget what was before: after a cut, a jump of the time line, another character."""
        self._rotations: np.ndarray | None = None
        self._root = np.zeros(3)
        self._velocity = np.zeros(3)

    def solve(
        self, body: PointBody, points: np.ndarray, seen: np.ndarray | None = None, sigma: float = 0.0, seconds: float = 1.0 / 30.0
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return rotations `(f, 22, 3, 3)` and the pelvis' place `(f, 3)` for frames that follow one another; as `PoseSolver.solve`.

        `seconds`: time from frame to frame, and from the last frame of the call before to the first of this one.
        """
        if not 0.0 < seconds <= _LONGEST:
            self.reset()
        shape = (len(points), points.shape[1])
        seen = np.ones(shape) if seen is None else np.broadcast_to(np.asarray(seen, dtype=float), shape)
        rotations, roots = np.empty((len(points), 22, 3, 3)), np.empty((len(points), 3))
        for frame in range(len(points)):
            pose, root = self._solver.solve(body, points[frame : frame + 1], seen[frame], sigma, self._rotations, refine=0)
            roots[frame] = self._filtered(root[0], sigma, seconds)
            self._rotations = pose
            rotations[frame] = pose[0]
        return rotations, roots

    def _filtered(self, place: np.ndarray, sigma: float, seconds: float) -> np.ndarray:
        """Return the pelvis' place `(3,)`, between where it was going and where it is seen."""
        if self._rotations is None or not 0.0 < seconds <= _LONGEST:
            self._root, self._velocity = place, np.zeros(3)
            return place
        alpha, beta = _gains(_FIT * sigma, seconds)
        expected = self._root + seconds * self._velocity
        off = place - expected
        self._root = expected + alpha * off
        self._velocity = self._velocity + beta / seconds * off
        return self._root


def _gains(noise: float, seconds: float) -> tuple[float, float]:
    """Return the gains of the alpha-beta filter that errs least (Kalata 1984) for noise in metres."""
    if noise <= 0.0:
        return 1.0, 1.0
    index = _ACCELERATION * seconds**2 / noise
    damping = (4.0 + index - np.sqrt(8.0 * index + index**2)) / 4.0
    alpha = 1.0 - damping**2
    return alpha, 2.0 * (2.0 - alpha) - 4.0 * np.sqrt(1.0 - alpha)
