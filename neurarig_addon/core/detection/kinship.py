"""Who hangs on whom, whatever the parents say.

Control rigs keep the bones that deform flat below a root, or tie them to bones of other layers by constraints.  Two things tell where
such a bone belongs: a bone of another layer that lies at the same place, whose parents are as anatomy has them, and a tail that it
starts at.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..geometry.rotation import dot, norms
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
    lengths, deforming = norms(axes), heads[deform]
    near = SAME_POINT * _size(skeleton)
    for row in np.flatnonzero(~skeleton.deform):
        same = deform[norms(deforming - heads[row]) < near]
        same = same[axes[same] @ axes[row] > _ALONG * lengths[same] * lengths[row]]
        if len(same):
            found[row] = same[np.argmin(np.abs(lengths[same] - lengths[row]))]
    return found


def _repaired(skeleton: Skeleton, twins: np.ndarray) -> np.ndarray:
    """Return the parents `(bones,)` of the bones that stay: as given, and of loose deforming bones as twins or touching tails tell."""
    copies: dict[int, list[int]] = {}
    for row in np.flatnonzero(twins != np.arange(len(twins))):
        copies.setdefault(int(twins[row]), []).append(int(row))
    parents, size = [-1] * len(twins), _size(skeleton)
    given = _given_parents(skeleton, twins)
    fitting = ~skeleton.deform | _lies_at(skeleton, given, size)
    for row in np.flatnonzero(twins == np.arange(len(twins))).tolist():
        if fitting[row] and not _hangs_below(parents, int(given[row]), row):
            parents[row] = int(given[row])
            continue
        for above in _candidates(skeleton, row, copies.get(row, []), twins, not fitting[row], size):
            if not _hangs_below(parents, above, row):
                parents[row] = above
                break
    return np.array(parents)


def _given_parents(skeleton: Skeleton, twins: np.ndarray) -> np.ndarray:
    """Return the bones `(bones,)` that stay, on which each hangs as given; -1 for none."""
    rows = np.arange(len(twins))
    above = skeleton.parents.copy()
    while (same := (above >= 0) & (twins[above] == rows)).any():
        above[same] = skeleton.parents[above[same]]
    return np.where(above >= 0, twins[above], -1)


def _lies_at(skeleton: Skeleton, above: np.ndarray, size: float) -> np.ndarray:
    """Return whether bones `(bones,)` start on or near the bone above them, where that one deforms."""
    starts, ends = skeleton.heads[above], skeleton.tails[above]
    return (above >= 0) & skeleton.deform[above] & (_distances(skeleton.heads, starts, ends) < _FAR * size)


def _candidates(skeleton: Skeleton, row: int, copies: list[int], twins: np.ndarray, is_loose: bool, size: float) -> list[int]:
    """Return the bones that one may hang on, the best first; a bone that `is_loose` asks its kin."""
    own = [int(twins[above]) for above in skeleton.ancestors(row) if twins[above] != row]
    if not is_loose:
        return own
    heads, tails = skeleton.heads, skeleton.tails
    touching = norms(tails - heads[row]) < SAME_POINT * size
    kin = {int(k): 0 for k in np.flatnonzero(touching & skeleton.deform) if k != row}
    for bone in (row, *copies):
        for steps, above in enumerate(twins[skeleton.ancestors(bone)[:_LAYERS_UP]].tolist()):
            if above != row and skeleton.deform[above]:
                kin[above] = min(kin.get(above, steps), steps)
                break

    rows = [above for above in kin if row not in skeleton.ancestors(above)]
    cost = _distances(heads[row], heads[rows], tails[rows]) / size + _STEP * np.array([kin[above] for above in rows])
    return [*(rows[k] for k in np.argsort(cost, kind="stable")), *own]


def _hangs_below(parents: Sequence[int], row: int, top: int) -> bool:
    """Return whether a bone is another or hangs below it; -1, no bone, does not."""
    for _ in range(len(parents)):
        if row < 0 or row == top:
            return row >= 0
        row = parents[row]
    return True


def _parents_first(parents: np.ndarray, kept: np.ndarray) -> np.ndarray:
    """Return the kept rows with parents before children."""
    children: dict[int, list[int]] = {}
    for row in kept.tolist():
        children.setdefault(int(parents[row]), []).append(row)
    order: list[int] = []
    waiting = children.get(-1, [])[::-1]
    while waiting:
        order.append(waiting.pop())
        waiting.extend(children.get(order[-1], [])[::-1])
    return np.array(order, dtype=int)


def _distances(points: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Return the distances `(n,)` from points to segments."""
    along = ends - starts
    share = np.clip(dot(points - starts, along) / np.maximum(dot(along, along), 1e-24), 0.0, 1.0)
    return norms(points - starts - share[:, None] * along)


def _size(skeleton: Skeleton) -> float:
    return max(float(np.max(np.ptp(skeleton.heads, axis=0))), 1e-12)
