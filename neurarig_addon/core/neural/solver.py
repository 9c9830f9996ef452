"""From points to a pose: the analytic solution, then the network, then where the figure stands."""

import math
import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from .analytic.network_body import NetworkBody
from .analytic.noise import variances
from .likely.likely_pose import Trust, likely_pose
from .network.inputs import JOINT_COUNT, read_inputs
from .network.pose_network import PoseNetwork, Prepared
from .network.pose_weights import read_pose_weights
from .point_body import PointBody
from .points import POINTS

BUNDLED = Path(__file__).parents[2] / "data" / "weights" / "pose.safetensors"
_MOST_BODIES = 32  # tables that are kept
_BATCH = 96  # frames in one pass
_ERR = 0.05  # radians that a pose errs by: points far from the pelvis say less about where it is
_NEAREST = 1e-6  # metres
_STRETCHED, _SPREADS = 1.01, 4.0  # a chain of bones, and spreads of the noise: what lies farther from the pelvis is out of reach
_SUM = np.ones(3)
_ALL_SEEN = np.ones(len(POINTS))


class PoseSolver:
    """The pose network with its weights; keeps the tables of the bodies that it has met."""

    def __init__(self, network: PoseNetwork):
        self._network = network
        self._bodies: dict[bytes, NetworkBody] = {}
        self._tasks: dict[tuple[bytes, bytes, float, bytes | None], _Task] = {}

    @classmethod
    def load(cls, path: str | os.PathLike | None = None) -> "PoseSolver":
        """Return the solver with the bundled weights, read once, or those of a file; raises NeuraRigError where it is not usable."""
        return _bundled() if path is None else cls(PoseNetwork(read_pose_weights(path)))

    def solve(
        self,
        body: PointBody,
        points: np.ndarray,
        seen: np.ndarray | None = None,
        sigma: float = 0.0,
        previous: np.ndarray | None = None,
        refine: int = 1,
        around: np.ndarray | None = None,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the joints' rotations `(f, 22, 3, 3)` away from the reference pose and the pelvis' place `(f, 3)`, walk frame.

        Never raises and never returns NaN: what is not seen is guessed, a figure of which nothing is seen stands in the reference pose.

        Args:
            points: `(f, 27, 3)` metres, walk frame; what is not finite is not seen.
            seen: how far each point is to be trusted, 0..1, `(27,)` or `(f, 27)`; all without it.
            sigma: how far the points are off, root mean square along each axis, metres.  With 0 the seen bones are met exactly.
            previous: the rotations before, `(22, 3, 3)` or `(f, 22, 3, 3)`, of a motion that is solved frame by frame.
            refine: steps towards the pose most likely under points and what people do, where points are noisy or missing.  One is nearly
                all: it brings the pose a tenth nearer and takes about as long as all before it; without any, where that counts.
            around: `(27, 3)` metres, walk frame, finite: a pose in which the points are moved.  What is not seen is expected there, as far
                as what has moved does not tell otherwise; without it, where people usually have it.
        """
        points = np.asarray(points, dtype=float)
        if not len(points):
            return np.empty((0, JOINT_COUNT, 3, 3)), np.empty((0, 3))
        points, weights = _finite(points, _weights(seen))
        tables = self._tables(body)
        if previous is not None:
            previous = np.broadcast_to(previous, (len(points), *previous.shape[-3:]))
        if len(points) <= _BATCH:
            return self._solve(tables, points, weights, sigma, previous, refine, around)
        solved = []
        for first in range(0, len(points), _BATCH):
            part = slice(first, first + _BATCH)
            before, counts = None if previous is None else previous[part], weights if weights.ndim == 1 else weights[part]
            solved.append(self._solve(tables, points[part], counts, sigma, before, refine, around))
        return np.concatenate([pose for pose, _ in solved]), np.concatenate([root for _, root in solved])

    def _solve(
        self,
        body: NetworkBody,
        points: np.ndarray,
        weights: np.ndarray,
        sigma: float,
        previous: np.ndarray | None,
        refine: int,
        around: np.ndarray | None,
    ) -> tuple[np.ndarray, np.ndarray]:
        task = self._task(body, weights, sigma, around)
        points = task.within_reach(body, points)
        inputs = read_inputs(body, points, task.prepared.noise, previous)
        axes = self._network(inputs, task.prepared)
        rotations = axes.swapaxes(-1, -2) @ body.anchor.back.swapaxes(-1, -2)
        if task.prepared.noise.cleaning is None:
            return rotations, inputs.root
        if refine:  # finds the place as well, wherever it begins
            return likely_pose(body, rotations, inputs.root, points, task.trust, refine)
        # The pose moved to where it fits the seen points best.
        return rotations, (task.fit @ (points - body.places(rotations)))[:, 0]

    def _tables(self, body: PointBody) -> NetworkBody:
        key = body.rest.tobytes()
        if key not in self._bodies:
            if len(self._bodies) >= _MOST_BODIES:
                self._bodies.clear()
            self._bodies[key] = NetworkBody.of(body.rest)
        return self._bodies[key]

    def _task(self, body: NetworkBody, weights: np.ndarray, sigma: float, around: np.ndarray | None) -> "_Task":
        """Return what follows from the noise, remembered where all frames see the same points."""
        if weights.ndim > 1:
            return _Task.of(self._network, body, weights, sigma, around)
        key = body.key, weights.tobytes(), float(sigma), None if around is None else around.tobytes()
        if key not in self._tasks:
            if len(self._tasks) >= _MOST_BODIES:
                self._tasks.clear()
            self._tasks[key] = _Task.of(self._network, body, weights, sigma, around)
        return self._tasks[key]


@dataclass(frozen=True)
class _Task:
    """What follows from a body, from how far its points are to be trusted, and from the noise.

    `fit` `(..., 1, 27)`: what each point counts in where the figure stands.  `trust`: with which the pose is refined.
    `farthest` `(..., 27)`: squares of how far from the pelvis points may be, m^2.
    """

    prepared: Prepared
    fit: np.ndarray
    trust: Trust
    farthest: np.ndarray

    @classmethod
    def of(cls, network: PoseNetwork, body: NetworkBody, weights: np.ndarray, sigma: float, around: np.ndarray | None) -> "_Task":
        """Return the task for weights 0..1 `(27,)` or `(f, 27)`; near and certain points tell best where a pose that errs stands."""
        squares = variances(body, weights, sigma)
        fit = weights / (squares + (_ERR * body.reach) ** 2 + _NEAREST**2)
        fit = fit / np.maximum(fit.sum(axis=-1, keepdims=True), _NEAREST)
        both = np.minimum(weights, weights[..., :1]) > 0.0
        farthest = np.where(both, _STRETCHED * body.reach + _SPREADS * np.sqrt(squares + squares[..., :1]) + _NEAREST, np.inf) ** 2
        return cls(network.prepared(body, weights, sigma, around), fit[..., None, :], Trust.of(body, weights, squares, sigma), farthest)

    def within_reach(self, body: NetworkBody, points: np.ndarray) -> np.ndarray:
        """Return points `(f, 27, 3)`, those that no pose reaches drawn in towards the pelvis until the bones suffice.

        Nobody whom the network has met was ever stretched: what it says of such a figure is no pose.
        """
        if self.prepared.noise.cleaning is None:
            return points  # bones are looked at one by one, whatever their lengths
        ways = points - points[:, :1]
        squares = (ways * ways).dot(_SUM)
        far = squares > self.farthest
        if not np.count_nonzero(far):
            return points
        drawn = points[:, :1] + ways * (body.reach / np.sqrt(np.maximum(squares, _NEAREST**2)))[..., None]
        return np.where(far[..., None], drawn, points)


@cache
def _bundled() -> PoseSolver:
    return PoseSolver.load(BUNDLED)


def _weights(seen: np.ndarray | None) -> np.ndarray:
    """Return how far each point is to be trusted, `(f, 27)`, or `(27,)` where that is the same in all frames."""
    weights = _ALL_SEEN if seen is None else np.asarray(seen, dtype=float)
    if weights.ndim > 1 and (len(weights) == 1 or (weights == weights[0]).all()):
        return weights[0]
    return weights


def _finite(points: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return points that count nothing, and are at the origin, where they are not finite, and their weights."""
    if math.isfinite(np.vdot(points, points)):  # the fastest way to see that every number is
        return points, weights
    points = np.where(weights[..., None] > 0.0, points, 0.0)
    if math.isfinite(np.vdot(points, points)):
        return points, weights
    finite = np.asarray(np.isfinite(points).all(axis=-1))
    return np.where(finite[..., None], points, 0.0), _weights(np.where(finite, weights, 0.0))
