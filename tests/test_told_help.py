"""Every `python` command of README and docs is understood by its own help, in a Python that has what it
needs: three suites ask, core, training and release."""

import pytest

from tests import told_commands

OF_SOME = {"bpy", "mathutils", "PIL", "torch", "onnxruntime"}  # what only some of our Pythons have


@pytest.mark.parametrize("given", told_commands.of("python"), ids=" ".join)
def test_help_knows_what_is_told(given: list[str], capsys: pytest.CaptureFixture) -> None:
    assert told_commands.missing(given, capsys) in {"", *OF_SOME}
