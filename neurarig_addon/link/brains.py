"""NeuraRig's own brains: in numpy alone, with or without trained weights, and faster for a walk at constant
speed.

In the frames of such a walk only the time changes. With all else fixed, a brain's prediction is a sum of the
rule's curves with fixed
coefficients; these are computed once.
"""

import os
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..core.learned.discovery import curves_of
from ..core.learned.online import OnlineBrain
from ..core.learned.solver import Solver
from ..core.learned.walk_curves import Group, Pieces, WalkCurves
from ..core.logic.profile import Profile

_STEADY_AFTER = 8  # frames; computing the coefficients costs as much as some ten predictions
_MOST_MANNERS = 64  # manners cached at once, for a crowd of one body at many speeds

Predict = Callable[[np.ndarray], np.ndarray]  # inputs (n, inputs) -> outputs (n, outputs)


class SteadyWalk:
    """The outputs of one character in one manner of walking, as a function of time alone."""

    def __init__(self, curves: WalkCurves, predict: Predict, inputs: np.ndarray):
        """Compute the coefficients from predictions for inputs `(inputs,)` at other times."""
        places = curves.places
        self._time, self._outputs = places.time, curves.outputs
        self._periods = curves.clock.periods(inputs[None])[:, 0]
        self._offsets = inputs[list(places.offsets)]
        self._groups: dict[Pieces, list[tuple[int, list[int], np.ndarray]]] = {}
        for group in curves.groups:
            found = group.side, list(group.columns), self._coefficients(group, predict, inputs)
            self._groups.setdefault(group.pieces, []).append(found)

    def predict(self, inputs: np.ndarray) -> np.ndarray:
        """Return the outputs `(outputs,)` for inputs `(inputs,)` that differ only in the times."""
        phases = (inputs[self._time] / self._periods + self._offsets) % 1.0
        outputs = np.empty(self._outputs)
        for pieces, groups in self._groups.items():
            held, values = pieces.at(phases)
            for side, columns, coefficients in groups:
                outputs[columns] = values[side] @ coefficients[held[side]]
        return outputs

    def _coefficients(self, group: Group, predict: Predict, inputs: np.ndarray) -> np.ndarray:
        """Return a group's coefficients `(pieces, functions, columns)`: its functions are orthonormal, so
        these are weighted means."""
        phases, weights = group.pieces.nodes()
        rows = np.repeat(inputs[None], phases.size, axis=0)
        rows[:, self._time] = (phases.ravel() - self._offsets[group.side]) % 1.0 * self._periods[group.side]
        outputs = predict(rows)[:, list(group.columns)].reshape(*phases.shape, -1)
        values = group.pieces.at(phases.ravel())[1].reshape(*phases.shape, -1)
        return np.einsum("k,pkf,pkc->pfc", weights, values, outputs)


class SteadyBrain:
    """An online brain that caches steady walks; its outputs are the same except for rounding."""

    def __init__(self, brain: OnlineBrain):
        self._brain = brain
        self._manner = np.array([name != "t_accumulated" for name in brain.curves.places.names])
        self._manner[brain.curves.places.time] = False
        # or the number of frames it has been seen for
        self._known: OrderedDict[bytes, SteadyWalk | int] = OrderedDict()

    @property
    def converged(self) -> bool:
        """See OnlineBrain."""
        return self._brain.converged

    def train(self, inputs: np.ndarray, targets: np.ndarray) -> float:
        """See OnlineBrain; clears the cache."""
        self._known.clear()
        return self._brain.train(inputs, targets)

    def reset(self) -> None:
        """See OnlineBrain."""
        self._known.clear()
        self._brain.reset()

    def predict(self, inputs: np.ndarray) -> np.ndarray:
        """Return outputs `(outputs,)` for one frame's inputs `(inputs,)`."""
        manner = inputs[self._manner].tobytes()
        walk = self._known.pop(manner, 0)
        if isinstance(walk, int):
            walk = (
                walk + 1
                if walk < _STEADY_AFTER
                else SteadyWalk(self._brain.curves, self._brain.predict, inputs)
            )
        self._known[manner] = walk
        if len(self._known) > _MOST_MANNERS:
            self._known.popitem(last=False)
        return self._brain.predict(inputs) if isinstance(walk, int) else walk.predict(inputs)


@dataclass(frozen=True)
class OnlineBrains:
    """Makes brains that learn a profile's curves from the stream, starting from trained weights if given."""

    curves: WalkCurves
    solver: Solver | None = None

    @classmethod
    def of(cls, profile: Profile, weights: str | os.PathLike | None = None) -> "OnlineBrains":
        """Read a profile's curves and optional weights; raises NeuraRigError for a profile without a cycle,
        or weights of another one."""
        return cls(curves_of(profile), None if weights is None else Solver.load(weights, profile.inputs))

    @property
    def warm(self) -> bool:
        """Return whether the brains start from trained weights."""
        return self.solver is not None

    def __call__(self) -> SteadyBrain:
        """Return a brain for a new body."""
        return SteadyBrain(OnlineBrain(self.curves, self.solver))
