"""Where the spine ends and the neck begins: candidates from the pelvis to the head, and the evidence on each."""

import numpy as np

from ..skeleton.roles import NECK, SPINE
from .evidence import Evidence, weighed
from .figure import SAME_POINT, Figure
from .pairs import LimbPair
from .words import OTHER, PARTS

_FAR_STEPS = 4.0


def last_spine_bone(figure: Figure, chain: list[int], legs: LimbPair, arms: LimbPair | None) -> int:
    """Return the index of the chest in a `chain` of bones from above the pelvis to the head, -1 if there is no spine bone."""
    return int(np.argmax(weighed("chest", chest_evidence(figure, chain, legs, arms)))) - 1


def chest_evidence(figure: Figure, chain: list[int], legs: LimbPair, arms: LimbPair | None) -> Evidence:
    """Return the evidence on each candidate `(len(chain),)`: the chest is none of the bones below the head, the first, the second ..."""
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
    """Return the evidence from each candidate's place relative to the arms and to the bone that carries them."""
    count = len(way) + 1
    if arms is None:
        left = np.arange(count)[::-1]
        more = np.maximum(left - 2.0, 0.0)
        return {"no arms, one left": 1.0 * (left == 1), "no arms, two left": 1.0 * (left == 2), "no arms, more left": more}
    carrier = figure.common_ancestor(int(arms.rows[0, 0]), int(arms.rows[1, 0]))
    close = SAME_POINT * figure.size
    near = [k for k, row in enumerate(way) if carrier >= 0 and np.linalg.norm(figure.heads[row] - figure.heads[carrier]) < close]
    steps = np.arange(-1, len(way)) - (near[0] if near else -1)
    on_way = 1.0 * bool(near)
    joints = np.concatenate([legs.middle[None], figure.heads[way]]) if way else legs.middle[None]
    starts = figure.heads[carried_by(figure, arms, carrier)].mean(axis=0) if carrier >= 0 else arms.middle
    nearest = np.zeros(count)
    away = np.linalg.norm(joints - arms.middle, axis=1)
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


def carried_by(figure: Figure, arms: LimbPair, carrier: int) -> list[int]:
    """Return the bones of both arms that hang directly on the carrier (collar bones, else upper arms)."""
    found = []
    for top in arms.rows[:, 0].tolist():
        found.append(next((row for row in [top, *figure.ancestors[top]] if figure.skeleton.parents[row] == carrier), top))
    return found


def _names(figure: Figure, way: list[int], head: int) -> Evidence:
    """Return the evidence from names for a cut after each candidate; nothing if they call the head a spine bone too."""
    roles = {row: role.split(".")[0] for role, row in figure.votes.items()}
    named = roles.get(head, "") != SPINE
    spine, neck = (np.array([named and roles.get(row, "") == part for row in way], dtype=float) for part in (SPINE, NECK))
    words = figure.words[way] if way else np.zeros((0, OTHER + 1))
    words = words * (figure.words[head, PARTS.index(SPINE)] <= figure.words[head, PARTS.index("head")])
    return {
        "tables agree": _cut(spine, neck),
        "tables differ": _cut(neck, spine),
        "words agree": _cut(words[:, PARTS.index(SPINE)], words[:, PARTS.index(NECK)]),
    }


def _cut(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return for each cut `(n + 1,)` the sum of `first` over the bones before it and of `second` over those after it."""
    before = np.concatenate([[0.0], np.cumsum(first)])
    after = np.concatenate([np.cumsum(second[::-1])[::-1], [0.0]])
    return before + after
