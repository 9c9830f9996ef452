"""Candidates for legs and arms: three joints in a row, and the evidence on each."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..geometry.rotation import dot, norms
from .chains import DETACHED, NO_END, ONE_BONE, chains_of_three
from .evidence import Evidence
from .figure import SAME_POINT, Figure
from .words import OTHER, PARTS

_MIN_SHARE = 0.012  # share of the figure's size: shorter segments are not a limb's
_MAX_RATIO = 5.0  # greatest ratio between the lengths of a limb's two segments
_MAX_DETOUR = 1.3  # greatest ratio of the distance along the bones between two joints to the straight one
# least ratio of the lengths of a split bone's halves, and least cosine between them
_HALVES, _IN_LINE = 0.7, 0.998
_STRAIGHT = 0.9998  # cosine, about a degree: a limb that bends less has no bend
_HIP_LINK_DEGREES = 30.0  # a first link that turns more is a hip or collar bone, not half a thigh
_FOOT_LINK_DEGREES = 20.0  # a last link that turns more is a foot or palm, not half a shin


@dataclass(frozen=True)
class Limbs:
    """Candidate limbs. `rows` `(n, 3)`: first, middle and end bone, -1 for none. `points` `(n, 3, 3)`: their
    joints.

    `seen`: the evidence on each candidate by itself.
    """

    rows: np.ndarray
    points: np.ndarray
    seen: Evidence

    @property
    def length(self) -> np.ndarray:
        """Total length of both segments `(n,)`."""
        return lengths(self.points)

    def only(self, wanted: np.ndarray) -> "Limbs":
        """Return some of the candidates."""
        return Limbs(
            self.rows[wanted],
            self.points[wanted],
            {name: values[wanted] for name, values in self.seen.items()},
        )

    def also(self, seen: Evidence) -> "Limbs":
        """Return the candidates with further evidence on them."""
        return Limbs(self.rows, self.points, {**self.seen, **seen})


def find_limbs(
    figure: Figure,
    parts: tuple[str, str, str],
    allowed: np.ndarray,
    could_be: Callable[[np.ndarray], np.ndarray],
    first: np.ndarray | None = None,
    last: np.ndarray | None = None,
) -> Limbs:
    """Return every chain of three joints among the `allowed` `(bones,)` rows that could be a limb of these
    parts.

    `could_be`: joints `(n, 3, 3)` -> which chains to consider `(n,)`. `first`, `last` `(bones,)`: rows with
    which a limb may begin
    and end, if not all of them.
    """
    allowed = allowed & figure.moves_skin
    masks = (allowed if some is None else allowed & some for some in (first, None, last))
    found = [_measured(figure, table, could_be) for table in chains_of_three(figure, *masks)]
    empty = np.zeros((0, 5), dtype=int), np.zeros((0, 3, 3)), np.zeros((0, 2)), np.zeros((0, 2))
    table, points, segments, ways = (np.concatenate(parts) for parts in zip(empty, *found, strict=True))
    rows, kind, links = table[:, :3], table[:, 3], table[:, 4]
    ratio = np.log(segments[:, 0] / segments[:, 1])
    seen = {
        "uneven segments": np.abs(ratio),
        "longer second segment": np.maximum(-ratio, 0.0),
        "detour": ways.sum(axis=1) - 2.0,
        "no end": 1.0 * (kind == NO_END),
        "one bone": 1.0 * (kind == ONE_BONE),
        "end apart": 1.0 * (kind == DETACHED),
        "turn at first link": 1.0 * (_turns_at_first_link(figure, points, links) & (kind != ONE_BONE)),
        "turn at last link": 1.0 * _turns_at_last_link(figure, rows, points),
        "folded": 1.0 - norms(points[:, 2] - points[:, 0]) / np.maximum(segments.sum(axis=1), 1e-12),
        "size": np.log(np.maximum(segments.sum(axis=1), 1e-12) / max(figure.size, 1e-12)),
    }
    return Limbs(
        rows,
        points,
        seen | _bones(figure, rows) | _names(figure, rows, parts) | _neighbours(figure, rows, points),
    )


def _measured(
    figure: Figure, table: np.ndarray, could_be: Callable[[np.ndarray], np.ndarray]
) -> tuple[np.ndarray, ...]:
    """Return the chains `(n, 5)` that are shaped like limbs, their joints `(n, 3, 3)`, segments and detours
    `(n, 2)`."""
    points = _joints(figure, table[:, :3])
    segments = norms(points[:, 1:] - points[:, :-1])
    short, long = np.minimum(*segments.T), np.maximum(*segments.T)
    even = np.flatnonzero((short > _MIN_SHARE * figure.size) & (long < _MAX_RATIO * short))
    table, points, segments = (found[even] for found in (table, points, segments))
    ways = _ways(figure, table[:, :3], segments) / segments
    possible = np.flatnonzero((np.maximum(*ways.T) <= _MAX_DETOUR) & could_be(points))
    return table[possible], points[possible], segments[possible], ways[possible]


def lengths(points: np.ndarray) -> np.ndarray:
    """Return the total length of both segments `(n,)` of limbs with these joints `(n, 3, 3)`."""
    return norms(np.diff(points, axis=1)).sum(axis=1)


def first_piece(figure: Figure, row: int) -> int:
    """Return the first bone of a limb that is taken to begin with `row`: names may mean the second of two
    halves."""
    above = int(figure.skeleton.parents[row])
    if above < 0 or not figure.skeleton.deform[above] or above in figure.votes.values():
        return row
    upper, lower = (figure.tails[k] - figure.heads[k] for k in (above, row))
    lengths = norms(upper), norms(lower)
    touches = norms(figure.tails[above] - figure.heads[row]) < SAME_POINT * figure.size
    halves = (
        min(lengths) > _HALVES * max(lengths) > 0.0 and upper @ lower > _IN_LINE * lengths[0] * lengths[1]
    )
    return above if touches and halves else row


def distinct(limbs: Limbs, merit: np.ndarray, figure: Figure, most: int) -> np.ndarray:
    """Return the best candidate of each geometry, at most `most`, as sorted rows of `limbs`: layered rigs
    repeat a limb several times."""
    order = np.argsort(-merit, kind="stable")
    tried = most
    while True:
        # searching the best is enough: the first of its geometry among them is the first among all
        tried *= 2
        keys = np.round(limbs.points[order[:tried]].reshape(-1, 9) / (figure.size * SAME_POINT)).astype(
            np.int64
        )
        whole = np.ascontiguousarray(keys).view(np.dtype((np.void, keys.itemsize * 9))).ravel()
        firsts = np.sort(np.unique(whole, return_index=True)[1])
        if len(firsts) >= most or tried >= len(order):
            return np.sort(order[firsts[:most]])


def _joints(figure: Figure, rows: np.ndarray) -> np.ndarray:
    """Return the three joints `(n, 3, 3)` of chains: for a missing end the middle's tail, for a missing
    middle the midpoint."""
    middle, end = rows[:, 1], rows[:, 2]
    found = np.take(figure.heads, rows, axis=0)
    found[end < 0, 2] = figure.tails[middle[end < 0]]
    single = middle < 0
    found[single, 1] = (found[single, 0] + found[single, 2]) / 2.0
    return found


def _ways(figure: Figure, rows: np.ndarray, segments: np.ndarray) -> np.ndarray:
    """Return the distance along the bones `(n, 2)` between a limb's joints; straight if no chain joins
    them."""
    top, middle, end = rows.T
    first = np.where(middle >= 0, figure.way[middle] - figure.way[top], segments[:, 0])
    second = np.where((middle >= 0) & (end >= 0), figure.way[end] - figure.way[middle], segments[:, 1])
    joined = figure.is_above[middle, end] & (middle >= 0) & (end >= 0)
    return np.stack([first, np.where(joined, second, segments[:, 1])], axis=1)


def _turns_at_first_link(figure: Figure, points: np.ndarray, links: np.ndarray) -> np.ndarray:
    """Return whether limbs `(n,)` start with a bone that points elsewhere than the rest of the first
    segment."""
    joint = figure.heads[links]
    return (links >= 0) & _bends(joint - points[:, 0], points[:, 1] - joint, _HIP_LINK_DEGREES, figure)


def _turns_at_last_link(figure: Figure, rows: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Return whether limbs `(n,)` end with a bone that points elsewhere than the rest of the second
    segment."""
    before = np.where(rows[:, 2] >= 0, figure.joint_above[rows[:, 2]], -1)
    inside = (before >= 0) & (rows[:, 1] >= 0) & figure.is_above[rows[:, 1], before]
    joint = figure.heads[before]
    return inside & _bends(joint - points[:, 1], points[:, 2] - joint, _FOOT_LINK_DEGREES, figure)


def _bends(first: np.ndarray, second: np.ndarray, degrees: float, figure: Figure) -> np.ndarray:
    """Return whether two vectors that are not too short differ by more than an angle, `(n,)`."""
    return (np.minimum(norms(first), norms(second)) > SAME_POINT * figure.size) & (
        _cosine(first, second) < np.cos(np.radians(degrees))
    )


def _cosine(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    return dot(first, second) / np.maximum(norms(first) * norms(second), 1e-12)


def _bones(figure: Figure, rows: np.ndarray) -> Evidence:
    """Return the evidence from the bones themselves: whether they deform, carry others, or have a helper
    below at the same joint."""
    skeleton = figure.skeleton
    carries = np.zeros(len(skeleton.names), dtype=bool)
    twin_above = np.zeros(len(skeleton.names))
    for row, parent in enumerate(skeleton.parents):
        if parent >= 0:
            carries[parent] |= skeleton.deform[row]
            if skeleton.children[row] and figure.joint_ids[row] == figure.joint_ids[parent]:
                twin_above[parent] = 1.0
    per_bone = {
        "control": 1.0 * (~skeleton.deform & ~carries),
        "carrier": 1.0 * (~skeleton.deform & carries),
        "twin below": twin_above,
        "carries on": 1.0 * (figure.below_count > 0),
    }
    return {name: _added(rows, values, values, values) / 3.0 for name, values in per_bone.items()}


def _added(rows: np.ndarray, *values: np.ndarray) -> np.ndarray:
    """Return the sums `(n,)` over limbs of their three bones' values, each from its own `(bones,)`; a missing
    bone adds nothing."""
    return sum(
        (np.append(one, 0.0)[row] for one, row in zip(values, rows.T, strict=True)), np.zeros(len(rows))
    )


def _names(figure: Figure, rows: np.ndarray, parts: tuple[str, str, str]) -> Evidence:
    """Return the evidence from names: a table's roles, for and against, and the words."""
    voted = np.zeros((len(figure.heads), 3))
    for role, row in figure.votes.items():
        part = role.rsplit(".", 1)[0]
        voted[row] = [1.0 if part == wanted else -1.0 for wanted in parts]
    other = np.maximum(figure.words[:, OTHER], 0.0)
    return {
        "named by table": _added(rows, *np.maximum(voted, 0.0).T),
        "named otherwise by table": _added(rows, *np.maximum(-voted, 0.0).T),
        "words": _added(rows, *(figure.words[:, PARTS.index(part)] for part in parts)),
        "words of something else": _added(rows, other, other, other),
    }


def _neighbours(figure: Figure, rows: np.ndarray, points: np.ndarray) -> Evidence:
    """Return the evidence from how the chain continues above the first joint and below the last, and from
    what is between the three."""
    top, middle, end = rows.T
    length = np.maximum(lengths(points), 1e-12)
    above, following = figure.joint_above, figure.next_joint
    into = (figure.heads - figure.heads[above])[top]
    last = np.where(end >= 0, end, middle)
    on = following[last]
    onward = (np.where(following[:, None] >= 0, figure.heads[following], figure.tails) - figure.heads)[last]
    onward[end < 0] = 0.0
    first, second = points[:, 1] - points[:, 0], points[:, 2] - points[:, 1]
    depth = figure.joint_depth
    straight, further = (
        (above[top] >= 0) * np.maximum(_cosine(into, first), 0.0),
        np.minimum(norms(onward) / length, 1.0),
    )
    bend = _cosine(first, second)
    return {
        "straight from above": straight,
        "straight from above, long": straight * np.minimum(norms(into) / length, 0.5),
        "straight on below": np.maximum(_cosine(second, onward), 0.0),
        "length below": further,
        "longer below": np.maximum(further - 0.3, 0.0),
        "nothing below": 1.0 * ((end >= 0) & (on < 0)),
        "nothing below, ends marked": figure.ends_marked * ((end >= 0) & (on < 0)),
        "joints passed over": np.where(
            middle >= 0, depth[middle] - depth[top] - 1, depth[last] - depth[top] - 1
        )
        + np.where(
            (middle >= 0) & (end >= 0) & figure.is_above[middle, end], depth[end] - depth[middle] - 1, 0.0
        ),
        "bend": np.arccos(np.clip(bend, -1.0, 1.0)),
        "no bend": 1.0 * (bend > _STRAIGHT),
    }
