"""Displacement of the chest by a rig's own trunk: one control that bends a whole spine moves the chest while
it turns it."""

from dataclasses import dataclass

import numpy as np

from ..geometry.rotation import from_axis_angle, normalized, norms, rotation_vector

# shares of the chest's turn made by bones below: they model thirds and quarters too, to a thousandth of it
_SHARES = (0.5, 1.0)
_IDENTITY = np.eye(3).ravel()
TERMS = len(_SHARES) * len(_IDENTITY)


@dataclass(frozen=True)
class TrunkBend:
    """Displacement of the chest from where the pelvis carries it, when it is turned against the pelvis.

    `terms` `(18, 3)`: metres for each number of the matrix of half the turn, and of the whole turn, less the
    identity. Exact if each bone below the chest makes none, half or all of its turn about an axis of its own.
    """

    terms: np.ndarray

    @classmethod
    def seen(cls, turns: np.ndarray, shifts: np.ndarray, within: float) -> "TrunkBend | None":
        """Return the bend fitted to chests turned by `turns` `(f, 3, 3)` and displaced by `shifts` `(f, 3)`,
        both relative to the pelvis.

        None if they stay in place, or if three of four samples do not predict the others to `within` metres.
        """
        if not np.isfinite(shifts).all() or np.abs(shifts).max() < within:
            return None
        other = np.arange(len(turns)) % 4 == 3
        most = cls._best(turns[~other], shifts[~other])
        return (
            cls._best(turns, shifts)
            if np.abs(most.shift(turns[other]) - shifts[other]).max() < within
            else None
        )

    @classmethod
    def _best(cls, turns: np.ndarray, shifts: np.ndarray) -> "TrunkBend":
        return cls(np.linalg.lstsq(_numbers(turns), shifts, rcond=1e-6)[0])

    def shift(self, turns: np.ndarray) -> np.ndarray:
        """Return the chest's displacement `(f, 3)`, metres relative to the pelvis, when turned by `turns`
        `(f, 3, 3)`."""
        return _numbers(turns) @ self.terms


def _numbers(turns: np.ndarray) -> np.ndarray:
    vectors = rotation_vector(turns)
    axes, angles = normalized(vectors), norms(vectors)
    return np.concatenate(
        [from_axis_angle(axes, share * angles).reshape(-1, 9) - _IDENTITY for share in _SHARES], axis=1
    )
