"""Points as they come, without their noise: what a live figure needs not to tremble.

Each point is followed on its own by a Kalman filter with a velocity that wanders: white acceleration of q m^2/s^3, as in
`core/mocap/smoothing`, whose causal half this is.  How much a point wanders is learned as it goes, so a foot that stands is held still and
a kick is not late; a point that is farther off than noise and motion explain has jumped, and is taken where it is.
"""

import numpy as np

USUAL, LEAST, MOST = 1.0, 0.03, 300.0  # m^2/s^3: of q at first, of one who stands, of a kick
_EAGER = 0.35  # how fast the logarithm of q follows a step that was farther off than expected
_JUMP = 5.0  # standard deviations from where a point was expected that are no noise
_LONGEST = 0.5  # seconds after which what was before says nothing
# Of the noise, what a solver is told: less than the two thirds or so that remain, for what remains changes slowly and tells bones alike.
LEFT = 0.5
_SWIFT = 3.0  # m/s: how fast a point may be when it is seen first, one standard deviation


class Tracking:
    """Where points were last, how they move, and how certain that is."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget what was before: after a cut, another frame, another character."""
        self._places = np.empty((0, 3))
        self._velocities = np.empty((0, 3))
        self._spread = np.empty((0, 3))  # variances of place and of velocity, and between them their covariance
        self._wander = np.empty(0)

    def follow(self, points: np.ndarray, noise: float, seconds: float) -> tuple[np.ndarray, float]:
        """Return points `(n, 3)`, NaN unseen, without the noise that motion tells, and the noise to be told of what is left.

        Args:
            points: where they are seen; metres.
            noise: how far they are off along each axis, root mean square, metres.
            seconds: since the points before; where that is long, they and their noise are returned as they are, and it begins anew.
        """
        if len(points) != len(self._places) or noise <= 0.0 or not 0.0 < seconds <= _LONGEST:
            self._places, self._velocities = points.copy(), np.zeros(points.shape)
            self._spread, self._wander = np.tile([noise**2, 0.0, _SWIFT**2], (len(points), 1)), np.full(len(points), USUAL)
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
        self._spread = spread - np.stack([gains[:, 0] * spread[:, 0], gains[:, 0] * spread[:, 1], gains[:, 1] * spread[:, 1]], axis=-1)
        self._wander = np.clip(self._wander * np.exp(_EAGER * (np.minimum(share, 4.0) - 1.0)), LEAST, MOST)
        self._renew(~(share < _JUMP**2), points, noise)
        return self._places, LEFT * noise

    def _predicted(self, seconds: float) -> np.ndarray:
        """Return the spread `(n, 3)` after a time in which velocities have wandered."""
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
        """Take points where they are that have jumped, or were or are not seen."""
        if jumped.any():
            self._places = np.where(jumped[:, None], points, self._places)
            self._velocities[jumped] = 0.0
            self._spread[jumped] = noise**2, 0.0, _SWIFT**2
            self._wander[jumped] = USUAL
