"""The human gait as the wire knows a profile: names, inputs, outputs, and what it answers."""

import numpy as np

from ..contract.channels import CHANNELS, NEURARIG_OUTPUTS
from ..contract.inputs import ELEVEN_INPUTS, OFFSETS, SLOW, VELOCITY, legs_of
from ..gait.kinds.natural import natural_period
from .gait_network import GaitNetwork


class HumanContract:
    """The gait network in the place of a profile; it needs no learning."""

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
        """Return the seconds `(n,)` that a stride takes."""
        return natural_period(inputs[:, VELOCITY], legs_of(inputs))

    def channels_of(self, inputs: np.ndarray, outputs: np.ndarray) -> np.ndarray:
        """Return channels `(n, 46)`: outputs `(n, 30)` from anywhere, and the upper body that goes with inputs `(n, 11)`."""
        slow, cycles = inputs[:, :SLOW], inputs[:, SLOW] / self.period(inputs)
        left, right = cycles + slow.T[OFFSETS]
        values = self._network.sample(slow, right, left)
        values[:, :NEURARIG_OUTPUTS] = outputs
        return values

    # As the brain of its own server: it knows already.
    def __call__(self) -> "HumanContract":
        """Return the brain of a new body."""
        return self

    def train(self, inputs: np.ndarray, targets: np.ndarray) -> float:
        """Learn nothing; the loss is that of an answer that is right."""
        return 0.0

    def predict(self, inputs: np.ndarray) -> np.ndarray:
        """Return outputs `(30,)` for inputs `(11,)`."""
        return self.evaluate(inputs[None])[0]

    def reset(self) -> None:
        """Forget nothing."""
