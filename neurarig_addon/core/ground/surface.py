"""The ground: how high it is under a place."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np


class Ground(Protocol):
    """What a character walks on, in its walk frame; `is_level`: everywhere at height 0, so that nobody needs to ask."""

    @property
    def is_level(self) -> bool: ...

    def height(self, places: np.ndarray) -> np.ndarray:
        """Return the height `(...)` in metres under places `(..., 2 or more)`; NaN where there is no ground."""
        ...


class Level:
    """The plane through the start of a walk."""

    is_level = True

    def height(self, places: np.ndarray) -> np.ndarray:
        """Return 0 everywhere."""
        return np.zeros(places.shape[:-1])


@dataclass(frozen=True)
class Surface:
    """Ground of any shape; `heights` takes places `(n, 2)` and gives heights `(n,)`, NaN where there is none."""

    heights: Callable[[np.ndarray], np.ndarray]

    is_level = False

    def height(self, places: np.ndarray) -> np.ndarray:
        """See Ground."""
        return np.asarray(self.heights(places[..., :2].reshape(-1, 2)), dtype=float).reshape(places.shape[:-1])


LEVEL = Level()
