"""Damaged presets and imported files, and damaged texts that a .blend stores of a character: a sentence,
or a walk; and what is attached can be removed."""

from pathlib import Path

from tests.cases import some
from tests.damage.apart import faults
from tests.damage.in_blender import KINDS

FEW = {"stored": 16, "fbx": 48, "glb": 48, "gltf": 48}


def test_damaged_files_cost_a_sentence(tmp_path: Path) -> None:
    assert faults({kind: some(FEW.get(kind, 100)) for kind in KINDS}, tmp_path) == ""
