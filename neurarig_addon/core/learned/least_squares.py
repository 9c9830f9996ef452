"""Recursive least squares: what a stream of noise-free rows says about linear coefficients, one row at a time."""

import numpy as np


class RecursiveLeastSquares:
    """Coefficients `(features, outputs)` that fit all rows so far, and stay as near to zero as those allow.

    Keeps a square root of the covariance (Potter's form), so that rounding can never make it indefinite, however long the stream.
    `spread` `(features,)`: how large each coefficient may be expected to be, in units of the targets' rounding.
    """

    def __init__(self, spread: np.ndarray, outputs: int):
        self.coefficients = np.zeros((len(spread), outputs))
        self._root = np.diag(np.asarray(spread, dtype=float))

    def learn(self, row: np.ndarray, error: np.ndarray) -> None:
        """Take in a row of features `(features,)` and by how much the prediction `row @ coefficients` fell short `(outputs,)`."""
        seen = row @ self._root
        share = 1.0 / (1.0 + seen @ seen)
        gain = self._root @ seen
        self.coefficients += np.outer(gain, share * error)
        self._root -= np.outer(gain, seen * (share / (1.0 + np.sqrt(share))))
