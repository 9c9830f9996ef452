"""Triangles seen from above: the surfaces over and under a place, found in a grid with cells of the
triangles' sizes.

Only vertical lines are queried, and always many at once: a grid answers that in one numpy pass, with every
layer under the place, where a tree of boxes is queried line by line.

A single sheet never overlaps itself, and jumps in height only at its rim. Hills and floors are sheets;
knowing it saves the search for
ledges and floors along a path. If all triangles face up, as many lie over a place as the rim winds around it.
So a line that starts over
one and does not cross the rim has one everywhere.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..easing import running
from ..geometry.rotation import norms
from .surface import upright_faces

STEEP = 1e-6  # share of a triangle's area seen from above below which it is a wall
INSIDE = 1e-7  # share of a triangle's own size: overlap that closes seams
FINEST = 2.0**-14  # share of the whole: smaller triangles share cells of this size
# share of the area seen from above by which upward faces must exceed downward ones; less means a closed body
MIXED = 0.05
EMPTY = 16  # cells per triangle: with more, they are searched instead of listed
# octaves between the sizes of cells: the finest with so few kinds, each is searched
STEPS, MOST_KINDS = (0.5, 1.0, 2.0, 4.0, 8.0), 12
AT_ONCE = 8192  # places per pass, to stay in the processor's cache


@dataclass(frozen=True)
class _Cells:
    """Triangles of one size, each in the cell of its lowest corner; none is larger than a cell of `size`
    `(2,)`.

    `first` `(2,)`, `count` `(2,)`: the range of cells. `keys`: the cells of `rows`, in order. `begins`: where
    each cell begins in them,
    empty if nearly all cells are empty.
    """

    size: np.ndarray
    first: np.ndarray
    count: tuple[int, int]
    keys: np.ndarray
    rows: np.ndarray
    begins: np.ndarray

    @classmethod
    def of(cls, size: np.ndarray, cell: np.ndarray, rows: np.ndarray) -> "_Cells":
        """Return triangles `rows` `(m,)` that lie in cells `(2, m)`."""
        first = cell.min(axis=1)
        wide, tall = (cell.max(axis=1) - first + 1.0).astype(np.int64).tolist()
        key = ((cell[0] - first[0]) * tall + cell[1] - first[1]).astype(np.int64)
        order = np.argsort(key, kind="stable")
        is_dense = wide * tall < EMPTY * len(rows)
        begins = running(np.bincount(key, minlength=wide * tall)) if is_dense else np.zeros(0, dtype=np.int64)
        return cls(size, first, (wide, tall), key[order], rows[order], begins)

    def _begin(self, key: np.ndarray) -> np.ndarray:
        """Return where cells begin in `rows`."""
        return self.begins[key] if len(self.begins) else np.searchsorted(self.keys, key)

    def candidates(self, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return pairs of place and triangle `(n,)` in the same or neighbouring cells, places in order."""
        wide, high = self.count
        column = np.floor(x / self.size[0] - self.first[0])
        row = np.floor(y / self.size[1] - self.first[1])
        near = np.flatnonzero((column >= 0.0) & (column <= wide) & (row >= 0.0) & (row <= high))
        column, row = column[near].astype(np.int64), row[near].astype(np.int64)
        low, above = np.maximum(row - 1, 0), np.minimum(row + 1, high)
        start, many = np.empty((len(near), 2), dtype=np.int64), np.zeros((len(near), 2), dtype=np.int64)
        for side, beside in enumerate((np.maximum(column - 1, 0), np.minimum(column, wide - 1))):
            start[:, side] = self._begin(beside * high + low)
            many[:, side] = self._begin(beside * high + above) - start[:, side]
        many[:, 1] *= (column > 0) & (column < wide)  # at the rim there is only one column
        start, many = start.reshape(-1), many.reshape(-1)
        ends = np.cumsum(many)
        offsets = np.arange(ends[-1] if len(ends) else 0) + np.repeat(start - (ends - many), many)
        return np.repeat(np.repeat(near, 2), many), self.rows[offsets]


@dataclass(frozen=True)
class Triangles:
    """Triangles as linear functions of the place `(m, 3)`, for x, y and 1: two barycentric coordinates, and
    the height.

    `faces_up` `(m,)`: whether one can stand on them; z is up. `low`, `high` `(2,)`: their bounding box.
    `walls` `(k, 3, 3)`: the
    corners of upright faces, which are not among them.
    """

    share: np.ndarray
    other: np.ndarray
    height: np.ndarray
    faces_up: np.ndarray
    cells: tuple[_Cells, ...]
    low: np.ndarray
    high: np.ndarray
    walls: np.ndarray

    @classmethod
    def of(cls, points: np.ndarray, corners: np.ndarray) -> "Triangles":
        """Return triangles with `corners` `(m, 3)` among points `(n, 3)`, without walls and degenerate
        ones."""
        first, second, third = (points[column].T for column in corners.T)
        along, across = second - first, third - first
        area = along[0] * across[1] - along[1] * across[0]
        slant = (along[1] * across[2] - along[2] * across[1]) ** 2 + (
            along[2] * across[0] - along[0] * across[2]
        ) ** 2
        seen = area * area > STEEP**2 * (slant + area * area)  # false for non-finite values
        first, second, third, along, across, area = (
            values[..., seen] for values in (first, second, third, along, across, area)
        )
        share = _linear(across[1] / area, -across[0] / area, first)
        other = _linear(-along[1] / area, along[0] / area, first)
        height = share * along[2][:, None] + other * across[2][:, None]
        height[:, 2] += first[2]
        faces_up = area * _outside(area, first[2] + second[2] + third[2]) > 0.0
        low, high = (
            np.minimum(np.minimum(first, second), third)[:2],
            np.maximum(np.maximum(first, second), third)[:2],
        )
        box = low.min(axis=1, initial=np.inf), high.max(axis=1, initial=-np.inf)
        return cls(
            share,
            other,
            height,
            faces_up,
            tuple(_cells(low, high)),
            *box,
            upright_faces(points, corners, seen),
        )

    def are_beside(self, low: np.ndarray, high: np.ndarray) -> bool:
        """Return whether none of them lies over or under a box `(2,)`."""
        return bool((self.low > high).any() or (self.high < low).any())

    def hits(self, places: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Yield for places `(n, 2)`, in batches: rows `(h,)` of the places in order, the heights hit there,
        and whether they face up."""
        for begin in range(0, len(places), AT_ONCE):
            x, y = np.ascontiguousarray(places[begin : begin + AT_ONCE].T)
            for cells in self.cells:
                at, row = cells.candidates(x, y)
                share = _at(self.share, row, x[at], y[at])
                maybe = (share >= -INSIDE) & (share <= 1.0 + INSIDE)
                at, row, share = at[maybe], row[maybe], share[maybe]
                other = _at(self.other, row, x[at], y[at])
                hit = (other >= -INSIDE) & (share + other <= 1.0 + INSIDE)
                at, row = at[hit], row[hit]
                yield begin + at, _at(self.height, row, x[at], y[at]), self.faces_up[row]


def _linear(x: np.ndarray, y: np.ndarray, zero: np.ndarray) -> np.ndarray:
    """Return the linear functions `(m, 3)` with slopes x and y `(m,)` that are 0 at places `(2 or more,
    m)`."""
    return np.stack([x, y, -x * zero[0] - y * zero[1]], axis=1)


def _at(functions: np.ndarray, row: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the values of linear functions in rows `(h,)` at places."""
    taken = functions[row]
    return taken[:, 0] * x + taken[:, 1] * y + taken[:, 2]


def _outside(area: np.ndarray, height: np.ndarray) -> float:
    """Return 1 if triangles with signed areas seen from above `(m,)` and heights `(m,)` face outward, -1 if
    they are inside out.

    A sheet faces up; a body's volume is positive.
    """
    up, all_of_it = area.sum(), np.abs(area).sum()
    volume = ((height - height.mean()) * area).sum() if len(height) else 0.0
    return -1.0 if (up if abs(up) > MIXED * all_of_it else volume) < 0.0 else 1.0


def _cells(low: np.ndarray, high: np.ndarray) -> Iterator[_Cells]:
    """Yield the cells of triangles with lowest and highest x and y `(2, m)`."""
    if not low.size:
        return
    whole = max(float((high.max(axis=1) - low.min(axis=1)).max()), 1e-12)
    octaves = np.log2(np.maximum((1.0 + INSIDE) * (high - low), FINEST * whole))
    step = next((step for step in STEPS if len(np.unique(_kinds(octaves, step))) <= MOST_KINDS), STEPS[-1])
    kinds = _kinds(octaves, step)
    for kind in np.unique(kinds).tolist():
        rows = np.flatnonzero(kinds == kind)
        size = np.exp2(step * np.ceil(octaves[:, rows[0]] / step))
        cell = np.floor(low[:, rows] / size[:, None] - INSIDE)
        yield _Cells.of(size, cell, rows)


def _kinds(octaves: np.ndarray, step: float) -> np.ndarray:
    """Return a number `(m,)` for the size of a triangle's cell, from the logarithms of its extents `(2,
    m)`."""
    across, along = np.ceil(octaves / step).astype(np.int64)
    return across * (1 << 20) + along


def upright(up: np.ndarray) -> np.ndarray:
    """Return a rotation `(4, 4)` that turns a direction up."""
    beside = np.eye(3)[np.argmin(np.abs(up))]
    ahead = np.cross(beside, up)
    ahead /= norms(ahead)
    turn = np.eye(4)
    turn[:3, :3] = [ahead, np.cross(up, ahead), up]
    return turn


@dataclass(frozen=True)
class Sheet:
    """The bounding boxes of the rim edges, `low` and `high` `(n, 2)`, and the `steepest` rise over run."""

    low: np.ndarray
    high: np.ndarray
    steepest: float

    @classmethod
    def of(cls, triangles: Triangles, count: int, rim: np.ndarray) -> "Sheet | None":
        """Return the sheet of triangles; None if some face down or are left out, as walls are.

        `count`: number of triangles including those. `rim` `(n, 2, 3)`: the ends of edges along which not as
        many triangles run one way as
        the other.
        """
        if not count or len(triangles.faces_up) < count or not triangles.faces_up.all():
            return None
        steepest = float(np.sqrt((triangles.height[:, :2] ** 2).sum(axis=1).max()))
        return cls(rim[..., :2].min(axis=1), rim[..., :2].max(axis=1), steepest)

    def has_rim_between(self, low: np.ndarray, high: np.ndarray) -> bool:
        """Return whether the rim may come into a box `(2,)`."""
        return bool(((self.low <= high) & (self.high >= low)).all(axis=1).any())
