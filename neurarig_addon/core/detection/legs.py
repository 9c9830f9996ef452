"""The second witness, first half: two mirrored chains that reach the ground."""

import numpy as np

from .figure import Figure
from .limbs import Limbs, distinct, find_limbs
from .pairs import LimbPair, Pairs, ranked_pairs

PARTS = ("thigh", "shin", "foot")
_MIN_DROP = 0.5  # height lost along thigh and along shin, of their length: a leg hangs down
_MIN_LENGTH = 0.08  # of the figure's size
_MAX_REACH = 0.35  # height of the ankle above the floor, of the leg's length
_MIN_APART = 0.03  # between the hips, of the leg's length
_WEIGHT_REACH = 1.5
_WEIGHT_HEIGHT = 3.0  # of the hips above the floor: a leg starts at the hip, not at the knee


def single_legs(figure: Figure) -> Limbs:
    """Return the limbs that hang down and reach the floor."""
    legs = find_limbs(figure, PARTS, np.ones(len(figure.heads), dtype=bool))
    length = legs.length
    steps = -np.diff(legs.points, axis=1)
    down = (steps[:, :, 2] > _MIN_DROP * np.linalg.norm(steps, axis=2)).all(axis=1) & (length > _MIN_LENGTH * figure.size)
    reach = legs.points[:, 2, 2] - figure.floor
    return distinct(legs.only(down & (reach < _MAX_REACH * length)), figure)


def leg_pairs(figure: Figure, legs: Limbs) -> list[LimbPair]:
    """Return all mirrored pairs, the most leg-like first."""

    def cost(pairs: Pairs) -> np.ndarray:
        height = np.maximum(pairs.middle[:, 0, 2] - figure.floor, 1e-9)
        reach = (pairs.middle[:, 2, 2] - figure.floor) / pairs.length
        hips = pairs.apart > _MIN_APART * pairs.length
        return np.where(hips, _WEIGHT_REACH * reach - _WEIGHT_HEIGHT * np.log(height / height.max()), np.inf)

    return ranked_pairs(figure, legs, cost)
