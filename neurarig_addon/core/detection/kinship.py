"""Who hangs on whom, whatever the parents say.

Control rigs keep the bones that deform flat below a root, or tie them to bones of other layers by constraints.  Two things tell where
such a bone belongs: a bone of another layer that lies at the same place, whose parents are as anatomy has them, and a tail that it
starts at.
"""

from dataclasses import replace

import numpy as np

from ..skeleton.skeleton import Skeleton

SAME_POINT = 1e-3  # of the figure's size: heads nearer than this are one joint
_ALONG = 0.99  # cosine between the axes of bones that are the same in two layers
_FAR = 0.02  # of the figure's size: a bone that starts this far from its parent hangs on it only by name
_LAYERS_UP = 30  # bones above a twin that are asked for theirs
_STEP = 0.002  # of the figure's size: what each bone between costs


def anatomical(skeleton: Skeleton) -> tuple[Skeleton, np.ndarray]:
    """Return the skeleton of what deforms as anatomy has it, and for each bone of the given one its row there `(bones,)`.

    Bones that only repeat one that deforms are left out, and point to that one.  A skeleton in which nothing deforms is returned as it is.
    """
    count = len(skeleton.names)
    if not skeleton.deform.any() or count < 2:
        return skeleton, np.arange(count)
    twins = _twins(skeleton)
    parents = _repaired(skeleton, twins)
    kept = np.flatnonzero(twins == np.arange(count))
    order = _parents_first(parents, kept)
    rows = np.full(count, -1)
    rows[order] = np.arange(len(order))
    above = np.array([rows[parents[row]] if parents[row] >= 0 else -1 for row in order], dtype=int)
    found = replace(
        skeleton,
        names=tuple(skeleton.names[row] for row in order),
        parents=above,
        rest=skeleton.rest[order],
        lengths=skeleton.lengths[order],
        deform=skeleton.deform[order],
    )
    return found, rows[twins]


def _twins(skeleton: Skeleton) -> np.ndarray:
    """Return for each bone `(bones,)` the deforming one of the same head and axis where it deforms nothing itself, else the bone."""
    found = np.arange(len(skeleton.names))
    deform, heads = np.flatnonzero(skeleton.deform), skeleton.heads
    axes = skeleton.tails - heads
    lengths = np.linalg.norm(axes, axis=1)
    near = SAME_POINT * _size(skeleton)
    for row in np.flatnonzero(~skeleton.deform):
        same = deform[np.linalg.norm(heads[deform] - heads[row], axis=1) < near]
        same = same[axes[same] @ axes[row] > _ALONG * lengths[same] * lengths[row]]
        if len(same):
            found[row] = same[np.argmin(np.abs(lengths[same] - lengths[row]))]
    return found


def _repaired(skeleton: Skeleton, twins: np.ndarray) -> np.ndarray:
    """Return the parents `(bones,)` of the bones that stay: as given, and of loose deforming bones as twins or touching tails tell."""
    copies: dict[int, list[int]] = {}
    for row in np.flatnonzero(twins != np.arange(len(twins))):
        copies.setdefault(int(twins[row]), []).append(int(row))
    parents, size = np.full(len(twins), -1), _size(skeleton)
    for row in np.flatnonzero(twins == np.arange(len(twins))):
        for above in _candidates(skeleton, int(row), copies.get(int(row), []), twins, size):
            if not _hangs_below(parents, above, int(row)):
                parents[row] = above
                break
    return parents


def _candidates(skeleton: Skeleton, row: int, copies: list[int], twins: np.ndarray, size: float) -> list[int]:
    """Return the bones that one may hang on, the best first."""
    own = [int(twins[above]) for above in skeleton.ancestors(row) if twins[above] != row]
    if not skeleton.deform[row]:
        return own
    heads, tails = skeleton.heads, skeleton.tails
    if own and skeleton.deform[own[0]] and _distance(heads[row], heads[own[0]], tails[own[0]]) < _FAR * size:
        return own
    touching = np.linalg.norm(tails - heads[row], axis=1) < SAME_POINT * size
    kin = {int(k): 0 for k in np.flatnonzero(touching & skeleton.deform) if k != row}
    for bone in (row, *copies):
        for steps, above in enumerate(twins[skeleton.ancestors(bone)[:_LAYERS_UP]].tolist()):
            if above != row and skeleton.deform[above]:
                kin[above] = min(kin.get(above, steps), steps)
                break

    def cost(above: int) -> float:
        return _distance(heads[row], heads[above], tails[above]) / size + _STEP * kin[above]

    return [*sorted((above for above in kin if row not in skeleton.ancestors(above)), key=cost), *own]


def _hangs_below(parents: np.ndarray, row: int, top: int) -> bool:
    """Return whether a bone is another or hangs below it."""
    for _ in range(len(parents)):
        if row == top:
            return True
        row = int(parents[row])
        if row < 0:
            return False
    return True


def _parents_first(parents: np.ndarray, kept: np.ndarray) -> np.ndarray:
    """Return the kept rows with parents before children."""
    children: dict[int, list[int]] = {}
    for row in kept:
        children.setdefault(int(parents[row]), []).append(int(row))
    order: list[int] = []
    waiting = children.get(-1, [])[::-1]
    while waiting:
        order.append(waiting.pop())
        waiting.extend(children.get(order[-1], [])[::-1])
    return np.array(order, dtype=int)


def _distance(point: np.ndarray, start: np.ndarray, end: np.ndarray) -> float:
    """Return the distance from a point to a segment."""
    along = end - start
    share = np.clip((point - start) @ along / max(float(along @ along), 1e-24), 0.0, 1.0)
    return float(np.linalg.norm(point - start - share * along))


def _size(skeleton: Skeleton) -> float:
    return max(float(np.max(np.ptp(skeleton.heads, axis=0))), 1e-12)
