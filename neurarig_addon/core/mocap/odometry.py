"""Figures recorded relative to their own hips, as many trackers give them, brought onto the ground: a standing foot stays.

The hips move relative to the ground opposite to the lowest point of the feet relative to the hips.  That puts steps where they belong;
a jump, which such a recording does not contain, becomes a squat.
"""

import numpy as np

from ..neural.points import INDEX
from ..skeleton.roles import SIDES
from .markers import are_seen

STILL = 2e-3  # metres: hips always this near the origin were not recorded in the world
# Height in metres of a standing foot's points above the ground: ankles 0.039 of a stature of 1.75 m (Winter); others by the skin.
_HEIGHTS = {"ankle": 0.07, "ball": 0.02, "toe_tip": 0.02}
_CHANGES = 0.01  # metres by which another point must be lower to become the standing one
_HIPS = [INDEX["hip.L"], INDEX["hip.R"]]


def on_the_ground(points: np.ndarray) -> np.ndarray:
    """Return points `(f, 27, 3)` relative to the hips, metres, z up, NaN unseen, on the ground z = 0; unchanged if no foot was seen."""
    feet = [(INDEX[f"{part}.{side}"], height) for part, height in _HEIGHTS.items() for side in SIDES]
    seen = are_seen(points[:, [row for row, _ in feet]])
    feet = [foot for foot, ever in zip(feet, np.logical_or.reduce(seen, axis=0).tolist(), strict=True) if ever]
    if not feet:
        return points
    places = np.stack([_filled(points[:, row]) for row, _ in feet], axis=1)
    ground = places[..., 2] - [height for _, height in feet]
    stands, rows = _standing(ground), np.arange(len(points))
    steps = places[rows[1:], stands[1:]] - places[rows[:-1], stands[1:]]
    way = np.concatenate([np.zeros((1, 3)), np.cumsum(-steps, axis=0)])
    way[:, 2] = -ground[rows, stands]
    return points + way[:, None]


def is_about_hips(points: np.ndarray) -> bool:
    """Return whether the pelvis, or the middle of the hips, of points `(f, 27, 3)` is always at the origin."""
    for middle in (points[:, 0], points[:, _HIPS].mean(axis=1)):
        known = middle[np.isfinite(middle).all(axis=-1)]
        if len(known) > 1 and np.abs(known).max() < STILL:
            return True
    return False


def _filled(values: np.ndarray) -> np.ndarray:
    """Return values `(f, n)` with NaN filled linearly."""
    at, rows = np.isfinite(values).all(axis=1), np.arange(len(values))
    return np.stack([np.interp(rows, rows[at], column[at]) for column in values.T], axis=1)


def _standing(ground: np.ndarray) -> np.ndarray:
    """Return the standing point of each frame `(f,)`, from the ground height `(f, n)` implied by each: the lowest, with hysteresis."""
    lowest = np.argmin(ground, axis=1)
    stands = lowest.copy()
    for row in range(1, len(stands)):
        before = stands[row - 1]
        if ground[row, before] - ground[row, lowest[row]] < _CHANGES:
            stands[row] = before
    return stands
