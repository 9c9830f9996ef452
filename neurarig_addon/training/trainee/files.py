"""Files of a trained rule: rig_model.pt to resume training, numpy weights for the add-on, TorchScript and
ONNX for other engines.

Those are one torch module from a profile's inputs to its outputs, for engines without Python and numpy.
"""

import copy
import os
from dataclasses import asdict
from pathlib import Path

import torch
from torch import Tensor, nn

from ...core.errors import NeuraRigError
from ...core.files.whole_file import written_whole
from ...core.gait.kinds.natural import GRAVITY
from ...core.learned.lessons import TaughtRule
from ...core.learned.solver import curves_described, describe, write_solver_weights
from ...core.learned.stream_inputs import SLOWEST
from ...core.learned.walk_curves import DEGREE, HARMONICS, TO_LEGENDRE, Pieces, StrideClock
from ..engine_files import write_onnx, write_torchscript
from .model import RuleNetwork
from .train import TraineeRecipe, Training


class WholeRule(nn.Module):
    """Inputs `(n, inputs)` to outputs `(n, outputs)`, float32 outside and float64 inside; the same results as
    `core.learned.solver`.

    No branch depends on the inputs' values, so that a trace is valid for all.
    """

    order: Tensor

    def __init__(self, network: RuleNetwork):
        super().__init__()
        curves = network.curves
        if not isinstance(curves.clock, StrideClock):
            raise NeuraRigError(
                "Only a rule whose period is a product of powers of speed and leg can be exported."
            )
        self.network = copy.deepcopy(network).requires_grad_(False)
        self.curves, self.clock, self.places = curves, curves.clock, curves.places
        self.pieces = nn.ModuleList(_PieceFunctions(group.pieces) for group in curves.groups)
        self.register_buffer(
            "order",
            torch.argsort(torch.tensor([column for group in curves.groups for column in group.columns])),
        )

    def forward(self, inputs: Tensor) -> Tensor:
        """Return the outputs."""
        rows = inputs.double()
        legs = torch.clamp(
            _both_sides(rows, self.places.thighs) + _both_sides(rows, self.places.shins), min=SLOWEST
        )
        speeds = torch.clamp(rows[:, self.places.velocity].abs(), min=SLOWEST).expand(legs.shape)
        known, phases = self.network(self._features(rows, legs, speeds)), self._phases(rows, legs, speeds)
        blocks = []
        for n, (group, head) in enumerate(zip(self.curves.groups, self.network.heads, strict=True)):
            coefficients = head(known[group.side]) @ self.network.directions(n)
            functions = self.pieces[n](phases[group.side])
            blocks.append(
                (
                    coefficients.reshape(-1, functions.shape[1], len(group.columns)) * functions[:, :, None]
                ).sum(dim=1)
            )
        return torch.cat(blocks, dim=1)[:, self.order].float()

    def _features(self, rows: Tensor, legs: Tensor, speeds: Tensor) -> Tensor:
        """See `core.learned.view_features`."""
        roots = speeds.sqrt()
        found = [
            speeds,
            roots,
            roots * legs.sqrt(),
            roots / legs.sqrt(),
            speeds / (GRAVITY * legs).sqrt(),
            legs,
            legs.sqrt(),
        ]
        found += [
            _both_sides(rows, self.places.thighs),
            _both_sides(rows, self.places.spacings),
            legs.flip(0),
        ]
        for bend in self.curves.bends:
            share = speeds / (bend.speed * legs**bend.leg_power)
            found += [torch.clamp(share, max=1.0).sqrt(), torch.clamp(share - 1.0, min=0.0)]
        found += [rows[:, column].expand(legs.shape) for column in self.places.others]
        return torch.stack(found, dim=-1)

    def _phases(self, rows: Tensor, legs: Tensor, speeds: Tensor) -> Tensor:
        """See `core.learned.walk_curves.phases`."""
        period = self.clock.seconds * speeds**self.clock.speed_power * legs**self.clock.leg_power
        for column, power in zip(self.places.others, self.clock.other_powers, strict=True):
            period = period * torch.clamp(rows[:, column].abs(), min=SLOWEST) ** power
        return torch.remainder(
            rows[:, self.places.time] / period + _both_sides(rows, self.places.offsets), 1.0
        )


def _both_sides(rows: Tensor, columns: tuple[int, int]) -> Tensor:
    return torch.stack([rows[:, column] for column in columns])


class _PieceFunctions(nn.Module):
    """See `core.learned.walk_curves`: functions of all pieces `(n, pieces x functions)` at phases `(n,)`, 0
    in inactive pieces."""

    starts: Tensor
    ends: Tensor
    matrix: Tensor
    waves: Tensor

    def __init__(self, pieces: Pieces):
        super().__init__()
        self.smooth = not pieces.edges
        ends = torch.from_numpy(pieces.ends)
        self.register_buffer("starts", ends[:-1])
        self.register_buffer("ends", ends[1:])
        self.register_buffer("matrix", torch.from_numpy(TO_LEGENDRE))
        self.register_buffer("waves", 2.0 * torch.pi * torch.arange(1, HARMONICS + 1, dtype=torch.float64))

    def forward(self, phases: Tensor) -> Tensor:
        """Return the functions."""
        if self.smooth:
            turns = phases[:, None] * self.waves
            return torch.cat(
                [torch.ones_like(turns[:, :1]), 2.0**0.5 * turns.cos(), 2.0**0.5 * turns.sin()], dim=1
            )
        place = (self.starts[0] + torch.remainder(phases - self.starts[0], 1.0))[:, None]
        holds = ((place >= self.starts) & (place < self.ends)).double()
        inside = 2.0 * (place - self.starts) / (self.ends - self.starts) - 1.0
        inside = inside * holds  # powers of values far outside would be large
        powers = [torch.ones_like(inside)]
        for _ in range(DEGREE):
            powers.append(powers[-1] * inside)
        return ((torch.stack(powers, dim=-1) @ self.matrix) * holds[:, :, None]).flatten(1)


MODEL_FORMAT = "neurarig-rig-model-1"


def save_training(path: str | os.PathLike, rule: TaughtRule, training: Training) -> None:
    """Write a training as `rig_model.pt`: plain tables and tensors, so that `weights_only` reads it."""
    stored = {
        "format": MODEL_FORMAT,
        "metadata": describe(rule.name, rule.version, rule.curves),
        "recipe": asdict(training.recipe),
        "step": training.step,
        "best_error": training.best_error,
        "best_hidden": training.best.hidden,
        "best": training.best.state_dict(),
        "model_hidden": training.model.hidden,
        "model": training.model.state_dict(),
        "optimizer": training.optimizer_state,
    }
    with written_whole(Path(path)) as unfinished:
        torch.save(stored, unfinished)


def load_training(path: str | os.PathLike) -> tuple[Training, dict[str, str]]:
    """Read a file of save_training and its metadata; raises NeuraRigError, naming the file, for anything
    else."""
    try:
        stored = torch.load(path, weights_only=True)
        if stored["format"] != MODEL_FORMAT:
            raise ValueError(f"its format is not {MODEL_FORMAT}")
        metadata = stored["metadata"]
        curves = curves_described(metadata)
        recipe = TraineeRecipe(**{**stored["recipe"], "hidden": tuple(stored["recipe"]["hidden"])})
        best, model = (_network(curves, stored[f"{name}_hidden"], stored[name]) for name in ("best", "model"))
        training = Training(recipe, model, best, stored["best_error"], stored["step"], stored["optimizer"])
    except Exception as error:  # torch passes on any error of its unpickler
        reason = next(iter(str(error).splitlines()), "it is empty")
        raise NeuraRigError(
            f"'{Path(path).name}' is no model of this training: {reason}; train it again."
        ) from None
    return training, metadata


def check_rule(path: str | os.PathLike, metadata: dict[str, str], rule: TaughtRule) -> None:
    """Raise NeuraRigError, naming the file, unless a model was trained for this rule."""
    expected = describe(rule.name, rule.version, rule.curves)
    for name, value in expected.items():
        if metadata.get(name) != value:
            raise NeuraRigError(
                f"'{Path(path).name}' learned another rule (its {name} differ); train a new model for"
                f" '{rule.name}'."
            )


def export_numpy(path: str | os.PathLike, model: RuleNetwork, metadata: dict[str, str]) -> None:
    """Write the weights for `core.learned.solver`."""
    write_solver_weights(path, model.exported(metadata["profile"], metadata["profile_version"]))


def export_torchscript(path: str | os.PathLike, model: RuleNetwork, metadata: dict[str, str]) -> None:
    """Write inputs -> outputs for torch::jit::load; its extra file `metadata.json` describes the columns."""
    write_torchscript(path, WholeRule(model).eval(), {"forward": (_example(model),)}, metadata)


def export_onnx(path: str | os.PathLike, model: RuleNetwork, metadata: dict[str, str]) -> None:
    """Write inputs -> outputs for ONNX; needs the packages onnx and onnxscript of the `train` extra."""
    write_onnx(path, WholeRule(model).eval(), (_example(model),), ("inputs", "outputs"), "rows", metadata)


def _network(curves, hidden: tuple[int, ...], state: dict[str, torch.Tensor]) -> RuleNetwork:
    directions = [len(state[f"directions{n}"]) for n in range(len(curves.groups))]
    network = RuleNetwork(curves, hidden, directions)
    network.load_state_dict(state)
    return network


def _example(model: RuleNetwork) -> torch.Tensor:
    return torch.full((3, len(model.curves.places.names)), 0.5)
