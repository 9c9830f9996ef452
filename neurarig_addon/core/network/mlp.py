"""A multi-layer perceptron with ELU activations, forward only, in numpy."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import DTypeLike


class Mlp:
    """Layers of `(weight (outputs, inputs), bias (outputs,))`, ELU after all but the last, computed in
    `dtype`.

    It keeps no state, so threads may share it. For one row the cost is that of some fifteen numpy calls, so
    every call counts.
    ELU(x) + 1 = max(x, 0) + exp(min(x, 0)) takes one call less than ELU: the next layer's bias subtracts the
    1. And a unit without
    input then gives exactly 1, so one such unit per layer carries the biases of the next inside the matrix
    product.
    """

    def __init__(self, layers: Sequence[tuple[np.ndarray, np.ndarray]], dtype: DTypeLike = np.float32):
        (first, bias), *others = layers
        weights = [
            first.T,
            *(np.vstack([weight.T, shift - weight.sum(axis=1, dtype=float)]) for weight, shift in others),
        ]
        if others:
            bias = np.append(bias, 0.0)
        weights[:-1] = [np.pad(weight, ((0, 0), (0, 1))) for weight in weights[:-1]]
        self._bias = bias.astype(dtype)
        self._weights = [np.ascontiguousarray(weight, dtype=dtype) for weight in weights]
        self._zero = self._bias.dtype.type(0.0)

    def forward(self, rows: np.ndarray) -> np.ndarray:
        """Return outputs `(..., outputs)` for inputs `(..., inputs)`, both in the layers' dtype."""
        rows = rows @ self._weights[0]
        rows += self._bias
        for weight in self._weights[1:]:
            bend = np.minimum(rows, self._zero)
            np.exp(bend, out=bend)
            np.maximum(rows, self._zero, out=rows)
            rows += bend
            rows = rows @ weight
        return rows
