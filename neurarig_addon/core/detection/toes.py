"""The toe bone: what a foot bends about at the ball."""

from collections.abc import Iterable

import numpy as np

from .figure import SAME_POINT, Figure

_NEAREST, _FARTHEST = 0.04, 0.7  # from the ankle to the toe joint, of the leg's length
_HEEL_DEGREES = 100.0  # between a toe and the foremost joint of the foot: more is a heel bone


def find_toe(figure: Figure, limb: np.ndarray, points: np.ndarray, taken: Iterable[int], leaf: bool = True) -> int:
    """Return the toe bone of a leg, or -1.

    `limb` `(3,)` rows of thigh, shin, foot; `points` `(3, 3)` their joints; without `leaf` a bone with nothing below is an end marker.
    """
    if limb[2] < 0:
        return -1
    candidates = [row for row in _first_joints_below(figure, int(limb[2])) if row not in set(taken)]
    length = float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())
    away = figure.heads[candidates] - points[2] if candidates else np.zeros((0, 3))
    distance = np.linalg.norm(away, axis=1)
    level = np.linalg.norm(away[:, :2], axis=1)
    fits = (distance > _NEAREST * length) & (distance < _FARTHEST * length) & (away[:, 2] < 0.5 * distance)
    if not leaf:
        fits &= figure.below_count[candidates] > 0
    if not fits.any():
        return -1
    foremost = away[int(np.argmax(np.where(fits, level, -1.0)))][:2]
    along = away[:, :2] @ foremost / np.maximum(level * np.linalg.norm(foremost), 1e-12)
    fits &= along > np.cos(np.radians(_HEEL_DEGREES))
    merit = np.where(fits, level + length * (0.5 * figure.skeleton.deform[candidates] + 0.1 * (figure.below_count[candidates] > 0)), -1.0)
    return figure.deforming_twin(candidates[int(np.argmax(merit))])


def _first_joints_below(figure: Figure, foot: int) -> list[int]:
    """Return the bones that start at the next joints below the ankle, below any bone that starts there too."""
    at_ankle = np.flatnonzero(np.linalg.norm(figure.heads - figure.heads[foot], axis=1) < SAME_POINT * figure.size)
    found: list[int] = []
    waiting = [int(row) for row in at_ankle]
    seen = set(waiting)
    while waiting:
        for child in figure.skeleton.children[waiting.pop()]:
            if child not in seen:
                seen.add(child)
                found.append(child)
                if any(np.linalg.norm(figure.heads[child] - figure.heads[c]) < SAME_POINT * figure.size for c in figure.skeleton.children[child]):
                    waiting.append(child)
    return found
