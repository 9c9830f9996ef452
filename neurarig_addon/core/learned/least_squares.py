"""Recursive least squares: linear coefficients from a stream of noise-free rows, one row at a time."""

import numpy as np


class RecursiveLeastSquares:
    """Coefficients `(features, outputs)` of least size that fit all rows so far.

    Keeps a square root of the covariance (Potter's form), so that rounding never makes it indefinite, however long the stream.
    `spread` `(features,)`: the expected size of each coefficient, in units of the targets' rounding.
    """

    def __init__(self, spread: np.ndarray, outputs: int):
        self.coefficients = np.zeros((len(spread), outputs))
        self._root = np.diag(np.asarray(spread, dtype=float))

    def learn(self, row: np.ndarray, error: np.ndarray) -> None:
        """Learn from a row of features `(features,)` and the error of its prediction, target - `row @ coefficients`, `(outputs,)`."""
        seen = row @ self._root
        share = 1.0 / (1.0 + seen @ seen)
        gain = self._root @ seen
        self.coefficients += np.outer(gain, share * error)
        self._root -= np.outer(gain, seen * (share / (1.0 + np.sqrt(share))))
