"""Skeletons of BVH files that only the places of their joints carry: OFFSETs that are all zero, and joints
that never turn."""

from dataclasses import replace
from itertools import accumulate

import numpy as np

from ..geometry.rotation import norms
from ..geometry.vectors import nearest_rotation
from .bvh_text import BvhJoint

_UNLIKE = 0.2  # share of its place's distance by which an OFFSET is off it: it is not where the joint is
_STILL = 1e-3  # degrees: joints that turn less are not turned by their file
_HELD = 1e-6  # weight of keeping the parent's rotation about what the joints below do not tell


def with_placed_offsets(joints: list[BvhJoint], places: np.ndarray) -> list[BvhJoint]:
    """Return the joints with OFFSETs as they are placed in the first frame, if most of the OFFSETs are not
    where they are placed.

    Joints that stay where they are in their parent must be there; of those that only places carry, distances
    tell. `places` `(f, joints, 3)`: of each joint in its parent, file units.
    """
    placed = [row for row, joint in enumerate(joints) if joint.parent >= 0 and _is_placed(joint)]
    given, shown = np.array([joints[row].offset for row in placed]).reshape(-1, 3), places[:, placed]
    distances, middle = np.median(norms(shown), axis=0), np.median(shown, axis=0)
    stays = norms(shown - middle).max(axis=0) < _UNLIKE * distances
    off = np.where(stays, norms(middle - given), np.abs(distances - norms(given)))
    if 2 * np.count_nonzero(off > _UNLIKE * distances) < max(len(joints) - 1, 1):
        return joints
    found = list(joints)
    for row in placed:
        found[row] = replace(joints[row], offset=places[0, row].copy())
    return found


def turn_to_places(joints: list[BvhJoint], values: np.ndarray, turns: np.ndarray, places: np.ndarray) -> None:
    """Turn, in place, the joints that the file does not turn to where it places the joints below them.

    `values` `(f, channels)`: as in the file; `turns` `(f, joints, 3, 3)` from rest and `places` `(f, joints,
    3)`, in file axes. A joint turns with its parent about what the joints below do not tell.
    """
    below: list[list[int]] = [[] for _ in joints]
    for row, joint in enumerate(joints):
        if joint.parent >= 0 and _is_placed(joint):
            below[joint.parent].append(row)
    if not any(below):
        return
    first = [0, *accumulate(len(joint.channels) for joint in joints)]
    followed = [False] * len(joints)
    for row, joint in enumerate(joints):
        if any(
            kind == "rotation" and np.abs(values[:, first[row] + n]).max() > _STILL
            for n, (kind, _) in enumerate(joint.channels)
        ):
            continue
        held = turns[:, joint.parent] if joint.parent >= 0 and followed[joint.parent] else turns[:, row]
        if below[row]:
            at_rest = np.array([joints[child].offset for child in below[row]])
            shown = places[:, below[row]] - places[:, row, None]
            scale = max(float(np.sum(at_rest**2)), np.finfo(float).tiny)
            held = nearest_rotation(np.einsum("fci,cj->fij", shown, at_rest) / scale + _HELD * held)
        turns[:, row] = held
        followed[row] = bool(below[row]) or (joint.parent >= 0 and followed[joint.parent])


def _is_placed(joint: BvhJoint) -> bool:
    return sum(kind == "position" for kind, _ in joint.channels) == 3
