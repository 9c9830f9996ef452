"""The bones at the ends of limbs: the toe below a foot, the collar bone above an arm. Each may be missing."""

import numpy as np

from ..geometry.rotation import UP, norms
from .evidence import Evidence, names_of, weighed
from .figure import Figure
from .legs import joints_below
from .pairs import LimbPair

_FARTHEST = 0.9  # leg lengths: greatest distance from the ankle to the toe joint
_SHOULDER_BONES = 4  # most bones between the chest and an upper arm
_DEEPEST = 3  # most joints from the ankle to the toe
_AT_TIP = 0.05  # share of the foot's length: a tail nearer to a head is at it
_HALF = 0.5  # share of the foot's reach


def best_toe(
    figure: Figure, limb: np.ndarray, points: np.ndarray, forward: np.ndarray, taken: set[int]
) -> int:
    """Return the toe bone of a leg, or -1.

    `limb` `(3,)`: rows of thigh, shin, foot; `points` `(3, 3)`: their joints; `forward` `(3,)`: the direction
    the figure faces.
    """
    rows = toe_candidates(figure, limb, points, taken)
    if not rows:
        return -1
    merit = weighed("toe", toe_evidence(figure, limb, points, forward, rows))
    return figure.deforming_twin(rows[int(np.argmax(merit))]) if merit.max() > 0.0 else -1


def toe_candidates(figure: Figure, limb: np.ndarray, points: np.ndarray, taken: set[int]) -> list[int]:
    """Return the bones below a foot that could be its toes."""
    if limb[2] < 0:
        return []
    length = float(norms(np.diff(points, axis=0)).sum())
    found: list[int] = []
    level = joints_below(figure, int(limb[2]))
    for _ in range(_DEEPEST):
        found += [row for row in level if row not in found]
        level = [child for row in level for child in figure.skeleton.children[row]]
    near = [
        row
        for row in found
        if row not in taken and figure.moves_skin[row] and not _comes_back(figure, limb, row)
    ]
    return [row for row in near if norms(figure.heads[row] - points[2]) < _FARTHEST * length]


def _comes_back(figure: Figure, limb: np.ndarray, row: int) -> bool:
    """Return whether a bone runs from the tip of the foot back below its first half: a sole, which moves with
    the foot."""
    foot = int(limb[2])
    reach = figure.heads[row] - figure.heads[foot]
    tip, end = norms(reach[:2]), figure.tails[row] - figure.heads[foot]
    meets = norms(figure.tails[foot] - figure.heads[row]) < _AT_TIP * norms(reach)
    return bool(meets and end[:2] @ reach[:2] < _HALF * tip**2)


def toe_evidence(
    figure: Figure, limb: np.ndarray, points: np.ndarray, forward: np.ndarray, rows: list[int]
) -> Evidence:
    """Return the evidence on each candidate `(n,)`."""
    length = float(norms(np.diff(points, axis=0)).sum())
    away = (figure.heads[rows] - points[2]) / length
    ahead, aside = away @ forward, np.abs(away @ np.cross(UP, forward))
    steps = figure.joint_depth[rows] - figure.joint_depth[int(limb[2])]
    reach = float(ahead.max(initial=1e-6))
    skeleton = figure.skeleton
    ends = 1.0 * (figure.below_count[rows] == 0)
    marked = figure.ends_marked
    own = np.array([norms(figure.tails[row] - figure.heads[row]) for row in rows]) / length
    return {
        "candidate": np.ones(len(rows)),
        "ahead": np.clip(ahead, -0.5, 0.6),
        "behind": 1.0 * (ahead < 0.0),
        "very near": 1.0 * (norms(away) < 0.04),
        "aside": aside,
        "low": np.clip(-away[:, 2], 0.0, 0.5),
        "above the ankle": 1.0 * (away[:, 2] > 0.02),
        "share of the reach": ahead / max(reach, 1e-6),
        "second joint": 1.0 * (steps == 2),
        "third joint": 1.0 * (steps >= 3),
        "deforms": 1.0 * skeleton.deform[rows],
        "nothing below": ends,
        "nothing below, ends marked": ends * marked,
        "one end below": (1.0 - ends) * np.array([figure.below_count[row] == 1 for row in rows]),
        "one end below, ends marked": (1.0 - ends)
        * marked
        * np.array([figure.below_count[row] == 1 for row in rows]),
        "own length": np.minimum(own, 0.5),
        "foot's tail here": 1.0 * (norms(figure.tails[int(limb[2])] - figure.heads[rows]) < 0.02 * length),
        "siblings": np.array([np.log(max(len(skeleton.children[skeleton.parents[row]]), 1)) for row in rows]),
        **names_of(figure, rows, "toe"),
    }


def best_collar(figure: Figure, arms: LimbPair, top: int) -> int:
    """Return the bone that carries an upper arm off the trunk, or -1."""
    rows = collar_candidates(figure, arms, top)
    if not rows:
        return -1
    merit = weighed("collar", collar_evidence(figure, arms, top, rows))
    return figure.deforming_twin(rows[int(np.argmax(merit))]) if merit.max() > 0.0 else -1


def collar_candidates(figure: Figure, arms: LimbPair, top: int) -> list[int]:
    """Return the bones between the trunk and an upper arm, nearest to the arm first."""
    carrier = arms.hub(figure)
    above = figure.skeleton.ancestors(top)
    between = above[: above.index(carrier)] if carrier in above else []
    return [
        row
        for row in between[-_SHOULDER_BONES:]
        if figure.joint_ids[row] != figure.joint_ids[top] and figure.moves_skin[row]
    ]


def collar_evidence(figure: Figure, arms: LimbPair, top: int, rows: list[int]) -> Evidence:
    """Return the evidence on each candidate `(n,)`."""
    length = max(arms.length, 1e-12)
    offset = np.abs((figure.heads[rows] - arms.middle) @ arms.across) / max(arms.apart / 2.0, 1e-12)
    along = figure.heads[top] - figure.heads[rows]
    far = norms(along)
    steps = np.arange(len(rows), dtype=float)
    return {
        "candidate": np.ones(len(rows)),
        "off the middle": np.minimum(offset, 2.0),
        "far": np.minimum(far / length, 2.0),
        "very near": 1.0 * (far < 0.05 * length),
        "outward": np.abs(along @ arms.across) / np.maximum(far, 1e-12),
        "steps up": steps,
        "first from the trunk": 1.0 * (steps == len(rows) - 1),
        "deforms": 1.0 * figure.skeleton.deform[rows],
        **names_of(figure, rows, "clavicle"),
    }
