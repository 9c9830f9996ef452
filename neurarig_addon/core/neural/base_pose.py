"""The character's own pose, to which the solver's changes are applied; what was not moved stays as it was.

A solver that sees a few points guesses the rest, and would replace an animator's pose by its own guess as soon as it is asked.  So it is
asked for the pose's own points first: the pose's difference from that answer is kept, joint by joint in the joint's own axes, and fades
out where the answer to moved points turns away from the first one.
"""

from dataclasses import dataclass

import numpy as np

from ..geometry.rotation import cross_matrix, rotation_vector, transposed
from .points import JOINTS, PARENTS

FADE_RAD = 0.6  # a joint that has turned this far relative to its parent keeps a third of its difference
_ABOVE = PARENTS[: len(JOINTS)].clip(0)  # the pelvis has itself; its share is found from the vertical
_ONES = np.ones(9)


@dataclass(frozen=True)
class BasePose:
    """A pose's difference from a solver's answer to its own points.

    `solved` `(22, 3, 3)`: that answer, each joint relative to its parent, over the square of FADE_RAD; `upright` `(3, 3)`: used for the
    pelvis instead, to compare how upright it is: twice its vertical, over the same, in the last row, and zeros.
    `angles` `(22, 1)`: the angles, times 1j, by which the pose is turned from it, and `shift` `(3,)`: the pelvis' offset in its own axes;
    both over the exponential that an unchanged joint has.  `turns` `(22, 2, 9)`, `still` `(22, 1, 9)`: the rotation by another angle about
    the same axis is cos, sin @ turns + still (Rodrigues).
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
        """Return a solver's answer `(f, 22, 3, 3)`, `(f, 3)` with the pose's difference, as far as that has not faded."""
        # A joint turned by an angle from its rotation in the base has the scalar product 1 + 2 cos with that; twice the pelvis' vertical
        # has 2 cos.  For small turns the angle squared is 2 - 2 cos, which needs no arc cosine.
        carried = rotations.take(_ABOVE, axis=1) @ self.solved
        carried[:, 0] = self.upright
        carried *= rotations
        kept = np.exp(carried.reshape(-1, 9).dot(_ONES)).reshape(-1, len(JOINTS), 1)
        cos_sin = np.exp(kept * self.angles).view(float)
        turn = cos_sin[:, :, None] @ self.turns
        turn += self.still
        return rotations @ turn.reshape(rotations.shape), root + kept[:, 0] * rotations[:, 0].dot(self.shift)
