"""The solver behind Neural Pose, loaded once."""

from functools import cache
from typing import Protocol

import numpy as np

from ...core.neural.anchor import Anchor
from ...core.neural.point_body import PointBody
from ...core.neural.solver import BUNDLED, PoseSolver


class Solver(Protocol):
    """What poses a body after points, see `core.neural.solver`."""

    def solve(
        self, body: PointBody, points: np.ndarray, seen: np.ndarray | None = None, sigma: float = 0.0, previous: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]: ...


class AnalyticSolver:
    """The analytic pose, called as the network is."""

    def __init__(self) -> None:
        self._anchors: dict[bytes, Anchor] = {}

    def solve(
        self, body: PointBody, points: np.ndarray, seen: np.ndarray | None = None, sigma: float = 0.0, previous: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return rotations and root as `PoseSolver.solve` does."""
        key = body.rest.tobytes()
        if key not in self._anchors:
            self._anchors[key] = Anchor.of(body.rest)
        found = self._anchors[key].solve(points, seen)
        return found.rotations, found.root


@cache
def pose_solver() -> Solver:
    """Return the solver with the weights that come with NeuraRig."""
    return PoseSolver.load() if BUNDLED.is_file() else AnalyticSolver()
