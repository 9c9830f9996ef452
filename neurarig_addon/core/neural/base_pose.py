"""The pose that a character had: what the solver changes is changed in it, and what nobody moved stays as it was.

A solver that sees a few points guesses the rest, and would replace an animator's pose by its own guess as soon as it is asked.  So it is
asked for the pose's own points first: what the pose differs from that answer is kept, joint by joint in the joint's own axes, and fades
out where the answer to moved points turns away from the first one.
"""

from dataclasses import dataclass

import numpy as np

from ..geometry.rotation import cross_matrix, rotation_vector, transposed
from .points import JOINTS, PARENTS

FADE_RAD = 0.6  # a joint that has turned so far against its parent keeps a third of its difference
_ABOVE = PARENTS[: len(JOINTS)].clip(0)  # of the pelvis itself, whose share is told by the vertical
_ONES = np.ones(9)


@dataclass(frozen=True)
class BasePose:
    """What a pose differs from a solver's answer to its own points.

    `solved` `(22, 3, 3)`: that answer, each joint as its parent sees it, over the square of FADE_RAD; `upright` `(3, 3)`: the same of the
    pelvis, whose place has what tells how upright it is: the vertical twice, and nothing.
    `angles` `(22, 1)`: by how much, times 1j, the pose is turned from it, and `shift` `(3,)`, by how much the pelvis is moved, in its
    axes; both over what the exponential of an unchanged joint is.  `turns` `(22, 2, 9)`, `still` `(22, 1, 9)`: the turn by another angle
    about the same axis is cos, sin @ turns + still (Rodrigues).
    """

    solved: np.ndarray
    upright: np.ndarray
    angles: np.ndarray
    shift: np.ndarray
    turns: np.ndarray
    still: np.ndarray

    @classmethod
    def of(cls, solved: np.ndarray, solved_root: np.ndarray, rotations: np.ndarray, root: np.ndarray) -> "BasePose":
        """Return the base of a pose `rotations` `(22, 3, 3)`, `root` `(3,)` to whose points a solver answers `solved`, `solved_root`."""
        turn = rotation_vector(transposed(solved) @ rotations)
        angle = np.linalg.norm(turn, axis=-1)
        skew = cross_matrix(turn / np.maximum(angle, 1e-12)[:, None])
        twice = skew @ skew
        unchanged = np.exp(np.array([2.0] + [3.0] * (len(JOINTS) - 1)) / FADE_RAD**2)
        upright = np.zeros((3, 3))
        upright[2] = 2.0 * solved[0, 2] / FADE_RAD**2
        return cls(
            solved=transposed(solved[_ABOVE]) @ solved / FADE_RAD**2,
            upright=upright,
            angles=1j * (angle / unchanged)[:, None],
            shift=solved[0].T @ (root - solved_root) / unchanged[0],
            turns=np.stack([-twice, skew], axis=1).reshape(-1, 2, 9),
            still=(np.eye(3) + twice).reshape(-1, 1, 9),
        )

    def apply(self, rotations: np.ndarray, root: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return a solver's answer `(f, 22, 3, 3)`, `(f, 3)` with what the pose differs, as far as it has not faded."""
        # Joints that have turned by an angle from where the base has them have a product of 1 + 2 cos with it, the pelvis' vertical one
        # of 2 cos.  For small turns the square of the angle is 2 - 2 cos, and needs no arc.
        carried = rotations.take(_ABOVE, axis=1) @ self.solved
        carried[:, 0] = self.upright
        carried *= rotations
        kept = np.exp(carried.reshape(-1, 9).dot(_ONES)).reshape(-1, len(JOINTS), 1)
        cos_sin = np.exp(kept * self.angles).view(float)
        turn = cos_sin[:, :, None] @ self.turns
        turn += self.still
        return rotations @ turn.reshape(rotations.shape), root + kept[:, 0] * rotations[:, 0].dot(self.shift)
