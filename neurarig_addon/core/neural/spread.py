"""One rotation for several bones in a row: the mean of what they have, and what each has of a given mean."""

import numpy as np

from .. import rotation


def mean_rotation(turns: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the chordal mean `(f, 3, 3)` of rotations `(bones, f, 3, 3)` with weights `(bones,)`."""
    total = np.einsum("b,bfij->fij", weights, turns)
    left, _, right = np.linalg.svd(total)
    left[..., -1] *= np.sign(np.linalg.det(left @ right))[..., None]
    return left @ right


def spread_rotation(mean: np.ndarray, below: np.ndarray, above: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the rotations `(bones, f, 3, 3)` of bones in a row between neighbours turned by `below` and `above` `(f, 3, 3)`.

    The bones turn evenly about one axis, by half the way from `below` to `above` in all, and their chordal mean is exactly `mean`.
    `weights` `(bones,)`: the bones' lengths.
    """
    share = weights / weights.sum()
    middle = np.cumsum(share) - share / 2.0 - 0.5
    way = rotation.rotation_vector(above @ rotation.transposed(below)) / 2.0
    angle = np.sqrt(np.sum(way * way, axis=-1))
    each = middle[:, None] * angle
    # All turns have one axis, so the mean of the ramp is a turn about it by this angle: take it off.
    each = each - np.arctan2(share @ np.sin(each), share @ np.cos(each))
    return rotation.from_axis_angle(rotation.normalized(way), each) @ mean
