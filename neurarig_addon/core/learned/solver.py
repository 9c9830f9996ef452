"""Real-time inference of a trained rule: any profile's inputs to its outputs, one character or many, in numpy."""

import os

import numpy as np

from ..network.mlp import Mlp
from .solver_weights import SolverWeights, read_solver_weights
from .view_features import view_features, with_products
from .walk_curves import Group, WalkCurves


class Solver:
    """A network whose outputs are coefficients of the rule's curves, evaluated at the phase, so every stride closes."""

    def __init__(self, weights: SolverWeights):
        self.weights = weights
        self.curves: WalkCurves = weights.curves
        self._trunk = Mlp(weights.trunk) if weights.trunk else None
        self._heads = [_Head(group, *head) for group, head in zip(self.curves.groups, weights.heads, strict=True)]

    @classmethod
    def load(cls, path: str | os.PathLike, inputs: tuple[str, ...] | None = None) -> "Solver":
        """Read a weights file; raises NeuraRigError, naming the file, if it is unusable or made for other `inputs`."""
        return cls(read_solver_weights(path, inputs))

    def predict(self, inputs: np.ndarray) -> np.ndarray:
        """Return outputs `(n, outputs)` for inputs `(n, inputs)`, or `(outputs,)` for `(inputs,)`; metres and radians."""
        inputs = np.asarray(inputs, dtype=float)
        rows = np.atleast_2d(inputs)
        known = self._known(rows)
        phases = self.curves.phases(rows)
        found = np.zeros((len(rows), self.curves.outputs))
        for head in self._heads:
            head.write(known[head.side], phases[head.side], found)
        return found if inputs.ndim > 1 else found[0]

    def _known(self, rows: np.ndarray) -> np.ndarray:
        """Return the heads' input `(2, n, known)` float32: features, their products, and the trunk's output for the features."""
        weights = self.weights
        features = np.clip(view_features(self.curves, rows), weights.low, weights.high)
        features = ((features - weights.mean) / weights.scale).astype(np.float32)
        known = with_products(features)
        return known if self._trunk is None else np.concatenate([known, _elu(self._trunk.forward(features))], axis=-1)


class _Head:
    """The coefficients of one group."""

    def __init__(self, group: Group, weight: np.ndarray, bias: np.ndarray):
        self.side, self._pieces, self._columns = group.side, group.pieces, list(group.columns)
        shape = (group.pieces.count, group.pieces.functions * len(group.columns))
        self._weight = np.ascontiguousarray(weight.reshape(*shape, -1).swapaxes(1, 2))  # (pieces, known, coefficients of a piece)
        self._bias = bias.reshape(shape)

    def write(self, known: np.ndarray, phases: np.ndarray, found: np.ndarray) -> None:
        """Fill in the group's columns of outputs `(n, outputs)` from the head's input `(n, known)` at phases `(n,)`."""
        piece, values = self._pieces.at(phases)
        for n in set(piece.tolist()):
            rows = np.flatnonzero(piece == n)
            coefficients = known[rows] @ self._weight[n]
            coefficients += self._bias[n]
            shaped = coefficients.reshape(len(rows), self._pieces.functions, len(self._columns))
            found[rows[:, None], self._columns] = np.matmul(values[rows, None, :], shaped)[:, 0]


def _elu(rows: np.ndarray) -> np.ndarray:
    return np.where(rows > 0.0, rows, np.expm1(np.minimum(rows, 0.0)))
