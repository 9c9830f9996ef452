"""Legs as whole branches: pairs of siblings that mirror each other and reach the ground, about one plane."""

from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from ..geometry.rotation import ON_GROUND, normalized, norms
from ..skeleton.skeleton import Skeleton
from .figure import Figure
from .head import distinct_joints
from .kinship import anatomical
from .pairs import mirror_error

_UNLIKE = 0.2  # leg lengths: greatest mirror error of a pair
_OTHER = 0.05  # leg lengths: legs of a stride are as long and begin as high to within this
_LOW = 0.3  # share of a leg's height above the floor: it ends lower
_HIGH = 0.12  # share of the figure's size: legs begin higher above the floor
_LEAST = 0.35  # share of the longest leg's height: legs of a figure that are shorter are no legs
_AS_FAR = 0.12  # share of a leg's height: branches that reach as low as another one but for this go as far
_AT_END = 0.9  # share of the way to the farthest child
_MOST = 12  # joints of a leg
_SIBLINGS = 64  # bones on one hub that are compared with each other
_MET = 0.05  # share of a bone's length: a tail nearer to the next joint meets it
_BELOW = 0.5  # least share of the way from the end of a leg to its foot apart that leads down
_ON_PLANE = 0.02  # share of the figure's size: the trunk's joints are no farther off the middle plane
_SAME_PLANE = 0.95  # least cosine between the directions across two pairs
_ASIDE = 0.1  # leg lengths by which the middle planes of two pairs may differ


@dataclass(frozen=True)
class Branches:
    """Two limbs that mirror each other about a plane.

    `chains`: their rows from the top down, one for each joint, as many on both sides; `points` `(2, n, 3)`:
    their joints, and the tips of the last bones if tails meet joints; `hub`: the bone that carries both
    (-1: none); `across` `(3,)`: horizontal unit vector from the second limb to the first; `unlike`: the
    mirror error as a share of the length.
    """

    chains: tuple[list[int], list[int]]
    points: np.ndarray
    hub: int
    across: np.ndarray
    unlike: float

    def without_tips(self) -> "Branches":
        """Return the same of joints alone: importers invent the tails of last bones."""
        return replace(self, points=self.points[:, : len(self.chains[0])])

    @property
    def middle(self) -> np.ndarray:
        """The joints of both limbs brought to the middle `(n, 3)`."""
        return self.points.mean(axis=0)

    @property
    def length(self) -> float:
        """The length of a limb from joint to joint in metres."""
        return float(norms(np.diff(self.points, axis=1)).sum() / 2.0)

    @property
    def drop(self) -> float:
        """How far a limb leads down, in metres."""
        return float(self.middle[0, 2] - self.middle[:, 2].min())


def of_deforming(skeleton: Skeleton) -> Skeleton:
    """Return the skeleton of the bones that deform, and of those that join several such branches; feet that
    an IK rig keeps at its root hang on the legs that end above them."""
    skeleton = anatomical(skeleton)[0]
    if skeleton.deform.any():
        figure = Figure(skeleton)
        skeleton = _only(skeleton, skeleton.deform | (figure.count_children(figure.moves_skin) > 1))
    return _with_feet(skeleton)


def _only(skeleton: Skeleton, kept: np.ndarray) -> Skeleton:
    """Return the skeleton of the bones that are `kept` `(bones,)`; others pass their children up."""
    rows, above = np.flatnonzero(kept), skeleton.parents.copy()
    for row, parent in enumerate(above.tolist()):
        above[row] = parent if parent < 0 or kept[parent] else above[parent]
    number = np.append(np.cumsum(kept) - 1, -1)
    return replace(
        skeleton,
        names=tuple(skeleton.names[row] for row in rows),
        parents=number[above[rows]],
        rest=skeleton.rest[rows],
        lengths=skeleton.lengths[rows],
        deform=skeleton.deform[rows],
    )


def _with_feet(skeleton: Skeleton) -> Skeleton:
    figure, parents = Figure(skeleton), skeleton.parents.copy()
    heads, heights, count = figure.heads, figure.heads[:, 2], figure.below_count
    low = figure.over_below(heights, np.maximum) < figure.floor + _LOW * np.ptp(heights)
    on_root = (parents < 0) | (count[parents] > len(count) / 2)
    feet = np.flatnonzero(low & on_root)
    hangs = heights < heights[parents]
    ends = np.flatnonzero((count == 0) & hangs & ~on_root & ~figure.is_above[feet].any(axis=0))
    if not len(feet) or not len(ends):
        return skeleton
    way = heads[ends][:, None] - heads[feet]
    far = np.where(way[..., 2] > _BELOW * norms(way), norms(way), np.inf)
    for foot, end in enumerate(far.argmin(axis=0).tolist()):
        if np.isfinite(far[end, foot]) and far[end].argmin() == foot:
            parents[feet[foot]] = ends[end]
    return _parents_first(replace(skeleton, parents=parents))


def _parents_first(skeleton: Skeleton) -> Skeleton:
    """Return a skeleton whose bones have new parents in an order in which these come first."""
    depth, above = np.zeros(len(skeleton.names), dtype=int), skeleton.parents
    while (above >= 0).any():
        depth += above >= 0
        above = np.where(above >= 0, skeleton.parents[above], -1)
    order = np.argsort(depth, kind="stable")
    number = np.append(np.argsort(order), -1)
    return replace(
        skeleton,
        names=tuple(skeleton.names[row] for row in order),
        parents=number[skeleton.parents[order]],
        rest=skeleton.rest[order],
        lengths=skeleton.lengths[order],
        deform=skeleton.deform[order],
    )


def legs_on_ground(figure: Figure) -> list[Branches]:
    """Return all pairs of legs about the figure's middle plane, the longest first."""
    lowest = figure.over_below(_low_ends(figure), np.minimum)
    found = [pair for hub in range(-1, len(figure.heads)) for pair in _pairs(figure, hub, lowest)]
    if not found:
        return []
    trunk = np.ones(len(figure.heads), dtype=bool)
    trunk[[row for pair in found for chain in pair.chains for row in figure.below(chain[0])]] = False
    middle = max(found, key=lambda pair: (_on_plane(figure, pair, trunk), -pair.unlike))
    same = [pair for pair in found if _shares_plane(figure, pair, middle)]
    same = [pair for pair in same if pair.drop > _LEAST * max(other.drop for other in same)]
    chosen: list[Branches] = []
    for pair in sorted(same, key=lambda pair: pair.unlike):
        taken = {chain[0] for other in chosen for chain in other.chains}
        if not taken & {chain[0] for chain in pair.chains}:
            chosen.append(pair)
    return sorted(chosen, key=lambda pair: -pair.drop)


def _low_ends(figure: Figure) -> np.ndarray:
    """Return how low bones reach `(bones,)`: their heads, and the tails of last bones where tails meet
    joints."""
    heads, tails, parents = figure.heads, figure.tails, figure.skeleton.parents
    met = norms(heads - tails[parents]) < _MET * norms(heads - heads[parents])
    is_last = (figure.below_count == 0) & (met & (parents >= 0))
    return np.where(is_last, np.minimum(heads[:, 2], tails[:, 2]), heads[:, 2])


def _pairs(figure: Figure, hub: int, lowest: np.ndarray) -> list[Branches]:
    """Return the pairs of legs on a bone, or among the roots (-1)."""
    children = np.flatnonzero(figure.skeleton.parents == hub)
    height, end = figure.heads[children, 2] - figure.floor, lowest[children] - figure.floor
    children = children[(height > _HIGH * figure.size) & (end < _LOW * height)][:_SIBLINGS]
    chains = {row: leg_chain(figure, row, lowest) for row in children.tolist()}
    found = []
    for one, other in combinations(chains, 2):
        count = min(len(chains[one]), len(chains[other]))
        if count < 2 or abs(len(chains[one]) - len(chains[other])) > 1:
            continue
        rows = (chains[one][:count], chains[other][:count])
        points = figure.heads[np.array(rows)]
        some = points[:, [0, count // 2, count - 1]]
        error, across = mirror_error(some[:1], some[1:])
        beside = (points[0, 0] - points[1, 0]) * ON_GROUND
        pair = Branches(rows, points, hub, across[0], 0.0)
        steps = norms(np.diff(points, axis=1))
        posed = np.abs(steps[0] - steps[1]).sum() < _OTHER * pair.length
        posed &= abs(points[0, 0, 2] - points[1, 0, 2]) < _OTHER * pair.length < norms(beside)
        if error[0] < _UNLIKE * pair.length or posed:
            across = normalized(beside) if posed else across[0]
            points = np.concatenate([points, *_tips(figure, rows)], axis=1)
            unlike = float(min(error[0], pair.length)) / pair.length
            found.append(replace(pair, points=points, across=across, unlike=unlike))
    return found


def _tips(figure: Figure, rows: tuple[list[int], list[int]]) -> list[np.ndarray]:
    """Return the tails `(2, 1, 3)` of both chains' last bones in a list; none if tails do not meet joints."""
    heads, tails = (points[np.array(rows)] for points in (figure.heads, figure.tails))
    met = norms(tails[:, :-1] - heads[:, 1:]) < _MET * norms(np.diff(heads, axis=1))
    return [tails[:, -1:]] if met.mean() >= 0.5 else []


def leg_chain(figure: Figure, top: int, lowest: np.ndarray) -> list[int]:
    """Return the rows from the top of a leg down to its last joint, one for each joint; `lowest` `(bones,)`:
    how low each bone's branch reaches."""
    chain, height = [top], figure.heads[top, 2] - figure.floor
    while len(chain) < _MOST and (children := figure.skeleton.children[chain[-1]]):
        reach = min(lowest[row] for row in children) + _AS_FAR * height
        far = [row for row in children if lowest[row] <= reach]
        away = norms(figure.heads[far] - figure.heads[chain[-1]])
        carries = figure.below_count[far]
        # leaves that begin before the end of the bone above only turn its skin
        far = [
            row
            for row, is_on in zip(far, (carries > 0) | (away > _AT_END * away.max()), strict=True)
            if is_on
        ]
        centre = figure.heads[far].mean(axis=0)
        chain.append(
            max(far, key=lambda row: (figure.below_count[row], -float(norms(figure.heads[row] - centre))))
        )
    return distinct_joints(figure, chain)


def off_plane(figure: Figure, pair: Branches) -> np.ndarray:
    """Return how far all heads `(bones,)` are off a pair's middle plane, positive towards the first limb."""
    return (figure.heads - pair.middle.mean(axis=0)) @ pair.across


def _on_plane(figure: Figure, pair: Branches, trunk: np.ndarray) -> int:
    """Return how many of the `trunk`'s joints `(bones,)` are on a pair's middle plane."""
    return int(np.count_nonzero(trunk & (np.abs(off_plane(figure, pair)) < _ON_PLANE * figure.size)))


def _shares_plane(figure: Figure, pair: Branches, other: Branches) -> bool:
    """Return whether two pairs have the same middle plane."""
    aside = abs(float((pair.middle.mean(axis=0) - other.middle.mean(axis=0)) @ other.across))
    near = aside < _ON_PLANE * figure.size + _ASIDE * pair.length
    return bool(abs(pair.across @ other.across) > _SAME_PLANE and near)
