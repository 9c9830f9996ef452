"""Rotation vectors: the exponential and the logarithm of SO(3), and its right Jacobian, for many turns at once."""

import numpy as np

from ... import rotation
from ...rotation import SKEW
from ..geometry.vectors import dotted, lengths

_SMALL, _CURVED = np.array(1e-9), np.array(1e-3)  # radians
_LONGEST_LOG = 3.0  # radians: nearer to half a turn the antisymmetric part loses the axis
_EYE = np.eye(3).ravel()
_HALF, _ONE, _TWO = np.array(0.5), np.array(1.0), np.array(2.0)
# The nine numbers of v v' @ this are those of the cross product's square, v v' - |v|^2 I.
_SQUARE = np.eye(9) - np.outer(_EYE, _EYE)
# A matrix' nine numbers @ this: the axis times the sine of the angle; @ this: half the trace, three times.
_SINES, _HALF_TRACE = 0.5 * SKEW.T, np.repeat(0.5 * _EYE[:, None], 3, axis=1)


def turned(turns: np.ndarray) -> np.ndarray:
    """Return the rotations `(..., 3, 3)` of rotation vectors (Rodrigues)."""
    angle = np.maximum(lengths(turns), _SMALL)
    return _curved(turns, np.sin(angle) / angle, (_ONE - np.cos(angle)) / (angle * angle))


def nearly_turned(turns: np.ndarray) -> np.ndarray:
    """Return rotations `(..., 3, 3)` about rotation vectors, of 2 atan(angle / 2) (Cayley): what a step asks for, never half a turn."""
    half = _HALF * turns
    once = _TWO / (_ONE + dotted(half, half))
    return _curved(half, once, once)


def turn_of(rotations: np.ndarray) -> np.ndarray:
    """Return the rotation vectors `(..., 3)` of rotations; beyond _LONGEST_LOG the axis is found the slow way."""
    return _read(rotations)[0]


def turn_and_spread(rotations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the rotation vectors v `(..., 3)` of rotations, and SO(3)'s right Jacobian there `(..., 3, 3)`.

    It gives small turns d with  exp(v) exp(d) = exp(v + e)  for small e:  I - (1 - cos) / a^2 [v]x + (a - sin) / a^3 [v]x^2.
    """
    turns, angle, sine, cosine = _read(rotations)
    angle = np.maximum(angle, _CURVED)
    square = angle * angle
    return turns, _curved(turns, (cosine - _ONE) / square, (_ONE - sine / angle) / square)


def _read(rotations: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return rotation vectors `(..., 3)`, and their angle, its sine and cosine, each three times `(..., 3)`."""
    shape = rotations.shape[:-1]
    numbers = rotations.reshape(-1, 9)
    axis = numbers.dot(_SINES).reshape(shape)
    cosine = numbers.dot(_HALF_TRACE).reshape(shape)
    cosine -= _HALF
    sine = lengths(axis)
    angle = np.arctan2(sine, cosine)
    if angle.item(angle.argmax()) > _LONGEST_LOG:
        return rotation.rotation_vector(rotations), angle, sine, cosine
    return axis * ((angle + _SMALL) / (sine + _SMALL)), angle, sine, cosine


def _curved(vectors: np.ndarray, once: np.ndarray, twice: np.ndarray) -> np.ndarray:
    """Return  I + once [v]x + twice [v]x^2  `(..., 3, 3)`; the factors as the vectors `(..., 3)`."""
    squares = vectors[..., :, None] @ (twice * vectors)[..., None, :]
    numbers = squares.reshape(-1, 9).dot(_SQUARE)
    numbers += (once * vectors).reshape(-1, 3).dot(SKEW)
    numbers += _EYE
    return numbers.reshape(vectors.shape + (3,))
