"""Damaged and inflated files: a sentence or a sound reading, in a second and 300 MB; `python -m tests.damage` tries any number."""

from pathlib import Path

import pytest

from tests.cases import some
from tests.damage.apart import faults
from tests.damage.kinds import KINDS

FEW = {"profile_learned": 8, "take": 40}


@pytest.mark.parametrize("kind", KINDS)
def test_damaged_files_cost_a_sentence(kind: str, tmp_path: Path) -> None:
    assert faults(kind, some(FEW.get(kind, 150)), tmp_path) == ""
