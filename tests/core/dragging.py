"""Bodies at rest whose targets are dragged: what the tests of drags share."""

import numpy as np

from neurarig_addon.core.geometry.rotation import transposed
from neurarig_addon.core.neural.drag.drag import Drag
from neurarig_addon.core.neural.drag.holds import Holds, PoseBefore
from neurarig_addon.core.neural.point_body import PointBody
from neurarig_addon.core.neural.points import INDEX, POINTS

MAIN = ("head", "spine3", "pelvis", "wrist.L", "wrist.R", "ankle.L", "ankle.R")
FEET = ("ankle.L", "ankle.R")


def drag_of(
    subject: PointBody,
    names: tuple[str, ...] = MAIN,
    locked: tuple[str, ...] = FEET,
    free: tuple[str, ...] = (),
) -> Drag:
    """Return a body at rest with targets."""
    before = PoseBefore.of(subject, transposed(subject.turns), subject.at_rest)
    return Drag.of(subject, before, Holds.of(names, locked, dict.fromkeys(free, 0.0)))


def moved(
    subject: PointBody,
    moves: dict[str, tuple[float, float, float]],
    names: tuple[str, ...] = MAIN,
    steps: int = 1,
) -> np.ndarray:
    """Return targets `(steps, 27, 3)` on their way, moved by shares of a human's size, metres."""
    points = np.full((steps, len(POINTS), 3), np.nan)
    for name in names:
        way = np.array(moves.get(name, (0.0, 0.0, 0.0))) * subject.size
        points[:, INDEX[name]] = (
            subject.at_rest[INDEX[name]] + np.linspace(1.0 / steps, 1.0, steps)[:, None] * way
        )
    return points


def shown(subject: PointBody, pose: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """Return the points `(f, 27, 3)` of a pose."""
    return subject.tree.points(pose[0], subject.tree.heads(*pose))


def missed(
    subject: PointBody, pose: tuple[np.ndarray, np.ndarray], points: np.ndarray, names: tuple[str, ...]
) -> float:
    """Return how far the farthest of some points is from its target in any frame, metres."""
    rows = [INDEX[name] for name in names]
    return float(np.linalg.norm(shown(subject, pose)[:, rows] - points[:, rows], axis=-1).max())
