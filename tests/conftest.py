"""Fixtures for all tests, and what a Python without Blender or without torch leaves out."""

import os
import sys
from collections.abc import Iterator
from importlib import util

import pytest

from tests.cases import pytest_collection_modifyitems  # noqa: F401  a hook

collect_ignore_glob = [
    *(["blender/*"] if util.find_spec("bpy") is None else []),
    *(["training/*"] if util.find_spec("torch") is None else []),
]


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Keep the exit status for `pytest_unconfigure`."""
    session.config.stash[EXIT_STATUS] = int(exitstatus)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Leave at once where Blender is loaded: its 4.2 and 4.5 modules crash or hang in the interpreter's own
    exit."""
    if "bpy" in sys.modules and not config.pluginmanager.has_plugin(STAYS):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(config.stash.get(EXIT_STATUS, 0))


STAYS = "neurarig: the process goes on"  # a plugin of whoever runs tests within a process of their own
EXIT_STATUS = pytest.StashKey[int]()


@pytest.fixture
def fresh_file() -> None:
    """Start from an empty scene at 24 frames a second."""
    import bpy

    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


@pytest.fixture
def addon(fresh_file: None) -> Iterator[None]:
    """Register NeuraRig in an empty scene, and unregister it afterwards."""
    import neurarig_addon

    neurarig_addon.register()
    try:
        yield
    finally:
        neurarig_addon.unregister()
