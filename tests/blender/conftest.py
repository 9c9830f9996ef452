"""Every test in Blender begins with NeuraRig registered in an empty scene."""

import pytest


@pytest.fixture(autouse=True)
def registered(addon: None) -> None:
    """Register it; a test file that does so itself has a fixture of this name."""
