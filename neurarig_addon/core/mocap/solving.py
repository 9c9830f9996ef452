"""Solves whole recordings: frames with the same known points are solved together, as they share the solver's
tables."""

from functools import partial

import numpy as np

from ..neural.point_body import PointBody
from ..neural.points import JOINTS
from ..neural.solver import PoseSolver
from .markers import are_seen

STEPS = 8  # levels of trust that are distinguished
_FEW = 8  # mean frames per pattern below which patterns save nothing


def solve_recording(
    solver: PoseSolver,
    body: PointBody,
    points: np.ndarray,
    trust: np.ndarray,
    noise: float,
    refine: int,
    around: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Return rotations `(f, 22, 3, 3)` and the pelvis' place `(f, 3)`, as `PoseSolver.solve`; `trust` `(27,)`
    or `(f, 27)`."""
    solve = partial(solver.solve, refine=refine, around=around)
    known = are_seen(points)
    weights = np.where(known, np.ceil(STEPS * trust) / STEPS, 0.0)
    patterns, which = np.unique(weights, axis=0, return_inverse=True)
    which = which.reshape(-1)  # only numpy 2.0 keeps the axis
    if len(patterns) == 1:
        return solve(body, points, patterns[0], noise)
    if _FEW * len(patterns) > len(points):
        return solve(body, points, weights, noise)
    rotations, roots = np.empty((len(points), len(JOINTS), 3, 3)), np.empty((len(points), 3))
    for number, pattern in enumerate(patterns):
        rows = np.flatnonzero(which == number)
        rotations[rows], roots[rows] = solve(body, points[rows], pattern, noise)
    return rotations, roots
