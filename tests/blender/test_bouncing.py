"""Skips, gallops and hops on a character: planted, in the air, baked, in a loop, with footprints, refused in
one sentence."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.blender import api
from neurarig_addon.blender.walk.api import prints as footprints
from tests.blender.command_line import run
from tests.blender.walking import played, walker
from tests.refusals import refuses

FEET = ["LeftFoot", "RightFoot"]
KINDS = (
    {"gait": "SKIP"},
    {"gait": "GALLOP", "lead": "LEFT"},
    {"gait": "GALLOP"},
    {"gait": "HOP"},
    {"gait": "HOP", "hop_on": "LEFT"},
)
ALL = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: "-".join(kind.values()))


@pytest.mark.few(3)
@ALL
@pytest.mark.parametrize("controls", ["AUTO", "FK"])
def test_feet_are_planted_and_everybody_flies(kind, controls):
    obj = walker(controls=controls, mode="TRAVEL", **kind)
    report = api.contact_report(obj, (1, 60))
    leg = 1000.0 * report["leg_length_m"]
    assert max(side["max"] or 0.0 for side in report["slip_mm"].values()) < 1e-3 * leg
    assert report["penetration_mm"] < 1e-3 * leg and report["reach"] < 1.0
    assert not report["past_limits"]
    toes = ["LeftToeBase", "RightToeBase"]
    soles = played(obj, range(1, 60), toes)[..., 2].min(axis=2)
    standing = min(obj.data.bones[name].tail_local.z for name in toes)
    flying = (soles > standing + 0.01).all(axis=1)
    assert (np.diff(flying.astype(int)) == 1).sum() >= 2, "both toes are off the ground again and again"


def test_a_gait_brings_its_natural_speed_and_gives_the_walks_back():
    obj = walker()
    settings = obj.neurarig.walk
    walking = settings.speed
    speeds = []
    for gait in ("SKIP", "GALLOP", "HOP", "RUN"):
        settings.gait = gait
        speeds.append(settings.speed)
    assert len(set(speeds)) == 4 and min(speeds) > 0.5
    settings.gait = "WALK"
    assert settings.speed == pytest.approx(walking)


@ALL
def test_it_is_baked_also_as_a_loop_and_removed(kind):
    obj = walker(mode="TRAVEL", **kind)
    live = played(obj, range(1, 40, 3), [*FEET, "Hips", "RightHand"])
    action = api.bake_walk(obj, frame_start=1, frame_end=40)
    assert action is obj.animation_data.action
    assert_allclose(played(obj, range(1, 40, 3), [*FEET, "Hips", "RightHand"]), live, atol=1e-5)
    obj.neurarig.walk.live = True
    obj.neurarig.walk.mode = "IN_PLACE"
    cycle = round(api.contact_report(obj, (1, 60))["cycle_frames"])
    one = played(obj, range(1, 1 + 2 * cycle), FEET)
    api.bake_walk(obj, loop=True)
    assert_allclose(played(obj, range(1, 1 + 2 * cycle), FEET), one, atol=1e-5)
    api.remove_walk(obj)


def test_a_keyed_speed_starts_and_stops_with_planted_feet_in_any_order():
    obj = walker(gait="SKIP", mode="TRAVEL")
    settings = obj.neurarig.walk
    for frame, speed in ((1, 0.0), (30, 1.9), (80, 2.4), (120, 0.0)):
        settings.speed = speed
        settings.keyframe_insert("speed", frame=frame)
    report = api.contact_report(obj, (1, 140))
    assert max(side["max"] for side in report["slip_mm"].values()) < 0.5 and report["penetration_mm"] < 1.0
    forward, backward = played(obj, [20, 66, 90, 140]), played(obj, [140, 90, 66, 20])[::-1]
    assert (forward == backward).all()


def test_footprints_of_a_skip_are_four_a_cycle_and_of_a_hop_on_one_foot_one():
    obj = walker(gait="SKIP", mode="TRAVEL")
    report = api.contact_report(obj, (1, 60))
    assert report["cadence_steps_min"] == pytest.approx(240.0 * 24.0 / report["cycle_frames"])
    skips = footprints.prints_between(obj, 1, 60)
    assert len(skips) == pytest.approx(4.0 * 60.0 / report["cycle_frames"], abs=4)
    api.edit_print(obj, "LEFT", 2, along=0.1)
    assert max(side["max"] for side in api.contact_report(obj, (1, 60))["slip_mm"].values()) < 0.5
    obj.neurarig.walk.gait, obj.neurarig.walk.hop_on = "HOP", "RIGHT"
    assert {side for side, _ in footprints.prints_between(obj, 1, 60)} == {"RIGHT"}
    with refuses("left foot of 'Hero' never touches the ground"):
        api.edit_print(obj, "LEFT", 2, along=0.1)


def test_what_it_cannot_is_told_in_a_sentence_and_leaves_the_walk():
    obj = walker(mode="TRAVEL")
    with refuses(r"always faces the way it goes\. Set Facing to 0"):
        api.generate_walk(obj, gait="SKIP", facing=40.0)
    assert obj.neurarig.walk.gait == "WALK"
    with refuses("is not a hop_on; choose one of LEFT, RIGHT, BOTH"):
        api.generate_walk(obj, gait="HOP", hop_on="HANDS")


def test_the_command_line_skips(capsys):
    walker()
    assert run("walk", "--gait", "gallop", "--lead", "left", "--bake", "--frames", "1", "30") == 0
    assert "gallops at" in capsys.readouterr().out
