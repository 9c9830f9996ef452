"""Every chain of three joints among the bones of a figure: the possible limbs."""

import numpy as np

from .figure import Figure

CHAINED, NO_END, ONE_BONE, DETACHED = range(4)  # kinds of chain: three bones; two; one and the end; two and an end that hangs elsewhere
_DEPTH = 14  # most bones between a limb's first and last joint, twist halves included
_TIP = 0.9  # share of a bone's length from which a child starts at the next joint


def chains_of_three(figure: Figure, allowed: np.ndarray, last: np.ndarray) -> np.ndarray:
    """Return `(n, 5)`: first, middle and end bone (-1: none), the kind of chain, and the first bone below the top joint (-1: none)."""
    ids = np.array(figure.joint_ids)
    ends = np.flatnonzero(last)
    above = _allowed_above(figure, allowed, ends)
    link = np.empty_like(above)  # the chain's first bone below each that starts elsewhere
    for k in range(above.shape[1]):
        below = above[:, k - 1] if k else ends
        link[:, k] = np.where(ids[below] != ids[above[:, k]], below, link[:, k - 1] if k else ends)
    apart = (above >= 0) & (ids[above] != ids[ends][:, None])
    free, loose = ~_carries_chain(figure)[ends], _loose_ends(figure, allowed)
    found = []
    for k in range(above.shape[1]):
        middle, none = above[:, k], np.full(len(ends), -1)
        found.append(_table(apart[:, k], ends, (middle, none, ends, ONE_BONE, none), k, -1))
        for n in range(k + 1, above.shape[1]):
            top = above[:, n]
            wanted = apart[:, k] & (top >= 0) & (ids[top] != ids[middle])
            found.append(_table(wanted, ends, (top, middle, ends, CHAINED, link[:, n]), k, n))
        found.append(_table(apart[:, k] & free, ends, (middle, ends, none, NO_END, link[:, k]), _DEPTH + k, -1))
        for foot in loose:
            wanted = apart[:, k] & free & (ends != foot) & ~figure.is_above[foot, ends]
            found.append(_table(wanted, ends, (middle, ends, np.full(len(ends), foot), DETACHED, link[:, k]), _DEPTH + k, foot))
    table = np.concatenate([np.zeros((0, 8), dtype=int), *found])
    return table[np.lexsort((table[:, 7], table[:, 6], table[:, 5])), :5]


def _table(wanted: np.ndarray, ends: np.ndarray, columns: tuple, *order: int) -> np.ndarray:
    """Return the wanted rows `(n, 8)` of a chain's columns, followed by their sort keys."""
    rows = np.flatnonzero(wanted)
    table = np.empty((len(rows), len(columns) + 1 + len(order)), dtype=int)
    for k, column in enumerate((*columns, ends, *order)):
        table[:, k] = column[rows] if isinstance(column, np.ndarray) else column
    return table


def _allowed_above(figure: Figure, allowed: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Return the allowed ancestors `(ends, n)` within `_DEPTH` bones of each end, nearest first, -1 after the last."""
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
    """Return whether bones `(bones,)` carry more than twist bones and similar, which start before its end and carry nothing."""
    skeleton = figure.skeleton
    children = np.flatnonzero(skeleton.parents >= 0)
    above = skeleton.parents[children]
    far = np.linalg.norm(figure.heads[children] - figure.heads[above], axis=1)
    long = np.linalg.norm(figure.tails[above] - figure.heads[above], axis=1)
    found = np.zeros(len(skeleton.parents), dtype=bool)
    found[above[(figure.below_count[children] > 0) | (far > _TIP * long)]] = True
    return found


def _loose_ends(figure: Figure, allowed: np.ndarray) -> list[int]:
    """Return the deforming roots, and children of roots, near the floor: feet that an IK rig keeps apart from their leg."""
    skeleton = figure.skeleton
    low = figure.heads[:, 2] < figure.floor + 0.15 * figure.size
    return [int(row) for row in np.flatnonzero(allowed & low & skeleton.deform & (figure.depth <= 1))]
