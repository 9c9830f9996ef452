"""FABRIK on the whole tree: joints are dragged to their targets, up and down the bones, and keep their distances; no prior, no twist.

Aristidou and Lasenby 2011.  It finds places; the rotations are those of bones swung from the mean pose to them.
"""

from dataclasses import dataclass

import numpy as np

from benchmarks.neural_ik.plain_poses import AnalyticSwing, MeanPose
from benchmarks.neural_ik.prior import PosePrior
from neurarig_addon.core.geometry.rotation import normalized
from neurarig_addon.core.neural.point_body import PointBody
from neurarig_addon.core.neural.points import CHILDREN, JOINTS, PARENTS, POINTS


@dataclass(frozen=True)
class Fabrik:
    """The solver; it starts from the mean pose, turned and moved to where the points are."""

    prior: PosePrior
    rounds: int = 30

    def solve(self, body: PointBody, points: np.ndarray, seen: np.ndarray, sigma: float) -> tuple[np.ndarray, np.ndarray]:
        """Return rotations `(f, 22, 3, 3)` and the pelvis' place `(f, 3)`."""
        places = body.forward(*MeanPose(self.prior).solve(body, points, seen, sigma))
        told = seen[..., None] > 0.0
        wanted = np.where(told, points, 0.0)
        lengths = np.linalg.norm(body.offsets, axis=-1)
        for _ in range(self.rounds):
            _reach_up(places, lengths, wanted, told)
            _reach_down(places, lengths)
        return AnalyticSwing(self.prior).solve(body, places, np.ones(seen.shape), sigma)


def _reach_up(places: np.ndarray, lengths: np.ndarray, wanted: np.ndarray, told: np.ndarray) -> None:
    """Put points on their targets, and joints without one where their children want them, from the ends to the pelvis."""
    for point in range(len(POINTS) - 1, -1, -1):
        children = CHILDREN[point] if point < len(JOINTS) else ()
        if children:
            below = places[:, children]
            pulls = below + lengths[list(children), None] * normalized(places[:, point, None] - below)
            heard = told[:, children].any(axis=1) | told[:, point]
            places[:, point] = np.where(heard, pulls.mean(axis=1), places[:, point])
        places[:, point] = np.where(told[:, point], wanted[:, point], places[:, point])


def _reach_down(places: np.ndarray, lengths: np.ndarray) -> None:
    """Give the bones their lengths again, from the pelvis to the ends."""
    for point in range(1, len(POINTS)):
        above = places[:, PARENTS[point]]
        places[:, point] = above + lengths[point] * normalized(places[:, point] - above)
