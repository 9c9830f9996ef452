"""The suites of tests that may notice a fault, and what their processes need."""

import os
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
PACKAGE = "neurarig_addon"
ROOT = REPOSITORY / PACKAGE
# Environment and folders of the tests that need nothing but numpy, those that need torch, and those that need
# Blender.
SUITES = {
    "core": (".venv-dev", ("tests/core", "tests/link")),
    "training": (".venv-train", ("tests/training",)),
    "blender": (".venv", ("tests/blender",)),
    "blender42": (".venv-4.2", ("tests/blender",)),
}


def environment() -> dict[str, str]:
    """Return the environment of tests: no bytecode, as files change within a second, and the shared data
    where ours looks for it."""
    shared = os.environ.get("NEURARIG_SHARED", str(REPOSITORY.parent / "shared"))
    return os.environ | {
        "PYTHONDONTWRITEBYTECODE": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "NEURARIG_SHARED": shared,
    }


def processor_seconds() -> float:
    """Return what this process and those that it has started have had of the processor; what else a machine
    does has no part in it."""
    return sum(os.times()[:4])
