"""Training on a profile: its weights drive the walk, live and in the file; Esc leaves nothing; damaged
weights are told of."""

import tempfile
from pathlib import Path

import bpy
import numpy as np
import pytest

from neurarig_addon.blender.walk.manner import gait_source, profiles
from tests.blender.walking import played, seen, walker


def test_the_trained_network_drives_the_walk_and_needs_no_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    obj = walker(profile="Plain Biped")
    by_formulas = played(obj, (3, 9, 15, 21))
    assert bpy.ops.neurarig.train_profile() == {"FINISHED"}
    assert gait_source.is_trained(obj.neurarig.walk) and obj.neurarig.walk.use_trained
    by_network = played(obj, (3, 9, 15, 21))
    assert 0.0 < np.abs(by_network - by_formulas).max() < 1e-3
    obj.neurarig.walk.use_trained = False
    assert np.array_equal(played(obj, (3, 9, 15, 21)), by_formulas)
    obj.neurarig.walk.use_trained = True
    obj.neurarig.walk.profile_constants["lift_share"].value = 0.2
    assert not gait_source.is_trained(obj.neurarig.walk), "weights for other constants are not used"
    assert np.abs(seen(obj, 9) - by_network[1]).max() > 1e-3 and not obj.neurarig.walk.error


def test_training_that_is_ended_early_changes_nothing() -> None:
    obj = walker(profile="Plain Biped")
    steps = profiles.train_steps(obj, 40, 1)
    assert next(steps) == 0.0 < next(steps) < 1.0
    steps.close()
    assert not obj.neurarig.walk.profile_weights and not obj.neurarig.walk.profile_weights_for


def test_damaged_weights_stop_the_walk_with_one_sentence() -> None:
    obj = walker(profile="Plain Biped")
    text = gait_source.profile_of(obj.neurarig.walk).to_json()
    obj.neurarig.walk.profile_weights = "no base64!"
    obj.neurarig.walk.profile_weights_for = f"{gait_source.digest(text)}:x"
    obj.neurarig.walk.profile_weights = "AAAA"
    assert "Train again" in obj.neurarig.walk.error or "weights file" in obj.neurarig.walk.error
    obj.neurarig.walk.use_trained = False
    assert bpy.ops.neurarig.resume_walk() == {"FINISHED"}
