"""Two-bone IK in closed form, all frames at once."""

import numpy as np

from .rotation import normalized, norms, perpendicular, rejected

_NOWHERE = 1e-9  # of the limb's length: nearer points define no direction
_PARALLEL = 1e-6  # sine of the angle to the line below which a pole defines no side


def two_bones(
    root: np.ndarray,
    effector: np.ndarray,
    pole: np.ndarray,
    upper: np.ndarray | float,
    lower: np.ndarray | float,
    otherwise: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the middle joint and the end `(f, 3)` of a limb whose bones are `upper` and `lower` long, by the
    law of cosines.

    Args:
        root, effector: `(f, 3)`; if the effector is out of reach (too far or too near) the end is on its
        line, as near as the bones allow. pole: direction `(f, 3)`, of any length, to whose side the middle
        joint bends; if parallel to the limb, to any side. otherwise: direction `(f, 3)` or `(3,)` of the limb
        where root and effector coincide.
    """
    upper, lower = np.asarray(upper, dtype=float), np.asarray(lower, dtype=float)
    line = effector - root
    distance = norms(line)
    reach, along, aside = sides(distance, upper, lower)
    nowhere = distance <= _NOWHERE * (upper + lower)
    direction = np.where(
        nowhere[..., None], normalized(otherwise), line / np.maximum(distance, 1e-300)[..., None]
    )
    middle = root + direction * along[..., None] + across(pole, direction) * aside[..., None]
    return middle, root + direction * reach[..., None]


def sides(
    distance: np.ndarray, upper: np.ndarray, lower: np.ndarray, margin: float = 0.0
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return how far a limb's end comes that is to be at a `distance`, and how far its middle joint is along
    and off the line to there, by the law of cosines.

    `margin`: of the limb's length, to which it is never fully straight nor folded. Any shapes that broadcast.
    """
    whole = upper + lower
    reach = np.minimum(np.maximum(distance, np.abs(upper - lower) + margin * whole), (1.0 - margin) * whole)
    square = upper * upper
    along = (reach * reach + square - lower * lower) / np.maximum(2.0 * reach, 1e-300)
    along = np.minimum(np.maximum(along, -upper), upper)
    return reach, along, np.sqrt(square - along * along)


def across(pole: np.ndarray, direction: np.ndarray) -> np.ndarray:
    """Return unit vectors `(f, 3)` perpendicular to unit `direction`, on the pole's side; on any side where
    they are parallel."""
    aside = rejected(pole, direction)
    size = norms(aside)[..., None]
    lost = size <= _PARALLEL * norms(pole)[..., None]
    if lost.any():
        aside = np.where(lost, perpendicular(np.broadcast_to(direction, aside.shape)), aside)
    return aside / norms(aside)[..., None] if lost.any() else aside / size
