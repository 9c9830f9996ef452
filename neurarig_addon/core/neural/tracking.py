"""Live points, denoised as they arrive, so that a live figure does not jitter.

Each point is tracked on its own by a Kalman filter with a velocity that wanders: white acceleration of q
m^2/s^3, as in
`core/mocap/smoothing`, whose causal half this is. How much a point wanders is learned on the way, so a
standing foot is held still and
a kick is not delayed; a point that is farther off than noise and motion explain has jumped, and is taken
where it is.
"""

import numpy as np

USUAL, LEAST, MOST = 1.0, 0.03, 300.0  # m^2/s^3: q at first, of a standing foot, of a kick
_EAGER = 0.35  # how fast the logarithm of q follows a step that is farther off than expected
_JUMP = 5.0  # standard deviations from the expected place beyond which a point has jumped
_LONGEST = 0.5  # seconds: after a longer gap, tracking starts over
# Share of the noise reported to a solver: less than the two thirds or so that remain, as that changes slowly
# and tells bones alike.
LEFT = 0.5
_SWIFT = 3.0  # m/s: standard deviation of a point's speed when it is first seen


class Tracking:
    """The last places and velocities of points, and how certain these are."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget the past: after a cut, another frame, another character."""
        self._places = np.empty((0, 3))
        self._velocities = np.empty((0, 3))
        self._spread = np.empty((0, 3))  # variance of place, covariance with velocity, variance of velocity
        self._wander = np.empty(0)

    def follow(self, points: np.ndarray, noise: float, seconds: float) -> tuple[np.ndarray, float]:
        """Return points `(n, 3)`, NaN if unseen, without the noise that motion reveals, and the noise to
        report of what is left.

        Args:
            points: the seen places, metres. noise: their root mean square error along each axis, metres.
            seconds: since the points before; after a long gap points and noise are returned as they are, and
            tracking starts over.
        """
        if len(points) != len(self._places) or noise <= 0.0 or not 0.0 < seconds <= _LONGEST:
            self._places, self._velocities = points.copy(), np.zeros(points.shape)
            self._spread, self._wander = (
                np.tile([noise**2, 0.0, _SWIFT**2], (len(points), 1)),
                np.full(len(points), USUAL),
            )
            return points, noise
        points = np.where(np.isfinite(points), points, np.nan)
        expected = self._places + seconds * self._velocities
        spread = self._predicted(seconds)
        off = points - expected
        whole = spread[:, :1] + noise**2
        gains = spread[:, :2] / whole
        share = np.mean(off * off, axis=-1) / whole[:, 0]
        self._places = expected + gains[:, :1] * off
        self._velocities = self._velocities + gains[:, 1:] * off
        self._spread = spread - np.stack(
            [gains[:, 0] * spread[:, 0], gains[:, 0] * spread[:, 1], gains[:, 1] * spread[:, 1]], axis=-1
        )
        self._wander = np.clip(self._wander * np.exp(_EAGER * (np.minimum(share, 4.0) - 1.0)), LEAST, MOST)
        self._renew(~(share < _JUMP**2), points, noise)
        return self._places, LEFT * noise

    def _predicted(self, seconds: float) -> np.ndarray:
        """Return the spread `(n, 3)` after a time in which velocities wander."""
        place, both, velocity = self._spread.T
        wandered = self._wander * seconds
        return np.stack(
            [
                place + 2.0 * seconds * both + seconds**2 * velocity + wandered * seconds**2 / 3.0,
                both + seconds * velocity + wandered * seconds / 2.0,
                velocity + wandered,
            ],
            axis=-1,
        )

    def _renew(self, jumped: np.ndarray, points: np.ndarray, noise: float) -> None:
        """Start over with points that have jumped, or that were or are not seen."""
        if jumped.any():
            self._places = np.where(jumped[:, None], points, self._places)
            self._velocities[jumped] = 0.0
            self._spread[jumped] = noise**2, 0.0, _SWIFT**2
            self._wander[jumped] = USUAL
