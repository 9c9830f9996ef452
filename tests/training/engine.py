"""Files for other engines as ONNX Runtime runs them."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest


def session(path: Path) -> Any:
    """Return an ONNX file as ONNX Runtime has it; skips where there is none."""
    runtime = pytest.importorskip("onnxruntime", reason="onnxruntime is missing: make .venv-train anew")
    options = runtime.SessionOptions()
    options.intra_op_num_threads = 1
    return runtime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def run(path: Path, given: dict[str, np.ndarray]) -> tuple[np.ndarray, dict[str, str]]:
    """Return the output of an ONNX file, in float32, and what its metadata say."""
    engine = session(path)
    assert {one.name for one in engine.get_inputs()} == set(given)
    (found,) = engine.run(None, {name: np.asarray(value, np.float32) for name, value in given.items()})
    return found, engine.get_modelmeta().custom_metadata_map
