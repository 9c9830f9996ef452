"""The ground: how high it is under a place."""

from typing import Protocol

import numpy as np


class Ground(Protocol):
    """What a character walks on; `is_level`: everywhere at height 0, so that nobody needs to ask."""

    is_level: bool

    def height(self, places: np.ndarray) -> np.ndarray:
        """Return the height `(...)` in metres under places `(..., 2 or more)`."""
        ...


class Level:
    """The plane through the start of a walk."""

    is_level = True

    def height(self, places: np.ndarray) -> np.ndarray:
        """Return 0 everywhere."""
        return np.zeros(places.shape[:-1])


LEVEL = Level()
