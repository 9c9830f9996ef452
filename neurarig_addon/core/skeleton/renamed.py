"""Which bone is which after an animator has renamed some: known by where they are at rest, as names are what has changed."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

SAME_PLACE = 1e-4  # of the skeleton's extent; leaving Edit Mode rounds rest poses by less


@dataclass(frozen=True)
class Bones:
    """Bones by name, with the index of each one's parent (-1: none), a mark that may tell twins apart, and three rest points `(n, 3, 3)`.

    The points are head, tail, and one as far to the bone's side: so they tell place, length and roll, in the armature's units.
    """

    names: Sequence[str]
    parents: Sequence[int]
    marks: Sequence[str]
    rest: np.ndarray


def renamed(before: Bones, now: Bones) -> dict[str, str]:
    """Return the new name of every bone of `before` that is called something else `now`, and '' for each that is gone or cannot be told.

    A bone whose name and rest are as they were is the one it was.  Among the others those are one that alone share a rest, their parents'
    too, and then without their parents': so names may have been swapped.  Who is left keeps the name, if that is there: it was edited.
    """
    if not before.names:
        return {}
    tolerance = place_tolerance(before.rest)
    at = {name: index for index, name in enumerate(now.names)}
    stays = {
        name
        for index, name in enumerate(before.names)
        if name in at and before.marks[index] == now.marks[at[name]] and np.abs(before.rest[index] - now.rest[at[name]]).max() <= tolerance
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
    told = {before.names[old]: now.names[new] for old, new in found.items() if before.names[old] != now.names[new]}
    return told | {before.names[index]: "" for index in left if before.names[index] not in kept}


def place_tolerance(rest: np.ndarray) -> float:
    """Return how far rest points `(n, 3, 3)` of the same bone may be apart, in their unit."""
    return SAME_PLACE * max(float(np.ptp(rest.reshape(-1, 3), axis=0).max()), 1e-9)


def _alike(before: Bones, left: list[int], now: Bones, free: list[int], tolerance: float, with_parents: bool) -> np.ndarray:
    """Return whether bones `(left, free)` have the same rest and mark; row by row, as memory is bounded by the rows."""
    old, new = (_features(bones, with_parents) for bones in (before, now))
    marks = np.array([now.marks[index] for index in free], dtype=object)
    alike = np.zeros((len(left), len(free)), dtype=bool)
    for row, index in enumerate(left if free else ()):
        alike[row] = (np.abs(new[free] - old[index]).max(axis=1) <= tolerance) & (marks == before.marks[index])
    return alike


def _features(bones: Bones, with_parents: bool) -> np.ndarray:
    """Return the rest points of each bone in a row, its parent's too, which are far away where it has none."""
    own = bones.rest.reshape(-1, 9)
    if not with_parents:
        return own
    nowhere = np.full((1, 9), 1e18)
    return np.hstack([own, np.concatenate([own, nowhere])[np.asarray(bones.parents, dtype=int)]])
