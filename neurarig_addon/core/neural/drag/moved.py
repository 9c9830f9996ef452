"""A figure that is carried elsewhere as a whole: targets moved as one stand for another place and heading, not for a drag."""

from typing import NamedTuple

import numpy as np

from ...easing import smoothstep
from ...geometry.rotation import about_z

_FEWEST = 4  # targets: fewer always go as one
_FROM, _SURELY = 0.85, 0.98  # of what targets moved: what goes as one
_STILL = 1e-9


class Moved(NamedTuple):
    """How a figure is carried: turned about the vertical by `turn` `(f, 3, 3)` about `start` `(3,)`, which goes to `end` `(f, 3)`."""

    turn: np.ndarray
    start: np.ndarray
    end: np.ndarray

    @classmethod
    def of(cls, before: np.ndarray, now: np.ndarray) -> "Moved":
        """Return how targets at `before` `(n, 3)` are carried that are `now` at `(f, n, 3)`, nowhere where some go another way.

        The rigid motion that comes nearest to theirs counts as far as it explains theirs: between _FROM and _SURELY more and more.
        """
        start = before.mean(axis=0) if len(before) else np.zeros(3)
        if len(before) < _FEWEST:
            return cls(np.tile(np.eye(3), (len(now), 1, 1)), start, np.tile(start, (len(now), 1)))
        end = now.mean(axis=1)
        from_start, from_end = before - start, now - end[:, None]
        sine = (from_start[:, 0] * from_end[..., 1] - from_start[:, 1] * from_end[..., 0]).sum(axis=1)
        yaw = np.arctan2(sine, (from_start[:, :2] * from_end[..., :2]).sum(axis=(1, 2)))
        left = from_end - from_start @ about_z(yaw).swapaxes(-1, -2)
        all_moved = ((now - before) ** 2).sum(axis=(1, 2))
        share = 1.0 - (left * left).sum(axis=(1, 2)) / np.maximum(all_moved, _STILL)
        share = smoothstep(((share - _FROM) / (_SURELY - _FROM)).clip(0.0, 1.0)) * (all_moved > _STILL)
        return cls(about_z(share * yaw), start, start + share[:, None] * (end - start))

    def back(self, points: np.ndarray) -> np.ndarray:
        """Return points `(f, n, 3)` as they were before."""
        return (points - self.end[:, None]) @ self.turn + self.start

    def moved(self, points: np.ndarray) -> np.ndarray:
        """Return points `(f, n, 3)` where they are carried."""
        return (points - self.start) @ self.turn.swapaxes(-1, -2) + self.end[:, None]
