"""Identifying bones after an animator has renamed some: by their rest pose, as the names have changed."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

SAME_PLACE = 1e-4  # share of the skeleton's extent; leaving Edit Mode rounds rest poses by less


@dataclass(frozen=True)
class Bones:
    """Bones by name, with the index of each one's parent (-1: none), a mark that may distinguish twins, and
    three rest points `(n, 3, 3)`.

    The points are head, tail, and one as far to the bone's side: they give position, length and roll, in
    armature units.
    """

    names: Sequence[str]
    parents: Sequence[int]
    marks: Sequence[str]
    rest: np.ndarray


def renamed(before: Bones, now: Bones) -> dict[str, str]:
    """Return the new name of every bone of `before` that has another name `now`, and '' for each that is gone
    or cannot be identified.

    A bone with the same name, mark and rest is unchanged. Of the others a pair is one bone if no other shares
    its mark and rest, first
    compared with the parents' rest and then without: so names may have been swapped. The rest keep their name
    if it exists: they were
    edited.
    """
    if not before.names:
        return {}
    tolerance = place_tolerance(before.rest)
    at = {name: index for index, name in enumerate(now.names)}
    stays = {
        name
        for index, name in enumerate(before.names)
        if name in at
        and before.marks[index] == now.marks[at[name]]
        and np.abs(before.rest[index] - now.rest[at[name]]).max() <= tolerance
    }
    left = [index for index, name in enumerate(before.names) if name not in stays]
    free = [index for index, name in enumerate(now.names) if name not in stays]
    found: dict[int, int] = {}
    for with_parents in (True, False):
        alike = _alike(before, left, now, free, tolerance, with_parents)
        pairs = [(row, int(alike[row].argmax())) for row in range(len(left)) if alike[row].sum() == 1]
        pairs = [(left[row], free[column]) for row, column in pairs if alike[:, column].sum() == 1]
        found.update(pairs)
        left = [index for index in left if index not in found]
        free = [index for index in free if index not in set(found.values())]
    kept = {now.names[index] for index in free}
    names = {
        before.names[old]: now.names[new] for old, new in found.items() if before.names[old] != now.names[new]
    }
    return names | {before.names[index]: "" for index in left if before.names[index] not in kept}


def place_tolerance(rest: np.ndarray) -> float:
    """Return the greatest distance between rest points `(n, 3, 3)` of the same bone, in their unit."""
    return SAME_PLACE * max(float(np.ptp(rest.reshape(-1, 3), axis=0).max()), 1e-9)


def _alike(
    before: Bones, left: list[int], now: Bones, free: list[int], tolerance: float, with_parents: bool
) -> np.ndarray:
    """Return whether bones `(left, free)` have the same rest and mark; computed row by row to save memory."""
    old, new = (_features(bones, with_parents) for bones in (before, now))
    marks = np.array([now.marks[index] for index in free], dtype=object)
    alike = np.zeros((len(left), len(free)), dtype=bool)
    for row, index in enumerate(left if free else ()):
        alike[row] = (np.abs(new[free] - old[index]).max(axis=1) <= tolerance) & (
            marks == before.marks[index]
        )
    return alike


def _features(bones: Bones, with_parents: bool) -> np.ndarray:
    """Return each bone's rest points as a row `(n, 9)`, or `(n, 18)` with its parent's, which are far away if
    it has none."""
    own = bones.rest.reshape(-1, 9)
    if not with_parents:
        return own
    nowhere = np.full((1, 9), 1e18)
    return np.hstack([own, np.concatenate([own, nowhere])[np.asarray(bones.parents, dtype=int)]])
