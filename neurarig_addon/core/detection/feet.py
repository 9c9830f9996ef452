"""What hangs below an ankle: the toe bone, and how far the foot reaches forward."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np

from .figure import SAME_POINT, Figure

_NEAREST, _FARTHEST = 0.04, 0.7  # from the ankle to the toe joint, of the leg's length
_INSTEP_HIGH, _INSTEP_BACK = 0.5, 0.45  # of the ankle's height above the foot's lowest joint, and of the foot's reach: no toe yet
_MET = 0.05  # of a bone's length: its tail meets the next joint, so the rig's tails can be believed


def find_toe(figure: Figure, limb: np.ndarray, points: np.ndarray, forward: np.ndarray, taken: Iterable[int], leaf: bool = True) -> int:
    """Return the toe bone of a leg, or -1.

    `limb` `(3,)` rows of thigh, shin, foot; `points` `(3, 3)` their joints; `forward` `(3,)` where the figure faces.
    Without `leaf` a bone with nothing below is an end marker.
    """
    if limb[2] < 0:
        return -1
    candidates = [row for row in _past_instep(figure, int(limb[2])) if row not in set(taken)]
    length = float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())
    away = figure.heads[candidates] - points[2] if candidates else np.zeros((0, 3))
    distance = np.linalg.norm(away, axis=1)
    level = np.linalg.norm(away[:, :2], axis=1)
    fits = (distance > _NEAREST * length) & (distance < _FARTHEST * length) & (away[:, 2] < 0.5 * distance)
    fits &= away @ forward > 0.0
    if not leaf:
        fits &= figure.below_count[candidates] > 0
    if not fits.any():
        return -1
    merit = np.where(fits, level + length * (0.5 * figure.skeleton.deform[candidates] + 0.1 * (figure.below_count[candidates] > 0)), -1.0)
    return figure.deforming_twin(candidates[int(np.argmax(merit))])


def foot_reach(figure: Figure, leg: Sequence[int]) -> np.ndarray:
    """Return the horizontal vector `(3,)` from the ankle to the farthest joint below it, zero where the rig does not tell.

    `leg` lists the rows of thigh, shin and foot (those that exist).  Tails count only on rigs whose tails meet the next joint.
    """
    foot = leg[-1]
    ends = foot_joints(figure, leg)
    flat = [(end - figure.heads[foot]) * [1.0, 1.0, 0.0] for end in ends]
    return max(flat, key=lambda vector: float(np.linalg.norm(vector)), default=np.zeros(3))


def foot_joints(figure: Figure, leg: Sequence[int]) -> np.ndarray:
    """Return all joints and believable tails `(n, 3)` below a leg's last bone, twins of that bone included."""
    foot = leg[-1]
    below = sorted({row for twin in _twins(figure, foot) for row in figure.below(twin)})
    points = figure.heads[_deforming(figure, [row for row in below if figure.joint_ids[row] != figure.joint_ids[foot]])]
    if any(_meets(figure, bone, following) for bone, following in pairwise(leg)):
        deform = [row for row in figure.below(foot) if figure.skeleton.deform[row] or row == foot]
        points = np.concatenate([points, figure.tails[deform]])
    return points


def _meets(figure: Figure, bone: int, following: int) -> bool:
    """Say whether a bone's tail lies at the next bone's head."""
    length = np.linalg.norm(figure.heads[following] - figure.heads[bone])
    return bool(np.linalg.norm(figure.tails[bone] - figure.heads[following]) < _MET * length)


def _twins(figure: Figure, row: int) -> list[int]:
    """Return the deforming or original bones that start at a bone's joint, the bone itself first."""
    near = np.linalg.norm(figure.heads - figure.heads[row], axis=1) < SAME_POINT * figure.size
    return [row, *(int(k) for k in np.flatnonzero(near) if k != row)]


def _deforming(figure: Figure, rows: list[int]) -> list[int]:
    """Return the bones that deform where there are any: a control of the foot may lie anywhere."""
    return [row for row in rows if figure.skeleton.deform[row]] or rows


def _past_instep(figure: Figure, foot: int) -> list[int]:
    """Return the bones at the next joints of a foot, and those below a tarsal bone that lies high and near the ankle."""
    found = joints_below(figure, foot)
    ends = foot_joints(figure, [foot]) - figure.heads[foot]
    reach, depth = np.linalg.norm(ends[:, :2], axis=1).max(initial=0.0), -ends[:, 2].min(initial=0.0)
    for row in found:
        away = figure.heads[row] - figure.heads[foot]
        if -away[2] < (1.0 - _INSTEP_HIGH) * depth and np.linalg.norm(away[:2]) < _INSTEP_BACK * reach:
            found.extend(child for child in joints_below(figure, row) if child not in found)
    return [row for row in found if figure.skeleton.deform[row]] if figure.skeleton.deform[foot] else _deforming(figure, found)


def joints_below(figure: Figure, foot: int) -> list[int]:
    """Return the bones that start at the next joints below the ankle, below any bone that starts there too."""
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
