"""The second witness, second half: two mirrored chains beside the trunk."""

import numpy as np

from .figure import Figure
from .limbs import Limbs, distinct, find_limbs
from .pairs import LimbPair, Pairs, ranked_pairs

PARTS = ("upper_arm", "forearm", "hand")
_SHORTEST, _LONGEST = 0.2, 3.0  # an arm's length, of the leg's
_LOWEST = -0.3  # of the shoulders under the hips, of the leg's length: a theropod's chest hangs low
_NEAREST_HIP = 0.12  # of the leg's length: chains that start at the hip are skirts
_MAX_TILT = 0.25  # of the plane between the arms against the one between the legs (sine)
_WORST = 6.0  # cost above which a pair of chains is no pair of arms
_COST_FORK = 0.5  # an arm does not fork before the hand
_REWARD_FINGERS = 0.5  # but there it does; wings and cloth do not
_WEIGHT_RAISED = 1.0  # hands above the shoulders are ears or horns
_COST_ON_FLOOR = 0.5  # what hangs down to the floor is a cape, a skirt or hair
_OFF_FLOOR = 0.25  # height above the floor of the lowest joint from a hand on, of the leg's length
_WEIGHT_LOW = 1.5  # what starts at the height of the hips is a skirt
_SHOULDERS = 0.3  # above the hips, of the leg's length
_WEIGHT_ABOVE = 0.5  # of the body above the shoulders: hair hangs from the top
_LEAST_ABOVE = 0.05  # of the figure's height


def find_arms(figure: Figure, legs: LimbPair, used: set[int]) -> LimbPair | None:
    """Return the pair of arms, in the order of the legs, or None; bones in `used` belong to the legs."""
    allowed = np.ones(len(figure.heads), dtype=bool)
    allowed[list(used)] = False
    limbs = find_limbs(figure, PARTS, allowed)
    long = (limbs.length > _SHORTEST * legs.length) & (limbs.length < _LONGEST * legs.length)
    away = limbs.points[:, 0] - legs.middle
    apart = np.linalg.norm(limbs.points[:, None, 0] - legs.points[None, :, 0], axis=2).min(axis=1)
    placed = (away[:, 2] > _LOWEST * legs.length) & (apart > _NEAREST_HIP * legs.length)
    limbs = limbs.only(long & placed)
    forks = _COST_FORK * _forks_inside(figure, limbs.rows) - _REWARD_FINGERS * _has_fingers(figure, limbs.rows)
    last = np.where(limbs.rows[:, 2] >= 0, limbs.rows[:, 2], limbs.rows[:, 1])
    clear = figure.over_below(figure.heads[:, 2], np.minimum)[last] - figure.floor
    on_floor = _COST_ON_FLOOR * np.clip(1.0 - clear / (_OFF_FLOOR * legs.length), 0.0, 1.0)
    limbs = distinct(Limbs(limbs.rows, limbs.points, limbs.cost + forks + on_floor), figure)
    top = max(float(figure.heads[:, 2].max()) - figure.floor, 1e-9)

    def cost(pairs: Pairs) -> np.ndarray:
        tilt = np.linalg.norm(np.cross(pairs.across, legs.across), axis=1)
        off = np.abs((pairs.middle[:, 0] - legs.middle) @ legs.across) / legs.length
        hands, shoulders = pairs.middle[:, 2, 2], pairs.greatest(pairs.middle[:, 0, 2])
        raised = np.maximum(hands - pairs.middle[:, 0, 2], 0.0) / pairs.length
        low = np.clip(1.0 - (shoulders - legs.middle[2]) / (_SHOULDERS * legs.length), 0.0, 1.0)
        above = np.maximum(1.0 - (shoulders - figure.floor) / top, _LEAST_ABOVE)
        cost = _WEIGHT_RAISED * raised + _WEIGHT_LOW * low - _WEIGHT_ABOVE * np.log(above)
        cost -= np.log(pairs.length / pairs.greatest(pairs.length))
        return np.where((tilt < _MAX_TILT) & (off < _MAX_TILT), cost, np.inf)

    pairs = ranked_pairs(figure, limbs, cost)
    if not pairs or pairs[0].cost > _WORST:
        return None
    return pairs[0] if pairs[0].across @ legs.across > 0.0 else pairs[0].swapped()


def _forks(figure: Figure) -> np.ndarray:
    """Say `(bones,)` which bones carry two chains or more, as a palm does; twist bones and end markers are no chains."""
    return np.array([sum(figure.below_count[child] > 0 for child in below) >= 2 for below in figure.skeleton.children])


def _has_fingers(figure: Figure, rows: np.ndarray) -> np.ndarray:
    """Say `(n,)` of which chains the end bone forks."""
    return (rows[:, 2] >= 0) & _forks(figure)[rows[:, 2]]


def _forks_inside(figure: Figure, rows: np.ndarray) -> np.ndarray:
    """Return how many bones of each chain `(n,)`, its first and last left out, fork."""
    fork = _forks(figure).astype(int)
    passed = np.zeros(len(fork), dtype=int)
    for row, parent in enumerate(figure.skeleton.parents):
        passed[row] = fork[row] + (passed[parent] if parent >= 0 else 0)

    top, middle, end = rows.T
    last = np.where(end >= 0, end, middle)
    before_last = figure.skeleton.parents[last]
    return np.where((before_last >= 0) & (last != top), np.maximum(passed[before_last] - passed[top], 0), 0)
