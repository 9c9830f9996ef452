"""The floor of a clip, and the height of footholds: the floor's, unless they are clearly on something.

The floor is found from where feet stand: files do not give its height, and early recordings tilt it.
"""

from dataclasses import dataclass

import numpy as np

from .foothold import Footholds, mean_over
from .spans import around

_BANDWIDTH = 0.02  # leg lengths: footholds closer in height than this share a floor
_COMMON = 0.35  # share of the most frequent height's footholds that makes a lower height the floor
_NEAR = 0.08  # leg lengths: footholds farther off are ignored
_STEEPEST = np.tan(np.radians(2.5))  # largest tilt of a recording; steeper is a ramp
_WIDE = 1.5  # leg lengths that footholds must spread in a direction to determine its tilt
_FITS = 4
_FARTHEST = 1e4  # bandwidths from the median height: farther is damage, and would take unbounded memory


def floor_plane(places: np.ndarray, leg_length: float) -> np.ndarray:
    """Return the floor `(3,)` as height, slope along x and slope along y, from places `(n, 3)` of contacts.

    The lowest frequent height, then a robust fit through the places near it (Cauchy weights).
    Height 0 without places.
    """
    if not len(places):
        return np.zeros(3)
    plane = np.array([lowest_frequent(places[:, 2], _BANDWIDTH * leg_length), 0.0, 0.0])
    middle = np.median(places[:, :2], axis=0)
    across = places[:, :2] - middle
    # a straight way tells nothing of the tilt aside
    axes = np.linalg.eigh(np.einsum("ni,nj->ij", across, across))[1].T
    across = across[:, :1] * axes[:, 0] + across[:, 1:] * axes[:, 1]
    wide = np.ptp(np.percentile(across, [5, 95], axis=0), axis=0) > _WIDE * leg_length
    terms = np.column_stack([np.ones(len(places)), across * wide])
    for _ in range(_FITS):
        apart = places[:, 2] - terms @ plane
        weight = np.where(
            np.abs(apart) < _NEAR * leg_length, 1.0 / (1.0 + (apart / (_BANDWIDTH * leg_length)) ** 2), 0.0
        )
        plane = np.linalg.lstsq(terms * weight[:, None], places[:, 2] * weight, rcond=1e-6)[0]
        plane[1:] = np.clip(plane[1:], -_STEEPEST, _STEEPEST) * wide
    plane[1:] = plane[1] * axes[0] + plane[2] * axes[1]
    plane[0] -= plane[1:] @ middle
    return plane


def height_of(plane: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Return the floor's height `(...)` under places `(..., 2 or more)`."""
    return plane[0] + places[..., 0] * plane[1] + places[..., 1] * plane[2]


def lowest_frequent(heights: np.ndarray, bandwidth: float) -> float:
    """Return the lowest height at which many of the heights `(n,)` cluster."""
    usual = np.sort(heights)[(len(heights) - 1) // 2]
    heights = heights[np.abs(heights - usual) <= _FARTHEST * bandwidth]
    low = float(heights.min())
    bins = ((heights - low) / (0.5 * bandwidth)).astype(int)
    counts = np.convolve(np.bincount(bins), [0.5, 1.0, 1.0, 1.0, 0.5], mode="same")
    peaks = counts >= np.maximum(np.concatenate([[0.0], counts[:-1]]), np.concatenate([counts[1:], [0.0]]))
    first = int(np.flatnonzero(peaks & (counts >= _COMMON * counts.max()))[0])
    near = np.abs(heights - low - (first + 0.5) * 0.5 * bandwidth) <= bandwidth
    return float(np.median(heights[near])) if near.any() else low + (first + 0.5) * 0.5 * bandwidth


_STEP = 0.07  # leg lengths: closer footholds are on the floor; differences are noise or foot shape
# factor for lower footholds: feet often stand on the floor, so lower ones are doubtful; a clear pit becomes
# the floor
_PIT = 2.0
_OTHER_FEET = 0.5  # how much longer or shorter for its leg another foot may be
_LEVEL_ENOUGH = 0.5  # sine of a foothold's mean pitch: steeper feet do not show where the floor is
_BEARS = 0.3  # sine of a foothold's mean pitch: a foot this flat bears the body
_POINTS = 0.03  # leg lengths
_UNPLANTED_LOW = 2.0  # percent: a clip without contacts has its lowest soles on the ground


@dataclass(frozen=True)
class ClipGround:
    """How a clip is placed on level ground.

    `plane` `(3,)`: the floor of the wanted motion. `lift` `(f, 2)`: how far each standing foot must be raised
    to its own height. `height` `(f, 2)`: that height, 0 on the lowest floor; both valid where the foot
    stands.
    """

    plane: np.ndarray
    lift: np.ndarray
    height: np.ndarray


def find_ground(holds: Footholds, soles: np.ndarray, leg_length: float, foot_length: float) -> ClipGround:
    """Return the ground under footholds as wanted; `soles` `(f, 2, 3)`: heights of the wanted soles' points.

    Standing on tiptoe is higher on longer feet; that is no step.
    """
    standing = holds.hold >= 0
    if not standing.any():
        plane = np.array([np.percentile(soles.min(axis=(1, 2)), _UNPLANTED_LOW), 0.0, 0.0])
        return ClipGround(plane, np.zeros(standing.shape), np.zeros(standing.shape))
    level = standing & (holds.tiptoe < _LEVEL_ENOUGH)
    level = level if level.any() else standing
    _, rows = np.unique(holds.hold[level], return_index=True)
    places = np.concatenate([holds.feet.ankle[level][rows, :2], holds.ground[level][rows, None]], axis=1)
    plane = floor_plane(places, leg_length)
    above = holds.ground - height_of(plane, holds.feet.ankle)
    unclear = _STEP * leg_length + _OTHER_FEET * foot_length * holds.tiptoe
    height = np.where((above > unclear) | (above < -_PIT * unclear), above, 0.0)
    height = np.where(standing, height - min(0.0, float(height[standing].min())), 0.0)
    return ClipGround(plane, np.where(standing, height - above, 0.0), height)


def pointing(holds: Footholds, ground: ClipGround, leg_length: float) -> np.ndarray:
    """Return where a foot only points at the ground `(f, 2)`: on its toes beside a bearing one, it would have
    to be pulled down."""
    bearing = (holds.hold >= 0) & (holds.tiptoe < _BEARS)
    beside = mean_over(holds.hold, bearing[:, ::-1].astype(float)) > 0.5
    return beside & (holds.tiptoe > _LEVEL_ENOUGH) & (ground.lift < -_POINTS * leg_length)


def floor_between(height: np.ndarray, standing: np.ndarray) -> np.ndarray:
    """Return the floor under each swinging foot `(f, 2)`: the lower of the footholds before and after, 0
    without any."""
    nearest = [
        np.where(
            (rows >= 0) & (rows < len(height)),
            np.take_along_axis(height, np.clip(rows, 0, len(height) - 1), axis=0),
            np.inf,
        )
        for rows in around(standing)
    ]
    floor = np.minimum(*nearest)
    return np.where(np.isfinite(floor), floor, 0.0)
