"""The rules that a trainee can learn: a logic profile or recorded motion (for the human gait see `human_rule`), with one interface."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...core.learned.discovery import curves_of, walkers
from ...core.learned.walk_curves import WalkCurves
from ...core.logic.profile import Profile
from .recording import read_recording


@dataclass(frozen=True)
class Rule:
    """A teacher.

    `draw(count, rng)` returns inputs `(count, inputs)` of walkers over the range to learn; `evaluate` their outputs `(n, outputs)`.
    """

    name: str
    version: str
    curves: WalkCurves
    draw: Callable[[int, np.random.Generator], np.ndarray]
    evaluate: Callable[[np.ndarray], np.ndarray]


def profile_rule(profile: Profile) -> Rule:
    """Return a logic profile as a teacher, over the documented ranges of its inputs."""
    curves = curves_of(profile)

    def draw(count: int, rng: np.random.Generator) -> np.ndarray:
        return walkers(curves.places, count, rng)

    return Rule(profile.name, str(profile.version), curves, draw, profile.evaluate)


def recorded_rule(path: str | os.PathLike) -> Rule:
    """Return recorded motion as a teacher: curves fitted to its rows, for its characters and speeds."""
    recording = read_recording(path)
    fitted = recording.fitted()

    def draw(count: int, rng: np.random.Generator) -> np.ndarray:
        return recording.inputs[rng.integers(len(recording.inputs), size=count)]

    return Rule(Path(path).stem, "1", fitted.curves, draw, fitted.predict)
