"""The deviation of one motion of a character from another: joints, rotations, and added slip of planted feet."""

from dataclasses import dataclass

import numpy as np

from ..geometry.rotation import rotation_vector
from ..retarget.spans import kept

SLOW = 0.13  # leg lengths per second: faster points do not stand
SHORTEST_S = 0.15  # seconds of standing


@dataclass(frozen=True)
class Seen:
    """A character's evaluated motion, in world metres.

    `heads`, `tails` `(f, b, 3)` and axes `turns` `(f, b, 3, 3)` of its bones, `feet` `(f, 2, 3, 3)` heel, ball and tip of each foot.
    """

    heads: np.ndarray
    tails: np.ndarray
    turns: np.ndarray
    feet: np.ndarray

    def first(self, bones: int) -> "Seen":
        """Return the same of only the first bones."""
        return Seen(self.heads[:, :bones], self.tails[:, :bones], self.turns[:, :bones], self.feet)


@dataclass(frozen=True)
class Deviation:
    """Per frame: `metres` `(f, b)` of a bone's ends, `degrees` `(f, b)` of its axes, `slip` `(f, 2)` metres of each foot."""

    metres: np.ndarray
    degrees: np.ndarray
    slip: np.ndarray


def deviation(wanted: Seen, seen: Seen, planted: np.ndarray) -> Deviation:
    """Return the deviation of `seen` from the wanted motion; `planted` `(f, 2, 3)`: which points of the feet stand still."""
    apart = [np.linalg.norm(having - wanting, axis=-1) for wanting, having in ((wanted.heads, seen.heads), (wanted.tails, seen.tails))]
    turned = rotation_vector(np.swapaxes(wanted.turns, -1, -2) @ seen.turns)
    return Deviation(
        metres=np.maximum(*apart),
        degrees=np.degrees(np.linalg.norm(turned, axis=-1)),
        slip=np.stack([_slip(seen.feet[:, side] - wanted.feet[:, side], planted[:, side]) for side in range(2)], axis=-1),
    )


def standing_points(feet: np.ndarray, fps: float, leg_length: float) -> np.ndarray:
    """Return which points of the feet `(f, 2, 3, 3)`, metres, stand `(f, 2, 3)`."""
    moved = np.linalg.norm(np.diff(feet, axis=0), axis=-1) * fps < SLOW * leg_length
    still = np.concatenate([moved[:1], moved]) | np.concatenate([moved, moved[-1:]])
    return kept(still, max(2, round(SHORTEST_S * fps)))


def _slip(moved: np.ndarray, planted: np.ndarray) -> np.ndarray:
    """Return how far points `(f, 3, 3)`, relative to where they should be, stray within a contact from its beginning `(f,)`."""
    worst = np.zeros(len(moved))
    for point in range(planted.shape[1]):
        stands = planted[:, point]
        began = np.flatnonzero(stands & ~np.concatenate([[False], stands[:-1]]))
        if len(began):
            contact = np.cumsum(np.isin(np.arange(len(stands)), began)) - 1
            strayed = moved[stands, point] - moved[began[contact[stands]], point]
            worst[stands] = np.maximum(worst[stands], np.linalg.norm(strayed, axis=-1))
    return worst
