"""The learner of a body's walk: a brain that trains on the stream, answers once it has converged, and is
audited from then on."""

from collections.abc import Callable
from math import inf, isfinite
from typing import Protocol

import numpy as np

CONVERGED_LOSS = 1e-5  # the original's limit on its loss, 0.1 times the mean square
LOSS_SCALE = 0.1
AUDIT_EVERY = 30  # frames between comparisons of an answer with the ideal targets

# Frames of training without convergence, 20 s of play, after which a brain starts over: odd frames may have
# taught it something incompatible with the rest.
PATIENCE = 1_200


class Brain(Protocol):
    """A trainable function of inputs; `converged`: its predictions hold for frames it has not seen."""

    @property
    def converged(self) -> bool: ...

    def train(self, inputs: np.ndarray, targets: np.ndarray) -> float:
        """Learn targets `(m,)` of inputs `(n,)` and return the loss of the prediction before that."""
        ...

    def predict(self, inputs: np.ndarray) -> np.ndarray:
        """Return outputs `(m,)` for inputs `(n,)`."""
        ...

    def reset(self) -> None:
        """Forget the stream and return to the loaded state."""
        ...


class NewBrain(Protocol):
    """The factory of brains for new bodies; `warm`: they start from trained weights."""

    @property
    def warm(self) -> bool: ...

    def __call__(self) -> Brain: ...


class Learner:
    """A brain in one of two states: training, or solving, with its answers audited at intervals.

    While training it gives no answers until it has converged once (or started from weights). After that, as
    when a new speed has to be
    learned, it answers the frames that it predicted correctly before they were taught.
    """

    def __init__(self, brain: Brain, warm: bool):
        self._brain = brain
        self._proven = warm
        self._until_audit = 1
        self._patience = PATIENCE
        self.solving = False
        self.loss = inf

    def answer(self, inputs: np.ndarray, targets_of: Callable[[np.ndarray], np.ndarray]) -> np.ndarray | None:
        """Return outputs `(m,)` for inputs `(n,)`, or None if there is no answer.

        `targets_of` computes the ideal targets; it is called only if needed.
        """
        if not self.solving:
            return self._learn(inputs, targets_of(inputs))
        outputs = self._brain.predict(inputs)
        self._until_audit -= 1
        # After a prediction a brain may report by itself that it was never taught these inputs.
        if self._until_audit > 0 and self._brain.converged:
            return outputs
        targets = targets_of(inputs)
        self.loss = loss_of(outputs, targets)
        if self.loss < CONVERGED_LOSS and self._brain.converged:
            self._until_audit = AUDIT_EVERY
            return outputs
        return self._learn(inputs, targets)

    def _learn(self, inputs: np.ndarray, targets: np.ndarray) -> np.ndarray | None:
        self._until_audit = 1
        self._patience -= 1
        self.loss = float(self._brain.train(inputs, targets))
        if self._patience <= 0 or not isfinite(self.loss):
            self._brain.reset()
            self._patience = PATIENCE
        self.solving = self._brain.converged
        if self.solving:
            self._proven, self._patience = True, PATIENCE
        right = self.solving or (self._proven and self.loss < CONVERGED_LOSS)
        return self._brain.predict(inputs) if right else None


def loss_of(outputs: np.ndarray, targets: np.ndarray) -> float:
    """Return the original's loss of outputs against targets `(m,)`."""
    difference = outputs - targets
    return LOSS_SCALE * float(difference @ difference) / len(difference)
