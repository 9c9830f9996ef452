"""How left and right of somebody differ, what comes once in a stride, and how arms and back are held: what a seed draws beside traits.

Means and standard deviations between eight people of the CMU motion capture database, of their means over 42 walks; how habits go together
is not known from so few, so each is drawn by itself.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...geometry.rotation import from_euler

TURN = 2.0 * np.pi
# Of both arms, and by how much each side is off that: cycles behind the legs, how far the elbow goes out and the hand comes in for each
# radian that the arm swings ahead, degrees that the hand is always held in.
ARMS = {"late": (-0.015, 0.03, 0.02), "out": (0.35, 0.16, 0.08), "across": (0.5, 0.45, 0.25), "held_in": (-2.0, 4.0, 4.0)}
# Half of what the left foot does more than the right one: strides ahead, cycles late, cycles longer on the ground, a logarithm, degrees.
FEET = {"ahead": 0.0087, "beat": 0.0048, "duty": 0.008, "height": 0.05, "splay": 2.7}
# Degrees: how bent knees are beside the mean, never straighter than legs; back and neck bent, chest turned to the left.
KNEE, STRAIGHTEST, BACK, NECK, CHEST = 4.5, -4.0, 2.5, 2.5, 3.3
KNEE_OF_ALL = 8.0  # degrees at contact
# Once in a stride, at a phase of its own: leg lengths that hips sink, degrees that the chest and the head nod.
SINKS, CHEST_NODS, HEAD_NODS = 0.003, 0.9, 1.2
FARTHEST = 2.0  # standard deviations
SIDES = np.array([0.5, -0.5])


@dataclass(frozen=True)
class Habits:
    """Somebody's habits; `(2,)` for left and right.

    Of arms: see ARMS; of feet, each for the left one more than for the right: see FEET, `splay` in radians.  `crouch` in leg lengths;
    `back`, `neck`, `chest` in radians; `strides`: sizes and phases `(2, 3)` of what hips, chest and head do once in a stride.
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

    @classmethod
    def drawn(cls, draw: np.random.Generator) -> "Habits":
        """Return somebody's."""

        def normal(*shape: int) -> np.ndarray:
            return np.clip(draw.standard_normal(shape), -FARTHEST, FARTHEST)

        arms: dict[str, Any] = {name: mean + both * normal() + apart * normal(2) for name, (mean, both, apart) in ARMS.items()}
        arms["held_in"] = np.radians(arms["held_in"])
        feet: dict[str, Any] = {name: 2.0 * float(size * normal()) for name, size in FEET.items()}
        feet["splay"] = float(np.radians(feet["splay"]))
        bent = np.radians([KNEE_OF_ALL, KNEE_OF_ALL + max(float(KNEE * normal()), STRAIGHTEST)])
        crouch = float(np.cos(0.5 * bent[0]) - np.cos(0.5 * bent[1]))
        back, neck, chest = np.radians(np.array([BACK, NECK, CHEST]) * normal(3)).tolist()
        sizes = np.array([SINKS, *np.radians([CHEST_NODS, HEAD_NODS])]) * np.minimum(draw.rayleigh(size=3), FARTHEST)
        return cls(**arms, **feet, crouch=crouch, back=back, neck=neck, chest=chest, strides=np.stack([sizes, draw.random(3)]))

    @property
    def print_ahead(self) -> float:
        """How much farther ahead the left print is set than the right one, in strides, less what its beat and time on the ground add."""
        return self.ahead - self.beat - 0.5 * self.duty

    def once_in_a_stride(self, phase: np.ndarray) -> np.ndarray:
        """Return how far hips have sunk `(f,)`, in leg lengths, and radians that chest and head nod, at phases `(f,)`: `(3, f)`."""
        size, at = self.strides[..., None]
        return size * np.cos(TURN * (phase - at))

    def bent_neck(self, much: np.ndarray) -> np.ndarray:
        """Return turns of the neck `(f, 3, 3)` for somebody who is this person `much` `(f,)`."""
        return from_euler(self.neck * much, 0.0 * much, 0.0 * much)


def of_sides(value: float, much: np.ndarray) -> np.ndarray:
    """Return what each foot `(..., 2)` has of what the left one has more than the right; `much` `(..., 2)`."""
    return value * SIDES * much
