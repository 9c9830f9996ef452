"""How moving ground has carried feet since touchdown."""

from dataclasses import dataclass

import numpy as np

from ..geometry.rotation import from_axis_angle, normalized, rotated, transposed
from .feet import Feet

PLACE, SHIFT, TURN = slice(0, 3), slice(3, 6), slice(6, 9)


@dataclass(frozen=True)
class Carry:
    """The carry of both feet over time, `values` `(f, 2, 9)`: centre, translation in metres, and rotation vector."""

    values: np.ndarray

    @property
    def turned(self) -> np.ndarray:
        """Rotations of the feet `(f, 2, 3, 3)`."""
        turn = self.values[..., TURN]
        return from_axis_angle(normalized(turn), np.linalg.norm(turn, axis=-1))

    @property
    def yaw(self) -> np.ndarray:
        """Radians to the left `(f, 2)`."""
        return self.values[..., TURN][..., 2]

    def feet(self, feet: Feet) -> Feet:
        """Return the feet carried by the ground."""
        place, turn = self.values[..., PLACE], self.turned
        ankle = place + self.values[..., SHIFT] + rotated(turn, feet.ankle - place)
        return Feet(ankle, turn @ feet.turn, turn @ feet.toe)

    def back(self, points: np.ndarray) -> np.ndarray:
        """Return points of feet `(f, 2, n, 3)` as if the ground had not moved since touchdown."""
        place, shift = self.values[..., None, PLACE], self.values[..., None, SHIFT]
        return place + rotated(transposed(self.turned)[..., None, :, :], points - place - shift)
