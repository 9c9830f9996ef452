"""Damaged and inflated files: a sentence or a sound reading, in a second and 300 MB; `python -m tests.damage` tries any number."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.damage.kinds import KINDS

REPOSITORY = Path(__file__).resolve().parents[2]
FEW = {"profile_learned": 8}


@pytest.mark.parametrize("kind", KINDS)
def test_damaged_files_cost_a_sentence(kind: str, tmp_path: Path) -> None:
    count = FEW.get(kind, 150)
    command = [sys.executable, "-m", "tests.damage", kind, "--count", str(count), "--keep", str(tmp_path)]
    finished = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, timeout=300, check=False)
    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert f"{count} tried" in finished.stdout
