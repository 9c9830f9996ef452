"""Rotation vectors: the exponential and the logarithm of SO(3), and the logarithm's slope, for many small turns at once."""

import numpy as np

from ... import rotation
from ...rotation import SKEW
from ..geometry.vectors import lengths

_SMALL, _CURVED = 1e-9, 1e-3  # radians
_LONGEST_LOG = 3.0  # radians: nearer to half a turn the antisymmetric part loses the axis
_EYE = np.eye(3).ravel()
_HALF, _ONE = np.array(0.5), np.array(1.0)
# The nine numbers of v v' @ this are those of the cross product's square, v v' - |v|^2 I.
_SQUARE = np.eye(9) - np.outer(_EYE, _EYE)
# A matrix' nine numbers @ this: the axis times the sine of the angle; @ this: twice the cosine plus 1, three times.
_SINES, _TRACE = 0.5 * SKEW.T, np.repeat(_EYE[:, None], 3, axis=1)


def turned(turns: np.ndarray, longest: float = np.pi) -> np.ndarray:
    """Return the rotations `(..., 3, 3)` of rotation vectors, none by more than `longest` radians (Rodrigues)."""
    length = np.maximum(lengths(turns), _SMALL)
    angle = np.minimum(length, longest)
    return _curved(turns, np.sin(angle) / length, (_ONE - np.cos(angle)) / (length * length))


def turn_of(rotations: np.ndarray) -> np.ndarray:
    """Return the rotation vectors `(..., 3)` of rotations; beyond _LONGEST_LOG the axis is found the slow way."""
    numbers = rotations.reshape(rotations.shape[:-2] + (9,))
    axis = numbers @ _SINES
    sine = lengths(axis)
    angle = np.arctan2(sine, _HALF * (numbers @ _TRACE - _ONE))
    if angle.max() > _LONGEST_LOG:
        return rotation.rotation_vector(rotations)
    return axis * ((angle + _SMALL) / (sine + _SMALL))


def log_slope(turns: np.ndarray) -> np.ndarray:
    """Return d log(exp(v) exp(d)) / dd at d = 0 `(..., 3, 3)` for rotation vectors v: the inverse of SO(3)'s right Jacobian."""
    half = np.maximum(_HALF * lengths(turns), _CURVED)
    return _curved(turns, _HALF, (_ONE - half / np.tan(half)) / (4.0 * half * half))


def _curved(vectors: np.ndarray, once: np.ndarray, twice: np.ndarray) -> np.ndarray:
    """Return  I + once [v]x + twice [v]x^2  `(..., 3, 3)`; the factors as the vectors `(..., 3)`, or one number."""
    squares = vectors[..., :, None] @ (twice * vectors)[..., None, :]
    numbers = squares.reshape(vectors.shape[:-1] + (9,)) @ _SQUARE
    numbers += (once * vectors) @ SKEW
    numbers += _EYE
    return numbers.reshape(vectors.shape + (3,))
