"""The most likely pose between what points show and what was expected: Gauss-Newton steps on all rotations at once.

Minimised is  sum_k w_k |x_k - y_k|^2  +  d' P d  over the pelvis' place and the turns d of the 22 joints away from the expected pose, each
about the world's axes: x are the points of the pose, y those seen with weights w = visibility / sigma^2.  The points move with the turns
by dx_k = sum_j d_j x a_kj, where a_kj is the bone by which joint j carries point k; so the normal matrix is made of the products
a_ki a_kj' alone, by [a]x [b]x' = (a.b) 1 - b a'.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .. import rotation
from .points import JOINTS, PARENTS, POINTS

_JOINTS = len(JOINTS)
_EYE = np.eye(3)
_WEAK = 1e-9  # of a full point's weight: holds what neither points nor prior hold
_LONGEST_TURN = 1.0  # radians that a joint turns in one step


def _ways() -> tuple[np.ndarray, np.ndarray]:
    """Return by which point's bone each joint carries each point `(27, 22)`, -1 for none, and the same as sums over bones `(27, 27)`."""
    ways = np.full((len(POINTS), _JOINTS), -1)
    sums = np.zeros((len(POINTS), len(POINTS)))
    for point in range(len(POINTS)):
        row = point
        while row:
            ways[point, PARENTS[row]] = row
            sums[point, row] = 1.0
            row = int(PARENTS[row])
    return ways, sums


_WAYS, _SUMS = _ways()


@dataclass(frozen=True)
class Refinement:
    """The body and the prior of a refinement.

    `offsets` `(27, 3)`: of the PointBody.  `precision`: how sure the expected rotations are, 1/rad^2: `(22,)` one number for a joint, or
    `(66, 66)` for all of them together, about the joints' own axes (those of the reference pose, as the expected pose turns them).
    """

    offsets: np.ndarray
    precision: np.ndarray

    def solve(
        self, rotations: np.ndarray, root: np.ndarray, points: np.ndarray, weights: np.ndarray, steps: int = 1
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return refined rotations `(f, 22, 3, 3)` and the pelvis' place `(f, 3)`.

        `rotations`, `root`: the expected pose, from which the search starts.  `points` `(f, 27, 3)` metres, and their `weights` `(27,)` or
        `(f, 27)`: visibility over the noise' variance, 1/m^2; 0 for a missing point, which may be NaN.  A step that does not improve a
        frame is not taken.
        """
        weights = np.broadcast_to(weights, points.shape[:2]) * np.isfinite(points).all(axis=-1)
        points = np.where(weights[..., None] > 0.0, points, 0.0)
        expected, prior = rotations, self._prior(rotations)
        away = np.zeros((len(rotations), 3 * _JOINTS))
        gaps, bones = self._gaps(rotations, root, points)
        cost = (weights * (gaps * gaps).sum(axis=-1)).sum(axis=-1)
        for step in range(steps):
            shift, turns = self._step(bones, gaps, weights, prior, away)
            tried = rotation.from_axis_angle(*_axis_angle(turns)) @ rotations
            moved = root + shift
            new_gaps, new_bones = self._gaps(tried, moved, points)
            new_away = (
                rotation.rotation_vector(tried @ np.swapaxes(expected, -1, -2)).reshape(away.shape) if step else turns.reshape(away.shape)
            )
            pull = ((prior @ new_away[..., None])[..., 0] * new_away).sum(axis=-1)
            new_cost = (weights * (new_gaps * new_gaps).sum(axis=-1)).sum(axis=-1) + pull
            better = new_cost <= cost
            if better.all():
                rotations, root, gaps, bones, away, cost = tried, moved, new_gaps, new_bones, new_away, new_cost
                continue
            rotations = np.where(better[:, None, None, None], tried, rotations)
            gaps, bones = (np.where(better[:, None, None], new, old) for new, old in ((new_gaps, gaps), (new_bones, bones)))
            root, away = (np.where(better[:, None], new, old) for new, old in ((moved, root), (new_away, away)))
            cost = np.where(better, new_cost, cost)
        return rotations, root

    @cached_property
    def _blocks(self) -> np.ndarray:
        return np.diag(np.repeat(self.precision, 3)) if self.precision.ndim == 1 else self.precision

    def _prior(self, rotations: np.ndarray) -> np.ndarray:
        """Return the precision about the world's axes `(f or 1, 66, 66)`."""
        if self.precision.ndim == 1:
            return self._blocks[None]
        blocks = self._blocks.reshape(_JOINTS, 3, _JOINTS, 3)
        turned = np.einsum("fiab,ibjc,fjdc->fiajd", rotations, blocks, rotations, optimize=True)
        return turned.reshape(len(rotations), 3 * _JOINTS, 3 * _JOINTS)

    def _gaps(self, rotations: np.ndarray, root: np.ndarray, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return from the pose to the points `(f, 27, 3)`, and the bones as they are turned `(f, 27, 3)`, the pelvis' of no length."""
        bones = np.zeros_like(points)
        bones[:, 1:] = (rotations[:, PARENTS[1:]] @ self.offsets[1:, :, None])[..., 0]
        return points - _SUMS @ bones - root[:, None, :], bones

    def _step(
        self, bones: np.ndarray, gaps: np.ndarray, weights: np.ndarray, prior: np.ndarray, away: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the shift of the root `(f, 3)` and the turns of the joints `(f, 22, 3)` about the world's axes."""
        frames, count = len(bones), 3 * _JOINTS
        arms = bones[:, _WAYS] * (_WAYS >= 0)[..., None]
        flat = arms.reshape(frames, len(POINTS), count)
        heavy = weights[..., None] * flat
        products = (np.swapaxes(heavy, 1, 2) @ flat).reshape(frames, _JOINTS, 3, _JOINTS, 3)
        normal = np.empty((frames, 3 + count, 3 + count))
        dots = np.trace(products, axis1=2, axis2=4)
        turning = dots[:, :, None, :, None] * _EYE[:, None, :] - np.swapaxes(products, 2, 4)
        normal[:, 3:, 3:] = turning.reshape(frames, count, count) + prior
        lever = rotation.cross_matrix(heavy.sum(axis=1).reshape(frames, _JOINTS, 3)).reshape(frames, count, 3)
        normal[:, 3:, :3] = lever
        normal[:, :3, 3:] = np.swapaxes(lever, 1, 2)
        normal[:, :3, :3] = weights.sum(axis=-1)[:, None, None] * _EYE
        diagonal = np.einsum("fii->fi", normal)
        diagonal += _WEAK * (1.0 + weights.max(axis=-1)[:, None])
        wanted = np.empty((frames, 3 + count))
        wanted[:, :3] = (weights[..., None] * gaps).sum(axis=1)
        torque = (np.swapaxes(heavy, 1, 2) @ gaps).reshape(frames, _JOINTS, 3, 3)
        torque = np.stack(
            [torque[..., 1, 2] - torque[..., 2, 1], torque[..., 2, 0] - torque[..., 0, 2], torque[..., 0, 1] - torque[..., 1, 0]], -1
        )
        wanted[:, 3:] = torque.reshape(frames, count) - (prior @ away[..., None])[..., 0]
        move = np.linalg.solve(normal, wanted[..., None])[..., 0]
        return move[:, :3], move[:, 3:].reshape(frames, _JOINTS, 3)


def _axis_angle(turns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    angle = np.sqrt(np.sum(turns * turns, axis=-1))
    return turns / np.maximum(angle, rotation.TINY)[..., None], np.minimum(angle, _LONGEST_TURN)
