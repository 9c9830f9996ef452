"""What single strides add to a walk's channels: the components in which strides differ, each as large as the
stride has it."""

from functools import lru_cache

import numpy as np

from ..character.body import LEFT, RIGHT
from ..contract.channels import CHANNELS, IS_LENGTH, IS_RIGHT, OF_FEET, SLICES
from ..waves import fourier_basis
from .curves import people_curves

# The channels that follow the phase of the left foot, then of the right one.
_FEET = {side: SLICES[foot] for side, foot in ((LEFT, "foot_l"), (RIGHT, "foot_r"))}
_BODY = {LEFT: ~IS_RIGHT & ~OF_FEET, RIGHT: IS_RIGHT & ~OF_FEET}


def of_body(phase: np.ndarray, sizes: np.ndarray, leg_length: float) -> np.ndarray:
    """Return additions `(f, 46)` to all channels but those of the feet, at foot phases `(f, 2)`; `sizes` `(f,
    2, k)` of the components."""
    added = np.zeros((len(phase), len(CHANNELS)))
    for side, columns in _BODY.items():
        added[:, columns] = _added(phase[:, side], sizes[:, side], columns)
    return added * np.where(IS_LENGTH, leg_length, 1.0)


def of_feet(phase: np.ndarray, sizes: np.ndarray, leg_length: float) -> np.ndarray:
    """Return additions to the channels of both feet `(..., 2, 6)` at their phases `(..., 2)`; `sizes` `(...,
    2, k)` of the components."""
    both = [_added(phase[..., side], sizes[..., side, :], columns) for side, columns in _FEET.items()]
    return np.stack(both, axis=-2) * np.where(IS_LENGTH[_FEET[LEFT]], leg_length, 1.0)


def _added(phase: np.ndarray, sizes: np.ndarray, columns: np.ndarray | slice) -> np.ndarray:
    return np.einsum(
        "...t,...tn->...n", fourier_basis(phase), np.tensordot(sizes, components()[..., columns], 1)
    )


@lru_cache(maxsize=1)
def components() -> np.ndarray:
    """Return the components `(k, TERMS, 46)`."""
    return np.array([one.curves.T for one in people_curves().strides])
