"""The second witness, first half: two mirrored chains that reach the ground."""

from collections.abc import Iterable

import numpy as np

from .feet import foot_reach
from .figure import Figure
from .limbs import Limbs, distinct, find_limbs
from .pairs import LimbPair, Pairs, ranked_pairs

PARTS = ("thigh", "shin", "foot")
_MIN_DROP = 0.5  # height lost along thigh and along shin, of their length: a leg hangs down
_MIN_LENGTH = 0.08  # of the figure's size
_MAX_REACH = 0.35  # height of the ankle above the floor, of the leg's length
_MIN_APART = 0.03  # between the hips, of the leg's length
_WEIGHT_REACH = 1.5
_WEIGHT_HEIGHT = 3.0  # of the hips above the floor, among legs on the same pelvis: a leg starts at the hip, not at the knee
_WEIGHT_ABOVE = 1.0  # of the body above the hips: hair, wings and capes hang from the top of the figure
_LEAST_ABOVE = 0.05  # of the figure's height
_REWARD_FOOT = 0.5  # an end that goes on forward: ropes and cloth have no feet
_SHORTEST_FOOT = 0.06  # from the ankle forward, of the leg's length


def single_legs(figure: Figure, spare: Iterable[int] = ()) -> Limbs:
    """Return the limbs that hang down and reach the floor; bones in `spare` and below them are none."""
    allowed = np.ones(len(figure.heads), dtype=bool)
    allowed[[below for row in spare for below in figure.below(row)]] = False
    legs = find_limbs(figure, PARTS, allowed)
    length = legs.length
    steps = -np.diff(legs.points, axis=1)
    down = (steps[:, :, 2] > _MIN_DROP * np.linalg.norm(steps, axis=2)).all(axis=1) & (length > _MIN_LENGTH * figure.size)
    reach = legs.points[:, 2, 2] - figure.floor
    legs = legs.only(down & (reach < _MAX_REACH * length))
    return distinct(Limbs(legs.rows, legs.points, legs.cost - _REWARD_FOOT * _has_foot(figure, legs)), figure)


def leg_pairs(figure: Figure, legs: Limbs) -> list[LimbPair]:
    """Return all mirrored pairs, the most leg-like first."""
    top = max(float(figure.heads[:, 2].max(initial=0.0)) - figure.floor, 1e-9)

    def cost(pairs: Pairs) -> np.ndarray:
        height = np.maximum(pairs.middle[:, 0, 2] - figure.floor, 1e-9)
        reach = (pairs.middle[:, 2, 2] - figure.floor) / pairs.length
        hip = pairs.greatest(height)
        above = np.maximum(1.0 - hip / top, _LEAST_ABOVE)
        hips = pairs.apart > _MIN_APART * pairs.length
        cost = _WEIGHT_REACH * reach - _WEIGHT_HEIGHT * np.log(height / hip) - _WEIGHT_ABOVE * np.log(above)
        return np.where(hips, cost, np.inf)

    return ranked_pairs(figure, legs, cost)


def _has_foot(figure: Figure, legs: Limbs) -> np.ndarray:
    """Say `(n,)` of which legs the end goes on forward."""
    forward = {row: foot_reach(figure, [row]) for row in set(legs.rows[:, 2].tolist()) if row >= 0}
    reach = np.array([np.linalg.norm(forward.get(row, np.zeros(3))) for row in legs.rows[:, 2].tolist()])
    return reach > _SHORTEST_FOOT * legs.length
