"""Rotation vectors: the exponential and the logarithm of SO(3), and the logarithm's slope, for many small turns at once."""

import numpy as np

from .. import rotation

_SMALL, _CURVED = 1e-9, 1e-3  # radians
_LONGEST_LOG = 3.0  # radians: nearer to half a turn the antisymmetric part loses the axis
_EYE = np.eye(3)
_ONES = np.ones((3, 1))
# vector @ SKEW is the matrix of the cross product with it, row by row.
SKEW = np.zeros((3, 3, 3))
for _a, _b, _c in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
    SKEW[_a, _c, _b], SKEW[_a, _b, _c] = 1.0, -1.0
SKEW = SKEW.reshape(3, 9)
# The nine numbers of v v' @ this are those of the cross product's square, v v' - |v|^2 I.
_SQUARE = np.eye(9) - _EYE.reshape(9, 1) * _EYE.reshape(9)
# A matrix' nine numbers @ this: the axis times the sine of the angle, and twice the cosine plus 1.
_SINE_AND_COSINE = np.concatenate([0.5 * SKEW.T, _EYE.reshape(9, 1)], axis=1)


def turned(turns: np.ndarray, longest: float = np.pi) -> np.ndarray:
    """Return the rotations `(..., 3, 3)` of rotation vectors, none by more than `longest` radians (Rodrigues)."""
    length = np.maximum(np.sqrt((turns * turns) @ _ONES), _SMALL)
    angle = np.minimum(length, longest)
    return _curved(turns, np.sin(angle) / length, (1.0 - np.cos(angle)) / (length * length))


def turn_of(rotations: np.ndarray) -> np.ndarray:
    """Return the rotation vectors `(..., 3)` of rotations; beyond _LONGEST_LOG the axis is found the slow way."""
    numbers = rotations.reshape(rotations.shape[:-2] + (9,)) @ _SINE_AND_COSINE
    axis = numbers[..., :3]
    sine = np.sqrt((axis * axis) @ _ONES)
    angle = np.arctan2(sine, 0.5 * (numbers[..., 3:] - 1.0))
    if angle.max() > _LONGEST_LOG:
        return rotation.rotation_vector(rotations)
    return axis * ((angle + _SMALL) / (sine + _SMALL))


def log_slope(turns: np.ndarray) -> np.ndarray:
    """Return d log(exp(v) exp(d)) / dd at d = 0 `(..., 3, 3)` for rotation vectors v: the inverse of SO(3)'s right Jacobian."""
    angle = np.maximum(np.sqrt((turns * turns) @ _ONES), _CURVED)
    return _curved(turns, 0.5, (1.0 - 0.5 * angle / np.tan(0.5 * angle)) / (angle * angle))


def _curved(vectors: np.ndarray, once: float | np.ndarray, twice: np.ndarray) -> np.ndarray:
    """Return  I + once [v]x + twice [v]x^2  `(..., 3, 3)`; the factors `(..., 1)`."""
    squares = (twice * vectors)[..., :, None] * vectors[..., None, :]
    numbers = squares.reshape(vectors.shape[:-1] + (9,)) @ _SQUARE
    numbers += (once * vectors) @ SKEW
    numbers += _EYE.reshape(9)
    return numbers.reshape(vectors.shape + (3,))
