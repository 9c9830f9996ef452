"""Bones of the upper body turned relative to what holds them, everything on them carried along."""

from collections.abc import Mapping

import numpy as np

from ..character.motion import Motion
from ..geometry.rotation import from_rotation_vector, part_way, rotation_vector, transposed
from ..over.layer import holders_of
from ..over.trunk import EYES_AND_GAZE, eyes_with_head, hung


def offsets(motions: Mapping[str, Motion], row: int, others: Mapping[str, Motion], other_row: int) -> dict[str, np.ndarray]:
    """Return how far bones of another pose are turned off those of a pose, as rotation vectors `(3,)` in their holders' axes."""
    found = {}
    for role, holder in holders_of(motions).items():
        own, wanted = (
            transposed(each[holder].rotation[at]) @ each[role].rotation[at] for each, at in ((motions, row), (others, other_row))
        )
        found[role] = rotation_vector((wanted @ own.T)[None])[0]
    return found


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
        seen = [pose["head"].seeing(pose[role]) for pose in (begin, end)]
        first, last = (np.broadcast_to(one.rotation[row], (len(share), 3, 3)) for one in seen)
        place = seen[0].position[row] + share[:, None] * (seen[1].position[row] - seen[0].position[row])
        found[role] = motions["head"].holding(Motion(part_way(first, last, share), place, begin[role].rest))
    return found


def swung(motions: Mapping[str, Motion], vectors: Mapping[str, np.ndarray]) -> dict[str, Motion]:
    """Return motions with bones turned by rotation vectors `(f, 3)` in their holders' axes."""
    found = dict(motions)
    for role, holder in holders_of(motions).items():
        held, before, motion = found[holder], motions[holder], motions[role]
        own = transposed(before.rotation) @ motion.rotation
        if role in vectors:
            own = from_rotation_vector(vectors[role]) @ own
        elif held is before:
            continue
        found[role] = hung(held, before, motion, held.rotation @ own @ transposed(motion.rotation))
    return found | eyes_with_head(found["head"], motions) if "head" in found else found
