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
    reach = np.clip(distance, np.abs(upper - lower), upper + lower)
    nowhere = distance <= _NOWHERE * (upper + lower)
    direction = np.where(
        nowhere[..., None], normalized(otherwise), line / np.maximum(distance, 1e-300)[..., None]
    )
    along = np.where(reach > 0.0, (reach**2 + upper**2 - lower**2) / np.maximum(2.0 * reach, 1e-300), 0.0)
    along = np.clip(along, -upper, upper)
    aside = np.sqrt(upper**2 - along**2)
    middle = root + direction * along[..., None] + across(pole, direction) * aside[..., None]
    return middle, root + direction * reach[..., None]


def across(pole: np.ndarray, direction: np.ndarray) -> np.ndarray:
    """Return unit vectors `(f, 3)` perpendicular to unit `direction`, on the pole's side; on any side where
    they are parallel."""
    aside = rejected(pole, direction)
    size = norms(aside)[..., None]
    lost = size <= _PARALLEL * norms(pole)[..., None]
    if lost.any():
        aside = np.where(lost, perpendicular(np.broadcast_to(direction, aside.shape)), aside)
    return aside / norms(aside)[..., None] if lost.any() else aside / size
