"""Candidates for legs and arms: three joints in a row, and pairs of them that mirror each other."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from .figure import SAME_POINT, Figure

_DEPTH = 14  # bones between a limb's first and last joint, twist halves and generated layers included
_MIN_SHARE = 0.02  # of the figure's size: shorter segments are no limb
_MAX_RATIO = 3.5  # between a limb's two segments
_MAX_DETOUR = 1.15  # way along the bones between two joints, against the straight line
_HIP_LINK_DEGREES = 30.0  # a first link that turns more is a hip or collar bone, not half a thigh
_FOOT_LINK_DEGREES = 20.0  # a last link that turns more is a foot or palm, not half a shin

# What speaks against a candidate, in units of one "e-fold of segment ratio".
COST_NO_END = 1.0
COST_ONE_BONE = 2.0
COST_DETACHED = 0.3
COST_FOLDED = 4.0
COST_BENT_LINK = 0.4
COST_CONTROL = 0.3
COST_CARRIER = 0.1
COST_TWIN_ABOVE = 0.05
REWARD_NAMED = 1.2
REWARD_BELOW = 0.1


@dataclass(frozen=True)
class Limbs:
    """Candidate limbs.  `rows` `(n, 3)`: first, middle and end bone, -1 where there is none.  `points` `(n, 3, 3)`: their joints.

    `cost` `(n,)`: how unlike a limb the candidate is by itself.
    """

    rows: np.ndarray
    points: np.ndarray
    cost: np.ndarray

    @property
    def length(self) -> np.ndarray:
        """Both segments together `(n,)`."""
        return np.linalg.norm(np.diff(self.points, axis=1), axis=2).sum(axis=1)

    def only(self, wanted: np.ndarray) -> "Limbs":
        """Return some of the candidates."""
        return Limbs(self.rows[wanted], self.points[wanted], self.cost[wanted])


def find_limbs(figure: Figure, parts: tuple[str, str, str], allowed: np.ndarray) -> Limbs:
    """Return every chain of three joints among the `allowed` `(bones,)` rows that could be a limb of these parts (names' votes)."""
    table = np.array(list(_chains(figure, allowed))).reshape(-1, 5)
    rows, extra, links = table[:, :3].astype(int), table[:, 3], table[:, 4].astype(int)
    if not len(rows):
        return Limbs(rows, np.zeros((0, 3, 3)), extra)
    points = _joints(figure, rows)
    segments = np.linalg.norm(np.diff(points, axis=1), axis=2)
    one_bone = rows[:, 1] < 0
    shortest, ways = _MIN_SHARE * figure.size, _ways(figure, rows, segments)
    ratio = np.log(np.maximum(segments[:, 0], 1e-12) / np.maximum(segments[:, 1], 1e-12))
    possible = (segments > shortest).all(axis=1) & (np.abs(ratio) < np.log(_MAX_RATIO)) & (ways <= _MAX_DETOUR * segments).all(axis=1)
    cost = np.abs(ratio) + extra + COST_BENT_LINK * (_turns_at_first_link(figure, points, links) & ~one_bone)
    cost += COST_BENT_LINK * _turns_at_last_link(figure, rows, points)
    straight = np.linalg.norm(points[:, 2] - points[:, 0], axis=1) / np.maximum(segments.sum(axis=1), 1e-12)
    cost += COST_FOLDED * (1.0 - straight) + _bone_costs(figure, rows) - REWARD_NAMED * _named(figure, rows, parts)
    return Limbs(rows, points, cost).only(possible)


def distinct(limbs: Limbs, figure: Figure) -> Limbs:
    """Return the best candidate of each geometry: layered rigs repeat a limb several times over."""
    keys = np.round(limbs.points.reshape(-1, 9) / (figure.size * SAME_POINT)).astype(int)
    best: dict[bytes, int] = {}
    for k in np.argsort(limbs.cost, kind="stable"):
        best.setdefault(keys[k].tobytes(), int(k))
    return limbs.only(np.array(sorted(best.values()), dtype=int))


def _chains(figure: Figure, allowed: np.ndarray) -> Iterator[tuple[int, int, int, float, int]]:
    """Yield first, middle and end bone (-1: none), what the kind of chain costs, and the second bone where it is not the middle."""
    loose = _loose_ends(figure, allowed)
    for end in np.flatnonzero(allowed).tolist():
        above = [row for row in figure.ancestors[end][:_DEPTH] if allowed[row]]
        for k, middle in enumerate(above):
            if not _apart(figure, middle, end):
                continue
            yield middle, -1, end, COST_ONE_BONE, -1
            for n in range(k + 1, len(above)):
                if _apart(figure, above[n], middle):
                    yield above[n], middle, end, 0.0, _first_link(figure, above[k:n], above[n])
        if not figure.skeleton.children[end]:
            for n, top in enumerate(above):
                link = _first_link(figure, [end, *above[:n]], top)
                yield top, end, -1, COST_NO_END, link
                for foot in loose:
                    if foot != end and foot not in figure.ancestors[end]:
                        yield top, end, foot, COST_DETACHED, link


def _joints(figure: Figure, rows: np.ndarray) -> np.ndarray:
    """Return the three joints `(n, 3, 3)` of chains: a missing end is the middle's tail, a missing middle is half way."""
    top, middle, end = rows.T
    first = figure.heads[top]
    last = np.where(end[:, None] >= 0, figure.heads[end], figure.tails[middle])
    between = np.where(middle[:, None] >= 0, figure.heads[middle], (first + last) / 2.0)
    return np.stack([first, between, last], axis=1)


def _loose_ends(figure: Figure, allowed: np.ndarray) -> list[int]:
    """Return deforming bones that hang on a root near the floor: feet that an IK rig keeps apart from their leg."""
    skeleton = figure.skeleton
    low = figure.heads[:, 2] < figure.floor + 0.15 * figure.size
    depth = np.array([len(above) for above in figure.ancestors])
    return [int(row) for row in np.flatnonzero(allowed & low & skeleton.deform & (depth <= 1))]


def _ways(figure: Figure, rows: np.ndarray, segments: np.ndarray) -> np.ndarray:
    """Return the way along the bones `(n, 2)` between a limb's joints; straight where no chain joins them."""
    top, middle, end = rows.T
    first = np.where(middle >= 0, figure.way[middle] - figure.way[top], segments[:, 0])
    second = np.where((middle >= 0) & (end >= 0), figure.way[end] - figure.way[middle], segments[:, 1])
    joined = np.array([m in figure.ancestors[e] for m, e in rows[:, 1:]])
    return np.stack([first, np.where(joined, second, segments[:, 1])], axis=1)


def _first_link(figure: Figure, chain: list[int], top: int) -> int:
    """Return the first bone of a chain (nearest the end first) that starts elsewhere than `top`, or -1."""
    return next((row for row in reversed(chain) if _apart(figure, row, top)), -1)


def _last_joint_above(figure: Figure, row: int) -> int:
    """Return the nearest bone above that starts elsewhere, or -1."""
    return next((above for above in figure.ancestors[row] if _apart(figure, above, row)), -1)


def _apart(figure: Figure, one: int, other: int) -> bool:
    return figure.joint_ids[one] != figure.joint_ids[other]


def _turns_at_first_link(figure: Figure, points: np.ndarray, links: np.ndarray) -> np.ndarray:
    """Say `(n,)` which limbs start with a short bone that points elsewhere than the rest of the first segment."""
    joint = figure.heads[links]
    return (links >= 0) & _bends(joint - points[:, 0], points[:, 1] - joint, _HIP_LINK_DEGREES, figure)


def _turns_at_last_link(figure: Figure, rows: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Say `(n,)` which limbs end with a bone that points elsewhere than the rest of the second segment."""
    apart = np.array([_last_joint_above(figure, row) for row in range(len(figure.heads))])
    before = apart[rows[:, 2]]
    inside = (rows[:, 2] >= 0) & (before >= 0) & np.array([m in figure.ancestors[b] for m, b in zip(rows[:, 1], before, strict=True)])
    joint = figure.heads[before]
    return inside & _bends(joint - points[:, 1], points[:, 2] - joint, _FOOT_LINK_DEGREES, figure)


def _bends(first: np.ndarray, second: np.ndarray, degrees: float, figure: Figure) -> np.ndarray:
    """Say `(n,)` where two vectors of some length differ by more than an angle."""
    lengths = np.linalg.norm(first, axis=1), np.linalg.norm(second, axis=1)
    cos = np.sum(first * second, axis=1) / np.maximum(lengths[0] * lengths[1], 1e-12)
    return (np.minimum(*lengths) > SAME_POINT * figure.size) & (cos < np.cos(np.radians(degrees)))


def _bone_costs(figure: Figure, rows: np.ndarray) -> np.ndarray:
    """Return `(n,)` what speaks against the bones themselves: controls, and helpers whose child starts at the same joint.

    A bone that deforms nothing but carries bones that do is nearly as good as they.
    """
    skeleton = figure.skeleton
    carries = np.zeros(len(skeleton.names), dtype=bool)
    for row in np.flatnonzero(skeleton.deform):
        carries[skeleton.parents[row]] |= skeleton.parents[row] >= 0
    twin_above = np.zeros(len(skeleton.names))
    for row, parent in enumerate(skeleton.parents):
        if parent >= 0 and skeleton.children[row] and not _apart(figure, row, parent):
            twin_above[parent] = COST_TWIN_ABOVE
    per_bone = np.where(skeleton.deform, 0.0, np.where(carries, COST_CARRIER, COST_CONTROL)) + twin_above
    per_bone = per_bone - REWARD_BELOW * (figure.below_count > 0)
    return np.where(rows >= 0, per_bone[rows], 0.0).mean(axis=1)


def _named(figure: Figure, rows: np.ndarray, parts: tuple[str, str, str]) -> np.ndarray:
    """Return `(n,)` how many of a limb's bones the names call by these parts, less those that they call something else."""
    voted = np.zeros((len(figure.heads), 3))
    for role, row in figure.votes.items():
        part = role.rsplit(".", 1)[0]
        voted[row] = [1.0 if part == wanted else -1.0 for wanted in parts]
    return np.where(rows >= 0, voted[rows, [0, 1, 2]], 0.0).sum(axis=1)
