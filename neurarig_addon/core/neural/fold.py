"""How far a trunk folds for hands: no farther than people bend it; for what is out of reach hands go as far
that way as they come."""

from collections.abc import Callable

import numpy as np

from ..geometry.rotation import norms, transposed
from .point_body import PointBody
from .points import INDEX, POINTS

# roles' rotations from rest `(f, r, 3, 3)` and the pelvis' place `(f, 3)`
Pose = tuple[np.ndarray, np.ndarray]
# of people who reach down: between pelvis and chest, and of the line from hips to shoulders off upright
_MOST = np.radians((65.0, 107.0))
_NOTICED = np.radians(1.0)
# body heights: a hand nearer than this has come where it is asked to, and the trunk may bend as that needs
_REACHED = 0.01
_SHARES = 0.5 ** np.arange(10)
_ARMS = np.array([[point.startswith(("elbow", "wrist", "hand_tip"))] for point in POINTS])
_ENDS = [INDEX[f"{part}.{side}"] for part in ("hip", "shoulder") for side in "LR"]


def bounded(
    body: PointBody, posed: Callable[[np.ndarray], Pose], places: np.ndarray, starts: np.ndarray
) -> Pose:
    """Return `posed` of targets at `places` `(f, 27, 3)`: arms out of reach are drawn in to `starts` `(27,
    3)` where it folds."""
    away, root = posed(places)
    rows = np.flatnonzero((_folds(body, away) > _MOST).any(axis=1))
    if len(rows):
        points = body.tree.points(away[rows], body.tree.heads(away[rows], root[rows]))
        missed = norms(np.where(_ARMS, points - places[rows], 0.0)) > _REACHED * body.height
        rows = rows[missed.any(axis=1)]
    if len(rows):
        way, share = np.where(_ARMS, places[rows] - starts, 0.0), np.zeros((len(rows), 1, 1))
        best = posed(places[rows] - way)
        most = np.maximum(_MOST, _folds(body, best[0]) + _NOTICED)  # what is not the hands' doing stays
        for more in _SHARES:
            wider = np.minimum(share + more, 1.0)
            found = posed(places[rows] - (1.0 - wider) * way)
            fits = (_folds(body, found[0]) <= most).all(axis=1)
            share[fits] = wider[fits]
            for old, new in zip(best, found, strict=True):
                old[fits] = new[fits]
        away[rows], root[rows] = best
    return away, root


def _folds(body: PointBody, away: np.ndarray) -> np.ndarray:
    """Return how far the trunk bends and leans `(f, 2)`, radians, by rotations from rest `(f, r, 3, 3)`."""
    chest = body.tree.roles.index(body.carriers.carrier(INDEX["neck"]))
    bend = np.trace(transposed(away[:, 0]) @ away[:, chest], axis1=1, axis2=2)
    line = body.tree.carried(away, body.tree.levers[:, _ENDS])
    line = line[:, 2:].sum(axis=1) - line[:, :2].sum(axis=1)
    return np.arccos(np.clip(np.stack([0.5 * (bend - 1.0), line[:, 2] / norms(line)], axis=1), -1.0, 1.0))
