"""A person instead of the mean: traits drawn by a seed from what distinguishes recorded people.

Nine people of the CMU motion capture database were measured (`training/gait/people`).  So few hardly show how traits correlate
(`people.json` says what share of a person the others explain); their sizes are known to about a third.
"""

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from .habits import Habits

STORE = Path(__file__).resolve().parents[3] / "data" / "people.json"
# Logarithms of factors on the mean at a speed, then degrees.
TRAITS = (
    "stride", "stance_width", "step_height", "bounce", "sway", "twist", "list", "arm_swing", "lean", "elbow_bend", "foot_splay",
)  # fmt: skip
FARTHEST = 2.0  # standard deviations: limit of the draw
# Left-right differences and bearing in the same recordings: means and standard deviations; a
# logarithm, then degrees.  Head and shoulder tilts are two thirds, as the skeletons fitted to people are tilted too.
LEFT_ARM_MORE, ELBOW_MORE, ARM_OFF = (0.2, 0.3), (0.0, 5.0), (0.0, 1.5)
NOD, HEAD_TILT, HEAD_TURN, SHOULDER_TILT = 3.3, 2.4, 1.5, 1.2


@dataclass(frozen=True)
class Individual:
    """A person relative to the mean: `traits` (see TRAITS), left-right differences of the arms, bearing.

    `arm` is a logarithm, all others are radians: `elbow` is left minus right, `off` the arms' angle from the body.
    `habits`: of each side, and within a stride.
    """

    traits: dict[str, float]
    arm: float
    elbow: float
    off: float
    nod: float
    head_tilt: float
    head_turn: float
    shoulder_tilt: float
    habits: Habits

    def factor(self, trait: str, much: np.ndarray) -> np.ndarray:
        """Return a trait's factor `(...)` at strength `much` `(...)`, 0..1."""
        return np.exp(much * self.traits[trait])

    def degrees(self, trait: str, much: np.ndarray) -> np.ndarray:
        """Return a trait's degrees `(...)` to add, at strength `much` `(...)`."""
        return much * self.traits[trait]

    def arms(self, much: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return factors on the left and right arm's swing `(f, 2)`, and radians added to the elbows."""
        sides = much[:, None] * np.array([0.5, -0.5])
        return np.exp(sides * self.arm), sides * self.elbow


@lru_cache(maxsize=64)
def individual(seed: int) -> Individual:
    """Return the person that a seed draws."""
    draw = np.random.default_rng([seed, len(TRAITS)])
    people = _people()
    size = np.clip(draw.standard_normal(len(people["components"])), -FARTHEST, FARTHEST)
    rest = np.clip(draw.standard_normal(len(TRAITS)), -FARTHEST, FARTHEST)
    traits = size @ np.array(people["components"]) + rest * np.array(people["rest"])
    mean, spread = np.array([LEFT_ARM_MORE, ELBOW_MORE, ARM_OFF]).T
    arms = mean + spread * np.clip(draw.standard_normal(3), -FARTHEST, FARTHEST)
    bearing = np.array([NOD, HEAD_TILT, HEAD_TURN, SHOULDER_TILT]) * np.clip(draw.standard_normal(4), -FARTHEST, FARTHEST)
    elbow, off, nod, tilt, turn, shoulders = np.radians([*arms[1:], *bearing]).tolist()
    named: dict[str, float] = dict(zip(TRAITS, traits.tolist(), strict=True))
    return Individual(named, float(arms[0]), elbow, off, nod, tilt, turn, shoulders, Habits.drawn(draw))


@lru_cache(maxsize=1)
def _people() -> dict:
    return json.loads(STORE.read_text(encoding="utf-8"))
