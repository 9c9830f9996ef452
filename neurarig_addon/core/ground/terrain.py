"""Ground made of meshes, with everything that may overlap: floors, stairs, bridges, roofs; and the ribbon of
a path."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import hypot

import numpy as np

from .surface import crossings
from .triangles import Sheet, Triangles

FLUSH = 1e-3  # metres: what is no higher above a floor lies on it
SEAM = 1e-6  # metres: tolerance between the heights of neighbours
BESIDE = 2e-3  # metres: beside an upright face, the ground on either side of it
CLIMB = 0.45  # leg lengths: ground this much higher is not stepped onto but passed under
HALF_WIDTH = 1.0  # leg lengths to both sides of the path


@dataclass(frozen=True)
class TerrainPart:
    """Triangles, and the affine map `(4, 4)` from the walk frame to theirs, which keeps verticals vertical.
    `sheet`: if they are one."""

    triangles: Triangles
    from_walk: np.ndarray
    sheet: Sheet | None = None

    def hits(self, places: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """See `Triangles.hits`, in the walk frame."""
        into = self.from_walk
        for at, height, up in self.triangles.hits(places @ into[:2, :2].T + into[:2, 3]):
            yield at, (height - places[at] @ into[2, :2] - into[2, 3]) / into[2, 2], up

    def crossings(self, line: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """See `walls.crossings`, in the walk frame."""
        into = self.from_walk
        row, share, bottom, top = crossings(self.triangles.walls, line @ into[:2, :2].T + into[:2, 3])
        place = line[row] + share[:, None] * (line[row + 1] - line[row])
        return (
            row,
            share,
            *((height - place @ into[2, :2] - into[2, 3]) / into[2, 2] for height in (bottom, top)),
        )

    def box(self, places: np.ndarray, apart: float) -> tuple[np.ndarray, np.ndarray]:
        """Return the lowest and highest x and y `(2,)` of a line (see `Ground.is_even`) in the triangles'
        space."""
        into = self.from_walk
        seen, margin = places @ into[:2, :2].T + into[:2, 3], apart * _stretch(into[:2, :2])
        return seen.min(axis=0) - margin, seen.max(axis=0) + margin

    def steepest(self, sheet: Sheet) -> float:
        """Return an upper bound of the rise over run on the triangles' sheet, in the walk frame."""
        into = self.from_walk
        return float((sheet.steepest * _stretch(into[:2, :2]) + hypot(*into[2, :2])) / abs(into[2, 2]))


@dataclass(frozen=True)
class Terrain:
    """Ground of several `parts`; see `surface.Ground`.  `climb`: metres that a step goes up at most.

    Of overlapping surfaces the highest within a step above the queried place counts; if all are higher,
    the lowest.  Surfaces that face down, ceilings, count only where none faces up.
    """

    parts: tuple[TerrainPart, ...]
    climb: float

    is_level = False

    def height(self, places: np.ndarray) -> np.ndarray:
        """See Ground; places without a height `(..., 2)` count as above everything."""
        flat = places.reshape(-1, places.shape[-1])
        reach = flat[:, 2] + self.climb if flat.shape[1] > 2 else np.full(len(flat), np.inf)
        # facing down or up; the highest within reach, the lowest above
        heights = np.tile([[-np.inf], [np.inf]], (2, 1, len(flat)))
        for part in self.parts:
            for at, height, up in part.hits(flat[:, :2]):
                is_above = height > reach[at]
                for facing in (1,) if up.all() else (0, 1):
                    for above, best in enumerate((np.maximum, np.minimum)):
                        chosen = np.flatnonzero((up == bool(facing)) & (is_above == bool(above)))
                        if len(chosen):
                            _keep(best, heights[facing, above], at[chosen], height[chosen])
        below = np.where(np.isfinite(heights[:, 0]), heights[:, 0], heights[:, 1])
        chosen = np.where(np.isfinite(below[1]), below[1], below[0])
        return np.where(np.isfinite(chosen), chosen, np.nan).reshape(places.shape[:-1])

    def is_even(self, places: np.ndarray, apart: float, grade: float) -> bool:
        """See Ground; known for a sheet if the line stays off the rim and nothing else is under its box."""
        boxes = [part.box(places, apart) for part in self.parts]
        under = [
            (part, box)
            for part, box in zip(self.parts, boxes, strict=True)
            if not part.triangles.are_beside(*box)
        ]
        if len(under) != 1:
            return False
        part, box = under[0]
        if part.sheet is None or part.sheet.has_rim_between(*box) or part.steepest(part.sheet) >= grade:
            return False
        return bool(self.layers(places[:1])[0][0] == 1)

    def in_the_way(self, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return whether floors at places `(n, 3)` are inside something solid `(n,)`, and metres up to what
        hangs over them `(n,)`.

        Solid is what the part itself closes above and below; infinitely far is where nothing hangs over.
        """
        inside, over = np.zeros(len(places), dtype=bool), np.full(len(places), np.inf)
        for part in self.parts:
            # faces of solids that end minus faces of those that begin: above, and below
            around = np.zeros((2, len(places)), dtype=int)
            for at, height, up in part.hits(places[:, :2]):
                above, facing = height > places[at, 2] + FLUSH, np.where(up.astype(bool), 1, -1)
                np.add.at(around[0], at[above], facing[above])
                np.add.at(around[1], at[~above], -facing[~above])
                hangs = above & (facing < 0)
                np.minimum.at(over, at[hangs], height[hangs] - places[at[hangs], 2])
            inside |= (around > 0).all(axis=0)
        return inside, over

    def walls_across(self, floor: np.ndarray, least: float, tall: float) -> np.ndarray:
        """Return the rows `(m,)` of a line of floors `(n, 3)` after which an upright face is in the way.

        It is higher than the ground on both sides of it by `least` metres, unlike a riser, and begins less
        than `tall` metres above it.
        """
        rows = [np.zeros(0, dtype=int)]
        for part in self.parts:
            row, share, bottom, top = part.crossings(floor[:, :2])
            way = floor[row + 1] - floor[row]
            place, beside = (
                floor[row] + share[:, None] * way,
                BESIDE * way / np.linalg.norm(way[:, :2], axis=1, keepdims=True),
            )
            ground = np.fmax(self.height(place - beside), self.height(place + beside))
            rows.append(row[(top > ground + least) & (bottom < ground + tall)])
        return np.sort(np.concatenate(rows))

    def layers(self, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return for places `(n, 2)` the number of surfaces to stand on `(n,)`, and their heights, place by
        place, rising."""
        hits = [hit for part in self.parts for hit in part.hits(places)]
        at, height, up = (
            (np.concatenate(column) for column in zip(*hits, strict=True))
            if hits
            else (np.zeros(0, dtype=int),) * 3
        )
        has_floor = np.zeros(len(places), dtype=bool)
        has_floor[at[up.astype(bool)]] = True
        chosen = up.astype(bool) | ~has_floor[at]
        at, height = at[chosen], height[chosen]
        order = np.lexsort((height, at))
        return _without_seams(at[order], height[order], len(places))


def _stretch(matrix: np.ndarray) -> float:
    """Return the factor by which a matrix `(2, 2)` lengthens a vector most: its larger singular value."""
    (a, b), (c, d) = matrix.tolist()
    return 0.5 * (hypot(a + d, b - c) + hypot(a - d, b + c))


def _without_seams(at: np.ndarray, height: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the number of heights at each place, and these, without duplicates on the seams of triangles."""
    is_new = np.ones(len(at), dtype=bool)
    is_new[1:] = (np.diff(at) != 0) | (np.diff(height) > SEAM)
    return np.bincount(at[is_new], minlength=count), height[is_new]


def _keep(best: np.ufunc, kept: np.ndarray, at: np.ndarray, height: np.ndarray) -> None:
    """Keep the best of the heights found so far and `(h,)`, at least one, at places in order."""
    begins = np.flatnonzero(np.concatenate([[True], np.diff(at) != 0]))
    kept[at[begins]] = best(kept[at[begins]], best.reduceat(height, begins))


def ribbon(places: np.ndarray, left: np.ndarray, leg_length: float) -> Terrain:
    """Return ground along places `(n, 3)` in order, `left` `(n, 3)` what lies to the left of each, for legs
    of a length in metres."""
    wide = HALF_WIDTH * leg_length * left
    points = np.concatenate([places - wide, places + wide])
    right = np.arange(len(places) - 1)
    other = right + len(places)
    corners = np.concatenate(
        [np.stack([right, right + 1, other + 1], axis=1), np.stack([right, other + 1, other], axis=1)]
    )
    return Terrain((TerrainPart(Triangles.of(points, corners), np.eye(4)),), CLIMB * leg_length)
