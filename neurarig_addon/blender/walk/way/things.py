"""The things that acts have to do with, as a walk sees them: seats, what hands take, where that is put
down."""

from dataclasses import dataclass
from math import cos, sin

import numpy as np

from ....core.acts.seat import CELLS, Seat
from ....core.geometry.vectors import transformed
from ....core.ground.triangles import Triangles
from ....core.memory import remembered
from .scenery import Seen

OFF_EDGE = 0.05  # metres that what is put down is off the edge of what it stands on


@dataclass(frozen=True)
class Thing:
    """A thing in the walk frame: where its origin is, `place` `(3,)`, and its box `corners` `(8, 3)`; `(1,
    3)` without size.

    `to_walk` `(4, 4)`: from the world.
    """

    seen: Seen
    to_walk: np.ndarray
    place: np.ndarray
    corners: np.ndarray

    @classmethod
    def of(cls, seen: Seen, to_walk: np.ndarray) -> "Thing":
        """Return a thing that is seen in the world."""
        return cls(seen, to_walk, *(transformed(points, to_walk) for points in (seen.place[:3, 3], seen.box)))

    def put_on(self, other: "Thing", way: np.ndarray) -> np.ndarray:
        """Return where the middle of the thing is `(3,)` when it is put on another, at the side of a way `(n,
        2)`, or where that is."""
        if not len(other.seen.points):
            return other.place + self.corners.mean(axis=0) - self.place
        spot = _spot(other.corners, self.corners, way)
        (height,) = other.heights(spot[None, :2], float(spot[2]))
        return np.append(spot[:2], height + np.ptp(self.corners[:, 2]) / 2.0)

    def seat(self, leg_length: float) -> Seat:
        """Return the seat as it is seen from above; what has no faces is a stool."""
        return _seat(self.seen, leg_length, tuple(self.to_walk.ravel().tolist()))

    def width(self, heading: float) -> float:
        """Return how wide the thing is, in metres, seen by one who heads for it."""
        return float(np.ptp(self.corners[:, :2] @ np.array([-sin(heading), cos(heading)])))

    def heights(self, places: np.ndarray, nothing: float) -> np.ndarray:
        """Return how high the thing is, as it is seen from above, at places `(n, 2)`; `nothing` beside it."""
        found = np.full(len(places), -np.inf)
        points = transformed(self.seen.points, self.to_walk)
        for rows, heights, _ in Triangles.of(points, self.seen.corners).hits(places):
            np.maximum.at(found, rows, heights)
        return np.where(np.isfinite(found), found, nothing)


@remembered(objects=1)
def _seat(seen: Seen, leg_length: float, to_walk: tuple[float, ...]) -> Seat:
    thing = Thing.of(seen, np.array(to_walk).reshape(4, 4))
    low, high = thing.corners.min(axis=0), thing.corners.max(axis=0)
    middle, size = 0.5 * (low + high), float((high - low)[:2].max())
    across = size * ((np.arange(CELLS) + 0.5) / CELLS - 0.5)
    places = np.stack(np.meshgrid(middle[0] + across, middle[1] + across), axis=-1).reshape(-1, 2)
    top = thing.heights(places, -np.inf)
    return (
        Seat.of(np.column_stack([places, top]), leg_length)
        if np.isfinite(top).any()
        else Seat(np.append(middle[:2], high[2]))
    )


def _spot(there: np.ndarray, corners: np.ndarray, way: np.ndarray) -> np.ndarray:
    """Return where a thing stands on another, both by their corners, at the side of a way `(n, 2)`; `(3,)`,
    as high as that other is."""
    low, high = there[:, :2].min(axis=0), there[:, :2].max(axis=0)
    middle = 0.5 * (low + high)
    inside = 0.5 * float(np.ptp(corners[:, :2], axis=0).max()) + OFF_EDGE
    near = way[np.argmin(np.linalg.norm(way - middle, axis=1))]
    return np.append(
        np.clip(near, np.minimum(low + inside, middle), np.maximum(high - inside, middle)), there[:, 2].max()
    )
