"""A recorded figure in metres and upright on the ground.

Its upward axis and unit are as the recording says, or guessed from the figure that its points form. Many
trackers give figures relative
to their own hips: these move relative to the ground opposite to the lowest point of the feet relative to the
hips, so a standing foot
stays.  That puts steps where they belong; a jump, which such a recording does not contain, becomes a squat.
"""

import numpy as np

from ..errors import NeuraRigError
from ..geometry.vectors import TO_Z_UP, axis_along
from ..neural.points import INDEX
from ..skeleton.bvh import LIKELY_STATURE, UNITS
from ..skeleton.roles import SIDES, stem_of
from .markers import are_seen

# share of the line from feet to head that is along the upward axis, at the median of the recording
_STANDS = 0.95
_LEANS = 0.8  # a figure with a lower share does not show its upward axis
_UNLIKELY = 2.5  # times taller or shorter than most people
_HIGH = (
    "head_top",
    "head",
    "neck",
    "spine3",
    "shoulder.L",
    "shoulder.R",
    "pelvis",
    "hip.L",
    "hip.R",
    "knee.L",
    "knee.R",
)
_LOW = (
    "ankle.L",
    "ankle.R",
    "ball.L",
    "ball.R",
    "toe_tip.L",
    "toe_tip.R",
    "knee.L",
    "knee.R",
    "hip.L",
    "hip.R",
    "pelvis",
)
# Height of joints above the soles as a share of the stature (Winter's tables), for figures without head or
# feet.
_SHARES = {
    "head_top": 1.0, "head": 0.92, "neck": 0.85, "spine3": 0.72, "shoulder": 0.82, "pelvis": 0.55,
    "hip": 0.53, "knee": 0.285,
    "ankle": 0.04, "ball": 0.01, "toe_tip": 0.01,
}  # fmt: skip


def upright(points: np.ndarray, metres_per_unit: float | None = None, up: str | None = None) -> np.ndarray:
    """Return canonical points `(f, 27, 3)` in metres, z up.

    Args:
        metres_per_unit: the unit that the recording gives, used if it makes the figure's height plausible;
        otherwise the unit
            that makes it nearest to a human's.
        up: the upward axis that it gives (`"x"`, `"-y"` ...), used unless the figure clearly stands along
        another one, as in files
            of programs that fill in a guess; otherwise the axis along which the head is above the feet.

    Raises NeuraRigError if there is no pair of a high and a low point.
    """
    high, low = _ends(points)
    middle, length = _line(points, high, low)
    if up is None or np.abs(middle).max() > _STANDS * length:
        up = axis_along(middle)
    stature = length / (_share(high) - _share(low))
    if metres_per_unit is None or abs(np.log(metres_per_unit * stature / LIKELY_STATURE)) > np.log(_UNLIKELY):
        metres_per_unit = min(UNITS, key=lambda metres: abs(np.log(metres * stature / LIKELY_STATURE)))
    return metres_per_unit * points @ TO_Z_UP[up].T


def shows_up(points: np.ndarray) -> bool:
    """Return whether a figure stands, so that its points `(f, 27, 3)`, in any unit, show their upward axis;
    raises like `upright`."""
    middle, length = _line(points, *_ends(points))
    return bool(np.abs(middle).max() > _LEANS * length)


def _line(points: np.ndarray, high: str, low: str) -> tuple[np.ndarray, float]:
    """Return the line `(3,)` from a low point to a high one at the median of the frames, and its length where
    it is stretched."""
    line = points[:, INDEX[high]] - points[:, INDEX[low]]
    line = line[np.isfinite(line).all(axis=-1)]
    return np.median(line, axis=0), max(float(np.percentile(np.linalg.norm(line, axis=-1), 75)), 1e-9)


def _ends(points: np.ndarray) -> tuple[str, str]:
    """Return the highest and lowest points that are ever seen together."""
    seen = are_seen(points)
    for high in _HIGH:
        for low in _LOW:
            if _share(high) > _share(low) + 0.1 and (seen[:, INDEX[high]] & seen[:, INDEX[low]]).any():
                return high, low
    raise NeuraRigError(
        "The points do not show which way is up; there must be two of head, shoulders, hips, knees and feet."
    )


def _share(point: str) -> float:
    return _SHARES[stem_of(point)]


_STILL = 2e-3  # metres: hips always this near the origin were not recorded in the world
# Height in metres of a standing foot's points above the ground: ankles 0.039 of a stature of 1.75 m (Winter);
# others by the skin.
_HEIGHTS = {"ankle": 0.07, "ball": 0.02, "toe_tip": 0.02}
_CHANGES = 0.01  # metres by which another point must be lower to become the standing one
_HIPS = [INDEX["hip.L"], INDEX["hip.R"]]


def on_the_ground(points: np.ndarray) -> np.ndarray:
    """Return points `(f, 27, 3)` relative to the hips, metres, z up, NaN unseen, on the ground z = 0;
    unchanged if no foot was seen."""
    feet = [(INDEX[f"{part}.{side}"], height) for part, height in _HEIGHTS.items() for side in SIDES]
    seen = are_seen(points[:, [row for row, _ in feet]])
    feet = [
        foot for foot, ever in zip(feet, np.logical_or.reduce(seen, axis=0).tolist(), strict=True) if ever
    ]
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
    """Return whether the pelvis, or the middle of the hips, of points `(f, 27, 3)` is always at the
    origin."""
    for middle in (points[:, 0], points[:, _HIPS].mean(axis=1)):
        known = middle[np.isfinite(middle).all(axis=-1)]
        if len(known) > 1 and np.abs(known).max() < _STILL:
            return True
    return False


def _filled(values: np.ndarray) -> np.ndarray:
    """Return values `(f, n)` with NaN filled linearly."""
    at, rows = np.isfinite(values).all(axis=1), np.arange(len(values))
    return np.stack([np.interp(rows, rows[at], column[at]) for column in values.T], axis=1)


def _standing(ground: np.ndarray) -> np.ndarray:
    """Return the standing point of each frame `(f,)`, from the ground height `(f, n)` implied by each: the
    lowest, with hysteresis."""
    lowest = np.argmin(ground, axis=1)
    stands = lowest.copy()
    for row in range(1, len(stands)):
        before = stands[row - 1]
        if ground[row, before] - ground[row, lowest[row]] < _CHANGES:
            stands[row] = before
    return stands
