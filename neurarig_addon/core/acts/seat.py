"""What one sits on, as it is seen from above: its top, the way that it faces, and where its arms are."""

from dataclasses import dataclass, field
from math import atan2

import numpy as np

from ..geometry.rotation import about_z, norms
from .mark import NO_RESTS, Rests

CELLS = 32  # along each side of the square that is looked at
MIDDLE = 0.15  # of its size around its middle, where one sits
# Leg lengths: what is so much above the seat is its back or its arms, and its back alone; how far their
# middle is off the seat's, if it has a back.
RISES, TALL, BACK = 0.1, 0.38, 0.008
# Leg lengths from the middle of a seat to its arms: up, aside and ahead, at least and at most; how many cells
# of it an arm takes.
ARM_UP, ARM_ASIDE, ARM_AHEAD, ARM_CELLS = (0.12, 0.5), (0.18, 0.6), (0.0, 0.3), 8
# Leg lengths of the hips behind the edge of a deep seat that is so high (from a high one thighs slope), aside
# of them where its edge counts, and within the side of a wide one.
HIGH, DEEP, WIDE, WITHIN = (0.52, 0.65), (0.2, 0.06), 0.2, 0.3
HAND = 0.06  # leg lengths of a wrist above what the hand lies on


@dataclass(frozen=True)
class Seat:
    """A seat in the walk frame: `top` `(3,)`, the middle of where one sits; `front`: radians of its heading,
    None for a stool.

    `level` `(n, 2)`: places of it, from its middle.  `rests`: on its arms, left and right of one who sits.
    `high`: metres above what it stands on.
    """

    top: np.ndarray
    front: float | None = None
    level: np.ndarray = field(default_factory=lambda: np.zeros((1, 2)))
    rests: Rests = NO_RESTS
    high: float = 0.0

    @classmethod
    def of(cls, places: np.ndarray, leg_length: float, floor: float) -> "Seat":
        """Return the seat that is seen at places `(n, 3)` from above: the top of a thing at points of a
        square, with -inf beside it; `floor`: the height on which it stands."""
        seen = places[np.isfinite(places[:, 2])]
        low, high = seen[:, :2].min(axis=0), seen[:, :2].max(axis=0)
        middle, size = 0.5 * (low + high), float((high - low).max())
        near = norms(seen[:, :2] - middle)
        sits = seen[near <= max(MIDDLE * size, float(near.min()))]
        top = np.append(middle, np.median(sits[:, 2]))
        above = seen[seen[:, 2] > top[2] + RISES * leg_length] - top
        tall = above[above[:, 2] > TALL * leg_length]
        away = -(tall if len(tall) else above)[:, :2].sum(axis=0) / len(seen)
        level = (seen - top)[np.abs(seen[:, 2] - top[2]) <= RISES * leg_length, :2]
        if norms(away) < BACK * leg_length:
            return cls(top, None, level, high=float(top[2]) - floor)
        front = atan2(away[1], away[0])
        turn = about_z(np.array(front))

        def arm(side: list[float]) -> np.ndarray | None:
            wrist = _arm(above @ turn * side, leg_length)
            return None if wrist is None else top + turn @ (wrist * side)

        rests = arm([1.0, 1.0, 1.0]), arm([1.0, -1.0, 1.0])
        return cls(top, front, level, rests, float(top[2]) - floor)

    def before(self, places: np.ndarray, ahead: float, leg_length: float) -> np.ndarray:
        """Return how many metres places `(n, 2)` are off the line before the seat, so far ahead of its
        middle, where one can sit down."""
        assert self.front is not None
        far, aside = _turned(places - self.top[:2], self.front)
        return np.hypot(far - ahead, np.maximum(np.abs(aside) - self._beside(self.front, leg_length), 0.0))

    def towards(self, heading: float, near: np.ndarray, leg_length: float) -> np.ndarray:
        """Return where one sits `(3,)` who faces a heading, in radians, nearest to a place `(2,)`, and near
        the edge of a deep seat."""
        most = self._beside(heading, leg_length)
        left = float(np.clip(_turned(near - self.top[:2], heading)[1], -most, most))
        ahead, aside = _turned(self.level, heading)
        edge = float(ahead[np.abs(aside - left) <= WIDE * leg_length].max(initial=0.0))
        far = max(edge - float(np.interp(self.high / leg_length, HIGH, DEEP)) * leg_length, 0.0)
        return self.top + about_z(np.array(heading)) @ [far, left, 0.0]

    def _beside(self, heading: float, leg_length: float) -> float:
        """Return how many metres aside of its middle one can sit."""
        return max(float(np.abs(_turned(self.level, heading)[1]).max()) - WITHIN * leg_length, 0.0)


def _turned(places: np.ndarray, heading: float) -> np.ndarray:
    """Return how far places `(..., 2)` are ahead and to the left along a heading `(2, ...)`."""
    return (places @ about_z(np.array(heading))[:2, :2]).T


def _arm(above: np.ndarray, leg_length: float) -> np.ndarray | None:
    """Return where a wrist lies `(3,)` on an arm: ahead, aside and up from the middle of a seat, of what is
    `above` `(n, 3)` it there."""
    ahead, aside, up = (above / leg_length).T
    limits = (ahead, ARM_AHEAD), (aside, ARM_ASIDE), (up, ARM_UP)
    on_arm = np.all([(values >= least) & (values <= most) for values, (least, most) in limits], axis=0)
    if np.count_nonzero(on_arm) < ARM_CELLS:
        return None
    return (
        np.array([0.8 * ahead[on_arm].max(), np.median(aside[on_arm]), np.median(up[on_arm]) + HAND])
        * leg_length
    )
