"""The gait network once more, in eager torch, to compare numbers and times with."""

import numpy as np
import torch
from torch import nn

from neurarig_addon.core.contract.channels import CHANNELS, NEURARIG_OUTPUTS
from neurarig_addon.core.contract.inputs import OFFSETS, SLOW, VELOCITY
from neurarig_addon.core.gait.kinds.natural import natural_period
from neurarig_addon.core.human import canonical
from neurarig_addon.core.human.weights import GaitWeights


class TorchTwin:
    """NeuraRig's 11 -> 30 contract from the same weights, float32 in the layers and float64 around them, as in numpy."""

    def __init__(self, weights: GaitWeights) -> None:
        self.weights = weights
        layers: list[nn.Module] = []
        for weight, bias in weights.layers:
            linear = nn.Linear(weight.shape[1], weight.shape[0])
            linear.weight.data, linear.bias.data = torch.from_numpy(weight.copy()), torch.from_numpy(bias.copy())
            layers += [linear, nn.ELU()]
        self.mlp = nn.Sequential(*layers[:-1])
        self.low, self.high, self.mean, self.scale, self.spread = (
            torch.from_numpy(np.array(part)) for part in (weights.low, weights.high, weights.mean, weights.scale, weights.channel_scale)
        )
        self.mirror = torch.from_numpy(canonical.MIRROR)
        self.is_length = torch.from_numpy(canonical.IS_LENGTH)
        self.slots = torch.from_numpy(canonical.SLOTS)

    @torch.no_grad()
    def evaluate(self, inputs: np.ndarray) -> np.ndarray:
        """Return NeuraRig's outputs `(n, 30)` for its inputs `(n, 11)`."""
        slow, t_cycle = inputs[:, :SLOW], inputs[:, SLOW]
        found, speed, leg = (torch.from_numpy(part) for part in canonical.dimensionless(slow))
        views = self.curves(found, speed, leg)
        cycles = t_cycle / natural_period(np.abs(slow[:, VELOCITY]), leg.numpy())
        phases = torch.from_numpy(cycles[:, None] + slow[:, OFFSETS])
        turns = 2.0 * np.pi * phases[..., None] * torch.arange(canonical.HARMONICS + 1)
        basis = torch.stack([torch.cos(turns), torch.sin(turns)], dim=-1).flatten(-2)
        left, right = torch.einsum("snct,nst->snc", views, basis)
        values = torch.empty(len(slow), len(CHANNELS), dtype=torch.float64)
        values[:, canonical.LEFT_COLUMNS] = left[:, canonical.SIDED_VIEW]
        values[:, canonical.RIGHT_COLUMNS] = right[:, canonical.SIDED_VIEW]
        values[:, canonical.MIDLINE_COLUMNS] = 0.5 * (left + right)[:, canonical.MIDLINE_VIEW]
        return values[:, :NEURARIG_OUTPUTS].float().numpy()

    def curves(self, found: torch.Tensor, speed: torch.Tensor, leg: torch.Tensor) -> torch.Tensor:
        """Return Fourier coefficients `(2, n, 29, TERMS)` of the left and right view, in metres and radians."""
        held = torch.clamp(found.float(), self.low, self.high)
        given = self.mlp((held - self.mean) / self.scale)
        blocks = torch.zeros(*given.shape[:2], len(canonical.CANONICAL) * canonical.TERMS, dtype=torch.float64)
        blocks[..., self.slots] = given.double()
        blocks = blocks.unflatten(-1, (-1, canonical.TERMS)) * self.spread.double()[:, None]
        size = canonical.fade(speed)[:, None] * torch.where(self.is_length, leg[:, None], 1.0)
        sides = torch.stack([self.mirror * size, size])
        return blocks * sides[..., None]
