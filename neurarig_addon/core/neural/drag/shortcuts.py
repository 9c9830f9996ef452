"""Drags that need no search: targets moved as one mean another place and heading, and a trunk without a moved
target rests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...easing import smooth_between
from ...geometry.rotation import about_z, transposed
from ..reach.lock_plan import Limb
from .ground import DragGround
from .limbs import Targets
from .trunk import DragTrunk

_FEWEST = 4  # targets: fewer always seem to move as one
# shares of the targets' motion that a common rigid motion explains: it starts to count, and counts fully
_FROM, _SURELY = 0.85, 0.98
_STILL = 1e-9


class FigureMotion(NamedTuple):
    """The motion of a figure: turned about the vertical by `turn` `(f, 3, 3)` around `start` `(3,)`, which
    goes to `end` `(f, 3)`."""

    turn: np.ndarray
    start: np.ndarray
    end: np.ndarray

    def back(self, points: np.ndarray) -> np.ndarray:
        """Return points `(f, n, 3)` with the motion undone."""
        return (points - self.end[:, None]) @ self.turn + self.start

    def moved(self, points: np.ndarray) -> np.ndarray:
        """Return points `(f, n, 3)` with the motion applied."""
        return (points - self.start) @ transposed(self.turn) + self.end[:, None]


@dataclass(frozen=True, eq=False)
class TargetFigure:
    """Targets `rows` `(n,)` in the pose before, about their mean, `start` `(3,)`.

    `sums` `(3 n, 6)`: maps places relative to that mean to their sum (3) and to their products with the
    places before: sine and cosine
    parts of a turn about the vertical, and product of heights. `square`: sum of the squared distances from
    the mean before.
    """

    rows: np.ndarray
    start: np.ndarray
    sums: np.ndarray
    square: float

    @classmethod
    def of(cls, rows: np.ndarray, before: np.ndarray) -> "TargetFigure":
        """Return the figure of some points, the `rows` of `before` `(27, 3)`."""
        start = before[rows].mean(axis=0) if len(rows) else np.zeros(3)
        x, y, z = (before[rows] - start).T
        sums = np.zeros((len(rows), 3, 6))
        sums[:, :, :3] = np.eye(3)
        sums[:, 0, 3], sums[:, 1, 3] = -y, x
        sums[:, 0, 4], sums[:, 1, 4], sums[:, 2, 5] = x, y, z
        return cls(
            rows,
            start,
            sums.reshape(-1, 6),
            float((before[rows] - start).ravel() @ (before[rows] - start).ravel()),
        )

    def moved(self, now: np.ndarray) -> FigureMotion | None:
        """Return the motion of the figure whose targets are `now` at `(f, n, 3)`; None if it does not move as
        one in any frame.

        The best-fitting rigid motion counts by the share of their motion that it explains: rising from _FROM
        to _SURELY.
        """
        count = len(self.rows)
        if count < _FEWEST:
            return None
        ways = (now - self.start).reshape(len(now), -1)
        found = ways @ self.sums
        total, sine, cosine, heights = found[:, :3], found[:, 3], found[:, 4], found[:, 5]
        squares = np.add.reduce(ways * ways, axis=1) + self.square
        all_moved = squares - 2.0 * (cosine + heights)
        left = (
            squares
            - np.add.reduce(total * total, axis=1) / count
            - 2.0 * (np.sqrt(sine * sine + cosine * cosine) + heights)
        )
        share = (1.0 - left / np.maximum(all_moved, _STILL)) * (all_moved > _STILL)
        if share.item(share.argmax()) <= _FROM:
            return None
        share = smooth_between(share, _FROM, _SURELY)
        turn = about_z(share * np.arctan2(sine, cosine))
        return FigureMotion(turn, self.start, self.start + share[:, None] * total / count)


_THERE = 4e-6  # metres on a body of human size: distance from its place within which a point is there


@dataclass(frozen=True, eq=False)
class Resting:
    """The pose before a drag, in which the trunk rests while the points `still` `(n,)` of trunk and feet are
    at `places` `(n, 3)`, metres, and the limbs from `starts` `(l, 3)` to the places of `ends` `(l,)` are
    within `spans` `(2, l)`.

    `is_possible`: False in a squat, where the ground may be in the way.
    """

    still: tuple[int, ...]
    places: np.ndarray
    starts: np.ndarray
    ends: tuple[int, ...]
    spans: np.ndarray
    is_possible: bool
    size: float

    @classmethod
    def of(
        cls,
        trunk: DragTrunk,
        ground: DragGround,
        points: np.ndarray,
        still: Sequence[int],
        limbs: Mapping[int, Limb],
    ) -> "Resting":
        """Return it for a pose with its points at `points` `(27, 3)`; `limbs`: those with targets, by their
        target's point."""
        starts = points[[limb.start for limb in limbs.values()]].reshape(-1, 3)
        is_low = trunk.is_low(ground.under(points[None], np.zeros((1, len(points))))[0], starts)
        return cls(
            tuple(still),
            points[list(still)],
            starts,
            tuple(limbs),
            trunk.spans[:, : len(limbs)],
            not is_low,
            trunk.shape.size,
        )

    def frames(self, targets: Targets) -> np.ndarray:
        """Return the frames in which the trunk rests `(f,)`."""
        if not self.is_possible:
            return np.zeros(len(targets.places), dtype=bool)
        ways = targets.places.take(self.still, axis=1) - self.places
        lines = targets.places.take(self.ends, axis=1) - self.starts
        far = np.sqrt(np.add.reduce(lines * lines, axis=-1))
        farthest = np.maximum.reduce(np.abs(ways), axis=(1, 2), initial=0.0)
        beyond = np.maximum.reduce(np.maximum(self.spans[0] - far, far - self.spans[1]), axis=1, initial=0.0)
        return np.maximum(farthest, beyond) <= _THERE * self.size
