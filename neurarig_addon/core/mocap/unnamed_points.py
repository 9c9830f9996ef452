"""Points without names, as trackers store them in arrays: which is which, by their count and by what they
form."""

from collections.abc import Sequence

import numpy as np

from ..errors import NeuraRigError
from ..skeleton.roles import SIDES, sided
from .marker_names import find_points, layouts

_LIMBS = (("hip", "knee"), ("knee", "ankle"), ("shoulder", "elbow"), ("elbow", "wrist"))


def named(places: np.ndarray) -> tuple[list[str], np.ndarray]:
    """Return the names of points `(f, n, 3)`, or flat `(f, 3 n)`, of a known tracker, and their places `(f,
    m, 3)`.

    Raises ValueError with the reason if they are of none.
    """
    if places.ndim == 4 and len(places) == 1:
        places = places[0]
    counts = sorted({count for layout in layouts() for count in layout["counts"]})
    if places.ndim == 2 and places.shape[1] in {3 * count for count in counts}:
        places = places.reshape(len(places), -1, 3)
    if places.ndim == 3 and places.shape[2] == 2:
        raise ValueError("its points are flat, without depth; a figure needs points in space")
    if places.ndim != 3 or places.shape[2] not in (3, 4) or not len(places):
        raise ValueError(f"it needs frames x points x 3, not {' x '.join(map(str, places.shape))}")
    known = [layout["points"].split() for layout in layouts() if places.shape[1] in layout["counts"]]
    if not known:
        raise ValueError(
            f"it has {places.shape[1]} points without names; known are {', '.join(map(str, counts))}"
        )
    places = places[..., :3]
    names = min(known, key=lambda names: _oddness(places, names)) if len(known) > 1 else known[0]
    return names, places[:, : len(names)]


def _oddness(places: np.ndarray, names: Sequence[str]) -> float:
    """Return how unlike a body's the limbs are that points so named form: left and right in length, and over
    time."""
    try:
        rows = find_points(names)
    except NeuraRigError:
        return np.inf
    odd = 0.0
    for start, end in _LIMBS:
        lengths = [
            np.linalg.norm(places[:, rows[sided(end, side)]] - places[:, rows[sided(start, side)]], axis=1)
            for side in SIDES
        ]
        lengths = [found[np.isfinite(found)] for found in lengths]
        if not all(len(found) for found in lengths):
            continue
        left, right = (float(np.median(found)) for found in lengths)
        spread = sum(float(np.mean(np.abs(found - np.median(found)))) for found in lengths)
        odd += (abs(left - right) + spread) / max(left + right, 1e-9)
    return odd
