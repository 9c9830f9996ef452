"""A gait to train on in tests: smooth random curves with the symmetry, units and fading of a walk, and
nothing of a human."""

import numpy as np

from neurarig_addon.core.contract.channels import CHANNELS
from neurarig_addon.core.gait.kinds.natural import GRAVITY
from neurarig_addon.core.human.canonical import (
    CANONICAL,
    IS_LENGTH,
    LEFT_COLUMNS,
    MIDLINE_COLUMNS,
    MIDLINE_VIEW,
    MIRROR,
    RIGHT_COLUMNS,
    SIDED_VIEW,
    fade,
    harmonics,
)


class StandInGait:
    """Random harmonics, each linear in speed, thigh share and spacing."""

    def __init__(self, seed: int = 0):
        rng = np.random.default_rng(seed)
        allowed = np.array([[k in harmonics(name) for k in range(9)] for name in CANONICAL])
        falling = allowed / (1.0 + np.arange(9)) ** 2
        self.waves = rng.normal(size=(4, len(CANONICAL), 9, 2)) * falling[..., None] * 0.1

    def sample(
        self, velocity: float, thigh: float, shin: float, spacing: float, phases: np.ndarray
    ) -> np.ndarray:
        """Return channels `(phases, 46)`; see `dataset.GaitSampler`."""
        leg = thigh + shin
        speed = velocity / np.sqrt(GRAVITY * leg)
        waves = np.tensordot([1.0, speed, thigh / leg, spacing / leg], self.waves, 1) * fade(speed)
        waves = waves * np.where(IS_LENGTH, leg, 1.0)[:, None, None]
        right, left = self._at(waves, phases), self._at(waves, phases + 0.5) * MIRROR
        values = np.empty((len(phases), len(CHANNELS)))
        values[:, RIGHT_COLUMNS], values[:, LEFT_COLUMNS] = right[:, SIDED_VIEW], left[:, SIDED_VIEW]
        values[:, MIDLINE_COLUMNS] = right[:, MIDLINE_VIEW]
        return values

    @staticmethod
    def _at(waves: np.ndarray, phases: np.ndarray) -> np.ndarray:
        turns = 2.0 * np.pi * np.arange(9)[:, None] * phases
        return (waves[..., 0] @ np.cos(turns) + waves[..., 1] @ np.sin(turns)).T
