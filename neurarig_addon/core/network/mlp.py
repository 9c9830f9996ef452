"""A multi-layer perceptron with ELU activations, forward only, in numpy."""

from collections.abc import Sequence

import numpy as np


class Mlp:
    """Layers of `(weight (outputs, inputs), bias (outputs,))`, ELU after all but the last.

    It keeps no state, so threads may share it.  One matrix product a layer and element-wise work in place: for one row the cost is that of
    calling numpy some twenty times.
    """

    def __init__(self, layers: Sequence[tuple[np.ndarray, np.ndarray]]):
        self._layers = [(np.ascontiguousarray(w.T, dtype=np.float32), np.asarray(b, dtype=np.float32)) for w, b in layers]

    def forward(self, rows: np.ndarray) -> np.ndarray:
        """Return outputs `(rows, outputs)` float32 for inputs `(rows, inputs)` float32."""
        for weight, bias in self._layers[:-1]:
            rows = rows @ weight
            rows += bias
            _elu(rows)
        weight, bias = self._layers[-1]
        rows = rows @ weight
        rows += bias
        return rows


def _elu(x: np.ndarray) -> None:
    """Replace x by max(x, 0) + exp(min(x, 0)) - 1 in place."""
    below = np.minimum(x, 0.0)
    np.exp(below, out=below)
    np.maximum(x, 0.0, out=x)
    x += below
    x -= 1.0
