"""The pose that a character had: what the solver changes is changed in it, and what nobody moved stays as it was.

A solver that sees a few points guesses the rest, and would replace an animator's pose by its own guess as soon as it is asked.  So it is
asked for the pose's own points first: what the pose differs from that answer is kept, joint by joint in the joint's own axes, and fades
out where the answer to moved points turns away from the first one.
"""

from dataclasses import dataclass

import numpy as np

from ..rotation import rotation_vector, transposed
from .points import JOINTS, PARENTS

FADE_RAD = 0.6  # a joint that has turned so far against its parent keeps a third of its difference
_PARENTS = PARENTS[1 : len(JOINTS)]
_SKEW = np.zeros((3, 3, 3))  # vector @ _SKEW is the matrix of the cross product
for _row, (_first, _second) in enumerate(((1, 2), (2, 0), (0, 1))):
    _SKEW[_row, _second, _first], _SKEW[_row, _first, _second] = 1.0, -1.0


@dataclass(frozen=True)
class BasePose:
    """`solved` `(22, 3, 3)`: the solver's answer to the pose's own points, each joint as its parent sees it, the pelvis as the world's
    vertical does.  `skew` `(22, 3, 3)`, `angle` `(22,)`: turns from that answer to the pose.  `shift` `(3,)`: of the pelvis, in its axes.
    """

    solved: np.ndarray
    skew: np.ndarray
    angle: np.ndarray
    shift: np.ndarray

    @classmethod
    def of(cls, solved: np.ndarray, solved_root: np.ndarray, rotations: np.ndarray, root: np.ndarray) -> "BasePose":
        """Return the base of a pose `rotations` `(22, 3, 3)`, `root` `(3,)` to whose points a solver answers `solved`, `solved_root`."""
        turn = rotation_vector(transposed(solved) @ rotations)
        angle = np.linalg.norm(turn, axis=-1)
        axis = turn / np.maximum(angle, 1e-12)[:, None]
        return cls(_seen_by_parents(solved), np.tensordot(axis, _SKEW, 1), angle, solved[0].T @ (root - solved_root))

    def apply(self, rotations: np.ndarray, root: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return a solver's answer `(..., 22, 3, 3)`, `(..., 3)` with what the pose differs, as far as it has not faded."""
        cosine = 0.5 * (np.trace(transposed(self.solved) @ _seen_by_parents(rotations), axis1=-2, axis2=-1) - 1.0)
        cosine[..., 0] = rotations[..., 0, 2, :] @ self.solved[0, 2]
        # For small turns the square of the angle is 2 - 2 cos, which needs no arc.
        kept = np.exp((2.0 * cosine - 2.0) / FADE_RAD**2)
        angle = (kept * self.angle)[..., None, None]
        turned = rotations + rotations @ (np.sin(angle) * self.skew + (1.0 - np.cos(angle)) * (self.skew @ self.skew))
        return turned, root + kept[..., :1] * (rotations[..., 0, :, :] @ self.shift)


def _seen_by_parents(rotations: np.ndarray) -> np.ndarray:
    seen = rotations.copy()
    seen[..., 1:, :, :] = transposed(rotations[..., _PARENTS, :, :]) @ rotations[..., 1:, :, :]
    return seen
