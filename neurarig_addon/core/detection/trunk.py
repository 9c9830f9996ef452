"""The middle of the figure: pelvis, spine, neck and head; where the spine ends and the neck begins."""

from dataclasses import dataclass

import numpy as np

from ..easing import running
from ..geometry.rotation import norms
from ..skeleton.roles import NECK, SPINE, stem_of
from .evidence import Evidence, weighed
from .figure import SAME_POINT, Figure
from .head import distinct_joints, head_candidates
from .pairs import LimbPair
from .words import OTHER, PARTS

_FAR_STEPS = 4.0


def chest_evidence(figure: Figure, chain: list[int], legs: LimbPair, arms: LimbPair | None) -> Evidence:
    """Return the evidence on each candidate `(len(chain),)`: the chest is none of the bones below the head,
    the first, the second ..."""
    way, head = chain[:-1], chain[-1]
    ends = np.arange(-1, len(way))
    left = len(way) - 1 - ends
    seen = {
        "no spine": 1.0 * (ends < 0),
        "no neck": 1.0 * (left == 0),
        "one neck bone": 1.0 * (left == 1),
        "two neck bones": 1.0 * (left == 2),
        "many neck bones": 1.0 * (left > 2),
    }
    return seen | _beside_arms(figure, way, legs, arms) | _names(figure, way, head)


def _beside_arms(figure: Figure, way: list[int], legs: LimbPair, arms: LimbPair | None) -> Evidence:
    """Return the evidence from each candidate's place relative to the arms and to the bone that carries
    them."""
    count = len(way) + 1
    if arms is None:
        left = np.arange(count)[::-1]
        more = np.maximum(left - 2.0, 0.0)
        return {
            "no arms, one left": 1.0 * (left == 1),
            "no arms, two left": 1.0 * (left == 2),
            "no arms, more left": more,
        }
    carrier = arms.hub(figure)
    close = SAME_POINT * figure.size
    near = [
        k
        for k, row in enumerate(way)
        if carrier >= 0 and norms(figure.heads[row] - figure.heads[carrier]) < close
    ]
    steps = np.arange(-1, len(way)) - (near[0] if near else -1)
    on_way = 1.0 * bool(near)
    joints = np.concatenate([legs.middle[None], figure.heads[way]]) if way else legs.middle[None]
    starts = figure.heads[_carried_by(figure, arms, carrier)].mean(axis=0) if carrier >= 0 else arms.middle
    nearest = np.zeros(count)
    away = norms(joints - arms.middle)
    below = joints[:, 2] < arms.middle[2] + 0.02 * legs.length
    if below.any():
        nearest[np.flatnonzero(below)[np.argmin(away[below])]] = 1.0
    return {
        "carries the arms": on_way * (steps == 0),
        "below what carries the arms": on_way * (steps == -1),
        "far below what carries the arms": on_way * np.clip(-steps - 1.0, 0.0, _FAR_STEPS),
        "above what carries the arms": on_way * np.clip(steps, 0.0, _FAR_STEPS),
        "nearest below the shoulders": nearest,
        "nearest below, carrier elsewhere": (1.0 - on_way) * nearest,
        "away from the shoulders": away / legs.length,
        "above the shoulders": np.maximum(joints[:, 2] - arms.middle[2], 0.0) / legs.length,
        "above where the arms hang": 1.0 * (joints[:, 2] > starts[2] + 0.02 * legs.length),
    }


def _carried_by(figure: Figure, arms: LimbPair, carrier: int) -> list[int]:
    """Return the bones of both arms that hang directly on the carrier (collar bones, else upper arms)."""
    found = []
    for top in arms.rows[:, 0].tolist():
        found.append(
            next(
                (
                    row
                    for row in [top, *figure.skeleton.ancestors(top)]
                    if figure.skeleton.parents[row] == carrier
                ),
                top,
            )
        )
    return found


def _names(figure: Figure, way: list[int], head: int) -> Evidence:
    """Return the evidence from names for a cut after each candidate; nothing if they call the head a spine
    bone too."""
    roles = {row: stem_of(role) for role, row in figure.votes.items()}
    named = roles.get(head, "") != SPINE
    spine, neck = (
        np.array([named and roles.get(row, "") == part for row in way], dtype=float) for part in (SPINE, NECK)
    )
    words = figure.words[way] if way else np.zeros((0, OTHER + 1))
    words = words * (figure.words[head, PARTS.index(SPINE)] <= figure.words[head, PARTS.index("head")])
    return {
        "tables agree": _cut(spine, neck),
        "tables differ": _cut(neck, spine),
        "words agree": _cut(words[:, PARTS.index(SPINE)], words[:, PARTS.index(NECK)]),
    }


def _cut(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return for each cut `(n + 1,)` the sum of `first` over the bones before it and of `second` over those
    after it."""
    before = running(first)
    after = np.concatenate([np.cumsum(second[::-1])[::-1], [0.0]])
    return before + after


_ROOT_BELOW = 0.5  # leg lengths under the hips: a lower bone is the character's root, not the pelvis
_AT_HIPS = 0.05  # leg lengths: a bone nearer to the height of the hips starts there
_LEVEL = 0.02  # leg lengths: heights that differ by less are equal


@dataclass(frozen=True)
class Trunk:
    """Rows of the pelvis, of the spine from the pelvis up (the last is the chest), of the neck, and of the
    head (-1: none)."""

    pelvis: int
    spine: tuple[int, ...]
    neck: tuple[int, ...]
    head: int


def find_trunk(figure: Figure, legs: LimbPair, arms: LimbPair | None, used: set[int]) -> Trunk | None:
    """Return the trunk above a pair of legs, or None if nothing joins them."""
    hub = legs.hub(figure)
    heads = head_candidates(figure, legs, arms, used)
    k = heads.best() if heads else -1
    chain = heads.chains[k] if heads else [hub] if hub >= 0 else []
    pelvis = pelvis_above(figure, legs, chain)
    if pelvis < 0:
        return None
    way = way_up(figure, legs, pelvis, chain)
    if not way:
        return Trunk(pelvis, (), (), -1)
    # -1 if there is no spine bone
    chest = int(np.argmax(weighed("chest", chest_evidence(figure, way, legs, arms)))) - 1
    return Trunk(pelvis, tuple(way[: chest + 1]), tuple(way[chest + 1 : -1]), way[-1])


def way_up(figure: Figure, legs: LimbPair, pelvis: int, chain: list[int]) -> list[int]:
    """Return the bones of a chain above the pelvis, including the head."""
    below = {pelvis, *figure.skeleton.ancestors(pelvis)}
    above = [
        row
        for row in chain
        if row not in below and figure.heads[row, 2] > legs.middle[2] - _ROOT_BELOW * legs.length
    ]
    return distinct_joints(figure, above)


def pelvis_above(figure: Figure, legs: LimbPair, chain: list[int]) -> int:
    """Return the lowest bone between the thighs' common ancestor and the trunk's turn upward, without roots
    on the floor."""
    hub = _down_to_hips(figure, legs, legs.hub(figure))
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
    """Return the first bone of a chain, or the one in it that deforms in its place, in the same direction or
    reversed."""
    first = chain[0]
    ends = np.stack([figure.heads[first], figure.tails[first]])
    for row in chain:
        own = np.stack([figure.heads[row], figure.tails[row]])
        same = min(np.abs(own - ends).max(), np.abs(own[::-1] - ends).max()) < SAME_POINT * figure.size
        if same and figure.skeleton.deform[row]:
            return row
    return first


def _down_to_hips(figure: Figure, legs: LimbPair, hub: int) -> int:
    """Return the hub's parent if that starts at the hips and the hub does not (3ds Max hangs thighs on the
    spine), else the hub."""
    parent = int(figure.skeleton.parents[hub]) if hub >= 0 else -1
    if parent < 0:
        return hub
    off = np.abs(figure.heads[[hub, parent], 2] - legs.middle[2]) / legs.length
    return parent if off[1] < _AT_HIPS < off[0] else hub
