"""The contact report, measured on what Blender evaluates."""

import json

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.animation.steps import finish
from neurarig_addon.blender.walk.api.report import measure_steps
from tests.blender.walking import walker
from tests.rigs import biped, build, fbx_matrix, rigify_human

pytestmark = pytest.mark.usefixtures("addon")

WHERE = [("IN_PLACE", "OBJECT"), ("TRAVEL", "OBJECT"), ("TRAVEL", "BONE")]


@pytest.mark.parametrize(("mode", "travel_with"), WHERE)
def test_a_walk_keeps_the_contract(mode, travel_with):
    obj = walker(mode=mode, travel_with=travel_with)
    report = json.loads(obj.neurarig.walk.report)
    assert report["past_limits"] == []
    assert report["ground_speed_m_s"] == pytest.approx(obj.neurarig.walk.natural_speed, rel=0.02)


@pytest.mark.parametrize(("mode", "travel_with"), WHERE)
def test_the_report_is_the_same_for_other_units_and_facings(mode, travel_with):
    reference = json.loads(walker(mode=mode, travel_with=travel_with).neurarig.walk.report)
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


def test_measuring_leaves_the_frame_alone():
    obj = walker()
    bpy.context.scene.frame_set(12, subframe=0.25)
    finish(measure_steps(bpy.context, obj, np.arange(1.0, 9.0)))
    assert bpy.context.scene.frame_current_final == pytest.approx(12.25)


def test_rigify_keeps_the_contract():
    obj = rigify_human()
    report = api.generate_walk(obj, use_network=False, mode="TRAVEL")
    assert report["past_limits"] == []
    assert report["seam_m"] < 1e-5
