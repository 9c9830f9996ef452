"""A multi-layer perceptron with ELU activations, forward only, in numpy."""

from collections.abc import Sequence

import numpy as np

_ZERO = np.float32(0.0)


class Mlp:
    """Layers of `(weight (outputs, inputs), bias (outputs,))`, ELU after all but the last.

    It keeps no state, so threads may share it.  For one row the cost is that of calling numpy some fifteen times, so every call counts.
    ELU(x) + 1 = max(x, 0) + exp(min(x, 0)) takes one call less than ELU: the 1 is taken back by the bias of the layer after.  And a unit
    that no input reaches gives exactly 1 that way, so one such unit a layer carries the biases of the next inside the matrix product.
    """

    def __init__(self, layers: Sequence[tuple[np.ndarray, np.ndarray]]):
        (first, bias), *others = layers
        weights = [first.T, *(np.vstack([weight.T, shift - weight.sum(axis=1, dtype=float)]) for weight, shift in others)]
        if others:
            bias = np.append(bias, 0.0)
        weights[:-1] = [np.pad(weight, ((0, 0), (0, 1))) for weight in weights[:-1]]
        self._bias = bias.astype(np.float32)
        self._weights = [np.ascontiguousarray(weight, dtype=np.float32) for weight in weights]

    def forward(self, rows: np.ndarray) -> np.ndarray:
        """Return outputs `(..., outputs)` float32 for inputs `(..., inputs)` float32."""
        rows = rows @ self._weights[0]
        rows += self._bias
        for weight in self._weights[1:]:
            bend = np.minimum(rows, _ZERO)
            np.exp(bend, out=bend)
            np.maximum(rows, _ZERO, out=rows)
            rows += bend
            rows = rows @ weight
        return rows
