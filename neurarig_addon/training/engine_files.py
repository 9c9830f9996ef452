"""Torch modules as files that other engines read: TorchScript and ONNX, each with a table of what describes
it."""

import json
import os
from collections.abc import Mapping, Sequence

import torch
from torch import Tensor, nn

from ..core.errors import NeuraRigError


def write_torchscript(
    path: str | os.PathLike,
    module: nn.Module,
    methods: Mapping[str, tuple[Tensor, ...]],
    metadata: Mapping[str, str],
) -> None:
    """Write a module for torch::jit::load, with its extra file `metadata.json`; `methods`: example arguments
    of each that it shall have."""
    traced = torch.jit.trace_module(module, dict(methods), check_trace=False)
    torch.jit.save(traced, str(path), _extra_files={"metadata.json": json.dumps(dict(metadata)).encode()})


def write_onnx(
    path: str | os.PathLike,
    module: nn.Module,
    example: tuple[Tensor, ...],
    names: Sequence[str],
    rows: str,
    metadata: Mapping[str, str],
) -> None:
    """Write a module for ONNX; `names`: of its inputs, and its output last; `rows`: what the first axis of
    each input counts.

    Needs the packages onnx and onnxscript of the `train` extra.
    """
    try:
        import onnx
        import onnxscript  # noqa: F401  torch.onnx needs it
    except ImportError as error:
        raise NeuraRigError(
            f"The package '{error.name}' is missing: python -m pip install onnx onnxscript."
        ) from None
    any_count = {0: torch.export.Dim(rows)}
    program = torch.onnx.export(
        module, example, dynamo=True, dynamic_shapes=(any_count,) * len(example),
        input_names=list(names[:-1]), output_names=[names[-1]], verbose=False,
    )  # fmt: skip
    proto = program.model_proto
    for name, value in metadata.items():
        proto.metadata_props.add(key=name, value=value)
    onnx.save(proto, str(path))
