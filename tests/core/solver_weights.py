"""Weights of a rule's network, made at random."""

import numpy as np

from neurarig_addon.core.learned.discovery import curves_of
from neurarig_addon.core.learned.solver import SolverWeights, known_size
from neurarig_addon.core.learned.view_features import feature_names
from neurarig_addon.core.logic.profile import FOLDER, Profile

PLAIN = Profile.load(FOLDER / "1_plain_biped.json")
CURVES = curves_of(PLAIN)


def random_weights(hidden: int = 8) -> SolverWeights:
    """Return a network of the right shapes with random numbers in it."""
    rng, count = np.random.default_rng(1), len(feature_names(CURVES))
    known = known_size(count, hidden)
    sizes = [group.pieces.count * group.pieces.functions * len(group.columns) for group in CURVES.groups]
    heads = tuple(
        (rng.normal(size=(size, known)).astype(np.float32), rng.normal(size=size).astype(np.float32))
        for size in sizes
    )
    trunk = (
        (rng.normal(size=(hidden, count)).astype(np.float32), rng.normal(size=hidden).astype(np.float32)),
    )
    low, high = np.full(count, -10.0, np.float32), np.full(count, 10.0, np.float32)
    return SolverWeights(PLAIN.name, "1", CURVES, low, high, 0.1 * high, high, trunk, heads)
