"""The anatomical parents of bones, whatever the rig's hierarchy.

Control rigs keep the deforming bones flat below a root, or tie them to bones of other layers by constraints.
Two things show where
such a bone belongs: a bone of another layer at the same place, whose parents are anatomical, and a tail at
which it starts.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..geometry.neighbours import near_pairs
from ..geometry.rotation import norms, off_segments
from ..skeleton.skeleton import Skeleton

SAME_POINT = 1e-3  # share of the figure's size: heads nearer than this are one joint
_ALONG = 0.99  # least cosine between the axes of bones that are the same in two layers
_FAR = 0.02  # share of the figure's size: a bone that starts further from its parent is not attached to it
_STEP = 0.002  # share of the figure's size: the cost of each bone in between


def anatomical(skeleton: Skeleton) -> tuple[Skeleton, np.ndarray]:
    """Return the skeleton with the anatomical parents of what deforms, and for each bone of the given one its
    row there `(bones,)`.

    Bones that only repeat a deforming one are left out, and map to that one. A skeleton in which nothing
    deforms is returned unchanged.
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
    """Return for each bone `(bones,)` the deforming one of the same head and axis if it deforms nothing
    itself, else the bone."""
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
    """Return the parents `(bones,)` of the kept bones: as given, but for loose deforming bones by their twins
    or touching tails."""
    copies: dict[int, list[int]] = {}
    for row in np.flatnonzero(twins != np.arange(len(twins))):
        copies.setdefault(int(twins[row]), []).append(int(row))
    parents, size = [-1] * len(twins), _size(skeleton)
    given = _given_parents(skeleton, twins)
    fitting = ~skeleton.deform | _lies_at(skeleton, given, size)
    touching: dict[int, list[int]] = {}
    deform, loose = np.flatnonzero(skeleton.deform), np.flatnonzero(~fitting)
    for above, row in zip(
        *near_pairs(skeleton.tails[deform], skeleton.heads[loose], SAME_POINT * size), strict=True
    ):
        touching.setdefault(int(loose[row]), []).append(int(deform[above]))
    for row in np.flatnonzero(twins == np.arange(len(twins))).tolist():
        if fitting[row] and not _hangs_below(parents, int(given[row]), row):
            parents[row] = int(given[row])
            continue
        for above in _candidates(
            skeleton, row, copies.get(row, []), twins, None if fitting[row] else touching.get(row, []), size
        ):
            if not _hangs_below(parents, above, row):
                parents[row] = above
                break
    return np.array(parents)


def _given_parents(skeleton: Skeleton, twins: np.ndarray) -> np.ndarray:
    """Return the kept bone `(bones,)` that is each one's parent as given; -1 for none."""
    rows = np.arange(len(twins))
    above = skeleton.parents.copy()
    while (same := (above >= 0) & (twins[above] == rows)).any():
        above[same] = skeleton.parents[above[same]]
    return np.where(above >= 0, twins[above], -1)


def _lies_at(skeleton: Skeleton, above: np.ndarray, size: float) -> np.ndarray:
    """Return whether bones `(bones,)` start on or near the bone above them, and that one deforms."""
    starts, ends = skeleton.heads[above], skeleton.tails[above]
    return (
        (above >= 0)
        & skeleton.deform[above]
        & (off_segments(skeleton.heads, starts, ends - starts) < _FAR * size)
    )


def _candidates(
    skeleton: Skeleton,
    row: int,
    copies: list[int],
    twins: np.ndarray,
    touching: list[int] | None,
    size: float,
) -> list[int]:
    """Return the possible parents of a bone, the best first; if it is loose, bones `touching` it, or above it
    or its `copies`, lead."""
    own = [int(twins[above]) for above in skeleton.ancestors(row) if twins[above] != row]
    if touching is None:
        return own
    heads, tails = skeleton.heads, skeleton.tails
    kin = {above: 0 for above in touching if above != row}
    for bone in (row, *copies):
        for steps, above in enumerate(twins[skeleton.ancestors(bone)].tolist()):
            if above != row and skeleton.deform[above]:
                kin[above] = min(kin.get(above, steps), steps)
                break

    rows = [above for above in kin if row not in skeleton.ancestors(above)]
    cost = off_segments(heads[row], heads[rows], tails[rows] - heads[rows]) / size + _STEP * np.array(
        [kin[above] for above in rows]
    )
    return [*(rows[k] for k in np.argsort(cost, kind="stable")), *own]


def _hangs_below(parents: Sequence[int], row: int, top: int) -> bool:
    """Return whether a bone is `top` or below it; False for -1, no bone."""
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


def _size(skeleton: Skeleton) -> float:
    return max(float(np.max(np.ptp(skeleton.heads, axis=0))), 1e-12)
