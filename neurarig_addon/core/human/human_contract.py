"""The human gait with the interface of a profile on the wire: names, inputs, outputs, and answers."""

import numpy as np

from ..contract.channels import CHANNELS, NEURARIG_OUTPUTS
from ..contract.inputs import ELEVEN_INPUTS, OFFSETS, SLOW, VELOCITY, legs_of
from ..gait.kinds.natural import natural_period
from .gait_network import GaitNetwork


class HumanContract:
    """The gait network in place of a profile; it needs no learning."""

    name, version = "Human Gait", 1
    inputs = ELEVEN_INPUTS
    outputs = CHANNELS[:NEURARIG_OUTPUTS]
    warm = True
    converged = True

    def __init__(self, network: GaitNetwork) -> None:
        self._network = network

    def evaluate(self, inputs: np.ndarray) -> np.ndarray:
        """Return outputs `(n, 30)` for inputs `(n, 11)`."""
        return self._network.evaluate(inputs).astype(float)

    def period(self, inputs: np.ndarray) -> np.ndarray:
        """Return the stride period `(n,)` in seconds."""
        return natural_period(inputs[:, VELOCITY], legs_of(inputs))

    def channels_of(self, inputs: np.ndarray, outputs: np.ndarray) -> np.ndarray:
        """Return channels `(n, 46)`: the given outputs `(n, 30)`, and the upper body for inputs `(n, 11)`."""
        slow, cycles = inputs[:, :SLOW], inputs[:, SLOW] / self.period(inputs)
        left, right = cycles + slow.T[OFFSETS]
        values = self._network.sample(slow, right, left)
        values[:, :NEURARIG_OUTPUTS] = outputs
        return values

    # The interface of a server's brain, without learning.
    def __call__(self) -> "HumanContract":
        """Return the brain for a new body."""
        return self

    def train(self, inputs: np.ndarray, targets: np.ndarray) -> float:
        """Learn nothing; the loss is that of a correct answer, 0."""
        return 0.0

    def predict(self, inputs: np.ndarray) -> np.ndarray:
        """Return outputs `(30,)` for inputs `(11,)`."""
        return self.evaluate(inputs[None])[0]

    def reset(self) -> None:
        """Do nothing: there is nothing to forget."""
