"""The ground: how high it is under a place."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np


class Ground(Protocol):
    """What a character walks on, in its walk frame; `is_level`: it is level everywhere, so heights need not
    be queried."""

    @property
    def is_level(self) -> bool: ...

    def height(self, places: np.ndarray) -> np.ndarray:
        """Return the height `(...)` in metres under places `(..., 2 or 3)`; NaN where there is no ground.

        Where grounds overlap, the height of a place decides which is meant.
        """
        ...

    def is_even(self, places: np.ndarray, apart: float, grade: float) -> bool:
        """Return whether the ground certainly has less than `grade`, no jumps and no holes along a line
        through places `(n, 2)`.

        `apart`: metres that the line may be off the nearest place.
        """
        ...


@dataclass(frozen=True)
class Level:
    """A level plane at a height `z`, by default through the start of a walk."""

    z: float = 0.0

    is_level = True

    def height(self, places: np.ndarray) -> np.ndarray:
        """Return the plane's height everywhere."""
        return np.full(places.shape[:-1], self.z)

    def is_even(self, places: np.ndarray, apart: float, grade: float) -> bool:
        """See Ground."""
        return True


class Uneven:
    """Ground of which nothing is known but its height."""

    is_level = False

    def is_even(self, places: np.ndarray, apart: float, grade: float) -> bool:
        """See Ground; not known."""
        return False


@dataclass(frozen=True)
class Surface(Uneven):
    """Ground of any shape; `heights` maps places `(n, 2)` to heights `(n,)`, NaN where there is none."""

    heights: Callable[[np.ndarray], np.ndarray]

    def height(self, places: np.ndarray) -> np.ndarray:
        """See Ground."""
        return np.asarray(self.heights(places[..., :2].reshape(-1, 2)), dtype=float).reshape(
            places.shape[:-1]
        )


LEVEL = Level()
