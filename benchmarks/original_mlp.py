"""The original's trainee, a named baseline: 11 -> 256 -> 256 -> 30, Adam at 3e-3, one frame a step."""

import numpy as np
import torch
from torch import nn


class OriginalMlp:
    """Learns the frame that it is shown, as the original does: layer norm after the first layer, ELU, gradients clipped to 1."""

    def __init__(self, inputs: int = 11, outputs: int = 30, seed: int = 1, hidden: int = 256):
        self._shape, self._seed = (inputs, hidden, outputs), seed
        self.converged = False
        self.reset()

    def reset(self) -> None:
        """Begin again with random weights."""
        torch.manual_seed(self._seed)
        inputs, hidden, outputs = self._shape
        self._net = nn.Sequential(
            nn.Linear(inputs, hidden), nn.LayerNorm(hidden), nn.ELU(), nn.Linear(hidden, hidden), nn.ELU(), nn.Linear(hidden, outputs)
        )
        self._optimizer = torch.optim.Adam(self._net.parameters(), lr=3e-3)
        self.converged = False

    def train(self, inputs: np.ndarray, targets: np.ndarray) -> float:
        """Take one step on a frame and return 0.1 x the mean squared error before it; below 1e-5 it counts itself converged."""
        error = self._net(_row(inputs)) - _row(targets)
        loss = 0.1 * (error * error).mean()
        self._optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self._net.parameters(), 1.0)
        self._optimizer.step()
        self.converged = float(loss.detach()) < 1e-5
        return float(loss.detach())

    @torch.no_grad()
    def predict(self, inputs: np.ndarray) -> np.ndarray:
        """Return the outputs `(n, outputs)` or `(outputs,)` for inputs `(n, inputs)` or `(inputs,)`."""
        return self._net(_row(inputs)).double().numpy()


def _row(values: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(np.asarray(values, dtype=np.float32))
