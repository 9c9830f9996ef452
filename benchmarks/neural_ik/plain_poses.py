"""Poses that need no search: the mean pose, bones swung to where they point, and the analytic pose of this project."""

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from benchmarks.neural_ik.missing import Neighbours, analytic_pose
from benchmarks.neural_ik.people import JOINT_PARENTS
from benchmarks.neural_ik.prior import PosePrior
from neurarig_addon.core.geometry.rotation import transposed
from neurarig_addon.core.neural.analytic.anchor import Anchor
from neurarig_addon.core.neural.frames import BoneFrames, shortest_turn
from neurarig_addon.core.neural.point_body import PointBody
from neurarig_addon.core.neural.points import CHILDREN, JOINTS, PARENTS, PRIMARY, from_parents

_SHORTEST = 1e-4  # of the figure's height
_FLAT = 0.03  # second singular value over the first: directions nearer to one line do not tell the turn about it


def fitted_turn(known: np.ndarray, seen: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the rotations `(f, 3, 3)` that bring vectors `known` `(f, k, 3)` nearest to `seen`, with weights `(f, k)` (Kabsch)."""
    left, _, right = np.linalg.svd(np.einsum("fk,fki,fkj->fij", weights, seen, known))
    left[..., -1] *= np.sign(np.linalg.det(left @ right))[..., None]
    return left @ right


class Solver(Protocol):
    """What the benchmark asks of every solver; `neural.solver.PoseSolver` has it."""

    def solve(self, body: PointBody, points: np.ndarray, seen: np.ndarray, sigma: float) -> tuple[np.ndarray, np.ndarray]:
        """Return rotations `(f, 22, 3, 3)` and the pelvis' place `(f, 3)` for points `(f, 27, 3)`, NaN where `seen` `(f, 27)` is 0."""
        ...


@dataclass(frozen=True)
class MeanPose:
    """The mean pose of the recordings, turned and moved as a whole to where the points are."""

    prior: PosePrior

    def solve(self, body: PointBody, points: np.ndarray, seen: np.ndarray, sigma: float) -> tuple[np.ndarray, np.ndarray]:
        """Return rotations `(f, 22, 3, 3)` and the pelvis' place `(f, 3)`."""
        local = np.concatenate([np.eye(3)[None], self.prior.mean])
        pose = from_parents(local)
        places = body.forward(pose, np.zeros(3))
        weights = seen / np.maximum(seen.sum(axis=-1, keepdims=True), 1e-9)
        points = np.where(seen[..., None] > 0.0, points, 0.0)
        middle, centre = (weights[:, None] @ points)[:, 0], weights @ places
        turn = fitted_turn(places - centre[:, None], points - middle[:, None], weights)
        return turn[:, None] @ pose, middle - (turn @ centre[..., None])[..., 0]


@dataclass(frozen=True)
class AnalyticSwing:
    """Every bone swings from its parent to where it points, without twist; pelvis and chest are fitted to their children.

    What is not seen stays as its parent carries it; a pelvis that sees no two children is turned as the mean pose fits best.
    """

    prior: PosePrior

    def solve(self, body: PointBody, points: np.ndarray, seen: np.ndarray, sigma: float) -> tuple[np.ndarray, np.ndarray]:
        """Return rotations `(f, 22, 3, 3)` and the pelvis' place `(f, 3)`."""
        whole, root = MeanPose(self.prior).solve(body, points, seen, sigma)
        directions = BoneFrames.of_points(body.rest).directions
        places = np.where(seen[..., None] > 0.0, points, np.nan)
        places[:, 0] = np.where(seen[:, :1] > 0.0, points[:, 0], root)
        found = np.empty((len(points), len(JOINTS), 3, 3))
        for joint, children in enumerate(CHILDREN):
            if joint:
                parent = PARENTS[joint]
                guess = places[:, parent] + (found[:, parent] @ body.offsets[joint])
                places[:, joint] = np.where(np.isfinite(places[:, joint]), places[:, joint], guess)
            carried = found[:, JOINT_PARENTS[joint]] if joint else whole[:, 0]
            line = places[:, PRIMARY[joint]] - places[:, joint]
            if np.linalg.norm(body.offsets[PRIMARY[joint]]) < _SHORTEST * body.height:
                line = np.full_like(line, np.nan)
            swung = _swung(carried, directions[joint], line, body.height)
            if len(children) > 1:
                swung = _fitted(body.offsets[list(children)], places[:, children] - places[:, joint, None], swung, body.height)
            found[:, joint] = swung
        return found, places[:, 0]


@dataclass(frozen=True)
class Analytic:
    """The project's own analytic pose, which the network starts from: bends of knees and elbows tell twists.  Bodies are prepared once."""

    known: dict[bytes, tuple[Anchor, Neighbours]] = field(default_factory=dict, compare=False)

    def solve(self, body: PointBody, points: np.ndarray, seen: np.ndarray, sigma: float) -> tuple[np.ndarray, np.ndarray]:
        """Return rotations `(f, 22, 3, 3)` and the pelvis' place `(f, 3)`."""
        key = body.rest.tobytes()
        if key not in self.known:
            self.known[key] = Anchor.of(body.rest), Neighbours.of(body.rest)
        anchor, neighbours = self.known[key]
        found = anchor.solve(points) if seen.min() == 1.0 else analytic_pose(anchor, neighbours, points, seen)[0]
        return found.rotations, found.root


def _fitted(known: np.ndarray, lines: np.ndarray, otherwise: np.ndarray, height: float) -> np.ndarray:
    """Return the turns `(f, 3, 3)` that bring children from `known` `(k, 3)` nearest to `lines` `(f, k, 3)`.

    `otherwise` where those that are seen are on one line.
    """
    used = np.isfinite(lines).all(axis=-1) & (np.linalg.norm(known, axis=-1) > _SHORTEST * height)
    lines = np.where(used[..., None], lines, 0.0)
    known = np.where(used[..., None], known, 0.0)
    spread = np.linalg.svd(known, compute_uv=False)
    told = spread[:, 1] > _FLAT * np.maximum(spread[:, 0], _SHORTEST)
    return np.where(told[:, None, None], fitted_turn(known, lines, used.astype(float)), otherwise)


def _swung(carried: np.ndarray, direction: np.ndarray, line: np.ndarray, height: float) -> np.ndarray:
    """Return `carried` turned the shortest way that brings the bone's `direction` `(3,)` along `line` `(f, 3)`, where that is seen."""
    length = np.linalg.norm(line, axis=-1)
    known = length > _SHORTEST * height  # False for NaN
    points_to = carried @ direction
    line = np.where(known[:, None], line / np.where(known, length, 1.0)[:, None], points_to)
    hinge = transposed(carried)[:, 0]
    return shortest_turn(points_to, line, hinge) @ carried
