"""What can be learned: a rule from a walker's inputs to the outputs of its walk, with the walkers over which
it is to hold."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..logic.profile import Profile
from .discovery import curves_of, walkers
from .walk_curves import WalkCurves


@dataclass(frozen=True)
class TaughtRule:
    """A teacher.

    `draw(count, rng)` returns inputs `(count, inputs)` of walkers over the range to learn; `evaluate` their
    outputs `(n, outputs)`.
    """

    name: str
    version: str
    curves: WalkCurves
    draw: Callable[[int, np.random.Generator], np.ndarray]
    evaluate: Callable[[np.ndarray], np.ndarray]


def profile_rule(profile: Profile) -> TaughtRule:
    """Return a logic profile as a teacher, over the documented ranges of its inputs."""
    curves = curves_of(profile)

    def draw(count: int, rng: np.random.Generator) -> np.ndarray:
        return walkers(curves.places, count, rng)

    return TaughtRule(profile.name, str(profile.version), curves, draw, profile.evaluate)
