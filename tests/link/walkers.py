"""A small profile and a small brain with the interfaces of the real ones, and frames of an engine."""

import numpy as np

from neurarig_addon.core.errors import NeuraRigError

INPUTS = (
    "velocity",
    "bone_l1_r", "bone_l2_r", "offset_r", "spacing_r",
    "bone_l1_l", "bone_l2_l", "offset_l", "spacing_l",
    "t_cycle", "t_accumulated",
)  # fmt: skip
BONES, AXES = ("foot_r", "foot_l", "ball_r", "ball_l", "pelvis"), ("x", "y", "z", "pitch", "yaw", "roll")
OUTPUTS = tuple(f"{bone}.{axis}" for bone in BONES for axis in AXES)
DT = 1.0 / 60.0


class SineProfile:
    """Every output is a sine of the phase; standing has no period, and so no targets."""

    name, version, inputs, outputs = "sine", 1, INPUTS, OUTPUTS

    def __init__(self, size: float = 0.1):
        self.size = size
        self.evaluations = 0

    def period(self, inputs: np.ndarray) -> np.ndarray:
        """Return the seconds of a stride `(rows,)`."""
        with np.errstate(divide="ignore"):
            return (inputs[:, 1] + inputs[:, 2]) / np.abs(inputs[:, 0])

    def evaluate(self, inputs: np.ndarray) -> np.ndarray:
        """Return targets `(rows, 30)`."""
        self.evaluations += len(inputs)
        if (inputs[:, 0] > 90.0).any():
            raise NeuraRigError("The sine profile is too slow for this; walk slower.")
        phase = inputs[:, 9] / self.period(inputs)
        return self.size * np.sin(2.0 * np.pi * (phase[:, None] + np.arange(30) / 30.0))


class MemoryBrain:
    """Learns by heart a sine and cosine of the phase per output: converged once the last frames were right
    before they were taught."""

    warm = False

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget everything."""
        self.coefficients = np.zeros((2, 30))
        self.covariance = 1e6 * np.eye(2)
        self.right, self.converged = 0, False

    def train(self, inputs: np.ndarray, targets: np.ndarray) -> float:
        """Take one step of recursive least squares."""
        row = self._row(inputs)
        error = targets - row @ self.coefficients
        gain = self.covariance @ row / (1.0 + row @ self.covariance @ row)
        self.coefficients += np.outer(gain, error)
        self.covariance -= np.outer(gain, row @ self.covariance)
        self.right = self.right + 1 if np.abs(error).max() < 1e-4 else 0
        self.converged = self.right >= 5
        return float(0.1 * np.mean(error**2))

    def predict(self, inputs: np.ndarray) -> np.ndarray:
        """Return outputs `(30,)`."""
        return self._row(inputs) @ self.coefficients

    def _row(self, inputs: np.ndarray) -> np.ndarray:
        turn = 2.0 * np.pi * inputs[9] * abs(inputs[0]) / (inputs[1] + inputs[2])
        return np.array([np.cos(turn), np.sin(turn)])


def frame(
    time: float, velocity: float = 1.0, leg: float = 0.9, accumulated: float | None = None
) -> np.ndarray:
    """Return the inputs `(11,)` of a frame, `time` since the walk began."""
    period = leg / velocity
    side = [0.5 * leg, 0.5 * leg]
    return np.array(
        [
            velocity,
            *side,
            0.0,
            -0.05,
            *side,
            0.5,
            0.05,
            time % period,
            time if accumulated is None else accumulated,
        ]
    )


def original_frame(velocity: float = 1.0, leg: float = 0.9, delta: float = DT) -> np.ndarray:
    """Return a frame as the original's engine sends it: the time of the frame for `t_cycle`, and 0 for
    `t_accumulated`."""
    inputs = frame(0.0, velocity, leg)
    inputs[9:] = delta, 0.0
    return inputs
