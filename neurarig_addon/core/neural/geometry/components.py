"""Vectors as three components, plain numbers or arrays: for a few vectors numbers are three times as fast as arrays."""

from collections.abc import Iterable
from typing import Any

Vector = tuple[Any, Any, Any]  # of numbers, or of arrays of one shape


def added(first: Iterable[Any], second: Iterable[Any]) -> Vector:
    """Return the sum of two vectors."""
    (ax, ay, az), (bx, by, bz) = first, second
    return ax + bx, ay + by, az + bz


def crossed(first: Iterable[Any], second: Iterable[Any]) -> Vector:
    """Return the cross product of two vectors."""
    (ax, ay, az), (bx, by, bz) = first, second
    return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx


def unit(vector: Iterable[Any], least: float = 0.0) -> Vector:
    """Return a vector scaled to length 1; with `least` added to its length, a vector of length zero stays zero."""
    x, y, z = vector
    share = 1.0 / ((x * x + y * y + z * z) ** 0.5 + least)
    return x * share, y * share, z * share
