"""A person instead of the mean: traits and habits drawn by a seed from what distinguishes recorded people.

Nine people of the CMU motion capture database were measured (`training/gait/people`). So few hardly show how
traits correlate
(`people.json` says what share of a person the others explain); their sizes are known to about a third. Habits
are left-right
differences, how arms and back are held: means and standard deviations between eight of them, from 42 walks;
all but the feet's beat and
time on the ground are drawn independently.  For the shape of curves see `styles/persons`.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from ...geometry.rotation import from_euler
from ...people.curves import equally_far
from ...shipped import shipped

# For both arms, and each side's deviation: cycles behind the legs, how far the elbow goes out and the hand
# comes in per radian of forward arm swing, degrees that the hand is always held in.
ARMS = {
    "late": (-0.025, 0.03, 0.02),
    "out": (0.35, 0.16, 0.08),
    "across": (0.5, 0.45, 0.25),
    "held_in": (-2.0, 4.0, 4.0),
}
# Half of left minus right foot: strides ahead at contact (without the variation from stride to stride),
# cycles late, cycles longer on the ground beyond DUTY_BY_BEAT, log of the step height, degrees of splay.
FEET = {"ahead": 0.0046, "beat": 0.0048, "duty": 0.004, "height": 0.05, "splay": 2.7}
# cycles longer on the ground per cycle late: a foot that comes down early stands longer (correlation -0.8)
DUTY_BY_BEAT = -1.7
# Degrees: knee bend relative to the mean (less than skeletons fitted to recordings differ by, or some would
# squat), never straighter than a straight leg; bend of back and neck, chest turned left.
KNEE, STRAIGHTEST, BACK, NECK, CHEST = 1.6, -4.0, 2.5, 2.5, 3.3
STRAIGHTER = 1.6  # degrees by which all else in which people differ bends knees
KNEE_OF_ALL = 8.0  # degrees of the mean knee at contact
# Degrees: half of left minus right, how far out an arm is always held, and the neck bent to the right. Of ten
# people five held neck and
# arms straight within 3 degrees, and those with an askew neck were not those with askew arms. Two skeletons
# were fitted 10 degrees
# askew, so the neck's spread is 1.48 times the median.
APART, NECK_ASIDE = 1.2, 2.4
FARTHEST = 2.0  # standard deviations: limit of the draws
SIDES = np.array([0.5, -0.5])
# Logarithms of factors on the mean at a speed, then degrees.
TRAITS = (
    "stride", "stance_width", "step_height", "bounce", "sway", "twist", "list", "arm_swing", "lean",
    "elbow_bend", "foot_splay",
)  # fmt: skip
# Left-right differences and bearing in the same recordings: means and standard deviations; a
# logarithm, then degrees. Head and shoulder tilts are two thirds, as the skeletons fitted to people are
# tilted too.
LEFT_ARM_MORE, ELBOW_MORE, ARM_OFF = (0.2, 0.3), (0.0, 5.0), (0.0, 1.5)
NOD, HEAD_TILT, HEAD_TURN, SHOULDER_TILT = 3.3, 2.4, 1.5, 1.2


@dataclass(frozen=True)
class Habits:
    """A person's habits; `(2,)` for left and right.

    Arms: see ARMS; feet, each as left minus right: see FEET, `splay` in radians.  `crouch` in leg lengths;
    `back`, `neck`, `chest`, `neck_aside` in radians; `apart` `(2,)`: radians that the arms are always held
    out.
    """

    late: np.ndarray
    out: np.ndarray
    across: np.ndarray
    held_in: np.ndarray
    ahead: float
    beat: float
    duty: float
    height: float
    splay: float
    crouch: float
    back: float
    neck: float
    chest: float
    apart: np.ndarray
    neck_aside: float

    @classmethod
    def drawn(cls, draw: np.random.Generator) -> "Habits":
        """Return a person's habits."""

        def normal(*shape: int) -> np.ndarray:
            return np.clip(draw.standard_normal(shape), -FARTHEST, FARTHEST)

        arms: dict[str, Any] = {
            name: mean + both * normal() + apart * normal(2) for name, (mean, both, apart) in ARMS.items()
        }
        arms["held_in"] = np.radians(arms["held_in"])
        feet: dict[str, Any] = {name: 2.0 * float(size * normal()) for name, size in FEET.items()}
        feet["duty"] += DUTY_BY_BEAT * feet["beat"]
        feet["splay"] = float(np.radians(feet["splay"]))
        bent = np.radians([KNEE_OF_ALL, KNEE_OF_ALL + max(float(KNEE * normal()) - STRAIGHTER, STRAIGHTEST)])
        crouch = float(np.cos(0.5 * bent[0]) - np.cos(0.5 * bent[1]))
        back, neck, chest = np.radians(np.array([BACK, NECK, CHEST]) * normal(3)).tolist()
        apart, aside = np.radians([APART, NECK_ASIDE]) * normal(2)
        arms["apart"] = 2.0 * apart * SIDES
        return cls(**arms, **feet, crouch=crouch, back=back, neck=neck, chest=chest, neck_aside=float(aside))

    @property
    def print_ahead(self) -> float:
        """How much farther ahead the left print is set than the right, in strides, beyond what its beat and
        time on the ground add."""
        return self.ahead - self.beat - 0.5 * self.duty

    def bent_neck(self, much: np.ndarray) -> np.ndarray:
        """Return rotations of the neck `(f, 3, 3)`, scaled by `much` `(f,)`."""
        return from_euler(self.neck * much, 0.0 * much, self.neck_aside * much)


def of_sides(value: float, much: np.ndarray) -> np.ndarray:
    """Return each side's part `(..., 2)` of a left-right difference, scaled by `much` `(..., 2 or 1)`."""
    return value * SIDES * much


@dataclass(frozen=True)
class Individual:
    """A person relative to the mean: `traits` (see TRAITS), left-right differences of the arms, bearing.

    `arm` is a logarithm, all others are radians: `elbow` is left minus right, `off` the arms' angle from the
    body. `habits`: of each side, and within a stride.
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


@lru_cache(maxsize=64)
def individual(seed: int) -> Individual:
    """Return the person that a seed draws."""
    draw = np.random.default_rng([seed, len(TRAITS)])
    people = shipped("people")
    size = equally_far(draw, len(people["components"]))
    rest = np.clip(draw.standard_normal(len(TRAITS)), -FARTHEST, FARTHEST)
    traits = size @ np.array(people["components"]) + rest * np.array(people["rest"])
    mean, spread = np.array([LEFT_ARM_MORE, ELBOW_MORE, ARM_OFF]).T
    arms = mean + spread * np.clip(draw.standard_normal(3), -FARTHEST, FARTHEST)
    bearing = np.array([NOD, HEAD_TILT, HEAD_TURN, SHOULDER_TILT]) * np.clip(
        draw.standard_normal(4), -FARTHEST, FARTHEST
    )
    elbow, off, nod, tilt, turn, shoulders = np.radians([*arms[1:], *bearing]).tolist()
    named: dict[str, float] = dict(zip(TRAITS, traits.tolist(), strict=True))
    return Individual(named, float(arms[0]), elbow, off, nod, tilt, turn, shoulders, Habits.drawn(draw))
