"""The few principal gaits that all walks are mixed from, and the cost of an error in a walk.

The hundreds of Fourier coefficients of a walk vary together.  A singular value decomposition finds some twenty directions in which
they do; the network learns only the share of each, so that training is fast and all coefficients stay consistent.
"""

from dataclasses import dataclass

import numpy as np

from ...core.human.canonical import CANONICAL, SLOTS, TERMS
from .dataset import Walks

_HARMONIC, _CHANNEL = SLOTS % TERMS // 2, SLOTS // TERMS
_DROPPED = 1e-7  # share of the mean square cost that the dropped directions may hold: 0.03 % of the size
_STILL = 1e-6  # a channel with less spread than this (leg lengths, radians) does not move


@dataclass(frozen=True)
class PrincipalGaits:
    """Directions in the space of Fourier coefficients; a share's root mean square over the walks they were found from is 1.

    `gaits` `(gaits, COEFFICIENTS)`: what a share of 1 adds to the coefficients, in channel spreads.
    `projection` `(COEFFICIENTS, gaits)`: shares are coefficients (leg lengths and radians) times this.
    `costs` `(gaits,)`: weight of a squared error of a share in the loss, the mean square error over all phases of positions and slopes.
    """

    gaits: np.ndarray
    projection: np.ndarray
    costs: np.ndarray


def principal_gaits(walks: Walks, slope_weight: float) -> PrincipalGaits:
    """Return the directions, largest first, that drop no more than a share of 1e-7 of the total cost."""
    spread = walks.spread.astype(float)[_CHANNEL]
    per_spread = np.where(spread > _STILL, 1.0 / np.maximum(spread, _STILL), 0.0)
    coefficients = walks.coefficients * per_spread
    weights = np.sqrt(_error_costs(coefficients, slope_weight))
    _, sizes, directions = np.linalg.svd(coefficients * weights, full_matrices=False)
    still_missing = np.cumsum(sizes[::-1] ** 2)[::-1]
    kept = max(1, int(np.sum(still_missing > _DROPPED * still_missing[0])))
    scale = sizes[:kept] / np.sqrt(len(coefficients))
    return PrincipalGaits(
        gaits=directions[:kept] * scale[:, None] / weights,
        projection=(per_spread * weights)[:, None] * directions[:kept].T / scale,
        costs=scale**2,
    )


def _error_costs(coefficients: np.ndarray, slope_weight: float) -> np.ndarray:
    """Return the cost of the squared error of each coefficient `(COEFFICIENTS,)`, in channel spreads.

    By Parseval a wave of amplitude 1 has the mean square 1/2, and its slope (2 pi k)^2 / 2.  Slopes are in units of their own spread:
    they are most visible, as a small error that alternates from frame to frame shows as jitter.
    """
    power = np.where(_HARMONIC == 0, 1.0, 0.5)
    slope_power = 0.5 * (2.0 * np.pi * _HARMONIC) ** 2
    slope_variance = np.bincount(_CHANNEL, slope_power * np.mean(coefficients**2, axis=0), minlength=len(CANONICAL))[_CHANNEL]
    # At least 1: a channel that hardly moves has no slopes to scale by.
    return (power + slope_weight * slope_power / np.maximum(slope_variance, 1.0)) / len(CANONICAL)
