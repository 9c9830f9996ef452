"""Lint and layout over everything, types over the core and the link."""

import subprocess
import sys
from importlib import util
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize(
    "command",
    [["ruff", "check"], ["ruff", "format", "--check"], ["pyright"]],
    ids=["ruff", "format", "pyright"],
)
def test_no_complaints(command: list[str]) -> None:
    if util.find_spec(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed (the dev extra)")
    finished = subprocess.run(
        [sys.executable, "-m", *command], cwd=REPOSITORY, capture_output=True, text=True, check=False
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr
