"""The height of footholds: the floor's, unless they are clearly on something."""

from dataclasses import dataclass

import numpy as np

from .floor import floor_plane, height_of
from .foothold import Footholds, mean_over

STEP = 0.07  # leg lengths: closer footholds are on the floor; differences are noise or foot shape
PIT = 2.0  # factor for lower footholds: feet often stand on the floor, so lower ones are doubtful; a clear pit becomes the floor
OTHER_FEET = 0.5  # how much longer or shorter for its leg another foot may be
LEVEL_ENOUGH = 0.5  # sine of a foothold's mean pitch: steeper feet do not show where the floor is
BEARS = 0.3  # sine of a foothold's mean pitch: a foot this flat bears the body
POINTS = 0.03  # leg lengths
UNPLANTED_LOW = 2.0  # percent: a clip without contacts has its lowest soles on the ground


@dataclass(frozen=True)
class ClipGround:
    """How a clip is placed on level ground.

    `plane` `(3,)`: the floor of the wanted motion (see `floor`).  `lift` `(f, 2)`: how far each standing foot must be raised
    to its own height.  `height` `(f, 2)`: that height, 0 on the lowest floor; both valid where the foot stands.
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
        plane = np.array([np.percentile(soles.min(axis=(1, 2)), UNPLANTED_LOW), 0.0, 0.0])
        return ClipGround(plane, np.zeros(standing.shape), np.zeros(standing.shape))
    level = standing & (holds.tiptoe < LEVEL_ENOUGH)
    level = level if level.any() else standing
    _, rows = np.unique(holds.hold[level], return_index=True)
    places = np.concatenate([holds.feet.ankle[level][rows, :2], holds.ground[level][rows, None]], axis=1)
    plane = floor_plane(places, leg_length)
    above = holds.ground - height_of(plane, holds.feet.ankle)
    unclear = STEP * leg_length + OTHER_FEET * foot_length * holds.tiptoe
    height = np.where((above > unclear) | (above < -PIT * unclear), above, 0.0)
    height = np.where(standing, height - min(0.0, float(height[standing].min())), 0.0)
    return ClipGround(plane, np.where(standing, height - above, 0.0), height)


def pointing(holds: Footholds, ground: ClipGround, leg_length: float) -> np.ndarray:
    """Return where a foot only points at the ground `(f, 2)`: on its toes beside a bearing one, it would have to be pulled down."""
    bearing = (holds.hold >= 0) & (holds.tiptoe < BEARS)
    beside = mean_over(holds.hold, bearing[:, ::-1].astype(float)) > 0.5
    return beside & (holds.tiptoe > LEVEL_ENOUGH) & (ground.lift < -POINTS * leg_length)


def floor_between(height: np.ndarray, standing: np.ndarray) -> np.ndarray:
    """Return the floor under each swinging foot `(f, 2)`: the lower of the footholds before and after, 0 without any."""
    rows = np.arange(len(standing))[:, None]
    last = np.maximum.accumulate(np.where(standing, rows, -1), axis=0)
    following = np.minimum.accumulate(np.where(standing, rows, len(rows))[::-1], axis=0)[::-1]
    before = np.where(last >= 0, np.take_along_axis(height, np.maximum(last, 0), axis=0), np.inf)
    after = np.where(following < len(rows), np.take_along_axis(height, np.minimum(following, len(rows) - 1), axis=0), np.inf)
    floor = np.minimum(before, after)
    return np.where(np.isfinite(floor), floor, 0.0)
