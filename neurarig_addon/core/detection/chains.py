"""Every chain of three joints among the bones of a figure: the possible limbs."""

from collections.abc import Iterator

import numpy as np

from ..geometry.rotation import norms
from .figure import Figure

# kinds of chain: three bones; two; one and the end; two and an end that hangs elsewhere
CHAINED, NO_END, ONE_BONE, DETACHED = range(4)
_DEPTH = 14  # most bones between a limb's first and last joint, twist halves included
_AT_ONCE = 64  # ends of chains in a block
_TIP = 0.9  # share of a bone's length from which a child starts at the next joint


def chains_of_three(
    figure: Figure, first: np.ndarray, allowed: np.ndarray, last: np.ndarray
) -> Iterator[np.ndarray]:
    """Yield `(n, 5)`: first, middle and end bone (-1: none), the kind of chain, and the first bone below the
    top joint (-1: none).

    `first`, `allowed`, `last` `(bones,)`: with which rows a chain may begin, which it may have, and with
    which it may end. Large
    skeletons have a hundred thousand chains: they come in blocks that stay in the processor's cache.
    """
    ends, feet = np.flatnonzero(last), _loose_ends(figure, allowed)
    above = _allowed_above(figure, allowed, ends)
    bones = np.column_stack(
        [above, _links(figure, above, ends), ends, np.full(len(ends), -1), np.tile(feet, (len(ends), 1))]
    )
    kinds, free = _kinds(above.shape[1], len(feet)), ~_carries_chain(figure)
    for start in range(0, len(bones), _AT_ONCE):
        some = bones[start : start + _AT_ONCE]
        rows, chosen = np.nonzero(_possible(figure, some, kinds, first, free))
        columns = [some[rows, kinds[chosen, column]] for column in (0, 1, 2, 4)]
        yield np.column_stack([*columns[:3], kinds[chosen, 3], columns[3]])


def _kinds(count: int, feet: int) -> np.ndarray:
    """Return all kinds of chain `(n, 5)` that end with a bone: the columns of its top, middle, end, kind and
    first bone below the top.

    Columns: the `count` bones above, the first bone below each of these, the bone itself, none, and the feet
    apart.
    """
    own, none, foot = 2 * count, 2 * count + 1, 2 * count + 2
    found = []
    for k in range(count):
        found.append((k, none, own, ONE_BONE, none))
        found += [(n, k, own, CHAINED, count + n) for n in range(k + 1, count)]
    for k in range(count):
        found.append((k, own, none, NO_END, count + k))
        found += [(k, own, foot + f, DETACHED, count + k) for f in range(feet)]
    return np.array(found)


def _possible(
    figure: Figure, bones: np.ndarray, kinds: np.ndarray, first: np.ndarray, free: np.ndarray
) -> np.ndarray:
    """Return which kinds of chain there are `(ends, kinds)`: of distinct joints, and without an end only
    where a bone is `free`."""
    top, middle, end, kind = kinds[:, :4].T
    joints = np.where(bones >= 0, figure.joints[bones], -1)
    following = np.where(kind == ONE_BONE, end, middle)
    found = ((bones >= 0) & first[bones])[:, top] & (joints[:, top] != joints[:, following])
    found &= (joints[:, middle] != joints[:, end]) | (kind != CHAINED)
    found &= free[bones[:, middle]] | (kind == CHAINED) | (kind == ONE_BONE)
    apart = kind == DETACHED
    foot, ankle = bones[:, end[apart]], bones[:, middle[apart]]
    found[:, apart] &= (foot != ankle) & ~figure.is_above[foot, ankle]
    return found


def _links(figure: Figure, above: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Return the chain's first bone `(ends, n)` below each of those `above` that starts elsewhere."""
    ids, link = figure.joints, np.empty_like(above)
    for k in range(above.shape[1]):
        below = above[:, k - 1] if k else ends
        link[:, k] = np.where(ids[below] != ids[above[:, k]], below, link[:, k - 1] if k else ends)
    return link


def _allowed_above(figure: Figure, allowed: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Return the allowed ancestors `(ends, n)` within `_DEPTH` bones of each end, nearest first, -1 after the
    last."""
    parents = figure.skeleton.parents
    up = np.full(len(parents), -1)
    for row, parent in enumerate(parents.tolist()):
        if parent >= 0:
            up[row] = parent if allowed[parent] else up[parent]
    found = [up[ends]]
    while (found[-1] >= 0).any() and len(found) < _DEPTH:
        found.append(np.where(found[-1] >= 0, up[found[-1]], -1))
    above = np.stack(found, axis=1)
    near = figure.depth[ends][:, None] - figure.depth[above] <= _DEPTH
    return np.where(near, above, -1)


def _carries_chain(figure: Figure) -> np.ndarray:
    """Return whether bones `(bones,)` carry more than twist bones and similar, which start before its end and
    carry nothing."""
    skeleton = figure.skeleton
    children = np.flatnonzero(skeleton.parents >= 0)
    above = skeleton.parents[children]
    far = norms(figure.heads[children] - figure.heads[above])
    long = norms(figure.tails[above] - figure.heads[above])
    found = np.zeros(len(skeleton.parents), dtype=bool)
    found[above[(figure.below_count[children] > 0) | (far > _TIP * long)]] = True
    return found


def _loose_ends(figure: Figure, allowed: np.ndarray) -> np.ndarray:
    """Return the deforming roots, and children of roots, near the floor: feet that an IK rig keeps apart from
    their leg."""
    skeleton = figure.skeleton
    low = figure.heads[:, 2] < figure.floor + 0.15 * figure.size
    return np.flatnonzero(allowed & low & skeleton.deform & (figure.depth <= 1))
