"""A person's habits, drawn by a seed: left-right differences, once-per-stride motion, how arms and back are held.

Means and standard deviations between eight people of the CMU motion capture database, from 42 walks; correlations cannot be
estimated from so few, so all but the feet's beat and time on the ground are drawn independently.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...geometry.rotation import from_euler

TURN = 2.0 * np.pi
# For both arms, and each side's deviation: cycles behind the legs, how far the elbow goes out and the hand comes in per
# radian of forward arm swing, degrees that the hand is always held in.
ARMS = {"late": (-0.025, 0.03, 0.02), "out": (0.35, 0.16, 0.08), "across": (0.5, 0.45, 0.25), "held_in": (-2.0, 4.0, 4.0)}
# Half of left minus right foot: strides ahead at contact (without the variation from stride to stride), cycles late, cycles longer on
# the ground beyond DUTY_BY_BEAT, log of the step height, degrees of splay.
FEET = {"ahead": 0.0046, "beat": 0.0048, "duty": 0.004, "height": 0.05, "splay": 2.7}
DUTY_BY_BEAT = -1.7  # cycles longer on the ground per cycle late: a foot that comes down early stands longer (correlation -0.8)
# Degrees: knee bend relative to the mean, never straighter than a straight leg; bend of back and neck, chest turned left.
KNEE, STRAIGHTEST, BACK, NECK, CHEST = 4.5, -4.0, 2.5, 2.5, 3.3
KNEE_OF_ALL = 8.0  # degrees of the mean knee at contact
# Degrees: half of left minus right, how far out an arm is always held, and the neck bent to the right.  Of ten people five held neck and
# arms straight within 3 degrees, and those with an askew neck were not those with askew arms.  Two skeletons were fitted 10 degrees
# askew, so the neck's spread is 1.48 times the median.
APART, NECK_ASIDE = 1.2, 2.4
# Once per stride, each with its own phase: leg lengths that the hips sink, degrees of chest and head nod.
SINKS, CHEST_NODS, HEAD_NODS = 0.003, 0.9, 1.2
FARTHEST = 2.0  # standard deviations
SIDES = np.array([0.5, -0.5])


@dataclass(frozen=True)
class Habits:
    """A person's habits; `(2,)` for left and right.

    Arms: see ARMS; feet, each as left minus right: see FEET, `splay` in radians.  `crouch` in leg lengths;
    `back`, `neck`, `chest`, `neck_aside` in radians; `apart` `(2,)`: radians that the arms are always held out; `strides`: amplitudes and
    phases `(2, 3)` of the once-per-stride motion of hips, chest and head.
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
    strides: np.ndarray
    apart: np.ndarray
    neck_aside: float

    @classmethod
    def drawn(cls, draw: np.random.Generator) -> "Habits":
        """Return a person's habits."""

        def normal(*shape: int) -> np.ndarray:
            return np.clip(draw.standard_normal(shape), -FARTHEST, FARTHEST)

        arms: dict[str, Any] = {name: mean + both * normal() + apart * normal(2) for name, (mean, both, apart) in ARMS.items()}
        arms["held_in"] = np.radians(arms["held_in"])
        feet: dict[str, Any] = {name: 2.0 * float(size * normal()) for name, size in FEET.items()}
        feet["duty"] += DUTY_BY_BEAT * feet["beat"]
        feet["splay"] = float(np.radians(feet["splay"]))
        bent = np.radians([KNEE_OF_ALL, KNEE_OF_ALL + max(float(KNEE * normal()), STRAIGHTEST)])
        crouch = float(np.cos(0.5 * bent[0]) - np.cos(0.5 * bent[1]))
        back, neck, chest = np.radians(np.array([BACK, NECK, CHEST]) * normal(3)).tolist()
        sizes = np.array([SINKS, *np.radians([CHEST_NODS, HEAD_NODS])]) * np.minimum(draw.rayleigh(size=3), FARTHEST)
        strides = np.stack([sizes, draw.random(3)])
        apart, aside = np.radians([APART, NECK_ASIDE]) * normal(2)
        arms["apart"] = 2.0 * apart * SIDES
        return cls(**arms, **feet, crouch=crouch, back=back, neck=neck, chest=chest, strides=strides, neck_aside=float(aside))

    @property
    def print_ahead(self) -> float:
        """How much farther ahead the left print is set than the right, in strides, beyond what its beat and time on the ground add."""
        return self.ahead - self.beat - 0.5 * self.duty

    def once_in_a_stride(self, phase: np.ndarray) -> np.ndarray:
        """Return `(3, f)` at phases `(f,)`: leg lengths that the hips sink, and radians that chest and head nod."""
        size, at = self.strides[..., None]
        return size * np.cos(TURN * (phase - at))

    def bent_neck(self, much: np.ndarray) -> np.ndarray:
        """Return rotations of the neck `(f, 3, 3)`, scaled by `much` `(f,)`."""
        return from_euler(self.neck * much, 0.0 * much, self.neck_aside * much)


def of_sides(value: float, much: np.ndarray) -> np.ndarray:
    """Return each foot's part `(..., 2)` of a left-right difference, scaled by `much` `(..., 2)`."""
    return value * SIDES * much
