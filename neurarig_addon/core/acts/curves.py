"""Smooth curves through few values: cubic splines, level at both ends, continuous in their curvature."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..easing import hermite


@dataclass(frozen=True)
class Curves:
    """Cubic splines through `values` `(n, c)` at times `at` `(n,)`, rising; level at both ends and constant beyond."""

    at: np.ndarray
    values: np.ndarray

    @classmethod
    def none(cls, seconds: float, columns: int) -> "Curves":
        """Return curves that are 0."""
        return cls(np.array([0.0, seconds]), np.zeros((2, columns)))

    def __call__(self, at: np.ndarray) -> np.ndarray:
        """Return the values `(f, c)` at times `(f,)`."""
        row = np.clip(np.searchsorted(self.at, at, side="right") - 1, 0, len(self.at) - 2)
        width = (self.at[row + 1] - self.at[row])[:, None]
        share = np.clip((at - self.at[row])[:, None] / width, 0.0, 1.0)
        return hermite(share, self.values[row], self._slopes[row] * width, self.values[row + 1], self._slopes[row + 1] * width)

    @cached_property
    def _slopes(self) -> np.ndarray:
        """The slopes `(n, c)` at which the second derivative is continuous (de Boor, *A Practical Guide to Splines*, IV)."""
        count = len(self.at)
        slopes = np.zeros((count, self.values.shape[1]))
        if count < 3:
            return slopes
        width = np.diff(self.at)
        secant = np.diff(self.values, axis=0) / width[:, None]
        inner = np.arange(count - 2)
        matrix = np.zeros((count - 2, count - 2))
        matrix[inner, inner] = 2.0 * (width[:-1] + width[1:])
        matrix[inner[1:], inner[:-1]] = width[2:]
        matrix[inner[:-1], inner[1:]] = width[:-2]
        right = 3.0 * (width[1:, None] * secant[:-1] + width[:-1, None] * secant[1:])
        slopes[1:-1] = np.linalg.solve(matrix, right)
        return slopes
