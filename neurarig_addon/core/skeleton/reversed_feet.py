"""Feet and toes whose bones run from the tip back to the ankle, read as if they ran forward.

Such a bone begins away from the end of the bone above it and comes back to that end (*Armature > Switch
Direction* turns it round). Only the reading changes: the rig keeps its bones.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ..geometry.rotation import between, dot, norms
from .skeleton import Skeleton

# Shares of the length of the bone above, the shin or the foot.
_AWAY = 0.12  # a reversed bone begins farther from its end
_MEETS = 0.05  # ends nearer than this meet
_BESIDE = 0.35  # the sole passes no farther than this below the ankle
_BEYOND = 0.6  # least place of a foot along the shin
_EVEN = 0.1  # greatest difference between the shins, and between the thighs
# greatest cosine between the foot and the shin, seen from the ankle: twist bones run along the shin
_OBTUSE = 0.35
# least cosine between the bone that carries the shin and the line to the shin: else tails of the file mean
# nothing
_POINTS = 0.5
_BENT = 0.25  # least cosine between shin and thigh at rest: a foot is bent further, and is no shin
_BACK = 0.6  # share of a sole's length, from its toes, beyond which the ankle is
_MOST = 3  # bones of a foot


def with_feet_forward(skeleton: Skeleton) -> Skeleton:
    """Return the skeleton with reversed feet and toes running forward, hung from the ankle down; unchanged if
    there are none.

    `Skeleton.turned` says how their bones then lie as seen from the rig's own.
    """
    found = list(_reversed_chains(skeleton))
    if not found:
        return skeleton
    parents, rest, lengths, turned = (
        skeleton.parents.copy(),
        skeleton.rest.copy(),
        skeleton.lengths.copy(),
        dict(skeleton.turned),
    )
    for above, chain in found:
        start = _tail(skeleton, above)
        for upper, row in zip([above, *chain[:0:-1]], chain[::-1], strict=True):
            parents[row] = upper
            rest[row], lengths[row] = _forward(skeleton.rest[row], start)
            turned[skeleton.names[row]] = np.linalg.inv(skeleton.rest[row]) @ rest[row]
            start = skeleton.rest[row, :3, 3]
        for row in _toes_beside(skeleton, above, chain):
            parents[row], turned[skeleton.names[row]] = chain[0], np.eye(4)
    order = _parents_first(parents)
    rows = np.argsort(order)
    return replace(
        skeleton,
        names=tuple(skeleton.names[row] for row in order),
        parents=np.array([rows[parents[row]] if parents[row] >= 0 else -1 for row in order], dtype=int),
        rest=rest[order],
        lengths=lengths[order],
        deform=skeleton.deform[order],
        turned=turned,
    )


def _reversed_chains(skeleton: Skeleton) -> Iterator[tuple[int, list[int]]]:
    """Yield each bone with the rows of the reversed foot below it, as they hang in the rig: the toes
    first."""
    above = skeleton.parents.astype(int)
    heads = skeleton.rest[:, :3, 3]
    tails = heads + skeleton.rest[:, :3, 1] * skeleton.lengths[:, None]
    long = np.maximum(skeleton.lengths[above], 1e-12)
    out, back = heads - tails[above], heads[above] - tails[above]
    far = norms(out)
    beyond = 1.0 - dot(out, back) / long**2
    cosine = dot(out, back) / np.maximum(far * long, 1e-12)
    upper = heads[above] - heads[above[above]]
    thigh, shin = skeleton.rest[above[above], :3, 1], skeleton.rest[above, :3, 1]
    points = (dot(upper, thigh) > _POINTS * norms(upper)) & (dot(thigh, shin) > _BENT)
    counts = (
        skeleton.deform & skeleton.deform[above] if skeleton.deform.any() else np.ones(len(above), dtype=bool)
    )
    could = (
        counts
        & points
        & (above >= 0)
        & (above[above] >= 0)
        & (far > _AWAY * long)
        & (beyond > _BEYOND)
        & (cosine < _OBTUSE)
    )
    continued = np.zeros(len(above), dtype=bool)  # bones at whose end another one begins
    continued[above[(above >= 0) & (far < _MEETS * long)]] = True
    could &= ~continued[above]
    row = np.flatnonzero(could)
    ankle = tails[above[row]]
    comes_back = norms(tails[row] - ankle) < _MEETS * long[row]
    could[row] = comes_back | _passes_below(heads[row], tails[row], ankle, long[row]) | np.isin(row, above)
    for row in np.flatnonzero(could).tolist():
        holder = int(above[row])
        chain = _back_to(skeleton, row, heads, tails, tails[holder], long[row])
        if chain and _has_twin(skeleton, holder):
            yield holder, chain


def _back_to(
    skeleton: Skeleton, row: int, heads: np.ndarray, tails: np.ndarray, ankle: np.ndarray, long: float
) -> list[int]:
    """Return the bones from `row` down to the one that comes back to the ankle; empty if none does."""
    chain = [row]
    while len(chain) <= _MOST:
        last = chain[-1]
        if norms(tails[last] - ankle) < _MEETS * long or (
            len(chain) == 1 and _passes_below(heads[[last]], tails[[last]], ankle, long)[0]
        ):
            return chain
        following = [
            child for child in skeleton.children[last] if norms(heads[child] - tails[last]) < _MEETS * long
        ]
        if len(following) != 1:
            return []
        chain.append(following[0])
    return []


def _toes_beside(skeleton: Skeleton, above: int, chain: list[int]) -> list[int]:
    """Return the bones that hang beside a reversed foot and start where it does: its toes."""
    start, others = (
        skeleton.rest[chain[0], :3, 3],
        [row for row in skeleton.children[above] if row != chain[0]],
    )
    return [
        row for row in others if norms(skeleton.rest[row, :3, 3] - start) < _MEETS * skeleton.lengths[above]
    ]


def _passes_below(
    heads: np.ndarray, tails: np.ndarray, ankles: np.ndarray, long: np.ndarray | float
) -> np.ndarray:
    """Return whether bones `(n,)` from the toes to the heel have the ankle above their hind part."""
    along = tails - heads
    share = dot(ankles - heads, along) / np.maximum(dot(along, along), 1e-24)
    return (
        (share > _BACK)
        & (share < 1.0 + _AWAY)
        & (norms(heads + share[:, None] * along - ankles) < _BESIDE * long)
    )


def _has_twin(skeleton: Skeleton, row: int) -> bool:
    """Return whether another bone, neither above nor below, is as long, and so is what carries it: limbs come
    in pairs."""
    lengths, parents = skeleton.lengths, skeleton.parents
    alike = np.isclose(lengths, lengths[row], rtol=_EVEN) & (parents >= 0)
    alike &= np.isclose(lengths[parents], lengths[parents[row]], rtol=_EVEN)
    alike[[row, *skeleton.ancestors(row)]] = False
    return bool((alike & ~skeleton.below(row)).any())


def _tail(skeleton: Skeleton, row: int) -> np.ndarray:
    return skeleton.rest[row, :3, 3] + skeleton.rest[row, :3, 1] * skeleton.lengths[row]


def _forward(rest: np.ndarray, start: np.ndarray) -> tuple[np.ndarray, float]:
    """Return the rest matrix `(4, 4)` and length of a bone turned round: from `start` to where it begins in
    the rig."""
    line, found = rest[:3, 3] - start, np.eye(4)
    half_turn = np.diag([1.0, -1.0, -1.0])
    found[:3, :3] = between(-rest[:3, 1], line) @ rest[:3, :3] @ half_turn
    found[:3, 3] = start
    return found, float(norms(line))


def _parents_first(parents: np.ndarray) -> np.ndarray:
    """Return the rows with parents before children."""
    depth = np.zeros(len(parents), dtype=int)
    above = parents.copy()
    while (above >= 0).any():
        depth += above >= 0
        above = np.where(above >= 0, parents[above], -1)
    return np.argsort(depth, kind="stable")
