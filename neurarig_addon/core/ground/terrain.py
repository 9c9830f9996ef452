"""Ground made of meshes, with all that may lie above one another: floors, stairs, bridges, roofs."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from .triangles import Triangles

CLIMB = 0.45  # leg lengths: what lies so much higher is no longer stepped onto, but passed under


@dataclass(frozen=True)
class Part:
    """Triangles, and the affine map `(4, 4)` from the walk frame to theirs: verticals stay vertical."""

    triangles: Triangles
    from_walk: np.ndarray

    def hits(self, places: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """See `Triangles.hits`, in the walk frame."""
        into = self.from_walk
        for at, height, up in self.triangles.hits(places @ into[:2, :2].T + into[:2, 3]):
            yield at, (height - places[at] @ into[2, :2] - into[2, 3]) / into[2, 2], up


@dataclass(frozen=True)
class Terrain:
    """Ground of several `parts`; see `surface.Ground`.  `climb`: metres that a step goes up at most.

    Of what lies above one another it is the highest that is not more than a step above the place that is asked for; where all is higher,
    the lowest.  What faces down, a ceiling, counts only where nothing faces up.
    """

    parts: tuple[Part, ...]
    climb: float

    is_level = False

    def height(self, places: np.ndarray) -> np.ndarray:
        """See Ground; places without a height `(..., 2)` are above all."""
        flat = places.reshape(-1, places.shape[-1])
        reach = flat[:, 2] + self.climb if flat.shape[1] > 2 else np.full(len(flat), np.inf)
        found = np.tile([[-np.inf], [np.inf]], (2, 1, len(flat)))  # facing down or up; the highest within reach, the lowest above
        for part in self.parts:
            for at, height, up in part.hits(flat[:, :2]):
                for facing in (0, 1):
                    for above, best in enumerate((np.maximum, np.minimum)):
                        chosen = (up == bool(facing)) & ((height > reach[at]) == bool(above))
                        _keep(best, found[facing, above], at[chosen], height[chosen])
        below = np.where(np.isfinite(found[:, 0]), found[:, 0], found[:, 1])
        chosen = np.where(np.isfinite(below[1]), below[1], below[0])
        return np.where(np.isfinite(chosen), chosen, np.nan).reshape(places.shape[:-1])

    def layers(self, places: np.ndarray) -> list[list[float]]:
        """Return for each place `(n, 2)` the heights, rising, of all that one could stand on there."""
        up: list[list[float]] = [[] for _ in places]
        down: list[list[float]] = [[] for _ in places]
        for part in self.parts:
            for at, height, faces_up in part.hits(places):
                for row, value, upward in zip(at.tolist(), height.tolist(), faces_up.tolist(), strict=True):
                    (up if upward else down)[row].append(value)
        return [sorted(one or other) for one, other in zip(up, down, strict=True)]


def _keep(best: np.ufunc, found: np.ndarray, at: np.ndarray, height: np.ndarray) -> None:
    """Keep the best of what is found and of heights `(h,)` at places in order."""
    if len(at):
        begins = np.flatnonzero(np.concatenate([[True], np.diff(at) != 0]))
        found[at[begins]] = best(found[at[begins]], best.reduceat(height, begins))
