"""The contact report, measured on what Blender evaluates."""

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.animation.steps import finish
from neurarig_addon.blender.interface import report_text
from neurarig_addon.blender.walk.api.report import cause_of, measure_steps
from neurarig_addon.blender.walk.source.source import source_of
from tests.blender.walking import walker
from tests.rigs import biped, build, fbx_matrix

WHERE = [("IN_PLACE", "OBJECT"), ("TRAVEL", "OBJECT"), ("TRAVEL", "BONE")]


@pytest.mark.parametrize(("mode", "travel_with"), WHERE)
def test_a_walk_keeps_the_contract(mode, travel_with):
    obj = walker(mode=mode, travel_with=travel_with)
    report = api.contact_report(obj)
    assert report["past_limits"] == []
    assert report["ground_speed_m_s"] == pytest.approx(obj.neurarig.walk.natural_speed, rel=0.02)


@pytest.mark.parametrize(("mode", "travel_with"), WHERE)
def test_the_report_is_the_same_for_other_units_and_facings(mode, travel_with):
    reference = api.contact_report(walker(mode=mode, travel_with=travel_with))
    obj = build(biped(), "Fbx", fbx_matrix(70.0))
    report = api.generate_walk(obj, use_network=False, mode=mode, travel_with=travel_with)
    for name in ("stride_m", "ground_speed_m_s", "reach", "toe_clearance_mm", "leg_length_m"):
        assert report[name] == pytest.approx(reference[name], rel=2e-3)
    assert report["past_limits"] == []


@pytest.mark.parametrize("target", ["CONTROLS", "DEFORM"])
def test_baked_walks_report_what_live_ones_do(target):
    obj = walker(mode="TRAVEL")
    live = api.contact_report(obj, (1, 40))
    api.bake_walk(obj, frame_start=1, frame_end=40, target=target)
    baked = api.contact_report(obj, (1, 40))
    for side in "LR":
        assert baked["slip_mm"][side]["max"] == pytest.approx(live["slip_mm"][side]["max"], abs=0.02)
    assert baked["toe_clearance_mm"] == pytest.approx(live["toe_clearance_mm"], abs=0.02)


def test_a_foot_moved_by_hand_on_top_of_a_bake_is_seen():
    obj = walker()
    baked = api.bake_walk(obj, frame_start=1, frame_end=40, target="DEFORM")
    assert baked
    obj.pose.bones["LeftFoot"].constraints.new("LIMIT_ROTATION").use_limit_x = True
    report = api.contact_report(obj, (1, 40))
    assert "slip_mm" in report["past_limits"] or "penetration_mm" in report["past_limits"]


@pytest.mark.parametrize(
    ("settings", "keys", "seen", "cure"),
    [
        ({"speed": 5.0}, (), "a knee snaps", "lower the speed, or set Gait to By Speed"),
        ({"speed": 2.0, "bounce": 3.0}, (), "thrown about", "bring the sliders nearer to their defaults"),
        (
            {"speed": 1.2},
            (("crouch", 20, 0.0), ("crouch", 22, 0.3)),
            "thrown about",
            "give the keyed sliders more frames",
        ),
    ],
)
def test_a_body_that_is_thrown_about_is_told_with_frame_and_cure(settings, keys, seen, cure):
    obj = walker(**settings, use_network=True)
    for slider, frame, value in keys:
        setattr(obj.neurarig.walk, slider, value)
        obj.neurarig.walk.keyframe_insert(slider, frame=frame)
    report = api.contact_report(obj)
    told = report_text.warning(obj.name, report)
    worst = report_text.worst_jolt(report)
    assert (
        told.startswith(f"'Hero': At frame {report['worst_frames'][worst]:g} ")
        and seen in told
        and told.endswith(f"{cure}.")
    )
    assert told.endswith(report_text.read(obj.neurarig.walk.report).advice)


def test_all_keyed_changes_of_speed_are_measured_and_blamed_if_a_steady_speed_is_better():
    obj = walker(use_network=True, mode="TRAVEL")
    for frame, speed in ((1, 0.6), (90, 0.6), (94, 0.0)):
        obj.neurarig.walk.speed = speed
        obj.neurarig.walk.keyframe_insert("speed", frame=frame)
    report = api.contact_report(obj)
    assert (
        report["frames"] == [1.0, 130.0] and 80.0 < report["worst_frames"]["pelvis_acceleration_m_s2"] < 100.0
    )
    report["limits"]["pelvis_acceleration_m_s2"] = 0.9 * report["pelvis_acceleration_m_s2"]
    source, frames = source_of(obj, bpy.context.scene), np.arange(1.0, 131.0)
    assert cause_of(source, "pelvis_acceleration_m_s2", frames, report) == "speed"


def test_measuring_leaves_the_frame_alone():
    obj = walker()
    bpy.context.scene.frame_set(12, subframe=0.25)
    finish(measure_steps(obj, np.arange(1.0, 9.0)))
    assert bpy.context.scene.frame_current_final == pytest.approx(12.25)
