"""Files of a trained rule: rig_model.pt to resume training, numpy weights for the add-on, TorchScript and ONNX for other engines."""

import json
import os
from dataclasses import asdict
from pathlib import Path

import torch

from ...core.errors import NeuraRigError
from ...core.files.whole_file import written_whole
from ...core.learned.solver_weights import curves_described, describe, write_solver_weights
from .model import RuleNetwork
from .rules import Rule
from .train import Recipe, Training
from .whole_rule import WholeRule

MODEL_FORMAT = "neurarig-rig-model-1"


def save_training(path: str | os.PathLike, rule: Rule, training: Training) -> None:
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
    """Read a file of save_training and its metadata; raises NeuraRigError, naming the file, for anything else."""
    try:
        stored = torch.load(path, weights_only=True)
        if stored["format"] != MODEL_FORMAT:
            raise ValueError(f"its format is not {MODEL_FORMAT}")
        metadata = stored["metadata"]
        curves = curves_described(metadata)
        recipe = Recipe(**{**stored["recipe"], "hidden": tuple(stored["recipe"]["hidden"])})
        best, model = (_network(curves, stored[f"{name}_hidden"], stored[name]) for name in ("best", "model"))
        training = Training(recipe, model, best, stored["best_error"], stored["step"], stored["optimizer"])
    except Exception as error:  # torch passes on any error of its unpickler
        reason = next(iter(str(error).splitlines()), "it is empty")
        raise NeuraRigError(f"'{Path(path).name}' is no model of this training: {reason}; train it again.") from None
    return training, metadata


def check_rule(path: str | os.PathLike, metadata: dict[str, str], rule: Rule) -> None:
    """Raise NeuraRigError, naming the file, unless a model was trained for this rule."""
    expected = describe(rule.name, rule.version, rule.curves)
    for name, value in expected.items():
        if metadata.get(name) != value:
            raise NeuraRigError(f"'{Path(path).name}' learned another rule (its {name} differ); train a new model for '{rule.name}'.")


def export_numpy(path: str | os.PathLike, model: RuleNetwork, metadata: dict[str, str]) -> None:
    """Write the weights for `core.learned.solver`."""
    write_solver_weights(path, model.exported(metadata["profile"], metadata["profile_version"]))


def export_torchscript(path: str | os.PathLike, model: RuleNetwork, metadata: dict[str, str]) -> None:
    """Write inputs -> outputs for torch::jit::load; its extra file `metadata.json` describes the columns."""
    whole = WholeRule(model).eval()
    traced = torch.jit.trace(whole, _example(model), check_trace=False)
    torch.jit.save(traced, str(path), _extra_files={"metadata.json": json.dumps(metadata).encode()})


def export_onnx(path: str | os.PathLike, model: RuleNetwork, metadata: dict[str, str]) -> None:
    """Write inputs -> outputs for ONNX; needs the packages onnx and onnxscript of the `train` extra."""
    try:
        import onnx
        import onnxscript  # noqa: F401  torch.onnx needs it
    except ImportError as error:
        raise NeuraRigError(f"The package '{error.name}' is missing: python -m pip install onnx onnxscript.") from None
    rows = {"inputs": {0: torch.export.Dim("rows")}}
    whole = WholeRule(model).eval()
    program = torch.onnx.export(
        whole, (_example(model),), dynamo=True, dynamic_shapes=rows, input_names=["inputs"], output_names=["outputs"], verbose=False
    )
    proto = program.model_proto
    for name, value in metadata.items():
        proto.metadata_props.add(key=name, value=value)
    onnx.save(proto, str(path))


def _network(curves, hidden: tuple[int, ...], state: dict[str, torch.Tensor]) -> RuleNetwork:
    directions = [len(state[f"directions{n}"]) for n in range(len(curves.groups))]
    network = RuleNetwork(curves, hidden, directions)
    network.load_state_dict(state)
    return network


def _example(model: RuleNetwork) -> torch.Tensor:
    return torch.full((3, len(model.curves.places.names)), 0.5)
