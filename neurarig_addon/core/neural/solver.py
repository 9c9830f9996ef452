"""From points to a pose: the analytic solution, then the network, then the figure's place."""

import math
import os
from dataclasses import dataclass
from functools import cache

import numpy as np

from ..shipped import DATA
from .analytic.network_body import NetworkBody
from .analytic.noise import variances
from .likely.likely_pose import Trust, likely_pose
from .network.inputs import JOINT_COUNT, read_inputs
from .network.pose_network import PoseNetwork, Prepared
from .network.pose_weights import read_pose_weights
from .point_body import PointBody
from .points import POINTS

BUNDLED = DATA / "weights" / "pose.safetensors"
_MOST_BODIES = 32  # tables cached
_BATCH = 96  # frames in one pass
_ERR = 0.05  # radians: error of a pose, so that points far from the pelvis say less about its place
_NEAREST = 1e-6  # metres
# times a chain of bones, plus times the noise: points farther from the pelvis are out of reach
_STRETCHED, _SPREADS = 1.01, 4.0
_SUM = np.ones(3)
_ALL_SEEN = np.ones(len(POINTS))


class PoseSolver:
    """The pose network with its weights; caches the tables of bodies."""

    def __init__(self, network: PoseNetwork):
        self._network = network
        self._bodies: dict[bytes, NetworkBody] = {}
        self._tasks: dict[tuple[bytes, bytes, float, bytes | None], _Task] = {}

    @classmethod
    def load(cls, path: str | os.PathLike | None = None) -> "PoseSolver":
        """Return the solver with the bundled weights, read once, or those of a file; raises NeuraRigError if
        it is not usable."""
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
        """Return the joints' rotations `(f, 22, 3, 3)` from the reference pose and the pelvis' place `(f,
        3)`, walk frame.

        Never raises and never returns NaN: unseen points are guessed, and a figure without any seen point is
        in the reference pose.

        Args:
            points: `(f, 27, 3)` metres, walk frame; those that are not finite are unseen.
            seen: how far to trust each point, 0..1, `(27,)` or `(f, 27)`; None: all fully.
            sigma: root mean square error of the points along each axis, metres. With 0 the seen bones are met
            exactly.
            previous: the rotations of the frame before, `(22, 3, 3)` or `(f, 22, 3, 3)`, if a motion is
            solved frame by frame.
            refine: steps towards the pose most likely given the points and what people do, if points are
            noisy or missing. One gives
                nearly all: it brings the pose a tenth nearer and takes about as long as all before it; use 0
                where that time counts.
            around: `(27, 3)` metres, walk frame, finite: a pose in which the points are moved. Unseen points
            are expected there, unless
                moved ones show otherwise; without it, where people usually have them.
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
            before, counts = (
                None if previous is None else previous[part],
                weights if weights.ndim == 1 else weights[part],
            )
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
        if refine:  # finds the place as well, from any start
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

    def _task(
        self, body: NetworkBody, weights: np.ndarray, sigma: float, around: np.ndarray | None
    ) -> "_Task":
        """Return what depends on the noise, cached if all frames see the same points."""
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
    """What depends on a body, on how far its points are trusted, and on the noise.

    `fit` `(..., 1, 27)`: each point's weight in the figure's place.  `trust`: used to refine the pose.
    `farthest` `(..., 27)`: squares of the largest distances of points from the pelvis, m^2.
    """

    prepared: Prepared
    fit: np.ndarray
    trust: Trust
    farthest: np.ndarray

    @classmethod
    def of(
        cls,
        network: PoseNetwork,
        body: NetworkBody,
        weights: np.ndarray,
        sigma: float,
        around: np.ndarray | None,
    ) -> "_Task":
        """Return the task for weights 0..1 `(27,)` or `(f, 27)`; near and certain points show best the place
        of a pose with errors."""
        squares = variances(body, weights, sigma)
        fit = weights / (squares + (_ERR * body.reach) ** 2 + _NEAREST**2)
        fit = fit / np.maximum(fit.sum(axis=-1, keepdims=True), _NEAREST)
        both = np.minimum(weights, weights[..., :1]) > 0.0
        farthest = (
            np.where(
                both,
                _STRETCHED * body.reach + _SPREADS * np.sqrt(squares + squares[..., :1]) + _NEAREST,
                np.inf,
            )
            ** 2
        )
        return cls(
            network.prepared(body, weights, sigma, around),
            fit[..., None, :],
            Trust.of(body, weights, squares, sigma),
            farthest,
        )

    def within_reach(self, body: NetworkBody, points: np.ndarray) -> np.ndarray:
        """Return points `(f, 27, 3)`, those that no pose reaches drawn in towards the pelvis to where bones
        reach.

        The network has never met a stretched figure: its answer to one is not a pose.
        """
        if self.prepared.noise.cleaning is None:
            return points  # bones are read one by one, whatever their lengths
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
    """Return how far to trust each point, `(f, 27)`, or `(27,)` if that is the same in all frames."""
    weights = _ALL_SEEN if seen is None else np.asarray(seen, dtype=float)
    if weights.ndim > 1 and (len(weights) == 1 or (weights == weights[0]).all()):
        return weights[0]
    return weights


def _finite(points: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the points, those not finite moved to the origin, and the weights, 0 for these."""
    if math.isfinite(np.vdot(points, points)):  # the fastest check that every number is
        return points, weights
    points = np.where(weights[..., None] > 0.0, points, 0.0)
    if math.isfinite(np.vdot(points, points)):
        return points, weights
    finite = np.asarray(np.isfinite(points).all(axis=-1))
    return np.where(finite[..., None], points, 0.0), _weights(np.where(finite, weights, 0.0))
