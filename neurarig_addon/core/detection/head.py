"""Which bone is the head: candidates along the middle of the figure, and the evidence on each; and which are
the eyes.

Eyes are a mirrored pair at the head that the names call eyes. They change nothing else in the map: a rig
whose eyes are not found walks
as it did.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..geometry.rotation import dot, normalized, norms
from ..skeleton.naming import LAYERS, PlainName, plain_names
from ..skeleton.roles import EYES, SIDES, RoleMap
from ..skeleton.skeleton import Skeleton
from .evidence import Evidence, names_of, weighed
from .figure import SAME_POINT, Figure
from .pairs import LimbPair

_MIDLINE = 0.12  # leg lengths: how far off the middle plane a trunk bone may be
_CENTRE = 0.02  # leg lengths: bones further off are beside the middle plane
_LONGEST = 12.0  # most joints counted from the hips to the head
_LEAST_GAP = 1e-6


@dataclass(frozen=True)
class HeadCandidates:
    """Candidates: their `rows` `(n,)`, the `chains` of bones to them from the hips, and the evidence `seen`
    on each."""

    rows: np.ndarray
    chains: list[list[int]]
    seen: Evidence

    def best(self) -> int:
        """Return the index of the best candidate."""
        return int(np.argmax(weighed("head", self.seen)))


def head_candidates(
    figure: Figure, legs: LimbPair, arms: LimbPair | None, used: set[int]
) -> HeadCandidates | None:
    """Return every midline bone that could be the head: not the legs' common ancestor, nor an ancestor of it;
    None if there is none."""
    limbs = used | (_bones_of_arms(figure, arms) if arms else set())
    offset = np.abs((figure.heads - legs.middle) @ legs.across)
    middle = {
        int(row)
        for row in np.flatnonzero((offset < _MIDLINE * legs.length) & ~_mirrored(figure, legs, offset))
    } - limbs
    hub = legs.hub(figure)
    carrier = arms.hub(figure) if arms else -1
    rows = [row for row in sorted(middle) if row != hub and not figure.is_above[row, hub]]
    if not rows:
        return None
    chains = [
        [above for above in [*figure.skeleton.ancestors(row)[::-1], row] if above in middle] for row in rows
    ]
    chains = [chain[chain.index(hub) :] if hub in chain else chain for chain in chains]
    found = np.array(rows)
    seen = {
        **_place(figure, legs, found, offset),
        **_way_there(figure, legs, found, hub, carrier),
        **names_of(figure, found, "head"),
    }
    return HeadCandidates(found, chains, seen)


def _mirrored(figure: Figure, legs: LimbPair, offset: np.ndarray) -> np.ndarray:
    """Return whether bones `(bones,)` are off the middle plane and have a mirror image: these are not trunk,
    however near to it."""
    found = np.zeros(len(offset), dtype=bool)
    near = np.flatnonzero((offset > _CENTRE * legs.length) & (offset < _MIDLINE * legs.length))
    aside = (figure.heads[near] - legs.middle) @ legs.across
    left, right = near[aside > 0.0], near[aside < 0.0]
    images = figure.heads[left] - 2.0 * aside[aside > 0.0, None] * legs.across
    # images of the left, and the right
    meet = norms(images[:, None] - figure.heads[right]) < _CENTRE * legs.length
    found[left], found[right] = meet.any(axis=1), meet.any(axis=0)
    return found


def _bones_of_arms(figure: Figure, arms: LimbPair) -> set[int]:
    """Return the bones of both arms, and those that carry only one of them."""
    carriers = [set(figure.skeleton.ancestors(top)) for top in arms.rows[:, 0].tolist()]
    return {row for top in arms.rows[:, 0].tolist() for row in figure.below(top)} | (
        carriers[0] ^ carriers[1]
    )


def distinct_joints(figure: Figure, rows: list[int]) -> list[int]:
    """Return one bone for each joint of a chain: the first that deforms, else the first."""
    found: list[int] = []
    for row in rows:
        if not found or norms(figure.heads[row] - figure.heads[found[-1]]) >= SAME_POINT * figure.size:
            found.append(row)
        elif figure.skeleton.deform[row] and not figure.skeleton.deform[found[-1]]:
            found[-1] = row
    return found


def _place(figure: Figure, legs: LimbPair, rows: np.ndarray, offset: np.ndarray) -> Evidence:
    """Return the evidence from where the candidates are and what they carry."""
    away = figure.heads[rows] - legs.middle
    count = figure.below_count[rows]
    return {
        "height": away[:, 2] / legs.length,
        "below the top": (figure.heads[list(set(rows.tolist())), 2].max() - figure.heads[rows, 2])
        / legs.length,
        "below the hips": 1.0 * (away[:, 2] < 0.0),
        "ahead": norms(away[:, :2]) / legs.length,
        "off the middle": offset[rows] / legs.length,
        "deforms": 1.0 * figure.skeleton.deform[rows],
        "nothing below": 1.0 * (count == 0),
        "nothing below, ends marked": figure.ends_marked * (count == 0),
        "one end below": 1.0 * (count == 1),
        "one end below, ends marked": figure.ends_marked * (count == 1),
        "much below": np.log1p(count),
        "pairs below": np.log1p(_pairs_below(figure, legs)[rows]),
        "children": np.array([min(len(figure.skeleton.children[row]), 4) for row in rows], dtype=float),
        "single child": np.array([len(figure.skeleton.children[row]) == 1 for row in rows], dtype=float),
    }


def _pairs_below(figure: Figure, legs: LimbPair) -> np.ndarray:
    """Return the number of each bone's `(bones,)` children off the middle plane: eyes, ears, cheeks."""
    off = np.abs((figure.heads - legs.middle) @ legs.across) > 0.01 * legs.length
    return figure.count_children(off)


def _way_there(figure: Figure, legs: LimbPair, rows: np.ndarray, hub_row: int, carrier: int) -> Evidence:
    """Return the evidence from the chains between the hips and the candidates."""
    hub = figure.is_above[hub_row, rows] & (hub_row >= 0)
    above, depth = figure.joint_above, figure.joint_depth
    before = np.where(above[rows] >= 0, above[above[rows]], -1)
    first = figure.heads[rows] - figure.heads[above[rows]]
    second = figure.heads[above[rows]] - figure.heads[before]
    last = np.where(above[rows] >= 0, norms(first), 0.0)
    earlier = np.where(before >= 0, norms(second), 0.0)
    turn = np.where(before >= 0, 1.0 - dot(first, second) / np.maximum(last * earlier, _LEAST_GAP), 0.0)
    on = figure.next_joint[rows]
    gap_on = np.where(on >= 0, norms(figure.heads[on] - figure.heads[rows]), 0.0)
    longer, longer_on = _log_ratio(last, earlier), _log_ratio(gap_on, last)
    start = np.where(hub, depth[hub_row], 0)
    joints = depth[rows] - start + 1.0
    carried = (figure.is_above[carrier, rows] | (rows == carrier)) & (carrier >= 0)
    past = np.where(carried, depth[rows] - depth[carrier], 0)
    last, gap_on = last / legs.length, gap_on / legs.length
    return {
        "hub on the way": 1.0 * hub,
        "arms' carrier on the way": 1.0 * carried,
        "joints on the way": np.minimum(joints, _LONGEST),
        "at the carrier": 1.0 * ((past == 0) & carried),
        "first past the carrier": 1.0 * (past == 1),
        "second past the carrier": 1.0 * (past == 2),
        "many past the carrier": np.maximum(past - 2.0, 0.0),
        "last gap": last,
        "next gap": gap_on,
        "last gap longer": np.maximum(longer, 0.0),
        "last gap shorter": np.maximum(-longer, 0.0),
        "next gap longer": np.maximum(longer_on, 0.0),
        "next gap shorter": np.maximum(-longer_on, 0.0),
        "turns": np.minimum(turn, 1.0),
    }


def _log_ratio(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return the logs `(n,)` of ratios, limited to a factor of twenty, 0 if one is missing."""
    both = np.minimum(one, other) > _LEAST_GAP
    return np.where(
        both, np.clip(np.log(np.maximum(one, _LEAST_GAP) / np.maximum(other, _LEAST_GAP)), -3.0, 3.0), 0.0
    )


_EYE = ("eye", "eyeball", "eyes", "目", "眼")
_AFTER = ("joint", "jnt", "bone", "bn")  # words that may follow
_ANOTHER = {
    "master",
    "target",
    "ctrl",
    "control",
    "aim",
    "look",
    "track",
    "socket",
    "lid",
    "brow",
    "lash",
    "parent",
    "pivot",
    "common",
}
# trunk lengths from the head's joint: eyes are nearer, the controls that they point at are not
_AT_HEAD = 0.5
_BEHIND = 0.1  # trunk lengths that eyes may be behind or below the head's joint
# share of the distance between the eyes that the point between them may be off the middle
_OFF_THE_MIDDLE = 0.25
_LEVEL = 0.9  # cosine between the line through both eyes and the line through both hips


def find_eyes(skeleton: Skeleton, roles: RoleMap) -> Mapping[str, str]:
    """Return the bones of `eye.L` and `eye.R`, or none if they are not a pair at the head; `roles`: of the
    skeleton without eyes."""
    at = {
        role: skeleton.index[bone]
        for role in ("head", "pelvis", "thigh.L", "thigh.R")
        if (bone := roles.get(role))
    }
    if len(at) < 4:
        return {}
    candidates = _candidates(skeleton, at)
    if not all(candidates.values()):
        return {}
    left, right = (min(candidates[side], key=lambda found: found[0])[1] for side in SIDES)
    hips = skeleton.heads[at["thigh.L"]] - skeleton.heads[at["thigh.R"]]
    across, apart = normalized(hips), skeleton.heads[left] - skeleton.heads[right]
    wide = float(norms(apart))
    middle = 0.5 * (skeleton.heads[left] + skeleton.heads[right]) - skeleton.heads[at["head"]]
    if wide <= 0.0 or abs(apart @ across) < _LEVEL * wide or abs(middle @ across) > _OFF_THE_MIDDLE * wide:
        return {}
    pair = (left, right) if apart @ across > 0.0 else (right, left)
    return {role: skeleton.names[row] for role, row in zip(EYES, pair, strict=True)}


def _candidates(
    skeleton: Skeleton, at: Mapping[str, int]
) -> dict[str, list[tuple[tuple[int, int, int], int]]]:
    """Return for both sides of names the rows called eyes at the head, each after a key by which the least is
    the best."""
    head = skeleton.heads[at["head"]]
    up = head - skeleton.heads[at["pelvis"]]
    trunk = float(norms(up))
    away = skeleton.heads - head
    near = (norms(away) < _AT_HEAD * trunk) & (away @ normalized(up) > -_BEHIND * trunk)
    found: dict[str, list[tuple[tuple[int, int, int], int]]] = {side: [] for side in SIDES}
    for row, name in enumerate(plain_names(skeleton.names)):
        if name.side and near[row] and _is_eye(name) and row != at["head"]:
            found[name.side].append(((LAYERS.index(name.layer), len(name.words), row), row))
    return found


def _is_eye(name: PlainName) -> bool:
    words = [word for word in name.words if not word.isdigit()]
    while words and words[-1] in _AFTER:
        words.pop()
    return bool(words) and words[-1] in _EYE and not _ANOTHER & set(words)
