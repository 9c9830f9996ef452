"""Situations drawn at random, a few of each rig; `python -m tests.blender.situations --sequences 500` draws
as many as you like."""

from argparse import Namespace

import pytest

from tests.blender.situations.__main__ import play_apart
from tests.blender.situations.characters import CHARACTERS
from tests.blender.situations.steps import STEPS
from tests.cases import SEED, some
from tests.generated_human import REPOSITORY

THINGS = 6
SEQUENCES = {"plain": 12, "rigify": 1, "controlled": 6, "constrained": 6}
FIRST_SEED = 1000


def test_every_rig_is_drawn():
    assert set(SEQUENCES) == set(CHARACTERS)


@pytest.mark.parametrize("rig", SEQUENCES)
def test_nothing_of_the_users_is_lost_or_changed(
    rig: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    """In a process of its own: a sequence may take Blender with it."""
    monkeypatch.chdir(REPOSITORY)
    first = FIRST_SEED + SEED
    failed = play_apart(
        rig, range(first, first + some(SEQUENCES[rig])), Namespace(steps=STEPS, shrink=False, things=False)
    )
    assert not failed, capsys.readouterr().out


def test_what_hands_have_taken_is_as_it_was(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(REPOSITORY)
    first = FIRST_SEED + SEED
    failed = play_apart(
        "plain", range(first, first + some(THINGS)), Namespace(steps=STEPS, shrink=False, things=True)
    )
    assert not failed, capsys.readouterr().out
