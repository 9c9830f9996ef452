"""Levenberg and Marquardt's method on the most likely pose under a Gaussian prior: the classical answer, in numpy.

Minimised is  sum |x_k - y_k|^2 / sigma^2 + w v' P v  over the pelvis' place and turn and the turns of the 21 other joints: x are the
points of the pose, y those seen, v the turns away from the mean pose, P the prior's precision.  A step turns joint j by exp(d_j), in its
own axes; then dx_k = (E_j d_j) x (x_k - x_j) for what the joint carries, and dv = J^-1(v) d with the right Jacobian of SO(3).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from benchmarks.neural_ik.people import JOINT_PARENTS
from benchmarks.neural_ik.plain_poses import Analytic, Solver
from benchmarks.neural_ik.prior import PosePrior
from neurarig_addon.core.geometry.rotation import cross_matrix, from_axis_angle, normalized, rotation_vector, transposed
from neurarig_addon.core.neural.point_body import PointBody
from neurarig_addon.core.neural.points import JOINTS, PARENTS, POINTS

_JOINTS = len(JOINTS)
_UNKNOWNS = 3 + 3 * _JOINTS
_FIRST_DAMPING, _LAST_DAMPING = 1e-3, 1e6
# Rows of the joints by depth, so that a tree of 22 takes nine products; the pelvis is the first.
_DEPTH = [0]
for _parent in JOINT_PARENTS[1:]:
    _DEPTH.append(_DEPTH[_parent] + 1)
LEVELS = [np.flatnonzero(np.array(_DEPTH) == depth) for depth in range(1, max(_DEPTH) + 1)]


def _carried() -> np.ndarray:
    """Return which points each joint carries `(27, 22)`."""
    below = np.zeros((len(POINTS), _JOINTS))
    for point, parent in enumerate(PARENTS):
        if parent >= 0:
            below[point] = below[parent] if parent else 0.0
            below[point, parent] = 1.0
    return below


_CARRIED = _carried()


@dataclass(frozen=True)
class GaussianLM:
    """The solver; `weights` maps the noise that is told (mm) to (w, the least sigma in mm); the nearest noise is taken.

    It starts from the analytic pose.  Where joints are missing, or the start is `rough`, it first solves for a noise of `soft` metres: an
    exact target makes a valley too narrow for a pose that is far off.
    """

    prior: PosePrior
    weights: Mapping[int, tuple[float, float]]
    start: Solver = field(default_factory=Analytic)
    steps: int = 30
    enough: float = 1e-4  # relative gain below which a frame is done
    soft: float = 0.02
    rough: bool = False

    def solve(self, body: PointBody, points: np.ndarray, seen: np.ndarray, sigma: float) -> tuple[np.ndarray, np.ndarray]:
        """Return rotations `(f, 22, 3, 3)` and the pelvis' place `(f, 3)`."""
        weight, least = self.weights[min(self.weights, key=lambda noise: abs(noise - 1000.0 * sigma))]
        sigmas = [max(sigma, least / 1000.0)]
        if self.rough or not seen[:, :_JOINTS].all():
            sigmas = [max(sigmas[0], self.soft), *sigmas]
        rotations, root = self.start.solve(body, points, seen, sigma)
        wanted, precision = np.where(seen[..., None] > 0.0, points, 0.0), weight * self.prior.precision()
        for width in sigmas:
            descent = _Descent(body, wanted, seen / width**2, self.prior.mean, precision)
            rotations, root = descent.run(_local(rotations), root, self.steps, self.enough)
        return rotations, root


def _local(rotations: np.ndarray) -> np.ndarray:
    local = rotations.copy()
    local[:, 1:] = transposed(rotations[:, JOINT_PARENTS[1:]]) @ rotations[:, 1:]
    return local


def _whole(local: np.ndarray) -> np.ndarray:
    rotations = local.copy()
    for rows in LEVELS:
        rotations[:, rows] = rotations[:, JOINT_PARENTS[rows]] @ local[:, rows]
    return rotations


@dataclass(frozen=True)
class _Descent:
    body: PointBody
    wanted: np.ndarray
    told: np.ndarray
    mean: np.ndarray
    precision: np.ndarray

    def run(self, local: np.ndarray, root: np.ndarray, steps: int, enough: float) -> tuple[np.ndarray, np.ndarray]:
        """Return the rotations and the pelvis' place at the end, each frame on its own: it has its own damping and its own end."""
        local, root = local.copy(), root.copy()
        damping = np.full(len(local), _FIRST_DAMPING)
        left = np.arange(len(local))
        cost, *state = self._cost(local, root, left)
        for _ in range(steps):
            hessian, slope = self._normal(state, left)
            np.einsum("fii->fi", hessian)[:] *= 1.0 + damping[left, None]
            move = -np.linalg.solve(hessian, slope[..., None])[..., 0]
            turn = move[:, 3:].reshape(len(left), _JOINTS, 3)
            tried = local[left] @ from_axis_angle(normalized(turn), np.sqrt(np.sum(turn * turn, axis=-1)))
            moved = root[left] + move[:, :3]
            new_cost, *new_state = self._cost(tried, moved, left)
            better = new_cost < cost
            local[left[better]], root[left[better]] = tried[better], moved[better]
            damping[left] *= np.where(better, 0.2, 5.0)
            unfinished = ~better | (cost - new_cost > enough * cost)
            unfinished &= damping[left] < _LAST_DAMPING
            for old, new in zip((cost, *state), (new_cost, *new_state), strict=True):
                old[better] = new[better]
            cost, *state = (array[unfinished] for array in (cost, *state))
            left = left[unfinished]
            if not len(left):
                break
        return _whole(local), root

    def _cost(self, local: np.ndarray, root: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, ...]:
        """Return the costs `(f,)` and what they are made of: whole rotations, points, turns away from the mean `(f, 21, 3)`."""
        rotations = _whole(local)
        places = self.body.forward(rotations, root)
        away = rotation_vector(transposed(self.mean) @ local[:, 1:])
        flat = away.reshape(len(away), -1)
        miss = np.sum((places - self.wanted[rows]) ** 2, axis=-1)
        return np.sum(self.told[rows] * miss, axis=-1) + np.sum((flat @ self.precision) * flat, axis=-1), rotations, places, away

    def _normal(self, state: Sequence[np.ndarray], rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the normal equations: matrix `(f, 69, 69)` and slope `(f, 69)`."""
        rotations, places, away = state
        frames, turns = len(away), 3 * (_JOINTS - 1)
        weight = np.sqrt(self.told[rows])
        arms = (places[:, :, None] - places[:, None, :_JOINTS]) * (_CARRIED * weight[..., None])[..., None]
        jacobian = np.empty((frames, len(POINTS), 3, _UNKNOWNS))
        jacobian[..., :3] = weight[..., None, None] * np.eye(3)
        turned = transposed(cross_matrix(arms)) @ rotations[:, None]
        jacobian[..., 3:] = np.moveaxis(turned, 2, 3).reshape(frames, len(POINTS), 3, 3 * _JOINTS)
        jacobian = jacobian.reshape(frames, -1, _UNKNOWNS)
        residual = (weight[..., None] * (places - self.wanted[rows])).reshape(frames, -1, 1)
        hessian = transposed(jacobian) @ jacobian
        slope = (transposed(jacobian) @ residual)[..., 0]
        chart = _log_jacobian(away)
        half = self.precision.reshape(turns, _JOINTS - 1, 1, 3) @ chart[:, None]
        half = half.reshape(frames, _JOINTS - 1, 3, turns)
        hessian[:, 6:, 6:] += (transposed(chart) @ half).reshape(frames, turns, turns)
        pull = (away.reshape(frames, -1) @ self.precision).reshape(frames, _JOINTS - 1, 3)
        slope[:, 6:] += (transposed(chart) @ pull[..., None])[..., 0].reshape(frames, -1)
        return hessian, slope


def _log_jacobian(vector: np.ndarray) -> np.ndarray:
    """Return d log(exp(v) exp(d)) / dd at d = 0 `(..., 3, 3)` for rotation vectors v (inverse right Jacobian of SO(3))."""
    angle = np.sqrt(np.sum(vector * vector, axis=-1))[..., None, None]
    skew = cross_matrix(vector)
    safe = np.maximum(angle, 1e-4)
    curve = np.where(angle > 1e-4, 1.0 / safe**2 - 0.5 / (safe * np.tan(safe / 2.0)), 1.0 / 12.0)
    return np.eye(3) + 0.5 * skew + curve * (skew @ skew)
