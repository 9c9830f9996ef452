"""Bones brought where they are seen to point, by the shortest turn."""

from dataclasses import dataclass

import numpy as np

_NUDGE = 1e-9  # of a bone's length, aside: decides the plane of a turn by exactly half a circle
_HALVES = np.full((3, 3), 0.5)  # vectors' squares @ this: half the squares of their lengths, three times


@dataclass(frozen=True)
class Swing:
    """Directions fixed in k bodies that are to be brought to others.

    Frames are given by their axes, one in each row.  `mirror` `(k, 4, 3)`: from the axes of what holds a body, to the body's own after a
    half turn about its direction, and to that direction.
    """

    mirror: np.ndarray

    @classmethod
    def of(cls, directions: np.ndarray, aside: np.ndarray, axes: np.ndarray, holding: np.ndarray) -> "Swing":
        """Return the swing of directions `(k, 3)`; the axes of the bodies, and of what holds them, in columns `(k, 3, 3)`."""
        half_turn = 2.0 * directions[:, :, None] * directions[:, None, :] - np.eye(3)
        mirror = np.concatenate([np.swapaxes(axes, -1, -2) @ half_turn, (directions + _NUDGE * aside)[:, None, :]], axis=1)
        return cls(mirror @ holding)

    def apply(self, held: np.ndarray, towards: np.ndarray, out: np.ndarray) -> None:
        """Write frames `(..., k, 3, 3)`: those that hold them carry them, and they turn until they point `towards` `(..., k, 3)`.

        From a to d is a half turn about a and one about m = a + d: without trigonometry or cases.  A `towards` shorter than one is
        approached only in part, one of length zero not at all.
        """
        turned = self.mirror @ held
        middle = turned.take(3, axis=-2)
        middle += towards
        along = turned @ middle[..., None]
        middle /= (middle * middle) @ _HALVES
        swung = along @ middle[..., None, :]
        swung -= turned
        out[...] = swung[..., :3, :]
