"""Situations drawn at random, a few of each rig; `python -m tests.blender.situations --sequences 500` draws as many as you like."""

import subprocess
import sys

import pytest

from tests.blender.situations.characters import CHARACTERS
from tests.cases import SEED, some
from tests.generated_human import REPOSITORY

SEQUENCES = {"plain": 16, "rigify": 1, "controlled": 8, "constrained": 6}
FIRST_SEED = 1000


def test_every_rig_is_drawn():
    assert set(SEQUENCES) == set(CHARACTERS)


@pytest.mark.parametrize("rig", SEQUENCES)
def test_nothing_of_the_users_is_lost_or_changed(rig: str):
    """In a process of its own: a sequence may take Blender with it."""
    given = ["--rig", rig, "--sequences", str(some(SEQUENCES[rig])), "--seed", str(FIRST_SEED + SEED), "--whole"]
    ended = subprocess.run(
        [sys.executable, "-m", "tests.blender.situations", *given],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    assert ended.returncode == 0, ended.stdout
