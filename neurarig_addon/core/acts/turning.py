"""Bones of the upper body turned relative to what holds them, everything on them carried along."""

from collections.abc import Mapping

import numpy as np

from ..character.motion import Motion
from ..geometry.rotation import from_rotation_vector, rotation_vector
from ..over.layer import own_turns, with_own_turns
from ..over.trunk import EYES_AND_GAZE


def offsets(motions: Mapping[str, Motion], row: int, others: Mapping[str, Motion], other_row: int) -> dict[str, np.ndarray]:
    """Return how far bones of another pose are turned off those of a pose, as rotation vectors `(3,)` in their holders' axes."""
    own, wanted = own_turns(motions), own_turns(others)
    return {role: rotation_vector(wanted[role][other_row] @ turn[row].T) for role, turn in own.items()}


def turned(motions: Mapping[str, Motion], by: Mapping[str, tuple[np.ndarray, np.ndarray]], share: np.ndarray) -> dict[str, Motion]:
    """Return motions with bones turned in their holders' axes, by vectors `(3,)` at a `share` `(f,)` of 0 and of 1."""
    vectors = {role: begin + share[:, None] * (end - begin) for role, (begin, end) in by.items()}
    return swung(motions, vectors)


def with_eyes(
    motions: Mapping[str, Motion], begin: Mapping[str, Motion], end: Mapping[str, Motion], row: int, share: np.ndarray
) -> dict[str, Motion]:
    """Return motions with eyes, and what they look at, as they are in the heads of two poses, `row` of each, at shares `(f,)` between."""
    found = dict(motions)
    for role in EYES_AND_GAZE:
        if role not in begin or "head" not in motions:
            continue
        first, last = (pose["head"].seeing(pose[role])[row : row + 1] for pose in (begin, end))
        found[role] = motions["head"].holding(first.towards(last, share))
    return found


def swung(motions: Mapping[str, Motion], vectors: Mapping[str, np.ndarray]) -> dict[str, Motion]:
    """Return motions with bones turned by rotation vectors `(f, 3)` in their holders' axes."""
    own = own_turns(motions)
    return with_own_turns(motions, {role: from_rotation_vector(vector) @ own[role] for role, vector in vectors.items()})
