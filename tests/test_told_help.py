"""Every `python` command of README and docs is understood by its own help, in a Python that has what it
needs: three suites ask, core, training and release."""

from importlib import util

import pytest

from tests import told_commands

BLENDER, TORCH = {"bpy", "mathutils", "PIL"}, {"torch", "onnxruntime"}


@pytest.mark.parametrize("given", told_commands.of("python"), ids=" ".join)
def test_help_knows_what_is_told(given: list[str], capsys: pytest.CaptureFixture) -> None:
    lacking = set() if util.find_spec("bpy") else BLENDER
    lacking |= set() if util.find_spec("torch") else TORCH
    assert told_commands.missing(given, capsys) in {"", *lacking}
