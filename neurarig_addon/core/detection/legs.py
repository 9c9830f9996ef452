"""Evidence from the shape, legs: two mirrored chains that reach the ground."""

from collections.abc import Iterable

import numpy as np

from .evidence import Evidence
from .feet import foot_reach
from .figure import Figure
from .limbs import Limbs, find_limbs, lengths
from .pairs import Candidates, Pairs, mirrored_pairs

PARTS = ("thigh", "shin", "foot")
_MIN_DROP = 0.1  # least drop in height along thigh and along shin, share of their length: a leg hangs down
_LOW, _LEAST = 0.6, 0.02  # shares of the figure's height and size: an ankle is lower than their sum above the floor
_MIN_LENGTH = 0.05  # least length of a leg, share of the figure's size
_MAX_REACH = 0.9  # leg lengths: greatest height of the ankle above the floor; birds stand on their toes
_MIN_APART = 0.03  # leg lengths: least distance between the hips
_LEAST_ABOVE = 0.05  # least share of the figure's height above the hips
_LONG_LINK = 0.4  # share of the length of a one-bone leg: a bone above it that is longer is the thigh, not a hip link
_SHORTEST_FOOT = 0.06  # leg lengths from the ankle forward


def single_legs(figure: Figure, spare: Iterable[int] = ()) -> Limbs:
    """Return the limbs that hang down and reach the floor, without the bones in `spare` and below them."""
    allowed = np.ones(len(figure.heads), dtype=bool)
    allowed[[below for row in spare for below in figure.below(row)]] = False
    top = float(figure.heads[:, 2].max(initial=figure.floor))
    low = figure.heads[:, 2] < figure.floor + _LOW * (top - figure.floor) + _LEAST * figure.size
    legs = find_limbs(figure, PARTS, allowed, lambda points: _hangs_down(figure, points), last=low)
    legs = legs.only(np.logical_not(_is_lower_half(figure, legs)))
    drop = _drops(legs.points)
    return legs.also({"has a foot": 1.0 * _has_foot(figure, legs), "thigh slants": 1.0 - drop[:, 0], "shin slants": 1.0 - drop[:, 1]})


def _hangs_down(figure: Figure, points: np.ndarray) -> np.ndarray:
    """Return whether joints `(n, 3, 3)` hang below each other and reach the floor, `(n,)`."""
    length = lengths(points)
    reach = points[:, 2, 2] - figure.floor
    return (_drops(points) > _MIN_DROP).all(axis=1) & (length > _MIN_LENGTH * figure.size) & (reach < _MAX_REACH * length)


def _is_lower_half(figure: Figure, legs: Limbs) -> np.ndarray:
    """Return whether legs `(n,)` of one bone hang on a long bone that carries nothing else: that is the thigh, as of a sitting frog."""
    top = legs.rows[:, 0]
    above = figure.joint_above[top]
    single = np.array([len(children) == 1 for children in figure.skeleton.children], dtype=bool)
    link = np.linalg.norm(figure.heads[top] - figure.heads[above], axis=1)
    return (legs.rows[:, 1] < 0) & (above >= 0) & single[above] & (link > _LONG_LINK * legs.length)


def _drops(points: np.ndarray) -> np.ndarray:
    """Return the drop in height along both segments `(n, 2)`, as a share of their length."""
    steps = -np.diff(points, axis=1)
    return steps[:, :, 2] / np.maximum(np.linalg.norm(steps, axis=2), 1e-12)


def leg_candidates(figure: Figure, legs: Limbs) -> Candidates | None:
    """Return all mirrored pairs with the evidence on them."""
    top = max(float(figure.heads[:, 2].max(initial=figure.floor)) - figure.floor, 1e-9)

    def look(pairs: Pairs) -> tuple[Evidence, np.ndarray]:
        height = np.maximum(pairs.middle[:, 0, 2] - figure.floor, 1e-9)
        hip = pairs.greatest(height)
        carrier = np.where((pairs.hub >= 0)[:, None], figure.heads[pairs.hub], pairs.middle[:, 0])
        seen = {
            "ankle above floor": np.maximum(pairs.middle[:, 2, 2] - figure.floor, 0.0) / pairs.length,
            "high for its hub": np.log(height / hip),
            "body above": np.log(np.maximum(1.0 - hip / top, _LEAST_ABOVE)),
            "height": np.log(height / top),
            "hips apart": np.minimum(pairs.apart / pairs.length, 1.0),
            "wide hips": np.maximum(pairs.apart / pairs.length - 0.6, 0.0),
            "hub far": np.minimum(np.linalg.norm(carrier - pairs.middle[:, 0], axis=1) / pairs.length, 2.0),
            "no hub": 1.0 * (pairs.hub < 0),
        }
        return seen, pairs.apart > _MIN_APART * pairs.length

    return mirrored_pairs(figure, legs, "legs", look)


def _has_foot(figure: Figure, legs: Limbs) -> np.ndarray:
    """Return whether something continues forward from the end of each leg `(n,)`."""
    reach = np.zeros(len(figure.heads))
    ends = np.unique(legs.rows[:, 2])
    ends = ends[ends >= 0]
    reach[ends] = [np.linalg.norm(foot_reach(figure, [row])) for row in ends.tolist()]
    return np.where(legs.rows[:, 2] >= 0, reach[legs.rows[:, 2]], 0.0) > _SHORTEST_FOOT * legs.length
