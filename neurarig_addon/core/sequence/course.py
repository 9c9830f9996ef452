"""Where a motion is told to go, frame by frame: what is wished of the next second, with what it is behind
made up for."""

import numpy as np

from .network import AHEAD, SequenceWish
from .rows import RATE, moved, placed, turned

# m/s, backward below 0, and radians a second: more is not tried in play
SLOWEST, FASTEST, SHARPEST = -1.0, 3.0, np.pi
# m/s and radians a second, in a second, as people do
BRAKES, SPEEDS_UP, STEERS = 1.7 / RATE**2, 1.0 / RATE**2, np.pi / RATE**2
# metres and radians: what a motion is behind is made up for, no more than this at once
_MOST_LAG, _MOST_TURN = 0.25, np.radians(60.0)
_KEPT = 0.97  # share of what it is behind that is still wanted when it is asked again
_STANDS, _SETTLES = 0.1, 0.1  # m/s: slower is standing; metres: who stands and is moved less stays


class ToldCourse:
    """A course that may be told otherwise on every frame: speed and turn follow as quickly as people change
    them.

    `place` `(3,)`: x, y and heading that are due, seen from where it began. `step` `(3,)`: forward, left and
    turned, the last frame's.
    """

    def __init__(self, heading: float = 0.0, step: np.ndarray | None = None) -> None:
        self.place = np.array([0.0, 0.0, heading])
        self.step = self._told = np.zeros(3) if step is None else step

    def tell(self, step: np.ndarray) -> None:
        """Go on by steps `(3,)` a frame."""
        self._told = step

    def go_on(self) -> None:
        """Go on by one frame."""
        self.step = self._steps(1)[0]
        self.place = moved(self.place, self.step)

    def wish(self, place: np.ndarray) -> SequenceWish:
        """Return what is wished of a motion that is at `place` `(3,)`."""
        lag = turned(self.place[:2] - place[:2], -place[2])
        far = float(np.linalg.norm(lag))
        if float(np.hypot(*self.step[:2])) * RATE < _STANDS:  # wherever it comes to a stand
            lag = lag * (far < _SETTLES)
        else:
            lag = lag * _KEPT * min(1.0, _MOST_LAG / max(far, 1e-9))
        ahead = min(max(self.place[2] - place[2], -_MOST_TURN), _MOST_TURN)
        self.place = np.array([*(place[:2] + turned(lag, place[2])), place[2] + ahead])
        goal = placed(self._steps(AHEAD))[-1]
        return SequenceWish(turned(goal[:2], ahead) + lag, float(ahead + goal[2]))

    def _steps(self, frames: int) -> np.ndarray:
        """Return the next steps `(frames, 3)`, if nothing else is told."""
        lacks, since = self._told - self.step, 1.0 + np.arange(frames)
        quickest = SPEEDS_UP if float(lacks[:2] @ self.step[:2]) >= 0.0 else BRAKES
        way = np.minimum(1.0, quickest * since / max(float(np.hypot(*lacks[:2])), 1e-12))
        turn = np.minimum(1.0, STEERS * since / max(abs(float(lacks[2])), 1e-12))
        return self.step + np.stack([way, way, turn], axis=1) * lacks
