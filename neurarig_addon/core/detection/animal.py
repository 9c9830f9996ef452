"""Animals on four legs, and birds: which bone plays which role, by the shape of the skeleton.

What stands on two pairs of legs along one trunk is a quadruped if they can be read as hind and fore legs and
there is a head before them; what stands on one pair that ends in feet, with its head ahead, is a bird. Names
count for little: the same ones mean another segment in every family of rigs.
"""

from dataclasses import replace

import numpy as np

from ..geometry.rotation import ON_GROUND, norms
from ..skeleton.roles import (
    BIRD,
    EARS,
    LEG_PARTS,
    NECK,
    QUADRUPED,
    SIDES,
    SPINE,
    TAIL,
    RoleMap,
    numbered,
    sided,
)
from ..skeleton.skeleton import Skeleton
from .branches import legs_on_ground, of_deforming
from .conventions import name_votes
from .evidence import weighed
from .figure import SAME_POINT, Figure
from .head import distinct_joints, find_eyes, head_candidates
from .legged_figure import LeggedFigure, figure_on_legs

_FEWEST = 8  # bones of an animal
_AT_HIPS = 0.5  # share of the hips' height: the trunk is higher
_LEVEL = 0.02  # leg lengths: what is ahead by less is not ahead
_FAR = 0.45  # share of the way from the hips to the end of the trunk: the head is farther
_UPRIGHT = 0.3  # leg lengths that the head on an upright neck is behind the shoulders, at most
_TAIL = 0.05  # leg lengths that a tail is long, at least
_NEAR = 0.8  # leg lengths: a tail begins nearer to the hips
_EAR = 0.1  # leg lengths by which an ear reaches above the joint of the head
_LIKE = 0.03  # share of the figure's size: ears mirror each other to within this
_WING, _ARM = 0.5, 0.35  # leg lengths: wings reach farther off the middle, arms on a neck are longer
_WING_ON_NECK = 0.4  # leg lengths off the middle
_ABOVE = 0.17  # leg lengths: so much higher than a head a trunk has a true one
_HIGH_ANKLES = 0.15  # share of the hips' height
_TRUNK = 2  # least bones from the pelvis to the head, which is one of them


def animal_roles(skeleton: Skeleton) -> RoleMap | None:
    """Return the roles of a quadruped's or a bird's bones; None if an armature is neither."""
    if len(skeleton.names) < _FEWEST:
        return None
    skeleton = of_deforming(skeleton)
    figure = Figure(skeleton, names=name_votes(skeleton))
    pairs = legs_on_ground(figure)
    legged = figure_on_legs(figure, pairs) if 0 < len(pairs) < 3 else None
    trunk = _trunk(legged) if legged is not None else {}
    if legged is None or not trunk:
        return None
    rows = dict(legged.rows()) | trunk
    tail = _tail(legged, rows)
    if _carries_arms(legged, tail, [*tail, rows["pelvis"]]):
        return None
    rows |= numbered(TAIL, tail)
    if len(pairs) > 1:
        rows |= _ears(legged, rows["head"])
    kind = QUADRUPED if len(pairs) > 1 else BIRD
    found = RoleMap({role: skeleton.names[row] for role, row in rows.items()}, kind=kind)
    return replace(found, eyes=find_eyes(skeleton, found))


def is_surely_bird(skeleton: Skeleton, roles: RoleMap) -> bool:
    """Return whether an animal whose legs could be a biped's is a bird: its trunk goes farther ahead than up,
    and its ankles are high."""
    hips, _, ankles = (
        np.mean([skeleton.heads[skeleton.index[roles.bones[sided(part, side)]]] for side in SIDES], axis=0)
        for part in LEG_PARTS[:3]
    )
    trunk = skeleton.heads[skeleton.index[roles.bones[NECK if roles.has(NECK) else "head"]]] - hips
    floor = skeleton.tails[[skeleton.index[roles.bones[sided("foot", side)]] for side in SIDES], 2].min()
    return (
        roles.kind == BIRD
        and bool(trunk[2] < norms(trunk * ON_GROUND))
        and bool(ankles[2] - floor > _HIGH_ANKLES * (hips[2] - floor))
    )


def _trunk(legged: LeggedFigure) -> dict[str, int]:
    """Return the roles of pelvis, spine, neck and head with their rows; none if there is no head, or if a
    centaur's arms hang on the neck."""
    figure, pelvis, head = legged.figure, _pelvis(legged), _head(legged)
    if min(pelvis, head) < 0:
        return {}
    floor = legged.floor + _AT_HIPS / 2.0 * legged.length
    roots = {row for row in figure.skeleton.ancestors(pelvis) if figure.heads[row, 2] < floor}
    way = [row for row in _path(figure, pelvis, head)[1:] if row not in roots]
    way = distinct_joints(figure, way)
    chest = _chest(legged, way[:-1])
    upper = way[chest:] if _goes_on(legged, way[-1]) else way[chest:-1]
    if _carries_arms(legged, upper, way) or len(way) < _TRUNK:
        return {}
    spine, neck = numbered(SPINE, way[:chest]), numbered(NECK, way[chest:-1])
    return {"pelvis": pelvis, **spine, **neck, "head": way[-1]}


def _head(legged: LeggedFigure) -> int:
    """Return the head: a joint of the trunk ahead of the legs, or at least of most of the way to its end; -1
    if there is none."""
    figure, front = legged.figure, len(legged.legs) > 1
    heads = head_candidates(figure, legged.limb_pair(0), legged.limb_pair(1) if front else None, legged.used)
    if heads is None:
        return -1
    places, shoulders = figure.heads[heads.rows], legged.legs[-1].middle[0]
    behind = _UPRIGHT if front else -_LEVEL
    could = legged.midline[heads.rows] & (((places - shoulders) @ legged.forward) > -behind * legged.length)
    if front:
        hub = legged.legs[1].hub
        could &= (heads.rows != hub) & ~figure.is_above[heads.rows, hub]
    far = norms(places - legged.joint(0, "thigh"))
    could &= far > _FAR * np.max(far, where=could, initial=0.0)
    best = int(np.argmax(np.where(could, weighed("head", heads.seen), -np.inf)))
    return int(heads.rows[best]) if could.any() else -1


def _pelvis(legged: LeggedFigure) -> int:
    """Return the bone at the hips: the one on which the hind legs hang, or the one of the trunk that carries
    it from behind, if a quadruped's hang behind its head; if that is a root on the floor, the nearest of the
    trunk."""
    figure, hub = legged.figure, legged.legs[0].hub
    heads, parents = figure.heads, figure.skeleton.parents
    high = heads[:, 2] > legged.floor + _AT_HIPS * (legged.joint(0, "thigh")[2] - legged.floor)
    if hub < 0 or not high[hub]:
        trunk = np.flatnonzero(legged.midline & high)
        return int(trunk[np.argmin(norms(heads[trunk] - legged.joint(0, "thigh")))]) if len(trunk) else -1
    above = int(parents[hub])
    is_trunk = above >= 0 and bool(high[above] and legged.midline[above])
    ahead, other = legged.ahead(heads[[hub, above]]) / legged.length
    is_trunk = is_trunk and (ahead > -_LEVEL or len(legged.legs) < 2)
    return above if is_trunk and _LEVEL < ahead - other < _NEAR else hub


def _path(figure: Figure, one: int, other: int) -> list[int]:
    """Return the rows from one bone to another along the hierarchy, both included."""
    common = figure.common_ancestor(one, other)
    up, down = ([row, *figure.skeleton.ancestors(row)] for row in (one, other))
    if common < 0:
        return [one, *down[::-1]]
    return up[: up.index(common) + 1] + down[: down.index(common)][::-1]


def _chest(legged: LeggedFigure, way: list[int]) -> int:
    """Return how many of the bones between pelvis and head are of the spine: up to the one on which the fore
    legs or wings hang, and the next one if it begins no farther ahead than these."""
    figure = legged.figure
    if len(legged.legs) > 1:
        hub, top = legged.legs[1].hub, float(legged.ahead(legged.legs[1].middle[0]))
    else:
        hub, wide = _longest_aside(legged, way)
        hub, top = hub if wide > _WING * legged.length else -1, -np.inf
    on_way = [k for k, row in enumerate(way, start=1) if row == hub]
    if not on_way and len(legged.legs) == 1:
        return (len(way) + 1) // 2
    count = on_way[0] if on_way else 0
    if count < len(way) and legged.ahead(figure.heads[way[count]]) < top + _LEVEL * legged.length:
        count += 1
    return count


def _carries_arms(legged: LeggedFigure, bones: list[int], others: list[int]) -> bool:
    """Return whether long branches, the `others` apart, hang off the middle of a neck or tail: then it is the
    trunk of a centaur. Birds' wings may lie along a neck, but do not reach aside from it."""
    if len(legged.legs) == 1:
        return _longest_aside(legged, bones)[1] > _WING_ON_NECK * legged.length
    figure, children = legged.figure, legged.figure.skeleton.children
    beside = {child for row in bones for child in children[row]} - {*others}
    rows = [row for child in beside for row in figure.below(child) if not legged.midline[row]]
    return bool((_long(figure)[rows] > _ARM * legged.length).any())


def _long(figure: Figure) -> np.ndarray:
    """Return how long the way to the farthest joint below each bone is `(bones,)`."""
    return figure.over_below(figure.way, np.maximum) - figure.way


def _goes_on(legged: LeggedFigure, head: int) -> bool:
    """Return whether a trunk goes on above what could be a head."""
    figure = legged.figure
    above = [row for row in figure.below(head) if legged.midline[row]]
    return bool(figure.heads[above, 2].max() > figure.heads[head, 2] + _ABOVE * legged.length)


def _longest_aside(legged: LeggedFigure, way: list[int]) -> tuple[int, float]:
    """Return which of some bones carries the branches that reach farthest off the middle, -1 without any, and
    how far they do."""
    reach = legged.figure.over_below(np.abs(legged.off_plane), np.maximum)
    children = legged.figure.skeleton.children
    far = {
        row: max((float(reach[child]) for child in children[row] if not legged.midline[child]), default=0.0)
        for row in way
    }
    best = max(far, key=lambda row: far[row], default=-1)
    return best, far.get(best, 0.0)


def _tail(legged: LeggedFigure, rows: dict[str, int]) -> list[int]:
    """Return the bones of the tail from the hips outwards."""
    figure, pelvis = legged.figure, rows["pelvis"]
    heads, children = figure.heads, figure.skeleton.children
    trunk = {row for role, row in rows.items()} | {pelvis, *figure.skeleton.ancestors(pelvis)}
    hips = legged.joint(0, "thigh")
    end = _long(figure)
    tops = [
        child
        for row in trunk
        for child in children[row]
        if child not in trunk
        and legged.midline[child]
        and legged.ahead(heads[child]) < _LEVEL * legged.length
        and norms(heads[child] - hips) < _NEAR * legged.length
        and end[child] > _TAIL * legged.length
    ]
    if not tops:
        return _drawn_towards(legged, pelvis)
    tail = [min(tops, key=lambda row: float(legged.ahead(heads[figure.below(row)]).min()))]
    while following := [row for row in children[tail[-1]] if legged.midline[row]]:
        tail.append(max(following, key=lambda row: (figure.below_count[row], end[row])))
    return distinct_joints(figure, tail)


def _drawn_towards(legged: LeggedFigure, pelvis: int) -> list[int]:
    """Return the bones, from the pelvis outwards, of a tail that is drawn from its tip to there, whatever
    carries it."""
    figure, found = legged.figure, [pelvis]
    near = SAME_POINT * figure.size
    while True:
        at = figure.heads[found[-1]]
        meets = legged.midline & (norms(figure.tails - at) < near)
        meets &= legged.ahead(figure.heads) < legged.ahead(at) - near
        if not meets.any():
            return found[1:]
        found.append(int(np.argmax(meets)))


def _ears(legged: LeggedFigure, head: int) -> dict[str, int]:
    """Return the two bones of a mirrored pair on the head that reach highest above its joint."""
    figure, aside = legged.figure, legged.off_plane
    skull = figure.below(int(figure.skeleton.parents[head]))  # some rigs hang the ears beside the head
    below = np.array([row for row in skull if row not in legged.used], dtype=int)
    left, right = (below[sign * aside[below] > SAME_POINT * figure.size] for sign in (1.0, -1.0))
    parents = figure.skeleton.parents
    high = figure.over_below(np.maximum(figure.heads[:, 2], figure.tails[:, 2]), np.maximum)
    best: dict[str, int] = {}
    height = figure.heads[head, 2] + _EAR * legged.length
    for row in left.tolist():
        image = figure.heads[row] - 2.0 * aside[row] * np.cross([0.0, 0.0, 1.0], legged.forward)
        same = [other for other in right.tolist() if parents[other] == parents[row]]
        same = [other for other in same if norms(figure.heads[other] - image) < _LIKE * figure.size]
        if same and high[row] > height:
            best, height = {EARS[0]: row, EARS[1]: same[0]}, high[row]
    return best
