"""The joints below an ankle, and how far the foot reaches forward."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from .figure import SAME_POINT, Figure

_MET = 0.05  # share of a bone's length: a tail nearer to the next joint meets it, so the rig's tails are reliable


def foot_reach(figure: Figure, leg: Sequence[int]) -> np.ndarray:
    """Return the horizontal vector `(3,)` from the ankle to the farthest joint below it, zero if the rig has none.

    `leg` lists the rows of thigh, shin and foot (those that exist).  Tails count only on rigs whose tails meet the next joint.
    """
    foot = leg[-1]
    ends = foot_joints(figure, leg)
    flat = [(end - figure.heads[foot]) * [1.0, 1.0, 0.0] for end in ends]
    return max(flat, key=lambda vector: float(np.linalg.norm(vector)), default=np.zeros(3))


def foot_joints(figure: Figure, leg: Sequence[int]) -> np.ndarray:
    """Return all joints and reliable tails `(n, 3)` below a leg's last bone, twins of that bone included."""
    foot = leg[-1]
    below = sorted({row for twin in _twins(figure, foot) for row in figure.below(twin)})
    points = figure.heads[_deforming(figure, [row for row in below if figure.joint_ids[row] != figure.joint_ids[foot]])]
    if any(_meets(figure, bone, following) for bone, following in pairwise(leg)):
        deform = [row for row in figure.below(foot) if figure.skeleton.deform[row] or row == foot]
        points = np.concatenate([points, figure.tails[deform]])
    return points


def _meets(figure: Figure, bone: int, following: int) -> bool:
    """Return whether a bone's tail lies at the next bone's head."""
    length = np.linalg.norm(figure.heads[following] - figure.heads[bone])
    return bool(np.linalg.norm(figure.tails[bone] - figure.heads[following]) < _MET * length)


def _twins(figure: Figure, row: int) -> list[int]:
    """Return the bones that start at a bone's joint, the bone itself first."""
    near = np.linalg.norm(figure.heads - figure.heads[row], axis=1) < SAME_POINT * figure.size
    return [row, *(int(k) for k in np.flatnonzero(near) if k != row)]


def _deforming(figure: Figure, rows: list[int]) -> list[int]:
    """Return the deforming bones, or all if none deforms: a control of the foot may lie anywhere."""
    return [row for row in rows if figure.skeleton.deform[row]] or rows


def joints_below(figure: Figure, foot: int) -> list[int]:
    """Return the bones that start at the next joints below the ankle, including those that hang on another one at such a joint."""
    found: list[int] = []
    waiting = _twins(figure, foot)
    seen = set(waiting)
    while waiting:
        for child in figure.skeleton.children[waiting.pop()]:
            if child not in seen:
                seen.add(child)
                found.append(child)
                if any(figure.joint_ids[below] == figure.joint_ids[child] for below in figure.skeleton.children[child]):
                    waiting.append(child)
    return found
