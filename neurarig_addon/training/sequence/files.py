"""The sequence network for other engines: one torch module from the past to the next second, as TorchScript
and ONNX."""

import json
import os
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor, nn

from ...core.ikrig.decode import decode
from ...core.ikrig.encoding import CHAINS, Encoding
from ...core.sequence.figure import figure
from ...core.sequence.network import (
    AHEAD,
    PLANTED,
    SEEN,
    SIGNALS,
    STRANGE,
    STRANGER,
    WISHES,
    SequenceNetwork,
    SequenceWeights,
    SequenceWish,
)
from ...core.sequence.roll_out import EVERY
from ...core.sequence.rows import FEET, RATE, WIDTH, Rows, encoding_of, rows_of
from ...core.sequence.stride import ALIKE, LONGEST, REMEMBERED, SHORTEST, repeated
from ..engine_files import write_onnx, write_torchscript
from ..recordings import RecordingFile
from .model import SequenceModel
from .windows import encoded, stride_at

_PARTS = (WIDTH, 3, len(FEET))  # columns of poses, steps and contacts
COLUMNS = sum(_PARTS)
METADATA = {
    "format": "neurarig-sequence-engine-2",
    "rate": str(RATE),
    "past": str(REMEMBERED),
    "ahead": str(AHEAD),
    "every": str(EVERY),
    "columns": json.dumps(dict(zip(("poses", "steps", "contacts"), _PARTS, strict=True))),
}


class WholeSequence(nn.Module):
    """The past and a wish to the next second; the same results as `core.sequence.network`, and no branch
    depends on values.

    `past` `(n, REMEMBERED, COLUMNS)`: poses, steps and contacts of `Rows`, one after the other; `manner` `(n,
    2, SIGNALS)`: what `manner` returned for the past at the beginning; `predicted`, `lead` `(n,)`: see
    `SequenceNetwork.ahead`; `wish` `(n, WISHES)`, 0 for none -> `(n, AHEAD, COLUMNS)`.
    """

    def __init__(self, weights: SequenceWeights) -> None:
        super().__init__()
        self.model = SequenceModel.of(weights).eval().requires_grad_(False)

    def forward(self, past: Tensor, manner: Tensor, predicted: Tensor, lead: Tensor, wish: Tensor) -> Tensor:
        """Return the next second."""
        poses, _, _ = past.split(_PARTS, dim=-1)
        signals = self._signals(past)
        frames, off = self._stride(poses)
        at = REMEMBERED - frames[:, None] + torch.arange(AHEAD) % frames[:, None]
        once = signals.gather(1, at[..., None].expand(-1, -1, SIGNALS))
        known = torch.stack(
            [STRANGER * off.clamp(max=STRANGE), torch.ones_like(off), predicted.clamp(max=SEEN) / SEEN, lead],
            dim=1,
        )
        found = self.model(signals[:, -SEEN:], once, manner, known, wish)
        ahead, steps = self.model.rows(found, poses[:, -2:])
        contacts = (found * self.model.components.scale)[..., PLANTED].clamp(0.0, 1.0)
        return torch.cat([ahead, steps, contacts], dim=-1)

    def manner(self, past: Tensor) -> Tensor:
        """Return how a body moves, `(n, 2, SIGNALS)`."""
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
    return (
        torch.rand(2, REMEMBERED, COLUMNS),
        torch.rand(2, 2, SIGNALS),
        torch.zeros(2),
        torch.zeros(2),
        torch.zeros(2, WISHES),
    )


def export_torchscript(
    path: str | os.PathLike, weights: SequenceWeights, metadata: Mapping[str, str] = METADATA
) -> None:
    """Write `WholeSequence` for torch::jit::load, with a method `manner` and an extra file
    `metadata.json`."""
    example = _example()
    write_torchscript(path, WholeSequence(weights), {"forward": example, "manner": example[:1]}, metadata)


def export_onnx(
    path: str | os.PathLike, weights: SequenceWeights, metadata: Mapping[str, str] = METADATA
) -> None:
    """Write `WholeSequence` for ONNX; needs the packages onnx and onnxscript of the `train` extra."""
    write_onnx(
        path,
        WholeSequence(weights),
        _example(),
        ("past", "manner", "predicted", "lead", "wish", "ahead"),
        "bodies",
        metadata,
    )


HORIZONS = (80, 160, 320, 560, 1000)  # milliseconds
NETWORK, WISHED = "network", "network, told the place and turn after a second"
STANDS, GOES_ON, STRIDE = "zero velocity", "constant velocity", "last stride repeated"
EVERY = 5  # frames between windows
_HISTORY = 44  # frames before a window's first: strides are known; fewer in clips that are too short for that


@dataclass(frozen=True)
class Errors:
    """Mean errors of one kind of prediction on one group of motions, millimetres, after each of HORIZONS;
    `windows`: how many."""

    group: str
    prediction: str
    millimetres: np.ndarray
    windows: int

    def line(self) -> str:
        """Return a line of a Markdown table."""
        return (
            f"| {self.group} ({self.windows} windows) | {self.prediction} |"
            f" {', '.join(f'{one:.0f}' for one in self.millimetres)} |"
        )

    @classmethod
    def merged(cls, errors: Iterable["Errors"]) -> "list[Errors]":
        """Return one entry for each group and prediction, over all windows."""
        found: dict[tuple[str, str], list[Errors]] = defaultdict(list)
        for one in errors:
            found[one.group, one.prediction].append(one)
        sums = {key: sum(each.windows for each in ones) for key, ones in found.items()}
        means = {
            key: sum(each.windows * each.millimetres for each in ones) / max(sums[key], 1)
            for key, ones in found.items()
        }
        return [cls(*key, means[key], sums[key]) for key in found]


def judge(network: SequenceNetwork, chosen: Sequence[RecordingFile]) -> list[Errors]:
    """Return the errors of the network and of the baselines on recordings, by group."""
    found: dict[tuple[str, str], list[np.ndarray]] = defaultdict(list)
    for recording in chosen:
        encoding = encoded(recording)
        if any(chain not in encoding.chains for chain in CHAINS):
            continue
        for prediction, off in _on(network, encoding):
            found[recording.group, prediction].append(off)
    return [
        Errors(group, prediction, np.mean(off, axis=0), len(off))
        for (group, prediction), off in found.items()
    ]


def _on(network: SequenceNetwork, encoding: Encoding) -> list[tuple[str, np.ndarray]]:
    """Return for each window of a motion and each prediction its errors after HORIZONS."""
    motion = rows_of(encoding)
    found = []
    for at in range(first_window(motion), len(motion) - AHEAD, EVERY):
        known, comes = motion[: at + 1], motion[at + 1 : at + 1 + AHEAD]
        truth = places(comes)
        here = places(replace(known[-1:], steps=np.zeros((1, 3))))
        before = places(replace(known[-2:], steps=np.array([[0.0] * 3, known.steps[-1]])))
        change = before[1] - before[0]
        cos, sin = np.cos(-known.steps[-1, 2]), np.sin(-known.steps[-1, 2])
        change = change @ np.array([[cos, sin, 0.0], [-sin, cos, 0.0], [0.0, 0.0, 1.0]])
        predictions = {
            STANDS: np.repeat(here, AHEAD, axis=0),
            GOES_ON: here + change * (np.arange(AHEAD) + 1.0)[:, None, None],
            STRIDE: places(repeated(known, stride_at(motion, at), AHEAD)),
            NETWORK: places(network.ahead(known)),
            WISHED: places(network.ahead(known, SequenceWish.of(comes.steps))),
        }
        for name, predicted in predictions.items():
            off = _between_frames(predicted - truth)
            found.append((name, 1e3 * np.linalg.norm(off, axis=-1).mean(axis=-1)))
    return found


def first_window(motion: Rows) -> int:
    """Return the last frame that is seen in a motion's first window."""
    return max(SEEN - 1, min(_HISTORY, len(motion) - AHEAD - 1))


def _between_frames(values: np.ndarray) -> np.ndarray:
    """Return values `(AHEAD, ...)` of the next second's frames at HORIZONS."""
    at = np.array(HORIZONS) * RATE / 1000.0 - 1.0
    before = np.minimum(at.astype(int), AHEAD - 2)
    share = (at - before).reshape(-1, *[1] * (values.ndim - 1))
    return values[before] + share * (values[before + 1] - values[before])


def places(rows: Rows) -> np.ndarray:
    """Return the figure's joints `(f, j, 3)` in metres, seen from the frame before the first."""
    motions = decode(encoding_of(rows, np.zeros(2), 0.0, "window"), figure().character)
    return np.stack([motion.position for motion in motions.values()], axis=1)
