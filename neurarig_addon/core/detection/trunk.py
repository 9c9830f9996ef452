"""The middle of the figure: pelvis, spine, neck and head."""

from dataclasses import dataclass

import numpy as np

from .figure import SAME_POINT, Figure
from .pairs import LimbPair

_MIDLINE = 0.12  # of the leg's length: how far off the middle plane a trunk bone may stand
_CENTRE = 0.03  # of the leg's length: the top of the figure is no eye
_ROOT_BELOW = 0.5  # of the leg's length under the hips: a bone down there is the character's root, not the pelvis
_AT_HIPS = 0.05  # of the leg's length: a bone this near to the height of the hips starts there
_LEVEL = 0.02  # of the leg's length: heights that differ by less are equal
_FAR_CARRIER = 0.7  # of the leg's length: a bone that carries the arms from this far below the shoulders is a hub, not the chest
_CROWN_GAP = 1.2  # from a head to the marker at its crown, of the neck's length
_FACE_GAP = 0.5  # from a head to a jaw or hat in it, of the neck's length
_SHOULDER_BONES = 4  # bones between the chest and an upper arm


@dataclass(frozen=True)
class Trunk:
    """Rows of the pelvis, of the spine from the pelvis up (the last is the chest), of the neck, and of the head (-1: none)."""

    pelvis: int
    spine: tuple[int, ...]
    neck: tuple[int, ...]
    head: int


def find_trunk(figure: Figure, legs: LimbPair, arms: LimbPair | None, used: set[int]) -> Trunk | None:
    """Return the trunk above a pair of legs, or None where nothing joins them."""
    hub = figure.common_ancestor(int(legs.rows[0, 0]), int(legs.rows[1, 0]))
    chain = _chain_to_top(figure, legs, arms, hub, used)
    pelvis = _pelvis(figure, legs, hub, chain)
    if pelvis < 0:
        return None
    pelvis = figure.deforming_twin(pelvis)
    below = {pelvis, *figure.ancestors[pelvis]}
    above = [row for row in chain if row not in below and figure.heads[row, 2] > legs.middle[2] - _ROOT_BELOW * legs.length]
    above = [row for row in _distinct_joints(figure, above) if figure.deforming_twin(row) != pelvis]
    chest = _chest(figure, above, legs, arms)
    spine, rest = above[: chest + 1], above[chest + 1 :]
    head = _head(figure, rest, arms)
    neck = rest[:head] if head >= 0 else []
    skull = rest[head] if head >= 0 else -1
    twin = figure.deforming_twin
    return Trunk(pelvis, tuple(map(twin, spine)), tuple(map(twin, neck)), twin(skull) if skull >= 0 else -1)


def collar(figure: Figure, arms: LimbPair, top: int) -> int:
    """Return the bone that carries an upper arm off the trunk, or -1."""
    carrier = figure.common_ancestor(int(arms.rows[0, 0]), int(arms.rows[1, 0]))
    above = figure.ancestors[top]
    between = above[: above.index(carrier)] if carrier in above else []
    between = [row for row in between[-_SHOULDER_BONES:] if figure.joint_ids[row] != figure.joint_ids[top]]
    return figure.deforming_twin(between[-1]) if between else -1


def _chain_to_top(figure: Figure, legs: LimbPair, arms: LimbPair | None, hub: int, used: set[int]) -> list[int]:
    """Return the midline bones from the hub (or from a root) to the top of the figure."""
    limbs = used | (_of_arms(figure, arms) if arms else set())
    offset = np.abs((figure.heads - legs.middle) @ legs.across)
    middle = [row for row in np.flatnonzero(offset < _MIDLINE * legs.length) if row not in limbs]
    above = [row for row in middle if figure.heads[row, 2] > legs.middle[2] and offset[row] < _CENTRE * legs.length]
    carrier = figure.common_ancestor(int(arms.rows[0, 0]), int(arms.rows[1, 0])) if arms else -1
    best: list[int] = []
    best_score = 0.0
    for end in above or middle:
        chain = [row for row in [*figure.ancestors[end][::-1], int(end)] if row in set(middle)]
        start = chain.index(hub) if hub in chain else 0
        chain = chain[start:]
        joints = {figure.joint_ids[row] for row in chain}
        deform = sum(figure.skeleton.deform[row] for row in chain)
        span = figure.heads[end, 2] - max(figure.heads[chain[0], 2], legs.middle[2])
        score = span / legs.length + 0.5 * deform / len(chain) + 0.1 * min(len(joints), 6) + (hub in chain) + 0.3 * (carrier in chain)
        if not best or score > best_score:
            best, best_score = [int(row) for row in chain], score
    return best


def _of_arms(figure: Figure, arms: LimbPair) -> set[int]:
    """Return the bones of both arms and those that carry only one of them."""
    carriers = [set(figure.ancestors[top]) for top in arms.rows[:, 0].tolist()]
    return {row for top in arms.rows[:, 0].tolist() for row in figure.below(top)} | (carriers[0] ^ carriers[1])


def _pelvis(figure: Figure, legs: LimbPair, hub: int, chain: list[int]) -> int:
    """Return the lowest bone between the thighs' common ancestor and the trunk's turn upward, roots on the floor left out."""
    hub = _down_to_hips(figure, legs, hub)
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
    return candidates[turn]


def _down_to_hips(figure: Figure, legs: LimbPair, hub: int) -> int:
    """Return the bone above the hub where that one starts at the hips and the hub does not (3ds Max hangs thighs on the spine)."""
    parent = int(figure.skeleton.parents[hub]) if hub >= 0 else -1
    if parent < 0:
        return hub
    off = np.abs(figure.heads[[hub, parent], 2] - legs.middle[2]) / legs.length
    return parent if off[1] < _AT_HIPS < off[0] else hub


def _distinct_joints(figure: Figure, rows: list[int]) -> list[int]:
    """Return one bone for each joint of a chain: the first that deforms, else the first."""
    found: list[int] = []
    for row in rows:
        if not found or np.linalg.norm(figure.heads[row] - figure.heads[found[-1]]) >= SAME_POINT * figure.size:
            found.append(row)
        elif figure.skeleton.deform[row] and not figure.skeleton.deform[found[-1]]:
            found[-1] = row
    return found


def _chest(figure: Figure, above: list[int], legs: LimbPair, arms: LimbPair | None) -> int:
    """Return the index of the last spine bone: the one that carries the arms, else the one nearest below them."""
    if not above:
        return -1
    if arms is None:
        return max(len(above) - 3, 0)
    shoulders, level = arms.middle, _LEVEL * legs.length
    joints = [figure.heads[row] for row in above]
    away = [float(np.linalg.norm(joint - shoulders)) + (joint[2] > shoulders[2] - level) * figure.size for joint in joints]
    nearest = int(np.argmin(away))
    carrier = figure.common_ancestor(int(arms.rows[0, 0]), int(arms.rows[1, 0]))
    k = next((k for k, joint in enumerate(joints) if np.linalg.norm(joint - figure.heads[carrier]) < SAME_POINT * figure.size), -1)
    if carrier < 0 or k < 0 or np.linalg.norm(joints[k] - shoulders) > _FAR_CARRIER * legs.length:
        return nearest
    lowest = min(figure.heads[row, 2] for row in _carried(figure, arms, carrier))
    return k - 1 if k > 0 and joints[k][2] > lowest + _LEVEL * figure.size else k


def _carried(figure: Figure, arms: LimbPair, carrier: int) -> list[int]:
    """Return the bones of both arms that hang directly on the carrier (collar bones, else upper arms)."""
    return [next(row for row in [int(top), *figure.ancestors[top]] if figure.skeleton.parents[row] == carrier) for top in arms.rows[:, 0]]


def _head(figure: Figure, rest: list[int], arms: LimbPair | None) -> int:
    """Return the index of the head among the bones above the chest.

    It is the one that carries a face, or the one before a marker at the crown (a gap that is suddenly long) or before something in the
    head itself (one that is suddenly short), else the last.
    """
    tops = set(arms.rows[:, 0].tolist()) if arms else set()
    for k, row in enumerate(rest):
        if sum(not tops & set(figure.below(child)) for child in figure.skeleton.children[row]) > 2:
            return k
    gaps = np.linalg.norm(np.diff(figure.heads[rest], axis=0), axis=1)
    for k in range(1, len(gaps)):
        if gaps[k] > _CROWN_GAP * gaps[k - 1]:
            return k
    if len(gaps) > 1 and gaps[-1] < _FACE_GAP * gaps[-2]:
        return len(rest) - 2
    return len(rest) - 1
