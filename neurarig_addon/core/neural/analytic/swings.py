"""Bones swung to where they are seen to point, by the shortest rotation."""

from dataclasses import dataclass

import numpy as np

_NUDGE = 1e-9  # of a bone's length, aside: decides the plane of a turn by exactly half a circle
_HALVES = np.full((3, 3), 0.5)  # squared vectors @ this: half their squared lengths, three times


@dataclass(frozen=True)
class Swing:
    """Directions fixed in k bodies, equally many on each of h holders, to be turned to other directions.

    Frames are given by their axes, one in each row, and a fourth row of no meaning, so that nothing has to be cut out of the products.
    `mirror` `(h, 4 k / h, 4)`: from a holder's axes to each body's own axes after a half turn about its direction, and to that direction.
    """

    mirror: np.ndarray

    @classmethod
    def of(cls, directions: np.ndarray, aside: np.ndarray, axes: np.ndarray, holding: np.ndarray) -> "Swing":
        """Return the swing of directions `(k, 3)`; the axes of the bodies `(k, 3, 3)` and of their holders `(h, 3, 3)` in columns."""
        half_turn = 2.0 * directions[:, :, None] * directions[:, None, :] - np.eye(3)
        mirror = np.concatenate([np.swapaxes(axes, -1, -2) @ half_turn, (directions + _NUDGE * aside)[:, None, :]], axis=1)
        mirror = mirror.reshape(len(holding), -1, 3) @ holding
        return cls(np.concatenate([mirror, np.zeros_like(mirror[..., :1])], axis=-1))

    def apply(self, held: np.ndarray, towards: np.ndarray, out: np.ndarray) -> None:
        """Write frames `(f, k, 4, 3)`: carried by their holders, then turned until they point `towards` `(f, k, 3)`.

        The rotation from a to d is a half turn about a, then one about m = a + d: no trigonometry, no cases.  A `towards` shorter than 1
        is approached only in part, one of length zero not at all.  `held` `(f, h, 4, 3)`: the holders' frames.
        """
        carried = (self.mirror @ held).reshape(out.shape)
        middle = carried.take(3, axis=-2)
        middle += towards
        along = carried @ middle[..., None]
        middle /= (middle * middle).reshape(-1, 3).dot(_HALVES).reshape(middle.shape)
        np.subtract(along @ middle[..., None, :], carried, out=out)
