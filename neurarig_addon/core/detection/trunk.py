"""The middle of the figure: pelvis, spine, neck and head."""

from dataclasses import dataclass

import numpy as np

from .chest import last_spine_bone
from .figure import SAME_POINT, Figure
from .head import distinct_joints, head_candidates
from .pairs import LimbPair

_ROOT_BELOW = 0.5  # leg lengths under the hips: a lower bone is the character's root, not the pelvis
_AT_HIPS = 0.05  # leg lengths: a bone nearer to the height of the hips starts there
_LEVEL = 0.02  # leg lengths: heights that differ by less are equal


@dataclass(frozen=True)
class Trunk:
    """Rows of the pelvis, of the spine from the pelvis up (the last is the chest), of the neck, and of the head (-1: none)."""

    pelvis: int
    spine: tuple[int, ...]
    neck: tuple[int, ...]
    head: int


def find_trunk(figure: Figure, legs: LimbPair, arms: LimbPair | None, used: set[int]) -> Trunk | None:
    """Return the trunk above a pair of legs, or None if nothing joins them."""
    hub = figure.common_ancestor(int(legs.rows[0, 0]), int(legs.rows[1, 0]))
    heads = head_candidates(figure, legs, arms, used)
    k = heads.best() if heads else -1
    chain = heads.chains[k] if heads else [hub] if hub >= 0 else []
    pelvis = pelvis_above(figure, legs, chain)
    if pelvis < 0:
        return None
    way = way_up(figure, legs, pelvis, chain)
    if not way:
        return Trunk(pelvis, (), (), -1)
    chest = last_spine_bone(figure, way, legs, arms)
    return Trunk(pelvis, tuple(way[: chest + 1]), tuple(way[chest + 1 : -1]), way[-1])


def way_up(figure: Figure, legs: LimbPair, pelvis: int, chain: list[int]) -> list[int]:
    """Return the bones of a chain above the pelvis, including the head."""
    below = {pelvis, *figure.ancestors[pelvis]}
    above = [row for row in chain if row not in below and figure.heads[row, 2] > legs.middle[2] - _ROOT_BELOW * legs.length]
    return distinct_joints(figure, above)


def pelvis_above(figure: Figure, legs: LimbPair, chain: list[int]) -> int:
    """Return the lowest bone between the thighs' common ancestor and the trunk's turn upward, without roots on the floor."""
    hub = _down_to_hips(figure, legs, figure.common_ancestor(int(legs.rows[0, 0]), int(legs.rows[1, 0])))
    lowest_allowed = legs.middle[2] - _ROOT_BELOW * legs.length
    candidates = [row for row in chain if figure.heads[row, 2] > lowest_allowed]
    if hub >= 0 and figure.heads[hub, 2] > lowest_allowed:
        if hub not in chain:
            return hub
        candidates = candidates[candidates.index(hub) :]
    if not candidates:
        return hub
    heights = figure.heads[candidates, 2]
    turn = 0
    while turn + 1 < len(candidates) and heights[turn + 1] < heights[turn] - _LEVEL * legs.length:
        turn += 1
    return _deforming(figure, candidates[turn:])


def _deforming(figure: Figure, chain: list[int]) -> int:
    """Return the first bone of a chain, or the one in it that deforms in its place, in the same direction or reversed."""
    first = chain[0]
    ends = np.stack([figure.heads[first], figure.tails[first]])
    for row in chain:
        own = np.stack([figure.heads[row], figure.tails[row]])
        same = min(np.abs(own - ends).max(), np.abs(own[::-1] - ends).max()) < SAME_POINT * figure.size
        if same and figure.skeleton.deform[row]:
            return row
    return first


def _down_to_hips(figure: Figure, legs: LimbPair, hub: int) -> int:
    """Return the hub's parent if that starts at the hips and the hub does not (3ds Max hangs thighs on the spine), else the hub."""
    parent = int(figure.skeleton.parents[hub]) if hub >= 0 else -1
    if parent < 0:
        return hub
    off = np.abs(figure.heads[[hub, parent], 2] - legs.middle[2]) / legs.length
    return parent if off[1] < _AT_HIPS < off[0] else hub
