"""A multi-layer perceptron with ELU activations, forward only, in numpy."""

from collections.abc import Sequence

import numpy as np


class Mlp:
    """Layers of `(weight (outputs, inputs), bias (outputs,))`, ELU after all but the last.

    It keeps no state, so threads may share it.  For one row the cost is that of calling numpy some twenty times, so every call counts: the
    -1 of ELU(x) = max(x, 0) + exp(min(x, 0)) - 1 stands in the bias of the layer after it.
    """

    def __init__(self, layers: Sequence[tuple[np.ndarray, np.ndarray]]):
        self._layers = []
        for n, (weight, bias) in enumerate(layers):
            shift = weight.sum(axis=1, dtype=float) if n else 0.0
            self._layers.append((np.ascontiguousarray(weight.T, dtype=np.float32), (bias - shift).astype(np.float32)))

    def forward(self, rows: np.ndarray) -> np.ndarray:
        """Return outputs `(..., outputs)` float32 for inputs `(..., inputs)` float32."""
        for weight, bias in self._layers[:-1]:
            rows = rows @ weight
            rows += bias
            bend = np.minimum(rows, 0.0)
            np.exp(bend, out=bend)
            np.maximum(rows, 0.0, out=rows)
            rows += bend
        weight, bias = self._layers[-1]
        rows = rows @ weight
        rows += bias
        return rows
