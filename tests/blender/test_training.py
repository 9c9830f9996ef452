"""Training on a profile in another Python: it never blocks, says what is missing, can be cancelled, and its weights drive the walk."""

import os
import sys
import time
from pathlib import Path

import bpy
import numpy as np
import pytest

import neurarig_addon
from neurarig_addon.blender.walk.manner import gait_source, trainer
from tests.blender.walking import played, seen, walker

pytestmark = pytest.mark.usefixtures("addon")

PATIENCE_S = 240.0
# A Python with PyTorch, beside the one of the tests.
TORCH_PYTHON = os.environ.get("NEURARIG_TORCH_PYTHON", str(Path(__file__).resolve().parents[2] / ".venv-train" / "bin" / "python"))


@pytest.fixture(autouse=True)
def no_training_left():
    yield
    trainer.cancel()


def wait() -> None:
    """Let Blender's timer come round until the training has ended, as it does with a window."""
    until = time.monotonic() + PATIENCE_S
    while trainer.is_running() and time.monotonic() < until:
        started = time.monotonic()
        trainer._look()
        assert time.monotonic() - started < 0.5, "the window would have to wait"
        time.sleep(0.05)
    assert not trainer.is_running()


def stand_in(folder: Path, script: str) -> str:
    """Return a program that takes the place of the Python that trains."""
    path = folder / "python"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


def test_the_trained_network_drives_the_walk() -> None:
    if not Path(TORCH_PYTHON).is_file():
        pytest.skip("no Python with PyTorch: set NEURARIG_TORCH_PYTHON to one")
    obj = walker(profile="Plain Biped")
    by_formulas = played(obj, (3, 9, 15, 21))
    assert bpy.ops.neurarig.train_profile(python=TORCH_PYTHON, steps=4) == {"FINISHED"}
    assert not bpy.ops.neurarig.train_profile.poll(), "one at a time"
    wait()
    assert "Trained on 'Plain Biped'" in trainer.progress()[1], trainer.progress()
    assert gait_source.is_trained(obj.neurarig.walk) and obj.neurarig.walk.use_trained
    by_network = played(obj, (3, 9, 15, 21))
    assert 0.0 < np.abs(by_network - by_formulas).max() < 1e-3
    obj.neurarig.walk.use_trained = False
    assert np.array_equal(played(obj, (3, 9, 15, 21)), by_formulas)
    obj.neurarig.walk.use_trained = True
    obj.neurarig.walk.profile_constants["lift_share"].value = 0.2
    assert not gait_source.is_trained(obj.neurarig.walk), "weights for other constants are not used"
    assert np.abs(seen(obj, 9) - by_network[1]).max() > 1e-3 and not obj.neurarig.walk.error


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a shell script")
def test_a_python_without_torch_is_told_the_line_that_installs_it(tmp_path: Path) -> None:
    walker(profile="Plain Biped")
    python = stand_in(tmp_path, "echo \"ModuleNotFoundError: No module named 'torch'\" >&2; exit 1")
    assert bpy.ops.neurarig.train_profile(python=python) == {"FINISHED"}
    wait()
    assert trainer.progress()[1] == f"'{python}' has no 'torch'. Install it in a terminal: \"{python}\" -m pip install torch numpy"


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a shell script")
def test_a_training_can_be_cancelled_and_leaves_nothing(tmp_path: Path) -> None:
    obj = walker(profile="Plain Biped")
    for end in (bpy.ops.neurarig.cancel_training, neurarig_addon.unregister):
        bpy.ops.neurarig.train_profile(python=stand_in(tmp_path, "exec sleep 60"))
        trainer._look()
        process, folder = trainer._run.process, Path(trainer._run.folder.name)
        assert process.poll() is None and folder.is_dir()
        end()
        assert process.poll() is not None and not folder.exists() and not bpy.app.timers.is_registered(trainer._look)
    neurarig_addon.register()
    assert not obj.neurarig.walk.profile_weights


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a shell script")
def test_a_training_that_fails_says_why(tmp_path: Path) -> None:
    walker(profile="Plain Biped")
    bpy.ops.neurarig.train_profile(python=stand_in(tmp_path, 'case "$1" in -c) exit 0;; *) echo "out of memory" >&2; exit 3;; esac'))
    wait()
    assert trainer.progress()[1] == "The training failed: out of memory"


def test_without_a_python_the_preferences_are_named() -> None:
    walker(profile="Plain Biped")
    with pytest.raises(RuntimeError, match="set Training Python in NeuraRig's preferences"):
        bpy.ops.neurarig.train_profile(python="/no/such/python")


def test_damaged_weights_stop_the_walk_with_one_sentence() -> None:
    obj = walker(profile="Plain Biped")
    text = gait_source.profile_of(obj.neurarig.walk).to_json()
    obj.neurarig.walk.profile_weights = "no base64!"
    obj.neurarig.walk.profile_weights_for = f"{gait_source.digest(text)}:x"
    obj.neurarig.walk.profile_weights = "AAAA"
    assert "Train again" in obj.neurarig.walk.error or "weights file" in obj.neurarig.walk.error
    obj.neurarig.walk.use_trained = False
    assert bpy.ops.neurarig.resume_walk() == {"FINISHED"}
