"""From points to a pose: the analytic solution, then the network, then where the figure stands."""

import os
from functools import cache
from pathlib import Path

import numpy as np

from .inputs import JOINT_COUNT, read_inputs
from .likely_pose import likely_pose
from .network_body import NetworkBody
from .noise import variances
from .point_body import PointBody
from .points import POINTS
from .pose_network import PoseNetwork, Prepared
from .pose_weights import read_pose_weights

BUNDLED = Path(__file__).parents[2] / "data" / "weights" / "pose.safetensors"
_MOST_BODIES = 32  # tables that are kept
_BATCH = 128  # frames in one pass: what fits into a processor's cache
_ERR = 0.05  # radians that a pose errs by: points far from the pelvis say less about where it is
_NEAREST = 1e-6  # metres


class PoseSolver:
    """The pose network with its weights; keeps the tables of the bodies that it has met."""

    def __init__(self, network: PoseNetwork):
        self._network = network
        self._bodies: dict[bytes, NetworkBody] = {}
        self._prepared: dict[tuple[bytes, bytes, float], Prepared] = {}

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
        """
        if not len(points):
            return np.empty((0, JOINT_COUNT, 3, 3)), np.empty((0, 3))
        points, weights = _finite(np.asarray(points, dtype=float), seen)
        tables = self._tables(body)
        if previous is not None:
            previous = np.broadcast_to(previous, (len(points), *previous.shape[-3:]))
        parts = [slice(first, first + _BATCH) for first in range(0, len(points), _BATCH)]
        solved = [
            self._solve(tables, points[part], weights[part], sigma, None if previous is None else previous[part], refine) for part in parts
        ]
        if len(solved) == 1:
            return solved[0]
        return np.concatenate([pose for pose, _ in solved]), np.concatenate([root for _, root in solved])

    def _solve(
        self, body: NetworkBody, points: np.ndarray, weights: np.ndarray, sigma: float, previous: np.ndarray | None, refine: int
    ) -> tuple[np.ndarray, np.ndarray]:
        prepared = self._prepare(body, weights, sigma)
        inputs = read_inputs(body, points, prepared.noise, previous)
        rows = self._network(inputs, prepared)
        turned = body.unaligned @ rows @ np.swapaxes(inputs.turn, -1, -2)[:, None]
        rotations = np.swapaxes(turned, -1, -2)
        if prepared.noise.cleaning is None:
            return rotations, inputs.root
        squares = variances(body, weights, sigma)
        root = inputs.root + _shift(body, rotations, points - inputs.root[:, None], weights, squares)
        if refine:
            rotations, root = likely_pose(body, rotations, root, points, weights, squares, refine)
        return rotations, root

    def _tables(self, body: PointBody) -> NetworkBody:
        key = body.rest.tobytes()
        if key not in self._bodies:
            if len(self._bodies) >= _MOST_BODIES:
                self._bodies.clear()
            self._bodies[key] = NetworkBody.of(body.rest)
        return self._bodies[key]

    def _prepare(self, body: NetworkBody, weights: np.ndarray, sigma: float) -> Prepared:
        """Return what the network makes of the noise, remembered where all frames see the same points."""
        if len(weights) > 1 and (weights != weights[0]).any():
            return self._network.prepared(body, weights, sigma)
        key = body.key, weights[0].tobytes(), float(sigma)
        if key not in self._prepared:
            if len(self._prepared) >= _MOST_BODIES:
                self._prepared.clear()
            self._prepared[key] = self._network.prepared(body, weights[0], sigma)
        return self._prepared[key]


@cache
def _bundled() -> PoseSolver:
    return PoseSolver.load(BUNDLED)


def _shift(body: NetworkBody, rotations: np.ndarray, points: np.ndarray, weights: np.ndarray, squares: np.ndarray) -> np.ndarray:
    """Return how to move a pose, whose pelvis is at the origin, so that it fits the seen points best `(f, 3)`.

    Near and certain points count most, for a pose that errs puts far ones where they are not.
    """
    trust = weights / (squares + (_ERR * body.reach) ** 2 + _NEAREST**2)
    trust = trust / np.maximum(trust.sum(axis=-1, keepdims=True), _NEAREST)
    return (trust[:, None] @ (points - body.places(rotations)))[:, 0]


def _finite(points: np.ndarray, seen: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Return points and how far each is to be trusted `(f, 27)`: 0, and a place at the origin, where it is not finite."""
    shape = (len(points), len(POINTS))
    weights = np.ones(shape) if seen is None else np.asarray(seen, dtype=float)
    if weights.shape != shape:
        weights = np.broadcast_to(weights, shape)
    finite = np.asarray(np.isfinite(points).all(axis=-1))
    if finite.all():
        return points, weights
    return np.where(finite[..., None], points, 0.0), np.where(finite, weights, 0.0)
