"""Skips, gallops and hops on a character: planted, in the air, baked, in a loop, with footprints, refused in
one sentence."""

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.walk.api import prints as footprints
from neurarig_addon.core.errors import NeuraRigError
from tests.blender.command_line import run
from tests.blender.walking import played, walker

pytestmark = pytest.mark.usefixtures("addon")

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


@pytest.mark.few
@ALL
def test_it_is_baked_also_as_a_loop_and_removed(kind):
    obj = walker(mode="TRAVEL", **kind)
    live = played(obj, range(1, 40, 3), [*FEET, "Hips", "RightHand"])
    action = api.bake_walk(obj, frame_start=1, frame_end=40)
    assert action is obj.animation_data.action
    np.testing.assert_allclose(played(obj, range(1, 40, 3), [*FEET, "Hips", "RightHand"]), live, atol=1e-5)
    obj.neurarig.walk.live = True
    obj.neurarig.walk.mode = "IN_PLACE"
    cycle = round(api.contact_report(obj, (1, 60))["cycle_frames"])
    one = played(obj, range(1, 1 + 2 * cycle), FEET)
    api.bake_walk(obj, loop=True)
    np.testing.assert_allclose(played(obj, range(1, 1 + 2 * cycle), FEET), one, atol=1e-5)
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
    with pytest.raises(NeuraRigError, match="left foot of 'Hero' never touches the ground"):
        api.edit_print(obj, "LEFT", 2, along=0.1)


def test_along_a_path_round_a_bend():
    curve = bpy.data.curves.new("Way", "CURVE")
    curve.dimensions = "3D"
    spline = curve.splines.new("BEZIER")
    spline.bezier_points.add(1)
    for point, place in zip(spline.bezier_points, ((0.0, 0.0, 0.0), (4.0, -5.0, 0.0)), strict=True):
        point.co = place
        point.handle_left_type = point.handle_right_type = "AUTO"
    path = bpy.data.objects.new("Way", curve)
    bpy.context.scene.collection.objects.link(path)
    for kind in KINDS:
        obj = walker(mode="PATH", path=path, **kind)
        report = api.contact_report(obj, (1, 120))
        assert (
            max(side["max"] or 0.0 for side in report["slip_mm"].values()) < 0.5
            and report["penetration_mm"] < 1.0
        )
        api.remove_walk(obj)


@pytest.mark.few
@ALL
def test_trunk_arms_and_head_take_a_style_and_feet_stay_planted(kind):
    obj = walker(mode="TRAVEL", **kind)
    plain = played(obj, range(1, 30, 3), ["Head"])
    api.generate_walk(obj, styles={"Sad": 1.0}, variation=1.0, speed=obj.neurarig.walk.speed)
    report = api.contact_report(obj, (1, 60))
    assert (
        max(side["max"] or 0.0 for side in report["slip_mm"].values()) < 0.5
        and report["penetration_mm"] < 1.0
    )
    assert np.abs(played(obj, range(1, 30, 3), ["Head"]) - plain).max() > 0.01


def test_what_it_cannot_is_told_in_a_sentence_and_leaves_the_walk():
    obj = walker(mode="TRAVEL")
    with pytest.raises(NeuraRigError, match=r"always faces the way it goes\. Set Facing to 0"):
        api.generate_walk(obj, gait="SKIP", facing=40.0)
    assert obj.neurarig.walk.gait == "WALK"
    with pytest.raises(NeuraRigError, match="is not a hop_on; choose one of LEFT, RIGHT, BOTH"):
        api.generate_walk(obj, gait="HOP", hop_on="HANDS")


def test_the_command_line_skips(capsys):
    walker()
    assert run("walk", "--gait", "gallop", "--lead", "left", "--bake", "--frames", "1", "30") == 0
    assert "gallops at" in capsys.readouterr().out
