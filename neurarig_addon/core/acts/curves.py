"""Smooth curves through few values: cubic splines, level at both ends, continuous in their curvature."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..easing import cubic, spline_slopes


@dataclass(frozen=True)
class Curves:
    """Cubic splines through `values` `(n, c)` at times `at` `(n,)`, rising; level at both ends and constant
    beyond."""

    at: np.ndarray
    values: np.ndarray

    @classmethod
    def none(cls, seconds: float, columns: int) -> "Curves":
        """Return curves that are 0."""
        return cls(np.array([0.0, seconds]), np.zeros((2, columns)))

    def __call__(self, at: np.ndarray) -> np.ndarray:
        """Return the values `(f, c)` at times `(f,)`."""
        return cubic(self.at, self.values, self._slopes, at)

    @cached_property
    def _slopes(self) -> np.ndarray:
        return spline_slopes(self.at, self.values, level=True)
