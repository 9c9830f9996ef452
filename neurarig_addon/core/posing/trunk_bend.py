"""Where a rig's own trunk takes its chest: one control that bends a whole spine moves the chest while it turns it."""

from dataclasses import dataclass

import numpy as np

from ..geometry.rotation import from_axis_angle, normalized, rotation_vector

_SHARES = (0.5, 1.0)  # of the chest's turn that bones below it make: thirds and quarters are told by these to a thousandth of it
_IDENTITY = np.eye(3).ravel()
TERMS = len(_SHARES) * len(_IDENTITY)


@dataclass(frozen=True)
class TrunkBend:
    """How far the chest goes off the place where the pelvis carries it, when it is turned against the pelvis.

    `terms` `(18, 3)`: metres for each number of half the turn's matrix, and of the whole turn's, beyond those of no turn.
    Exact where each bone below the chest makes none, half or all of its turn about an axis of its own.
    """

    terms: np.ndarray

    @classmethod
    def seen(cls, turns: np.ndarray, gone: np.ndarray, within: float) -> "TrunkBend | None":
        """Return what tells how far chests went `(f, 3)` that were turned by `turns` `(f, 3, 3)`, both as the pelvis sees it.

        None where they stay, or where three of four do not tell of the others, `within` metres.
        """
        if not np.isfinite(gone).all() or np.abs(gone).max() < within:
            return None
        other = np.arange(len(turns)) % 4 == 3
        most = cls._best(turns[~other], gone[~other])
        return cls._best(turns, gone) if np.abs(most.gone(turns[other]) - gone[other]).max() < within else None

    @classmethod
    def _best(cls, turns: np.ndarray, gone: np.ndarray) -> "TrunkBend":
        return cls(np.linalg.lstsq(_numbers(turns), gone, rcond=1e-6)[0])

    def gone(self, turns: np.ndarray) -> np.ndarray:
        """Return how far the chest goes `(f, 3)`, metres, as the pelvis sees it, when it is turned by `turns` `(f, 3, 3)`."""
        return _numbers(turns) @ self.terms


def _numbers(turns: np.ndarray) -> np.ndarray:
    vectors = rotation_vector(turns)
    axes, angles = normalized(vectors), np.linalg.norm(vectors, axis=-1)
    return np.concatenate([from_axis_angle(axes, share * angles).reshape(-1, 9) - _IDENTITY for share in _SHARES], axis=1)
