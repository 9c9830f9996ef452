"""All buttons in every state of a character: off with a reason, or they do something, or refuse in a sentence
with the file as it was."""

from pathlib import Path

import bpy
import pytest

from tests.blender.situated import STATES
from tests.blender.situations.record import Record, differences, recorded, report

# What waits for another program, and what goes on in the window.
ELSEWHERE = {"start_link", "pick_footprint", "open_profile"}


def buttons() -> list[str]:
    return [name for name in dir(bpy.ops.neurarig) if name not in ELSEWHERE]


def pressed(name: str) -> str:
    """Press a button and return what it refused, '' where it did something."""
    try:
        getattr(bpy.ops.neurarig, name)()
    except RuntimeError as refusal:
        return str(refusal)
    return ""


def begin(state: str) -> Record:
    """Come to a state anew, in a scene of a few frames, and return what is there."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.context.scene.frame_end = 12
    STATES[state]()
    return recorded()


@pytest.mark.parametrize("state", STATES)
def test_a_button_that_is_off_says_why_and_changes_nothing(state: str):
    before = begin(state)
    off = [name for name in buttons() if not getattr(bpy.ops.neurarig, name).poll()]
    said = {name: pressed(name) for name in off}
    for name, refused in said.items():
        assert ".poll() " in refused, f"{name}: {refused}"
        assert "context is incorrect" not in refused, f"{name} does not say why it is off"
    if differences(before, recorded()):  # whose?
        for name in off:
            before = begin(state)
            pressed(name)
            assert not (changed := differences(before, recorded())), f"{name}\n{report(changed)}"


@pytest.mark.parametrize("state", STATES)
def test_a_button_that_is_on_does_something_or_refuses_and_changes_nothing(
    state: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    before = begin(state)
    for name in buttons():
        if getattr(bpy.ops.neurarig, name).poll():
            refused = pressed(name)
            assert "Traceback" not in refused and "internal error" not in refused, refused
            assert ".poll() " not in refused, f"{name}: {refused}"
            if refused:
                assert not (changed := differences(before, recorded())), (
                    f"{name}: {refused}\n{report(changed)}"
                )
            else:
                before = begin(state)
