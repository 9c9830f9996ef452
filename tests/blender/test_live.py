"""The live walk: a function of the frame alone, that follows edits."""

from pathlib import Path
from types import SimpleNamespace

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.animation import compat, write_pose
from neurarig_addon.blender.interface import report_text
from neurarig_addon.blender.walk.show import live
from neurarig_addon.blender.walk.source import keys, memory
from neurarig_addon.blender.walk.source import source as walk_source
from neurarig_addon.core.gait.sliders.style import SLIDERS
from tests.blender.filming import rendered_heads
from tests.blender.walking import driven_bones, key_speed, moved_feet, played, seen, seen_now, walker
from tests.refusals import refuses
from tests.rigs import rigify_human

FRAMES = list(range(1, 41))
SAME = 1e-5  # metres


@pytest.mark.parametrize("mode", ["IN_PLACE", "TRAVEL"])
@pytest.mark.parametrize("keyed", [False, True])
def test_scrubbing_equals_playback(mode, keyed):
    obj = walker(mode=mode)
    if keyed:
        key_speed(obj)
    in_order = played(obj, FRAMES)
    shuffled = np.random.default_rng(5).permutation(len(FRAMES))
    assert np.abs(played(obj, [FRAMES[k] for k in shuffled]) - in_order[shuffled]).max() < SAME
    assert moved_feet(obj) > 0.1


def test_a_keyed_speed_needs_no_playback_before_it():
    obj = walker(mode="TRAVEL")
    key_speed(obj)
    reached = -seen(obj, 61)[0, 0, 1]
    seconds = np.linspace(0.0, 60.0 / 24.0, 2001)
    action, slot = compat.assigned(obj.animation_data)
    speed = compat.find_channels(action, slot).find("neurarig.walk.speed")
    expected = (
        np.trapezoid([speed.evaluate(1 + 24 * at) for at in seconds], seconds)
        if hasattr(np, "trapezoid")
        else None
    )
    # the pelvis also sways about the travel
    assert expected is None or reached == pytest.approx(expected, abs=0.1)
    assert reached > 2.0


def test_a_slider_shows_at_once():
    obj = walker()
    before = seen(obj, 8)
    obj.neurarig.walk.crouch = 0.2
    bpy.context.view_layer.update()
    now = seen_now(obj)
    assert np.abs(now - before).max() > 0.05
    assert np.abs(seen(obj, 8) - now).max() < SAME


def test_an_edited_key_of_a_slider_shows_in_every_frame():
    obj = walker(mode="TRAVEL")
    key_speed(obj)
    before = seen(obj, 60)
    curve = compat.find_channels(*compat.assigned(obj.animation_data)).find("neurarig.walk.speed")
    curve.keyframe_points[0].co.y = 1.8
    curve.update()
    assert -(seen(obj, 60) - before)[0, 0, 1] > 1.0


def test_a_driven_slider_counts_as_it_stands():
    obj = walker()
    upright = seen(obj, 8)
    driver = obj.driver_add("neurarig.walk.crouch").driver
    driver.type, driver.expression = "SCRIPTED", "0.2"
    bpy.context.view_layer.update()
    assert np.abs(seen(obj, 8) - upright).max() > 0.05


@pytest.mark.parametrize("others", [0, 10, 200])
def test_a_driven_slider_is_seen_among_any_number_of_drivers(others: int):
    obj = walker()
    for number in range(others):
        obj[f"p{number}"] = 0.0
        obj.driver_add(f'["p{number}"]')
    assert not keys.is_late(obj)
    driver = obj.driver_add("neurarig.walk.lean")
    assert keys.is_late(obj)
    driver.mute = True
    bpy.context.view_layer.update()
    assert not keys.is_late(obj)
    driver.mute, driver.data_path = False, "neurarig.walk.crouch"
    bpy.context.view_layer.update()
    assert keys.is_late(obj)


@pytest.mark.parametrize("bone", [0, -1])
def test_a_pose_that_differs_in_one_property_is_set_and_the_same_is_not(bone: int):
    obj, told = walker(), []
    seen(obj, 8)
    posed = SimpleNamespace(pose=obj.pose, update_tag=lambda refresh: told.append(refresh))
    row = walk_source.row_at(obj, bpy.context.scene, 8.0)
    name, prop, _, columns = row.block.channels.properties[bone]
    wanted = row.block.channels.row(row.index)[columns]
    write_pose.apply_row(posed, row.block.channels, row.index)
    assert not told
    obj.pose.bones[name].path_resolve(prop, False).foreach_set([0.5] * len(wanted))
    write_pose.apply_row(posed, row.block.channels, row.index)
    assert getattr(obj.pose.bones[name], prop)[:] == wanted
    assert told == [{"DATA"}]


def test_two_characters_walk_on_their_own():
    slow, fast = (
        walker(name, speed=speed, mode="TRAVEL", travel_with="OBJECT")
        for name, speed in (("Slow", 0.8), ("Fast", 1.6))
    )
    fast.location.x = 2.0
    bpy.context.view_layer.update()
    seen(slow, 49)
    assert slow.location.y == pytest.approx(-1.6, abs=0.2)
    assert fast.location.y == pytest.approx(-3.2, abs=0.4)
    assert fast.location.x == pytest.approx(2.0)


def test_a_failing_character_stops_alone_and_says_why(capsys):
    broken, sound = walker("Broken"), walker("Sound")
    bpy.context.view_layer.objects.active = broken
    bpy.ops.object.mode_set(mode="EDIT")
    lost = next(name for name in driven_bones(broken) if not name.startswith(("Left", "Right")))
    broken.data.edit_bones.remove(broken.data.edit_bones[lost])
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.view_layer.update()
    capsys.readouterr()
    assert moved_feet(sound) > 0.1
    assert not broken.neurarig.walk.live
    assert lost in broken.neurarig.walk.error
    assert sound.neurarig.walk.live and not sound.neurarig.walk.error


def test_a_role_without_its_bone_in_mid_walk_is_named():
    obj = walker()
    obj.neurarig.roles["shin.L"].bone = "Shank"
    bpy.context.view_layer.update()
    assert (
        not obj.neurarig.walk.live and "'Shank' for shin.L is not on this armature" in obj.neurarig.walk.error
    )
    obj.neurarig.roles["shin.L"].bone = "LeftLeg"
    api.resume_walk(obj)
    assert moved_feet(obj) > 0.1


def test_what_can_be_keyed_is_followed():
    settings = walker().neurarig.walk.bl_rna.properties
    assert {setting.identifier for setting in settings if setting.is_animatable} == {*SLIDERS, "layer_weight"}


def test_the_pace_beside_the_sliders_is_that_of_the_report():
    obj = walker(stride=1.3)
    report = api.contact_report(obj)
    assert memory.pace(obj, 7) == pytest.approx((report["stride_m"], report["cycle_frames"]))
    key_speed(obj)
    bpy.context.scene.frame_set(60)
    assert memory.pace(obj, 60)[0] > 1.5 * memory.pace(obj, 1)[0]
    still = walker("Still", speed=0.0)
    assert report_text.pace(*memory.pace(still, 1)) == "Stands at this frame"


@pytest.mark.parametrize("setting", ["speed", "phase", "energy", "start_frame"])
def test_by_a_setting_that_is_no_number_the_walk_goes_on_as_it_was_and_tells(setting, capsys):
    obj = walker()
    shown, before = seen(obj, 8), getattr(obj.neurarig.walk, setting)
    setattr(obj.neurarig.walk, setting, float("nan"))
    assert (seen(obj, 8) == shown).all()
    assert obj.neurarig.walk.live and f"'{setting}' of 'Hero' is not a number" in obj.neurarig.walk.error
    with refuses("not a number"):
        api.contact_report(obj)
    assert "internal error" not in capsys.readouterr().out
    setattr(obj.neurarig.walk, setting, before)
    assert not obj.neurarig.walk.error and moved_feet(obj) > 0.1


def test_only_edits_that_matter_pose_again(monkeypatch):
    obj = walker(mode="TRAVEL")
    seen(obj, 8)
    posed = []
    monkeypatch.setattr(live, "_pose", lambda objects, *_, **__: posed.extend(objects))
    obj.update_tag()
    bystander = bpy.data.objects.new("Bystander", None)
    bpy.context.scene.collection.objects.link(bystander)
    bpy.context.view_layer.update()
    assert not posed
    obj.location.x += 1.0
    bpy.context.view_layer.update()
    assert posed == [obj]


def test_rendered_frames_and_motion_blur_are_posed(tmp_path: Path):
    obj = walker(mode="TRAVEL")
    rendered = rendered_heads(obj, "LeftFoot", tmp_path, 4)
    assert any(frame % 1 for frame in rendered) and 5.0 in rendered
    for frame, head in rendered.items():
        assert seen(obj, frame, ["LeftFoot"])[0, 0] == pytest.approx(head, abs=SAME)


def test_a_generated_rigify_rig_walks_on_its_own_controls():
    obj = rigify_human()
    api.generate_walk(obj, use_network=False)
    frames = played(obj, FRAMES[:20], ["DEF-foot.L"])
    assert np.ptp(frames[:, 0, 0], axis=0).max() > 0.1
    assert np.abs(seen(obj, 7, ["DEF-foot.L"]) - frames[6]).max() < SAME
