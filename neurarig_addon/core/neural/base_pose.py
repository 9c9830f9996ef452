"""The pose that a character had: what the solver changes is changed in it, and what nobody moved stays as it was.

A solver that sees a few points guesses the rest, and would replace an animator's pose by its own guess as soon as it is asked.  So it is
asked for the pose's own points first: what the pose differs from that answer is kept, joint by joint in the joint's own axes, and fades
out where the answer to moved points turns away from the first one.
"""

from dataclasses import dataclass

import numpy as np

from ..rotation import cross_matrix, rotation_vector, transposed
from .points import JOINTS, PARENTS

FADE_RAD = 0.6  # a joint that has turned so far against its parent keeps a third of its difference
_PARENTS = PARENTS[1 : len(JOINTS)]
_ONES = np.ones(9)


@dataclass(frozen=True)
class BasePose:
    """`solved` `(22, 9)`: the solver's answer to the pose's own points, each joint as its parent sees it, the pelvis as the world's
    vertical does (`_seen_by_parents`).  `angle` `(22,)`: by how much the pose is turned from it.  `turns` `(22, 2, 9)`, `still` `(22, 9)`:
    the turn by another angle about the same axis is cos, sin @ turns + still (Rodrigues).  `shift` `(3,)`: of the pelvis, in its axes.
    """

    solved: np.ndarray
    angle: np.ndarray
    turns: np.ndarray
    still: np.ndarray
    shift: np.ndarray

    @classmethod
    def of(cls, solved: np.ndarray, solved_root: np.ndarray, rotations: np.ndarray, root: np.ndarray) -> "BasePose":
        """Return the base of a pose `rotations` `(22, 3, 3)`, `root` `(3,)` to whose points a solver answers `solved`, `solved_root`."""
        turn = rotation_vector(transposed(solved) @ rotations)
        angle = np.linalg.norm(turn, axis=-1)
        skew = cross_matrix(turn / np.maximum(angle, 1e-12)[:, None])
        twice = skew @ skew
        turns = np.stack([-twice, skew], axis=1).reshape(-1, 2, 9)
        still = (np.eye(3) + twice).reshape(-1, 9)
        return cls(_seen_by_parents(solved), angle, turns, still, solved[0].T @ (root - solved_root))

    def apply(self, rotations: np.ndarray, root: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return a solver's answer `(..., 22, 3, 3)`, `(..., 3)` with what the pose differs, as far as it has not faded."""
        # For small turns the square of the angle is 2 - 2 cos, which is 3 - trace, and needs no arc.
        kept = np.exp(((self.solved * _seen_by_parents(rotations)) @ _ONES - 3.0) / FADE_RAD**2)
        cos_sin = np.exp(1j * (kept * self.angle)).view(float).reshape(kept.shape + (1, 2))
        turn = (cos_sin @ self.turns)[..., 0, :] + self.still
        turned = rotations @ turn.reshape(rotations.shape)
        return turned, root + kept[..., :1] * (rotations[..., 0, :, :] @ self.shift)


def _seen_by_parents(rotations: np.ndarray) -> np.ndarray:
    """Return joints `(..., 22, 9)` as their parents see them.

    Of the pelvis it is the vertical, twice, beside a one: products of two such are 1 + 2 cos, as those of rotations, their trace, are.
    """
    seen = np.empty(rotations.shape)
    seen[..., 1:, :, :] = transposed(rotations[..., _PARENTS, :, :]) @ rotations[..., 1:, :, :]
    seen[..., 0, :2, :] = rotations[..., 0, 2:, :]
    seen[..., 0, 2, :] = (1.0, 0.0, 0.0)
    return seen.reshape(rotations.shape[:-2] + (9,))
