"""How ground that moves has carried feet since they touched it."""

from dataclasses import dataclass

import numpy as np

from ..geometry.rotation import from_axis_angle, normalized, rotated, transposed
from .feet import Feet

PLACE, SHIFT, TURN = slice(0, 3), slice(3, 6), slice(6, 9)


@dataclass(frozen=True)
class Carry:
    """For both feet over time, `values` `(f, 2, 9)`: about which place, how far in metres, and how turned, as a rotation vector."""

    values: np.ndarray

    @property
    def turned(self) -> np.ndarray:
        """How feet are turned `(f, 2, 3, 3)`."""
        turn = self.values[..., TURN]
        return from_axis_angle(normalized(turn), np.linalg.norm(turn, axis=-1))

    @property
    def yaw(self) -> np.ndarray:
        """Radians to the left `(f, 2)`."""
        return self.values[..., TURN][..., 2]

    def feet(self, feet: Feet) -> Feet:
        """Return feet where they are carried."""
        place, turn = self.values[..., PLACE], self.turned
        ankle = place + self.values[..., SHIFT] + rotated(turn, feet.ankle - place)
        return Feet(ankle, turn @ feet.turn, turn @ feet.toe)

    def back(self, points: np.ndarray) -> np.ndarray:
        """Return points of feet `(f, 2, n, 3)` as if the ground had not moved since they touched it."""
        place, shift = self.values[..., None, PLACE], self.values[..., None, SHIFT]
        return place + rotated(transposed(self.turned)[..., None, :, :], points - place - shift)
