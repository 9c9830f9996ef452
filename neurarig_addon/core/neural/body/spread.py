"""One rotation for a chain of bones: the mean of theirs, and each bone's rotation for a given mean."""

from dataclasses import dataclass

import numpy as np

from ...geometry.rotation import transposed
from ..geometry.triad import nearest_rotation

_HALVES, _TRACE = np.full(9, 0.5), np.eye(3).ravel()
_OPPOSITE = 2e-6  # twice the sine of an angle: below, near half a circle, a turn has no clear axis and nothing is spread


def mean_rotation(turns: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the chordal mean `(f, 3, 3)` of rotations `(bones, f, 3, 3)` with weights `(bones,)`."""
    return nearest_rotation(np.einsum("b,bfij->fij", weights, turns))


@dataclass(frozen=True)
class Spread:
    """A chain of bones that share a rotation: their shares of its length `(bones,)`, and where their middles are, -0.5 to 0.5."""

    share: np.ndarray
    middle: np.ndarray

    @classmethod
    def of(cls, lengths: np.ndarray) -> "Spread":
        """Return the chain of bones of these lengths `(bones,)`."""
        share = lengths / lengths.sum()
        return cls(share, np.cumsum(share) - share / 2.0 - 0.5)

    def rotations(self, mean: np.ndarray, below: np.ndarray, above: np.ndarray) -> np.ndarray:
        """Return the bones' rotations `(f, bones, 3, 3)` between neighbours turned by `below` and `above` `(f, 3, 3)`.

        The bones turn evenly about one axis, in all by half the angle from `below` to `above`, and their chordal mean is exactly `mean`.
        """
        way = above @ transposed(below)
        skew = way - transposed(way)
        numbers = skew.reshape(-1, 9)
        sine = np.sqrt(numbers * numbers @ _HALVES)  # twice that of the angle, as is the cosine below
        angle = np.arctan2(sine, way.reshape(-1, 9) @ _TRACE - 1.0) * (sine > _OPPOSITE)
        each = np.exp(angle[:, None] * (0.5j * self.middle))
        # All turns have one axis, so the mean of the ramp is a turn about it too: remove it.
        mean_turn = each @ self.share
        each = (each * (np.conj(mean_turn) / np.abs(mean_turn))[:, None])[..., None, None]
        unit = skew / np.maximum(sine, _OPPOSITE)[:, None, None]
        once = unit @ mean
        return mean[:, None] + each.imag * once[:, None] + (1.0 - each.real) * (unit @ once)[:, None]
