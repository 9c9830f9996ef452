"""Learning a walk while it streams in, one frame at a time, in numpy alone: recursive least squares on the
rule's curves."""

from collections import OrderedDict
from typing import Protocol

import numpy as np

from ..errors import NeuraRigError
from .view_features import bend_functions
from .walk_curves import DEGREE, Group, Pieces, WalkCurves


class RecursiveLeastSquares:
    """Coefficients `(features, outputs)` of least size that fit all rows so far.

    Keeps a square root of the covariance (Potter's form), so that rounding never makes it indefinite, however
    long the stream. `spread` `(features,)`: the expected size of each coefficient, in units of the targets'
    rounding.
    """

    def __init__(self, spread: np.ndarray, outputs: int):
        self.coefficients = np.zeros((len(spread), outputs))
        self._root = np.diag(np.asarray(spread, dtype=float))

    def learn(self, row: np.ndarray, error: np.ndarray) -> None:
        """Learn from a row of features `(features,)` and the error of its prediction, target - `row @
        coefficients`, `(outputs,)`."""
        seen = row @ self._root
        share = 1.0 / (1.0 + seen @ seen)
        gain = self._root @ seen
        self.coefficients += np.outer(gain, share * error)
        self._root -= np.outer(gain, seen * (share / (1.0 + np.sqrt(share))))


CLOSE_ENOUGH = 1e-4  # metres and radians: largest error of a new frame that counts as correct
_MOST_BODIES = 64  # remembered at once; the least recently seen is forgotten
_SAME_BODY_M = 1e-5
_SPEED_MARGIN = 0.02  # share by which a speed may be outside the learned range

# Expected size of a coefficient over the rounding of a target, as 1 m over 1e-5 m.  No stream has more noise.
_SPREAD = 1e5


class Prediction(Protocol):
    """A prediction of a walk that exists before the first frame."""

    def predict(self, inputs: np.ndarray) -> np.ndarray:
        """Return outputs `(n, outputs)` for inputs `(n, inputs)`."""
        ...


class OnlineBrain:
    """Learns one rule, for any number of characters in turn: `train` on a frame, `predict` another.

    Every character has its own coefficients, found by recursive least squares on the basis of the rule's
    curves (see `walk_curves`), added
    to the prediction of `before`. So one frame costs some dozen products of small matrices, and generalises
    to frames never seen.
    """

    def __init__(self, curves: WalkCurves, before: Prediction | None = None):
        self.curves = curves
        self._before = before
        self._body_columns = list(curves.places.body)
        self._bodies: OrderedDict[tuple[int, ...], _Body] = OrderedDict()
        self._current: _Body | None = None

    @property
    def converged(self) -> bool:
        """Return whether the last stride of the last character was predicted to 1e-4, each frame before it
        was learned."""
        return self._current is not None and self._current.converged

    def reset(self) -> None:
        """Forget everything learned; the prediction of `before` stays."""
        self._bodies.clear()
        self._current = None

    def train(self, inputs: np.ndarray, targets: np.ndarray) -> float:
        """Learn one frame, inputs `(inputs,)` and targets `(outputs,)`, or a small batch of frames in order,
        `(n, ...)` each.

        Returns 0.1 x the mean squared error of the predictions before learning. Raises NeuraRigError,
        learning nothing, for invalid input.
        """
        rows, aims = self._checked(inputs), np.atleast_2d(np.asarray(targets, dtype=float))
        if aims.shape != (len(rows), self.curves.outputs) or not np.isfinite(aims).all():
            raise NeuraRigError(
                f"A frame to learn needs {self.curves.outputs} finite targets; check what the profile gives"
                " for it."
            )
        return float(np.mean([self._learn(rows[n : n + 1], aims[n]) for n in range(len(rows))]))

    def _learn(self, row: np.ndarray, target: np.ndarray) -> float:
        body = self._body_of(row)
        body.note_speed(row)
        view = _View(self.curves, row)
        error = target - self._known(row)[0] - body.predict(view)
        body.learn(view, error)
        return float(0.1 * np.mean(error**2))

    def predict(self, inputs: np.ndarray) -> np.ndarray:
        """Return the outputs `(outputs,)` for one frame's inputs `(inputs,)`, or `(n, outputs)` for `(n,
        inputs)`."""
        rows = self._checked(inputs)
        found = self._known(rows)
        for own in self._per_body(rows):
            body = self._body_of(rows[own])
            body.check_speed(rows[own])
            found[own] += body.predict(_View(self.curves, rows[own]))
        return found if np.ndim(inputs) > 1 else found[0]

    def coefficients(self, inputs: np.ndarray) -> list[np.ndarray]:
        """Return the coefficients learned for the character of a frame, per group: `(pieces, speed functions,
        functions, columns)`."""
        body = self._body_of(self._checked(inputs))
        return [
            np.stack([_unrolled(self.curves, learner.coefficients) for learner in learners])
            for learners in body.learners
        ]

    def _checked(self, inputs: np.ndarray) -> np.ndarray:
        rows = np.atleast_2d(np.asarray(inputs, dtype=float))
        if rows.shape[1] != len(self.curves.places.names) or not np.isfinite(rows).all():
            raise NeuraRigError(
                f"A frame needs {len(self.curves.places.names)} finite inputs; check what the engine sends."
            )
        return rows

    def _known(self, rows: np.ndarray) -> np.ndarray:
        return (
            np.zeros((len(rows), self.curves.outputs)) if self._before is None else self._before.predict(rows)
        )

    def _per_body(self, rows: np.ndarray) -> list[slice | np.ndarray]:
        """Return the rows of each character."""
        bodies = rows[:, self._body_columns]
        if len(rows) == 1 or (bodies == bodies[0]).all():
            return [slice(None)]
        _, which = np.unique(np.rint(bodies / _SAME_BODY_M), axis=0, return_inverse=True)
        return [np.flatnonzero(which.ravel() == n) for n in range(which.max() + 1)]

    def _body_of(self, rows: np.ndarray) -> "_Body":
        key = tuple(np.rint(rows[0, self._body_columns] / _SAME_BODY_M).astype(int).tolist())
        body = self._bodies.pop(key, None) or _Body(self.curves)
        self._bodies[key] = body
        if len(self._bodies) > _MOST_BODIES:
            self._bodies.popitem(last=False)
        self._current = body
        return body


class _View:
    """Rows as features of the groups: the active piece, and its functions times those of speed `(n, speed
    functions x functions)`."""

    def __init__(self, curves: WalkCurves, rows: np.ndarray):
        self.phases = curves.phases(rows)
        speeds = curves.places.froude_speeds(rows)
        bends = bend_functions(
            curves, np.broadcast_to(curves.places.speeds(rows), speeds.shape), curves.places.legs(rows)
        )
        # Sizes are constant, or follow the root of speed (as strides do), or speed; speed is over the root of
        # g leg, about 0.5.
        self.sizes = np.stack([np.ones_like(speeds), np.sqrt(speeds), speeds, *bends], axis=-1)
        self.groups = [self._group(group.side, group.pieces) for group in curves.groups]

    def _group(self, side: int, pieces: Pieces) -> tuple[np.ndarray, np.ndarray]:
        piece, values = pieces.at(self.phases[side])
        return piece, (self.sizes[side][:, :, None] * values[:, None, :]).reshape(len(piece), -1)


class _Body:
    """Everything learned about one character: a learner for every piece of every group."""

    def __init__(self, curves: WalkCurves):
        self.curves = curves
        self.learners = [_learners(curves, group) for group in curves.groups]
        self.converged = False
        self._right_for = 0.0  # cycles
        self._phases: np.ndarray | None = None
        self._speeds = [np.inf, 0.0]

    def predict(self, view: _View) -> np.ndarray:
        """Return the correction `(n, outputs)` to the prediction of `before`."""
        found = np.zeros((view.phases.shape[1], self.curves.outputs))
        for group, learners, (piece, values) in zip(
            self.curves.groups, self.learners, view.groups, strict=True
        ):
            for n in set(piece.tolist()):
                rows = np.flatnonzero(piece == n)
                found[rows[:, None], group.columns] = values[rows] @ learners[n].coefficients
        return found

    def learn(self, view: _View, error: np.ndarray) -> None:
        """Learn from one row and the error of its prediction, target - prediction."""
        error = error.reshape(-1)
        for group, learners, (piece, values) in zip(
            self.curves.groups, self.learners, view.groups, strict=True
        ):
            if not group.pieces.on_an_edge(view.phases[group.side, 0]):
                learners[piece[0]].learn(values[0], error[list(group.columns)])
        self._judge(view.phases[:, 0], float(np.abs(error).max()))

    def _judge(self, phases: np.ndarray, error: float) -> None:
        """Converged after predicting a whole cycle of new frames; frames at the same phase prove nothing."""
        step = 0.0 if self._phases is None else float(np.mod(phases - self._phases + 0.5, 1.0).min() - 0.5)
        self._phases = phases
        self._right_for = self._right_for + max(step, 0.0) if error < CLOSE_ENOUGH else 0.0
        self.converged = self._right_for >= 1.0

    def note_speed(self, rows: np.ndarray) -> None:
        """Widen the range of learned speeds."""
        speed = float(self.curves.places.speeds(rows)[0])
        self._speeds = [min(self._speeds[0], speed), max(self._speeds[1], speed)]

    def check_speed(self, rows: np.ndarray) -> None:
        """No longer converged at a speed outside the learned range."""
        speeds = self.curves.places.speeds(rows)
        if speeds.min() < self._speeds[0] * (1.0 - _SPEED_MARGIN) or speeds.max() > self._speeds[1] * (
            1.0 + _SPEED_MARGIN
        ):
            self.converged, self._right_for = False, 0.0


def _learners(curves: WalkCurves, group: Group) -> list[RecursiveLeastSquares]:
    spread = _spread(curves, group.pieces)
    return [RecursiveLeastSquares(spread, len(group.columns)) for _ in range(group.pieces.count)]


def _unrolled(curves: WalkCurves, coefficients: np.ndarray) -> np.ndarray:
    """Return coefficients `(speed functions x functions, columns)` as `(speed functions, functions,
    columns)`."""
    return coefficients.reshape(_speed_functions(curves), -1, coefficients.shape[1])


def _speed_functions(curves: WalkCurves) -> int:
    return 3 + 2 * len(curves.bends)


def _spread(curves: WalkCurves, pieces: Pieces) -> np.ndarray:
    """Return the expected size of a piece's coefficients: smaller for higher orders."""
    waves = (
        np.arange(DEGREE + 1)
        if pieces.edges
        else np.concatenate([[0], *2 * [np.arange(1, 1 + (pieces.functions - 1) // 2)]])
    )
    return _SPREAD * np.tile(1.0 / (1.0 + waves), _speed_functions(curves))
