"""The ground: how high it is under a place."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np


class Ground(Protocol):
    """What a character walks on, in its walk frame; `is_level`: it is level everywhere, so heights need not
    be queried."""

    @property
    def is_level(self) -> bool: ...

    def height(self, places: np.ndarray) -> np.ndarray:
        """Return the height `(...)` in metres under places `(..., 2 or 3)`; NaN where there is no ground.

        Where grounds overlap, the height of a place decides which is meant.
        """
        ...

    def is_even(self, places: np.ndarray, apart: float, grade: float) -> bool:
        """Return whether the ground certainly has less than `grade`, no jumps and no holes along a line
        through places `(n, 2)`.

        `apart`: metres that the line may be off the nearest place.
        """
        ...


@dataclass(frozen=True)
class Level:
    """A level plane at a height `z`, by default through the start of a walk."""

    z: float = 0.0

    is_level = True

    def height(self, places: np.ndarray) -> np.ndarray:
        """Return the plane's height everywhere."""
        return np.full(places.shape[:-1], self.z)

    def is_even(self, places: np.ndarray, apart: float, grade: float) -> bool:
        """See Ground."""
        return True


class Uneven:
    """Ground of which nothing is known but its height."""

    is_level = False

    def is_even(self, places: np.ndarray, apart: float, grade: float) -> bool:
        """See Ground; not known."""
        return False


@dataclass(frozen=True)
class Surface(Uneven):
    """Ground of any shape; `heights` maps places `(n, 2)` to heights `(n,)`, NaN where there is none."""

    heights: Callable[[np.ndarray], np.ndarray]

    def height(self, places: np.ndarray) -> np.ndarray:
        """See Ground."""
        return np.asarray(self.heights(places[..., :2].reshape(-1, 2)), dtype=float).reshape(
            places.shape[:-1]
        )


LEVEL = Level()


AT_ONCE = 64  # pieces of a line compared with the walls around them in one pass


def upright_faces(points: np.ndarray, corners: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """Return the corners `(k, 3, 3)` of the triangles that have an area but are not `seen` `(m,)` from
    above."""
    faces = points[corners[~seen]]
    area = np.linalg.norm(np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0]), axis=-1)
    return faces[area > 0.0]  # false for non-finite values


def crossings(walls: np.ndarray, line: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return where a line `(n, 2)` crosses upright faces `(k, 3, 3)`, seen from above.

    Of each of the m crossings: the row of the line before it, how far on to the next row as a share, and the
    lowest and highest point of the face there.
    """
    low, high = walls[..., :2].min(axis=1), walls[..., :2].max(axis=1)
    crossed = [(np.zeros(0, dtype=int),) + (np.zeros(0),) * 3]
    for first in range(0, len(line) - 1, AT_ONCE):
        piece = line[first : first + AT_ONCE + 1]
        near = walls[((low <= piece.max(axis=0)) & (high >= piece.min(axis=0))).all(axis=1)]
        if len(near):
            row, *others = _crossed(near, piece)
            crossed.append((first + row, *others))
    row, share, bottom, top = (np.concatenate(column) for column in zip(*crossed, strict=True))
    return row, share, bottom, top


def _crossed(walls: np.ndarray, line: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """See `crossings`: every piece of the line against every face."""
    start, way = line[:-1, None, None], np.diff(line, axis=0)[:, None, None]
    off = walls[None, ..., :2] - start
    side = way[..., 0] * off[..., 1] - way[..., 1] * off[..., 0]  # of each corner, left of the line positive
    after = np.roll(side, -1, axis=-1)
    cuts = (side > 0.0) != (after > 0.0)  # which edges cross the line's endless continuation
    edge = np.divide(side, side - after, out=np.zeros_like(side), where=cuts)
    at = walls + edge[..., None] * (np.roll(walls, -1, axis=1) - walls)
    along = ((at[..., :2] - start) * way).sum(axis=-1) / np.maximum((way * way).sum(axis=-1), 1e-30)
    height = at[..., 2]
    bottom, top = np.where(cuts, height, np.inf).min(axis=-1), np.where(cuts, height, -np.inf).max(axis=-1)
    share = np.where(cuts, along, 0.0).sum(axis=-1) / np.maximum(cuts.sum(axis=-1), 1)
    row, face = np.nonzero(cuts.any(axis=-1) & (share >= 0.0) & (share < 1.0))
    return row, share[row, face], bottom[row, face], top[row, face]
