"""One rotation for several bones in a row: the mean of what they have, and what each has of a given mean."""

import numpy as np

from .triad import nearest_rotation

_OPPOSITE = 1e-6  # sine of an angle near half a circle, where a turn has no clear axis: nothing is spread


def mean_rotation(turns: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the chordal mean `(f, 3, 3)` of rotations `(bones, f, 3, 3)` with weights `(bones,)`."""
    return nearest_rotation(np.einsum("b,bfij->fij", weights, turns))


def spread_rotation(mean: np.ndarray, below: np.ndarray, above: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the rotations `(bones, f, 3, 3)` of bones in a row between neighbours turned by `below` and `above` `(f, 3, 3)`.

    The bones turn evenly about one axis, by half the way from `below` to `above` in all, and their chordal mean is exactly `mean`.
    `weights` `(bones,)`: the bones' lengths.
    """
    share = weights / weights.sum()
    middle = np.cumsum(share) - share / 2.0 - 0.5
    way = above @ np.swapaxes(below, -1, -2)
    skew = 0.5 * (way - np.swapaxes(way, -1, -2))
    sine = np.sqrt(0.5 * (skew * skew).sum(axis=(-1, -2)))
    angle = 0.5 * np.arctan2(sine, 0.5 * (np.trace(way, axis1=-2, axis2=-1) - 1.0)) * (sine > _OPPOSITE)
    each = middle[:, None] * angle
    # All turns have one axis, so the mean of the ramp is a turn about it by this angle: take it off.
    each = (each - np.arctan2(share @ np.sin(each), share @ np.cos(each)))[..., None, None]
    unit = skew / np.maximum(sine, _OPPOSITE)[:, None, None]
    return mean + (np.sin(each) * unit + (1.0 - np.cos(each)) * (unit @ unit)) @ mean
