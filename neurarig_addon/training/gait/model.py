"""The gait network in torch: the one that `core.human` runs in numpy, with gradients."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import torch
from torch import Tensor, nn

from ...core.human.canonical import CANONICAL, COEFFICIENTS
from ...core.human.features import FEATURES
from ...core.human.weights import GaitWeights
from .dataset import Walks
from .principal import PrincipalGaits


class PhaseFunction(nn.Module):
    """Features to the shares of a few principal gaits; a fixed matrix turns shares into Fourier coefficients.

    The matrix is not trained: see `principal`.  On export it is folded into the last layer.
    """

    low: Tensor
    high: Tensor
    mean: Tensor
    scale: Tensor
    channel_scale: Tensor
    gaits: Tensor

    def __init__(self, hidden: Sequence[int], gaits: int):
        super().__init__()
        widths = [len(FEATURES), *hidden, gaits]
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(widths))
        for name in ("low", "high", "mean", "scale"):
            self.register_buffer(name, torch.ones(len(FEATURES)))
        self.register_buffer("channel_scale", torch.ones(len(CANONICAL)))
        self.register_buffer("gaits", torch.zeros(gaits, COEFFICIENTS))

    @classmethod
    def untrained(cls, hidden: Sequence[int], walks: Walks, principal: PrincipalGaits) -> "PhaseFunction":
        """Return a network with random weights and the normalisation of the walks it will be taught."""
        model = cls(hidden, len(principal.gaits))
        features = walks.features
        model.low, model.high = torch.from_numpy(features.min(axis=0)), torch.from_numpy(features.max(axis=0))
        model.mean, model.scale = torch.from_numpy(features.mean(axis=0)), torch.from_numpy(features.std(axis=0))
        model.channel_scale = torch.from_numpy(walks.spread)
        model.gaits = torch.from_numpy(principal.gaits).float()
        return model

    def forward(self, features: Tensor) -> Tensor:
        """Return the shares `(walks, gaits)` for features `(walks, 5)`, before the fade."""
        rows = (torch.clamp(features, self.low, self.high) - self.mean) / self.scale
        for layer in self.layers[:-1]:
            rows = nn.functional.elu(layer(rows))
        return self.layers[-1](rows)

    def coefficients(self, features: Tensor) -> Tensor:
        """Return the Fourier coefficients `(walks, COEFFICIENTS)`, in channel spreads and before the fade."""
        return self(features) @ self.gaits

    def exported(self) -> GaitWeights:
        """Return the weights as the add-on stores them."""
        layers = [(_array(layer.weight), _array(layer.bias)) for layer in self.layers]
        weight, bias = layers[-1]
        gaits = _array(self.gaits)
        layers[-1] = gaits.T @ weight, gaits.T @ bias
        return GaitWeights(*map(_array, (self.low, self.high, self.mean, self.scale, self.channel_scale)), tuple(layers))


def _array(tensor: Tensor) -> np.ndarray:
    return tensor.detach().numpy()
