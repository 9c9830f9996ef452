"""Products of many vectors at once, made for speed, and of a few as three components; orientation from two
directions (Black's TRIAD), and from several with a prior (Kabsch); which axis is up.

numpy is several times faster on arrays of one shape than when it broadcasts one of them, so dot products and
lengths come in three equal
columns; one product of all rows is faster than one for each frame. For a few vectors plain numbers are three
times as fast as arrays.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from .rotation import about_x, about_y

_SUMS = {kind: np.ones((3, 3), kind) for kind in "fd"}


def dotted(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the dot products, each repeated three times `(..., 3)`."""
    products = first * second
    return products.reshape(-1, 3).dot(_SUMS[products.dtype.char]).reshape(products.shape)


def lengths(vectors: np.ndarray) -> np.ndarray:
    """Return the lengths, each repeated three times `(..., 3)`."""
    squares = dotted(vectors, vectors)
    return np.sqrt(squares, out=squares)


def transformed(points: np.ndarray, by: np.ndarray) -> np.ndarray:
    """Return points `(..., 3)` transformed by a matrix `(4, 4)`."""
    return points @ by[:3, :3].T + by[:3, 3]


_Vector = tuple[Any, Any, Any]  # of numbers, or of arrays of one shape


def plus(first: Iterable[Any], second: Iterable[Any]) -> _Vector:
    """Return the sum of two vectors."""
    (ax, ay, az), (bx, by, bz) = first, second
    return ax + bx, ay + by, az + bz


def cross(first: Iterable[Any], second: Iterable[Any]) -> _Vector:
    """Return the cross product of two vectors."""
    (ax, ay, az), (bx, by, bz) = first, second
    return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx


def unit(vector: Iterable[Any], least: float = 0.0) -> _Vector:
    """Return a vector scaled to length 1; with `least` added to its length, a vector of length zero stays
    zero."""
    x, y, z = vector
    share = 1.0 / ((x * x + y * y + z * z) ** 0.5 + least)
    return x * share, y * share, z * share


# Added to a secondary direction, and not parallel to any axis of degenerate inputs: two parallel directions
# still make a frame.
_ASIDE = 0.36e-9, 0.48e-9, 0.8e-9
_FEW = 3  # frames, at most, that are computed one by one


def triads(primary: np.ndarray, secondary: np.ndarray) -> np.ndarray:
    """Return frames `(..., 3, 3)`: x along `primary`, y as near to `secondary` as possible, both `(..., 3)`
    of any length but zero."""
    return triad_rows(primary / lengths(primary), secondary).swapaxes(-1, -2)


def triad_rows(along: np.ndarray, secondary: np.ndarray) -> np.ndarray:
    """Return the axes `(..., 3, 3)` of frames as in `triads`, one in each row; x is `along`, of unit
    length."""
    first, second = along.reshape(-1, 3), secondary.reshape(-1, 3)
    if len(first) > _FEW:
        numbers = np.array(_numbers(first.T, second.T)).T
    else:
        numbers = np.array(
            [
                number
                for pair in zip(first.tolist(), second.tolist(), strict=True)
                for number in _numbers(*pair)
            ]
        )
    return numbers.reshape(along.shape + (3,))


def _numbers(along: Iterable[Any], secondary: Iterable[Any]) -> list[Any]:
    """Return the nine numbers of a frame's axes in rows."""
    third = unit(cross(along, plus(secondary, _ASIDE)))
    return [*along, *cross(third, along), *third]


def nearest_rotation(matrix: np.ndarray) -> np.ndarray:
    """Return the rotations `(..., 3, 3)` nearest to matrices, by singular values; also the Kabsch solution of
    a covariance."""
    left, _, right = np.linalg.svd(matrix)
    left[..., 2] *= np.sign(np.linalg.det(left @ right))[..., None]
    return left @ right


# Upward axis -> rotation into z up: y up is turned about x, as importers do; x up about y. Cameras have y
# down.
_TURNS = {
    "z": (about_x, 0.0),
    "y": (about_x, 90.0),
    "-z": (about_x, 180.0),
    "-y": (about_x, -90.0),
    "x": (about_y, -90.0),
    "-x": (about_y, 90.0),
}
TO_Z_UP = {axis: np.round(about(np.radians(degrees))) for axis, (about, degrees) in _TURNS.items()}


def axis_along(direction: np.ndarray) -> str:
    """Return the axis (`"z"`, `"-y"` ...) that a direction `(3,)` is nearest to."""
    axis = int(np.argmax(np.abs(direction)))
    return f"{'-' if direction[axis] < 0.0 else ''}{'xyz'[axis]}"
