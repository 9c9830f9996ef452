"""Bones of the upper body turned relative to what holds them, everything on them carried along."""

from collections.abc import Mapping, Sequence

import numpy as np

from ..body.tree import own_turns, with_own_turns
from ..body.trunk import EYES_AND_GAZE
from ..character.motion import Motion
from ..geometry.rotation import from_rotation_vector, rotation_vector, transposed


def offsets(motions: Mapping[str, Motion], others: Sequence[Mapping[str, Motion]], row: int) -> np.ndarray:
    """Return how far bones of other poses, each in one `row`, are turned off those of poses `(f,)`, one after
    the other.

    As rotation vectors `(f, n, 3)` in the axes of their holders, in the order of `own_turns`.
    """
    own, wanted = own_turns(motions), [own_turns(each) for each in others]
    return rotation_vector(
        np.array([[each[role][row] for role in own] for each in wanted])
        @ transposed(np.stack([*own.values()], axis=1))
    )


def with_eyes(
    motions: Mapping[str, Motion],
    begin: Mapping[str, Motion],
    end: Mapping[str, Motion],
    row: int,
    share: np.ndarray,
) -> dict[str, Motion]:
    """Return motions with eyes, and what they look at, as they are in the heads of two poses, `row` of each,
    at shares `(f,)` between."""
    found = dict(motions)
    for role in EYES_AND_GAZE:
        if role not in begin or "head" not in motions:
            continue
        first, last = (pose["head"].seeing(pose[role])[row : row + 1] for pose in (begin, end))
        found[role] = motions["head"].holding(first.towards(last, share))
    return found


def swung(motions: Mapping[str, Motion], vectors: np.ndarray) -> dict[str, Motion]:
    """Return motions with bones turned by rotation vectors `(f, n, 3)` in their holders' axes, in the order
    of `own_turns`."""
    turns, own = from_rotation_vector(vectors), own_turns(motions)
    return with_own_turns(
        motions, {role: turns[:, number] @ turn for number, (role, turn) in enumerate(own.items())}
    )
