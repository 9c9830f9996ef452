"""Files for other engines as ONNX Runtime runs them."""

from pathlib import Path

import numpy as np
import pytest


def run(path: Path, given: dict[str, np.ndarray]) -> tuple[np.ndarray, dict[str, str]]:
    """Return the output of an ONNX file, in float32, and what its metadata say; skips where there is no
    engine."""
    runtime = pytest.importorskip("onnxruntime", reason="onnxruntime is missing: make .venv-train anew")
    session = runtime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    assert {one.name for one in session.get_inputs()} == set(given)
    (found,) = session.run(None, {name: np.asarray(value, np.float32) for name, value in given.items()})
    return found, session.get_modelmeta().custom_metadata_map
