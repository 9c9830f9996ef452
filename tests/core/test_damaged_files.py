"""Damaged and inflated files: a sentence or a sound reading, in a second and 300 MB; `python -m tests.damage`
tries any number."""

from pathlib import Path

from tests.cases import some
from tests.damage.apart import faults
from tests.damage.kinds import KINDS

FEW = {"profile_learned": 8, "take": 40, "take_text": 40}


def test_damaged_files_cost_a_sentence(tmp_path: Path) -> None:
    assert faults({kind: some(FEW.get(kind, 150)) for kind in KINDS}, tmp_path) == ""
