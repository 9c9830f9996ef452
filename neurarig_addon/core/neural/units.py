"""In which unit points come: found by comparing distances between them with the body's."""

import numpy as np

from ..errors import NeuraRigError
from .points import INDEX, PARENTS, POINTS

_FIT = 2.0  # a figure up to so many times larger or smaller than the character is taken to be in metres
_SPREAD = 0.5  # of the logarithm: lengths that differ more among each other (half of them) are not those of a figure
_SHORTEST = 0.05  # of the body's height: shorter bones say little
_FEWEST = 2
# Pairs whose distance hardly changes: bones, and along the trunk.
_PAIRS = np.array(
    [(PARENTS[row], row) for row in range(1, len(POINTS))]
    + [
        (INDEX[low], INDEX[high])
        for low, high in (("pelvis", "spine3"), ("spine3", "head"), ("pelvis", "neck"), ("spine2", "neck"), ("pelvis", "head"))
    ]
)


def metres_per_unit(rest: np.ndarray, points: np.ndarray, seen: np.ndarray | None = None) -> float:
    """Return the factor that brings points `(f, 27, 3)` to metres: 1 where they fit a body of `rest` `(27, 3)` metres within a factor of 2.

    Else the factor is the one that makes the figure as large as the body.  `seen`: weights `(27,)` or `(f, 27)`, 0 for missing points.
    Raises NeuraRigError where the distances are not those of a figure.
    """
    low, high = _PAIRS.T
    lengths = np.linalg.norm(rest[high] - rest[low], axis=-1)
    told = lengths > _SHORTEST * np.ptp(rest, axis=0).max()
    weights = np.ones(len(POINTS)) if seen is None else np.nan_to_num(np.asarray(seen, dtype=float))
    known = np.logical_and(np.isfinite(points).all(axis=-1), weights > 0.0)
    known = known[:, low] & known[:, high] & told
    if known.any(axis=0).sum() < _FEWEST:
        return 1.0
    ratio = np.linalg.norm(points[:, high] - points[:, low], axis=-1)[known] / np.broadcast_to(lengths, known.shape)[known]
    logs = np.log(np.maximum(ratio, 1e-12))
    middle = float(np.median(logs))
    if not np.median(np.abs(logs - middle)) < _SPREAD:
        raise NeuraRigError(
            "The points are not those of a figure: their distances do not fit the character's bones; check which point is which."
        )
    return 1.0 if abs(middle) < np.log(_FIT) else float(np.exp(-middle))
