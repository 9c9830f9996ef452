"""Products of many vectors at once, made for speed, and of a few as three components.

numpy is several times faster on arrays of one shape than when it broadcasts one of them, so dot products and lengths come in three equal
columns; one product of all rows is faster than one for each frame.  For a few vectors plain numbers are three times as fast as arrays.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

_NEXT, _AFTER = np.array([1, 2, 0]), np.array([2, 0, 1])
_SUMS = {kind: np.ones((3, 3), kind) for kind in "fd"}


def crossed(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the cross products `(..., 3)`."""
    found = first.take(_NEXT, axis=-1) * second.take(_AFTER, axis=-1)
    found -= first.take(_AFTER, axis=-1) * second.take(_NEXT, axis=-1)
    return found


def dotted(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the dot products, each repeated three times `(..., 3)`."""
    products = first * second
    return products.reshape(-1, 3).dot(_SUMS[products.dtype.char]).reshape(products.shape)


def lengths(vectors: np.ndarray) -> np.ndarray:
    """Return the lengths, each repeated three times `(..., 3)`."""
    squares = dotted(vectors, vectors)
    return np.sqrt(squares, out=squares)


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
    """Return a vector scaled to length 1; with `least` added to its length, a vector of length zero stays zero."""
    x, y, z = vector
    share = 1.0 / ((x * x + y * y + z * z) ** 0.5 + least)
    return x * share, y * share, z * share
