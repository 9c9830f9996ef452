"""Who is measured: the solver as it is, and as it is live."""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from neurarig_addon.core.neural.point_body import PointBody
from neurarig_addon.core.neural.solver import BUNDLED, PoseSolver

OURS, UNREFINED = "ours", "ours, unrefined"


class Solver(Protocol):
    """Anything that finds a pose for points."""

    def solve(
        self, body: PointBody, points: np.ndarray, seen: np.ndarray, sigma: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return rotations `(f, 22, 3, 3)` and the pelvis' place `(f, 3)` for points `(f, 27, 3)`, NaN where
        `seen` `(f, 27)` is 0."""
        ...


@dataclass(frozen=True)
class Unrefined:
    """Ours as it is live: the network's pose is the answer."""

    solver: PoseSolver

    def solve(
        self, body: PointBody, points: np.ndarray, seen: np.ndarray, sigma: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return rotations `(f, 22, 3, 3)` and the pelvis' place `(f, 3)`."""
        return self.solver.solve(body, points, seen, sigma, refine=0)


def solvers(weights: Path | None = None) -> dict[str, Solver]:
    """Return name -> solver, with the bundled weights or those of a file."""
    solver = PoseSolver.load(weights or BUNDLED)
    return {OURS: solver, UNREFINED: Unrefined(solver)}
