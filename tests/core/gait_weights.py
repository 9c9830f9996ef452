"""A gait network that nobody trained, and what it is asked: slow inputs of a character, phases."""

from itertools import pairwise

import numpy as np

from neurarig_addon.core.human.canonical import CANONICAL, COEFFICIENTS, FEATURES
from neurarig_addon.core.human.gait_network import GaitWeights

PHASES = np.linspace(0.0, 1.0, 41)


def random_weights(seed: int = 3) -> GaitWeights:
    """Return a network of random weights: what holds for it holds by construction."""
    rng = np.random.default_rng(seed)
    widths = [len(FEATURES), 24, 16, COEFFICIENTS]
    layers = [(rng.normal(size=(b, a)) / np.sqrt(a), rng.normal(0.0, 0.1, b)) for a, b in pairwise(widths)]
    low, high = np.array([0.0, 0.0, 0.3, 0.8, 0.0]), np.array([0.8, 0.9, 0.7, 1.2, 0.3])
    arrays = low, high, 0.5 * (low + high), 0.3 * (high - low), rng.uniform(0.05, 0.5, len(CANONICAL))
    return GaitWeights(
        *(a.astype(np.float32) for a in arrays),
        tuple((w.astype(np.float32), b.astype(np.float32)) for w, b in layers),
    )


def character(speed=1.3, right=(0.45, 0.45, 0.06), left=(0.45, 0.45, 0.06)) -> np.ndarray:
    """Return slow inputs `(1, 9)`; a side is thigh, shin, spacing."""
    return np.array([[speed, right[0], right[1], 0.0, right[2], left[0], left[1], 0.5, left[2]]])
