"""The sequence network for other engines: one torch module from the past to the next second, as TorchScript
and ONNX."""

import json
import os
from collections.abc import Mapping

import torch
from torch import Tensor, nn

from ...core.sequence.network import (
    AHEAD,
    PLANTED,
    SEEN,
    SIGNALS,
    STRANGE,
    STRANGER,
    WISHES,
    SequenceWeights,
)
from ...core.sequence.roll_out import EVERY
from ...core.sequence.rows import FEET, RATE, WIDTH
from ...core.sequence.stride import ALIKE, LONGEST, REMEMBERED, SHORTEST
from ..engine_files import write_onnx, write_torchscript
from .model import SequenceModel

_PARTS = (WIDTH, 3, len(FEET))  # columns of poses, steps and contacts
COLUMNS = sum(_PARTS)
METADATA = {
    "format": "neurarig-sequence-engine-3",
    "rate": str(RATE),
    "past": str(REMEMBERED),
    "ahead": str(AHEAD),
    "every": str(EVERY),
    "columns": json.dumps(dict(zip(("poses", "steps", "contacts"), _PARTS, strict=True))),
}


class WholeSequence(nn.Module):
    """The past and a wish to the next second; the same results as `core.sequence.network`, and no branch
    depends on values.

    `past` `(n, REMEMBERED, COLUMNS)`: poses, steps and contacts of `Rows`, one after the other; `first`: the
    past at the beginning, whose manner is kept; `predicted` `(n,)`: see `SequenceNetwork.ahead`; `wish` `(n,
    WISHES)`, 0 for none -> `(n, AHEAD, COLUMNS)`.
    """

    def __init__(self, weights: SequenceWeights) -> None:
        super().__init__()
        self.model = SequenceModel.of(weights).eval().requires_grad_(False)

    def forward(self, past: Tensor, first: Tensor, predicted: Tensor, wish: Tensor) -> Tensor:
        """Return the next second."""
        poses, _, _ = past.split(_PARTS, dim=-1)
        signals = self._signals(past)
        frames, off = self._stride(poses)
        at = REMEMBERED - frames[:, None] + torch.arange(AHEAD) % frames[:, None]
        once = signals.gather(1, at[..., None].expand(-1, -1, SIGNALS))
        known = torch.stack(
            [
                STRANGER * off.clamp(max=STRANGE),
                torch.ones_like(off),
                predicted.clamp(max=SEEN) / SEEN,
                torch.zeros_like(off),
            ],
            dim=1,
        )
        found = self.model(signals[:, -SEEN:], once, self._manner(first), known, wish)
        ahead, steps = self.model.rows(found, poses[:, -2:])
        contacts = (found * self.model.components.scale)[..., PLANTED].clamp(0.0, 1.0)
        return torch.cat([ahead, steps, contacts], dim=-1)

    def _manner(self, past: Tensor) -> Tensor:
        """See `SequenceNetwork.manner`."""
        signals = self._signals(past)
        return torch.stack([signals.mean(dim=1), signals.std(dim=1, correction=0)], dim=1)

    def _signals(self, past: Tensor) -> Tensor:
        poses, steps, contacts = past.split(_PARTS, dim=-1)
        return self.model.signals(poses, steps, contacts)

    def _stride(self, poses: Tensor) -> tuple[Tensor, Tensor]:
        """See `core.sequence.stride.last_stride`: frames and how far they are off, `(n,)` each."""
        recent = poses[:, -ALIKE:]
        off = [
            ((poses[:, REMEMBERED - ALIKE - lag : REMEMBERED - lag] - recent) ** 2).mean(dim=(1, 2)).sqrt()
            for lag in range(SHORTEST, LONGEST + 1)
        ]
        least, lag = torch.stack(off, dim=1).min(dim=1)
        return SHORTEST + lag, least


def _example() -> tuple[Tensor, ...]:
    past = torch.rand(2, REMEMBERED, COLUMNS)
    return past, past + 0.1, torch.zeros(2), torch.zeros(2, WISHES)


def export_torchscript(
    path: str | os.PathLike, weights: SequenceWeights, metadata: Mapping[str, str] = METADATA
) -> None:
    """Write `WholeSequence` for torch::jit::load, with an extra file `metadata.json`."""
    write_torchscript(path, WholeSequence(weights), {"forward": _example()}, metadata)


def export_onnx(
    path: str | os.PathLike, weights: SequenceWeights, metadata: Mapping[str, str] = METADATA
) -> None:
    """Write `WholeSequence` for ONNX; needs the packages onnx and onnxscript of the `train` extra."""
    names = ("past", "first", "predicted", "wish", "ahead")
    write_onnx(path, WholeSequence(weights), _example(), names, "bodies", metadata)
