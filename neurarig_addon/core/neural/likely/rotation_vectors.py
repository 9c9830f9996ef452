"""Rotation vectors: the exponential and the logarithm of SO(3), and its right Jacobian, for many turns at
once."""

import numpy as np

from ...geometry import rotation
from ...geometry.rotation import SKEW
from ...geometry.vectors import lengths

_SMALL = np.array(1e-9)  # radians
_LONGEST_LOG = 3.0  # radians: nearer to half a turn the antisymmetric part loses the axis
_EYE = np.eye(3).ravel()
_HALF = np.array(0.5)
# A matrix' nine numbers @ this: the axis times the sine of the angle; @ this: half the trace, three times.
_SINES, _HALF_TRACE = 0.5 * SKEW.T, np.repeat(0.5 * _EYE[:, None], 3, axis=1)
# A rotation's nine numbers @ the first plus the second: the axes about which small changes of its rotation
# vector turn it.
_CHANGED = (5.0 * np.eye(9) - np.eye(9).reshape(3, 3, 9).swapaxes(0, 1).reshape(9, 9)) / 12.0
_UNCHANGED = 8.0 / 12.0 * _EYE


def turned(turns: np.ndarray) -> np.ndarray:
    """Return the rotations `(..., 3, 3)` of rotation vectors `(..., 3)`."""
    angle = np.maximum(lengths(turns), _SMALL)
    return _of_quaternions(turns * (np.tan(_HALF * angle) / angle))


def nearly_turned(turns: np.ndarray) -> np.ndarray:
    """Return rotations `(..., 3, 3)` about rotation vectors, by 2 atan(angle / 2) (Cayley): for small steps,
    never half a turn."""
    return _of_quaternions(_HALF * turns)


def turn_of(rotations: np.ndarray) -> np.ndarray:
    """Return the rotation vectors `(..., 3)` of rotations; beyond _LONGEST_LOG by a slower method."""
    shape = rotations.shape[:-1]
    numbers = rotations.reshape(-1, 9)
    axis = numbers.dot(_SINES).reshape(shape)
    cosine = numbers.dot(_HALF_TRACE).reshape(shape)
    cosine -= _HALF
    sine = lengths(axis)
    angle = np.arctan2(sine, cosine)
    if angle.item(angle.argmax()) > _LONGEST_LOG:
        return rotation.rotation_vector(rotations)
    angle += _SMALL
    sine += _SMALL
    angle /= sine
    axis *= angle
    return axis


def axes_of_change(rotations: np.ndarray) -> np.ndarray:
    """Return the axes `(..., 3, 3)`, in rows, about which small changes of the rotation vectors v of
    rotations R turn them.

    They are the columns of SO(3)'s right Jacobian, the integral of exp(-t v) over t from 0 to 1; it is
    approximated here from t = -1, 0 and 1, as (5 R' + 8 I - R) / 12 (Adams and Moulton), with an error of
    0.01 at 0.6 radians and of 0.04 at one.
    """
    numbers = rotations.reshape(-1, 9).dot(_CHANGED)
    numbers += _UNCHANGED
    return numbers.reshape(rotations.shape)


def _products() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return which of a quaternion's parts 1, x, y, z are multiplied, `(10,)` twice, and the table `(10, 18)`
    from these products to the nine numbers of its rotation, times the square of its length, and to that
    square nine times."""
    first, second = np.triu_indices(4)
    table = np.zeros((len(first), 18))
    for row, (a, b) in enumerate(zip(first, second, strict=True)):
        turn = np.zeros((3, 3))
        if a == b:
            turn = -np.eye(3) if a else np.eye(3)
            if a:
                turn[a - 1, a - 1] = 1.0
            table[row, 9:] = 1.0
        elif a:
            turn[a - 1, b - 1] = turn[b - 1, a - 1] = 2.0
        else:
            turn = 2.0 * SKEW[b - 1].reshape(3, 3)
        table[row, :9] = turn.ravel()
    return first, second, table


_FIRST, _SECOND, _TURNS = _products()


def _of_quaternions(imaginary: np.ndarray) -> np.ndarray:
    """Return the rotations `(..., 3, 3)` of quaternions with real part 1 and imaginary parts `(..., 3)`, of
    any length."""
    parts = np.empty((imaginary.size // 3, 4))
    parts[:, 0] = 1.0
    parts[:, 1:] = imaginary.reshape(-1, 3)
    products = parts.take(_FIRST, axis=1)
    products *= parts.take(_SECOND, axis=1)
    found = products.dot(_TURNS)
    return (found[:, :9] / found[:, 9:]).reshape(imaginary.shape + (3,))
