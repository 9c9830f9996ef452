"""All buttons in every state of a character: off with a reason, or they do something, or refuse in a sentence with the file as it was."""

from pathlib import Path

import bpy
import pytest

from tests.blender.situated import STATES
from tests.blender.situations.record import differences, recorded, report

pytestmark = pytest.mark.usefixtures("addon")

# What waits for another program, and what goes on in the window.
ELSEWHERE = {"start_link", "train_profile", "pick_footprint", "open_profile"}


def buttons() -> list[str]:
    return [name for name in dir(bpy.ops.neurarig) if name not in ELSEWHERE]


def pressed(name: str) -> str:
    """Press a button and return what it refused, '' where it did something."""
    try:
        getattr(bpy.ops.neurarig, name)()
    except RuntimeError as refusal:
        return str(refusal)
    return ""


@pytest.mark.parametrize("state", STATES)
def test_a_button_that_is_off_says_why_and_one_that_refuses_changes_nothing(state: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    STATES[state]()
    before = recorded()
    for name in buttons():
        is_on = getattr(bpy.ops.neurarig, name).poll()
        refused = pressed(name)
        if refused:
            assert "context is incorrect" not in refused, f"{name} does not say why it is off"
            assert "Traceback" not in refused and "internal error" not in refused, refused
            assert is_on == (".poll() " not in refused), f"{name}: {refused}"
            changed = differences(before, recorded())
            assert not changed, f"{name}: {refused}\n{report(changed)}"
        else:
            assert is_on, name
            bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
            STATES[state]()
            before = recorded()
