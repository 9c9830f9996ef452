"""Points that are near each other, found in a grid: at a cost in proportion to the points, however crowded
they are."""

from itertools import product

import numpy as np

from .rotation import norms

_MOST = 8  # points of one cell that are compared with those around it


def near_pairs(points: np.ndarray, others: np.ndarray, reach: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows `(n,)` of points `(p, 3)` and of other points `(o, 3)` that are nearer than `reach` to
    each other, in order.

    Where many crowd together only the first points of a place count, so put those that matter first.
    """
    if not len(points) or not len(others):
        return np.zeros(0, dtype=int), np.zeros(0, dtype=int)
    cells, sought = (np.floor(np.nan_to_num(places) / reach) for places in (points, others))
    known = [np.unique(column) for column in cells.T]
    keys = np.zeros(len(points), dtype=np.int64)
    for axis, column in zip(known, cells.T, strict=True):
        keys = keys * len(axis) + np.searchsorted(axis, column)
    order = np.argsort(keys, kind="stable")
    sorted_keys = keys[order]
    found = []
    for step in product((-1.0, 0.0, 1.0), repeat=3):
        key, exists = np.zeros(len(others), dtype=np.int64), np.ones(len(others), dtype=bool)
        for axis, column in zip(known, (sought + step).T, strict=True):
            at = np.minimum(np.searchsorted(axis, column), len(axis) - 1)
            key, exists = key * len(axis) + at, exists & (axis[at] == column)
        begin, end = (np.searchsorted(sorted_keys, key, side) for side in ("left", "right"))
        many = np.where(exists, np.minimum(end - begin, _MOST), 0)
        offsets = np.arange(many.sum()) + np.repeat(begin - (np.cumsum(many) - many), many)
        found.append((order[offsets], np.repeat(np.arange(len(others)), many)))
    first, second = (np.concatenate(rows) for rows in zip(*found, strict=True))
    near = norms(points[first] - others[second]) < reach
    first, second = first[near], second[near]
    order = np.lexsort((second, first))
    return first[order], second[order]
