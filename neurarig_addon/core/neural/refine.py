"""The most likely pose under what points show and what people do: Gauss-Newton steps on all rotations at once.

Minimised is  sum_k w_k |x_k - y_k|^2  +  s v' P v : x are the points of the pose, y those seen with weights w = visibility / noise^2, v the
turns of the joints away from the prior's mean pose, each as its parent sees it, P the prior's precision, s its strength.  A step turns
joint j by d_j about the world's axes.  Then  dx_k = sum_j d_j x a_kj,  where a_kj is the bone by which joint j carries point k, and
dv_j = K_j (d_j - d_parent),  K_j = J^-1(v_j) E_j',  with the right Jacobian J of SO(3).  One step from a good start is nearly all.
"""

from dataclasses import dataclass

import numpy as np

from .. import rotation
from .points import JOINTS, PARENTS, POINTS
from .pose_prior import PARENT_ROWS, PosePrior

_JOINTS = len(JOINTS)
_UNKNOWNS = 3 + 3 * _JOINTS
_WEAK = 1e-6  # 1/rad^2, 1/m^2: holds what neither points nor prior hold
_LONGEST_TURN = 1.0  # radians that a joint turns in one step
_SMALL, _CURVED = 1e-9, 1e-3  # radians
_LONGEST_LOG = 3.0  # radians: nearer to half a turn the antisymmetric part loses the axis
_EYE = np.eye(3)
# vector @ _SKEW is the matrix of the cross product with it, row by row; a matrix' nine numbers @ _SKEW_TWICE twice its antisymmetric part.
_SKEW = np.zeros((3, 3, 3))
for _a, _b, _c in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
    _SKEW[_a, _c, _b], _SKEW[_a, _b, _c] = 1.0, -1.0
_SKEW = _SKEW.reshape(3, 9)
_SKEW_BACK, _SKEW_TWICE = -_SKEW, np.ascontiguousarray(_SKEW.T)


def _ways() -> tuple[np.ndarray, np.ndarray]:
    """Return by which point's bone each joint carries each point `(27, 22)`, 0 for none, and the same as sums over bones `(27, 27)`."""
    ways = np.zeros((len(POINTS), _JOINTS), dtype=int)
    sums = np.zeros((len(POINTS), len(POINTS)))
    for point in range(len(POINTS)):
        row = point
        while row:
            ways[point, PARENTS[row]] = row
            sums[point, row] = 1.0
            row = int(PARENTS[row])
    return ways, sums


_WAYS, _SUMS = _ways()
# From turns of joints to their turns against the parent `(63, 66)`.
_AGAINST_PARENT = np.kron(np.eye(_JOINTS)[1:] - np.eye(_JOINTS)[PARENT_ROWS], _EYE)


@dataclass(frozen=True)
class Refinement:
    """`offsets` `(27, 3)`: of the PointBody; `prior`: what people do."""

    offsets: np.ndarray
    prior: PosePrior

    def solve(
        self, rotations: np.ndarray, root: np.ndarray, points: np.ndarray, weights: np.ndarray, strength: float = 1.0, steps: int = 1
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the pose after some steps from rotations `(f, 22, 3, 3)` with the pelvis at `root` `(f, 3)`.

        `points` `(f, 27, 3)` metres, and their `weights` `(27,)` or `(f, 27)`: visibility over the noise' variance, 1/m^2; 0 for a missing
        point, which may be NaN.  `strength`: what the prior counts.  A step that makes a frame worse is not taken.
        """
        weights = np.broadcast_to(weights, points.shape[:2]) * np.isfinite(points).all(axis=-1)
        trust = np.sqrt(weights)[..., None]
        points = np.where(trust > 0.0, points, 0.0)
        spread = np.sqrt(strength) * self.prior.whitening
        state = self._state(rotations, root, points, trust)
        cost = _cost(state, spread)
        for _ in range(steps):
            move = self._step(rotations, state, trust, spread)
            tried, moved = turned(move[:, 3:].reshape(-1, _JOINTS, 3)) @ rotations, root + move[:, :3]
            new = self._state(tried, moved, points, trust)
            new_cost = _cost(new, spread)
            worse = new_cost >= cost
            if worse.any():
                for now, old in zip((tried, moved, *new, new_cost), (rotations, root, *state, cost), strict=True):
                    now[worse] = old[worse]
            rotations, root, state, cost = tried, moved, new, new_cost
        return rotations, root

    def _state(self, rotations: np.ndarray, root: np.ndarray, points: np.ndarray, trust: np.ndarray) -> tuple[np.ndarray, ...]:
        """Return the bones as turned `(f, 27, 3)`, the weighted ways to the points `(f, 27, 3)`, turns off the mean `(f, 21, 3)`."""
        bones = np.zeros(points.shape)
        bones[:, 1:] = (rotations.take(PARENTS[1:], axis=1) @ self.offsets[1:, :, None])[..., 0]
        gaps = (points - _SUMS @ bones - root[:, None]) * trust
        local = rotations.take(PARENT_ROWS, axis=1).swapaxes(-1, -2) @ rotations[:, 1:]
        return bones, gaps, turn_of(self.prior.mean_back @ local)

    def _step(self, rotations: np.ndarray, state: tuple[np.ndarray, ...], trust: np.ndarray, spread: np.ndarray) -> np.ndarray:
        """Return the shift of the root and the turns of the joints about the world's axes `(f, 69)`."""
        bones, gaps, away = state
        frames = len(bones)
        rows = np.zeros((frames, 3 * len(POINTS) + len(spread), _UNKNOWNS))
        shown = rows[:, : 3 * len(POINTS)].reshape(frames, len(POINTS), 3, _UNKNOWNS)
        shown[..., :3] = trust[..., None] * _EYE
        arms = bones.take(_WAYS.ravel(), axis=1).reshape(frames, len(POINTS), _JOINTS, 3) * trust[..., None]
        shown[..., 3:] = (arms @ _SKEW_BACK).reshape(frames, len(POINTS), _JOINTS, 3, 3).swapaxes(2, 3).reshape(frames, len(POINTS), 3, -1)
        own = _log_slope(away) @ rotations[:, 1:].swapaxes(-1, -2)
        columns = (spread.reshape(len(spread), -1, 3).swapaxes(0, 1) @ own).swapaxes(1, 2).reshape(frames, len(spread), -1)
        rows[:, 3 * len(POINTS) :, 3:] = columns @ _AGAINST_PARENT
        wanted = np.concatenate([gaps.reshape(frames, -1), -(away.reshape(frames, -1) @ spread.T)], axis=-1)
        back = rows.swapaxes(-1, -2)
        normal = back @ rows
        np.einsum("fii->fi", normal)[:] += _WEAK
        return np.linalg.solve(normal, back @ wanted[..., None])[..., 0]


def _cost(state: tuple[np.ndarray, ...], spread: np.ndarray) -> np.ndarray:
    """Return what is minimised `(f,)`."""
    _, gaps, away = state
    pulled = away.reshape(len(away), -1) @ spread.T
    return np.einsum("fki,fki->f", gaps, gaps) + np.einsum("fi,fi->f", pulled, pulled)


def turned(turns: np.ndarray) -> np.ndarray:
    """Return the rotations `(..., 3, 3)` of rotation vectors, none longer than a joint turns in one step."""
    angle = np.sqrt(np.sum(turns * turns, axis=-1))[..., None, None]
    safe = np.maximum(angle, _SMALL)
    skew = (turns @ _SKEW).reshape(turns.shape + (3,)) / safe
    angle = np.minimum(angle, _LONGEST_TURN)
    return _EYE + np.sin(angle) * skew + (1.0 - np.cos(angle)) * (skew @ skew)


def turn_of(rotations: np.ndarray) -> np.ndarray:
    """Return the rotation vectors `(..., 3)` of rotations; beyond _LONGEST_LOG the axis is found the slow way."""
    twice = rotations.reshape(rotations.shape[:-2] + (9,)) @ _SKEW_TWICE
    sin = 0.5 * np.sqrt(np.sum(twice * twice, axis=-1))
    cos = 0.5 * (np.trace(rotations, axis1=-2, axis2=-1) - 1.0)
    angle = np.arctan2(sin, cos)
    if angle.max() > _LONGEST_LOG:
        return rotation.rotation_vector(rotations)
    return twice * (0.5 * angle / np.maximum(sin, _SMALL) * (sin > _SMALL) + 0.5 * (sin <= _SMALL))[..., None]


def _log_slope(turns: np.ndarray) -> np.ndarray:
    """Return d log(exp(v) exp(d)) / dd at d = 0 `(..., 3, 3)` for rotation vectors v: the inverse of SO(3)'s right Jacobian."""
    angle = np.maximum(np.sqrt(np.sum(turns * turns, axis=-1)), _SMALL)[..., None, None]
    skew = (turns @ _SKEW).reshape(turns.shape + (3,))
    curve = np.where(angle > _CURVED, 1.0 / angle**2 - 0.5 / (angle * np.tan(0.5 * angle)), 1.0 / 12.0)
    return _EYE + 0.5 * skew + curve * (skew @ skew)
