"""Footprints as rigid frames: place, heading, and tilt of the ground under the foot."""

from dataclasses import dataclass

import numpy as np

from ..geometry.rotation import TINY, about_z, from_euler, norms, rotated, to_euler, wrapped


@dataclass(frozen=True)
class Prints:
    """Prints of any shape `(...)`: `place` `(..., 3)` in metres, on the ground under the ankle of a foot that
    stands flat.

    `heading`: yaw. `slope`, `bank`: pitch and roll of the ground in the foot's heading, downhill ahead and
    left side up positive;
    radians.
    """

    place: np.ndarray
    heading: np.ndarray
    slope: np.ndarray
    bank: np.ndarray

    @property
    def axes(self) -> np.ndarray:
        """The frames' axes `(..., 3, 3)`: ahead, left, and the normal of the ground."""
        return from_euler(self.slope, self.heading, self.bank)

    @property
    def rise(self) -> np.ndarray:
        """The ground's rise along x and y `(..., 2)`, metres per metre."""
        normal = self.axes[..., 2]
        return -normal[..., :2] / normal[..., 2:]

    def take(self, rows: np.ndarray, sides: np.ndarray) -> "Prints":
        """Return the prints at `[rows, sides]` of `(steps, 2)`."""
        return Prints(
            self.place[rows, sides],
            self.heading[rows, sides],
            self.slope[rows, sides],
            self.bank[rows, sides],
        )

    def turned(self, about: np.ndarray, angle: np.ndarray) -> "Prints":
        """Return the prints turned left by angles `(...)` about points `(..., 3)` of theirs, within their
        plane."""
        axes = self.axes
        turned = axes @ about_z(angle)
        slope, yaw, bank = to_euler(turned)
        heading = self.heading + angle
        heading = heading + wrapped(yaw - heading)  # unwrapped
        place, turns = self.place + rotated(axes - turned, about), angle != 0.0
        angles = ((heading, self.heading), (slope, self.slope), (bank, self.bank))
        return Prints(
            np.where(turns[..., None], place, self.place),
            *(np.where(turns, now, still) for now, still in angles),
        )

    def above(self, points: np.ndarray, near: float) -> np.ndarray:
        """Return how far points `(..., n, 3)` are above the prints' ground `(..., n)`, perpendicular to the
        print.

        The ground is the print's plane within `near` metres around it, and becomes level farther off.
        """
        away = points - self.place[..., None, :]
        near = max(near, TINY)  # of feet of no length
        far = np.maximum(norms(away[..., :2]), near)
        reach = near * (1.0 + np.tanh(far / near - 1.0)) / far
        height = away[..., 2] - reach * (away[..., :2] * self.rise[..., None, :]).sum(axis=-1)
        return height * self.axes[..., 2, 2][..., None]
