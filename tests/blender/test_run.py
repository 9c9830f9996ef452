"""A run on a character: in the air between steps, planted, changed to and from a walk, refused in one
sentence."""

import numpy as np
import pytest

from neurarig_addon.blender import api
from tests.blender.command_line import run
from tests.blender.walking import played, walker
from tests.refusals import refuses


@pytest.mark.few(2)
@pytest.mark.parametrize("controls", ["AUTO", "FK"])
@pytest.mark.parametrize("speed", [2.5, 3.5, 6.0])
def test_a_character_runs_with_its_feet_planted_and_flies_between_steps(controls, speed):
    obj = walker(gait="RUN", speed=speed, controls=controls, mode="TRAVEL")
    report = api.contact_report(obj, (1, 60))
    leg = 1000.0 * report["leg_length_m"]
    assert max(side["max"] for side in report["slip_mm"].values()) < 1e-3 * leg
    assert report["penetration_mm"] < 1e-3 * leg
    assert all(duty < 0.45 for duty in report["duty_factor"].values())
    assert report["reach"] < 1.0
    soles = played(obj, range(1, 40), ["LeftToeBase", "RightToeBase"])[..., 2].min(axis=2)
    standing = min(obj.data.bones[name].tail_local.z for name in ("LeftToeBase", "RightToeBase"))
    flying = (soles > standing + 0.02).all(axis=1)
    assert (np.diff(flying.astype(int)) == 1).sum() >= 2, "both toes are off the ground again and again"


def test_choosing_to_run_brings_a_running_speed_and_walking_the_walk_back():
    obj = walker()
    settings = obj.neurarig.walk
    walking = settings.speed
    settings.gait = "RUN"
    assert 2.0 < settings.speed < 4.0
    settings.gait = "WALK"
    assert settings.speed == pytest.approx(walking)
    settings.speed = 1.7
    settings.gait = "RUN"
    assert settings.speed == pytest.approx(1.7), "a speed that somebody chose stays"


def test_a_keyed_speed_goes_from_standing_to_a_run_and_back_with_planted_feet():
    obj = walker(gait="BY_SPEED", mode="TRAVEL")
    settings = obj.neurarig.walk
    for frame, speed in ((1, 0.0), (30, 1.3), (70, 3.5), (110, 3.5), (160, 0.0)):
        settings.speed = speed
        settings.keyframe_insert("speed", frame=frame)
    report = api.contact_report(obj, (1, 170))
    assert max(side["max"] for side in report["slip_mm"].values()) < 0.5
    assert report["penetration_mm"] < 1.0
    running = played(obj, range(75, 105), ["LeftToeBase", "RightToeBase"])[..., 2].min(axis=2)
    walking = played(obj, range(25, 45), ["LeftToeBase", "RightToeBase"])[..., 2].min(axis=2)
    assert running.min(axis=1).max() > walking.min(axis=1).max() + 0.02, "only the run leaves the ground"
    forward = played(obj, [20, 66, 90, 140])
    backward = played(obj, [140, 90, 66, 20])[::-1]
    assert (forward == backward).all()


def test_what_is_no_gait_is_refused():
    obj = walker()
    with refuses("is not a gait; choose one of WALK, RUN, BY_SPEED"):
        api.generate_walk(obj, gait="MOONWALK")
    assert obj.neurarig.walk.gait == "WALK"


def test_the_command_line_runs(tmp_path, capsys):
    walker()
    assert run("walk", "--gait", "run", "--speed", "3.5", "--bake", "--frames", "1", "30") == 0
    assert "runs at 3.5 m/s" in capsys.readouterr().out
