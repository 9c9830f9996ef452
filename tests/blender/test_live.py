"""The live walk: a function of the frame alone, that follows edits and survives what a session brings."""

from pathlib import Path

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api, compat, report_text
from neurarig_addon.blender.walk import live, walk_source
from neurarig_addon.core.gait.style import SLIDERS
from tests.blender.walking import driven_bones, played, seen, seen_now, walker
from tests.rigs import biped, build, rigify_human

pytestmark = pytest.mark.usefixtures("addon")

FRAMES = list(range(1, 41))
SAME = 1e-5  # metres


def moved_feet(obj: bpy.types.Object) -> float:
    """Return how far a foot bone moves within the walk."""
    frames = played(obj, range(1, 30, 4), ["LeftFoot"])
    return float(np.ptp(frames[..., 0, :], axis=0).max())


def key_speed(obj: bpy.types.Object) -> None:
    """Key the speed from 0.6 to 1.8 m/s over the first 60 frames."""
    for frame, speed in ((1, 0.6), (60, 1.8)):
        obj.neurarig.speed = speed
        obj.neurarig.keyframe_insert("speed", frame=frame)


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
    speed = compat.find_channels(action, slot).find("neurarig.speed")
    expected = np.trapezoid([speed.evaluate(1 + 24 * at) for at in seconds], seconds) if hasattr(np, "trapezoid") else None
    assert expected is None or reached == pytest.approx(expected, abs=0.1)  # the pelvis also sways about the travel
    assert reached > 2.0


def test_subframes_lie_between_frames():
    obj = walker()
    before, between, after = (seen(obj, frame, ["LeftFoot"]) for frame in (6, 6.5, 7))
    assert np.abs(between - (before + after) / 2).max() < 0.02
    assert np.abs(between - before).max() > 1e-3


def test_a_slider_shows_at_once():
    obj = walker()
    before = seen(obj, 8)
    obj.neurarig.crouch = 0.2
    bpy.context.view_layer.update()
    now = seen_now(obj)
    assert np.abs(now - before).max() > 0.05
    assert np.abs(seen(obj, 8) - now).max() < SAME


def test_an_edited_key_of_a_slider_shows_in_every_frame():
    obj = walker(mode="TRAVEL")
    key_speed(obj)
    before = seen(obj, 60)
    curve = compat.find_channels(*compat.assigned(obj.animation_data)).find("neurarig.speed")
    curve.keyframe_points[0].co.y = 1.8
    curve.update()
    assert -(seen(obj, 60) - before)[0, 0, 1] > 1.0


def test_a_driven_slider_counts_as_it_stands():
    obj = walker()
    upright = seen(obj, 8)
    driver = obj.driver_add("neurarig.crouch").driver
    driver.type, driver.expression = "SCRIPTED", "0.2"
    bpy.context.view_layer.update()
    assert np.abs(seen(obj, 8) - upright).max() > 0.05


def test_two_characters_walk_on_their_own():
    slow, fast = walker("Slow", speed=0.8, mode="TRAVEL"), walker("Fast", speed=1.6, mode="TRAVEL")
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
    assert not broken.neurarig.live
    assert lost in broken.neurarig.error
    assert sound.neurarig.live and not sound.neurarig.error


def test_a_bone_renamed_in_mid_walk_is_named():
    obj = walker()
    obj.data.bones["LeftLeg"].name = "Shank"
    bpy.context.view_layer.update()
    assert not obj.neurarig.live and "'LeftLeg' for shin.L is not on this armature" in obj.neurarig.error
    obj.neurarig.roles["shin.L"].bone = "Shank"
    api.resume_walk(obj)
    assert moved_feet(obj) > 0.1


def test_what_can_be_keyed_is_followed():
    settings = walker().neurarig.bl_rna.properties
    assert {setting.identifier for setting in settings if setting.is_animatable} == set(SLIDERS)


def test_the_pace_beside_the_sliders_is_that_of_the_report():
    obj = walker(stride=1.3)
    report = api.contact_report(obj)
    assert walk_source.pace(obj, 7) == pytest.approx((report["stride_m"], report["cycle_frames"]))
    key_speed(obj)
    bpy.context.scene.frame_set(60)
    assert walk_source.pace(obj, 60)[0] > 1.5 * walk_source.pace(obj, 1)[0]
    still = walker("Still", speed=0.0)
    assert report_text.pace(*walk_source.pace(still, 1)) == "0.000 m"


def test_a_failure_is_reported_once(capsys, monkeypatch):
    obj = walker()

    def fail(*_):
        raise ZeroDivisionError("no such luck")

    monkeypatch.setattr(live, "apply_row", fail)
    for frame in range(2, 8):
        bpy.context.scene.frame_set(frame)
    assert capsys.readouterr().out.count("NeuraRig:") == 1
    assert "no such luck" in obj.neurarig.error and not obj.neurarig.live


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


def test_a_resized_object_keeps_walking_in_metres():
    obj = walker(mode="TRAVEL", whole_frames=False)
    obj.scale = (2.0, 2.0, 2.0)
    bpy.context.view_layer.update()
    seen(obj, 25)
    assert obj.location.y == pytest.approx(-obj.neurarig.speed, rel=0.01)


@pytest.mark.parametrize("by_script", [False, True])
def test_an_object_moved_in_mid_travel_goes_on_from_there(by_script):
    obj = walker(mode="TRAVEL")
    path = np.array([seen(obj, frame)[0, 0] for frame in (5, 20)])
    seen(obj, 5)
    obj.location.x += 3.0
    if not by_script:
        bpy.context.view_layer.update()
    assert seen(obj, 20)[0, 0] == pytest.approx(path[1] + [3.0, 0.0, 0.0], abs=1e-4)
    assert seen(obj, 5)[0, 0] == pytest.approx(path[0] + [3.0, 0.0, 0.0], abs=1e-4)


def test_travel_is_in_the_space_of_a_turned_parent():
    obj = build(biped(), "Hero")
    parent = bpy.data.objects.new("Ship", None)
    bpy.context.scene.collection.objects.link(parent)
    parent.rotation_euler.z, parent.location.x = np.pi / 2, 4.0
    obj.parent = parent
    bpy.context.view_layer.update()
    api.generate_walk(obj, use_network=False, mode="TRAVEL")
    start, end = seen(obj, 1)[0, 0], seen(obj, 25)[0, 0]
    assert (end - start)[:2] == pytest.approx([obj.neurarig.speed, 0.0], abs=0.15)


def test_the_root_bone_travels_instead_of_the_object():
    obj = walker(mode="TRAVEL")
    with_object = played(obj, (1, 20, 40))
    obj.neurarig.travel_with = "BONE"
    assert np.abs(played(obj, (1, 20, 40)) - with_object).max() < SAME
    assert obj.location.length == 0.0


def test_back_in_place_the_object_is_back():
    obj = walker(mode="TRAVEL")
    seen(obj, 30)
    obj.neurarig.mode = "IN_PLACE"
    assert obj.location.length == 0.0


def test_removal_puts_the_object_back_where_the_user_moved_its_start():
    obj = walker(mode="TRAVEL")
    seen(obj, 30)
    obj.location.x += 1.0
    api.remove_walk(obj)
    assert tuple(obj.location) == pytest.approx((1.0, 0.0, 0.0), abs=1e-6)


def test_save_and_load(tmp_path: Path):
    obj = walker(mode="TRAVEL", speed=1.2)
    before = played(obj, FRAMES)
    bpy.context.scene.frame_set(17)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "walk.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "walk.blend"))
    obj = bpy.data.objects["Hero"]
    assert np.abs(seen_now(obj) - before[16]).max() < SAME
    assert np.abs(played(obj, FRAMES) - before).max() < SAME


def test_append(tmp_path: Path):
    before = played(walker(), FRAMES[:20])
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "walk.blend"))
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    with bpy.data.libraries.load(str(tmp_path / "walk.blend")) as (_, wanted):
        wanted.objects = ["Hero"]
    bpy.context.scene.collection.objects.link(wanted.objects[0])
    assert np.abs(played(wanted.objects[0], FRAMES[:20]) - before).max() < SAME


@pytest.mark.parametrize("mode", ["IN_PLACE", "TRAVEL"])
def test_duplicates_walk_too(mode):
    obj = walker(mode=mode)
    seen(obj, 7)
    bpy.ops.object.duplicate()
    copy = bpy.context.object
    assert copy != obj
    copy.location.x += 2.0
    bpy.context.view_layer.update()
    for frame in (12, 3):
        assert np.abs(seen(copy, frame) - seen(obj, frame) - [2.0, 0.0, 0.0]).max() < SAME


@pytest.mark.parametrize("mode", ["IN_PLACE", "TRAVEL"])
def test_copies_made_by_a_script_walk_too(mode):
    obj = walker(mode=mode)
    seen(obj, 7)
    copy = obj.copy()
    copy.data = obj.data.copy()
    copy.location.x += 2.0
    bpy.context.scene.collection.objects.link(copy)
    for frame in (12, 3):
        assert np.abs(seen(copy, frame) - seen(obj, frame) - [2.0, 0.0, 0.0]).max() < SAME


def test_duplicates_that_share_their_bones_walk_at_their_own_speed():
    obj = walker(mode="TRAVEL")
    bpy.ops.object.duplicate(linked=True)
    copy = bpy.context.object
    copy.neurarig.speed = 0.7
    seen(obj, 49)
    assert copy.location.y > obj.location.y + 0.5


def test_renamed_in_mid_play():
    obj = walker()
    before = played(obj, FRAMES[:20])
    obj.name = obj.data.name = "Somebody Else"
    decoy = build(biped(), "Hero")
    assert np.abs(played(obj, FRAMES[:20]) - before).max() < SAME
    assert not decoy.neurarig.live


def test_deleted_in_mid_play():
    gone, stays = walker("Gone"), walker("Stays")
    bpy.context.scene.frame_set(4)
    bpy.data.objects.remove(gone)
    assert moved_feet(stays) > 0.1


def test_undo_and_redo_bring_back_walk_and_place():
    obj = walker(mode="TRAVEL")
    before = played(obj, FRAMES[:20])
    bpy.context.scene.frame_set(9)
    bpy.ops.ed.undo_push(message="Walk")
    obj.location.x += 1.0
    obj.neurarig.crouch = 0.3
    bpy.context.view_layer.update()
    bpy.ops.ed.undo_push(message="Crouch, aside")
    crouched = played(obj, FRAMES[:20])
    assert np.abs(crouched - before).max() > 0.9
    bpy.ops.ed.undo()
    obj = bpy.data.objects["Hero"]
    assert np.abs(played(obj, FRAMES[:20]) - before).max() < SAME
    bpy.ops.ed.redo()
    assert np.abs(played(bpy.data.objects["Hero"], FRAMES[:20]) - crouched).max() < SAME


def test_own_action_makes_way_and_comes_back():
    obj = build(biped(), "Hero")
    bone = obj.pose.bones["LeftArm"]
    bone.rotation_quaternion = (0.0, 1.0, 0.0, 0.0)
    bone.keyframe_insert("rotation_quaternion", frame=1)
    own, slot = compat.assigned(obj.animation_data)
    keys = [tuple(point.co) for curve in compat.find_channels(own, slot) for point in curve.keyframe_points]
    slot_handle = getattr(slot, "handle", None)
    api.generate_walk(obj, use_network=False)
    assert obj.animation_data.action is None
    api.bake_walk(obj, frame_start=1, frame_end=10)
    api.remove_walk(obj)
    assert obj.animation_data.action == own
    assert getattr(obj.animation_data, "action_slot", None) is None or obj.animation_data.action_slot.handle == slot_handle
    assert keys == [tuple(point.co) for curve in compat.find_channels(own, slot) for point in curve.keyframe_points]
    assert len(obj.animation_data.nla_tracks) == 0


def test_an_action_of_sliders_alone_stays():
    obj = build(biped(), "Hero")
    key_speed(obj)
    api.generate_walk(obj, use_network=False)
    assert obj.animation_data.action is not None


def test_sliders_keyed_in_the_action_that_made_way_still_count():
    obj = build(biped(), "Hero")
    key_speed(obj)
    obj.pose.bones["LeftArm"].keyframe_insert("rotation_quaternion", frame=1)
    api.generate_walk(obj, use_network=False, mode="TRAVEL")
    assert obj.animation_data.action is None
    assert set(walk_source.source_of(obj, bpy.context.scene).track.curves) == {"speed"}


def test_an_nla_track_over_the_walk_is_muted_and_comes_back():
    obj = build(biped(), "Hero")
    obj.pose.bones["LeftArm"].keyframe_insert("rotation_quaternion", frame=1)
    action, slot = compat.assigned(obj.animation_data)
    track = obj.animation_data.nla_tracks.new()
    compat.assign(track.strips.new("Wave", 1, action), action, slot)
    obj.animation_data.action = None
    api.generate_walk(obj, use_network=False)
    assert track.mute
    api.remove_walk(obj)
    assert not obj.animation_data.nla_tracks[0].mute


def test_an_object_without_animation_has_none_afterwards():
    obj = walker(mode="TRAVEL")
    api.bake_walk(obj, frame_start=1, frame_end=10, push_nla=True)
    api.remove_walk(obj)
    assert obj.animation_data is None


def test_rendered_frames_and_motion_blur_are_posed(tmp_path: Path):
    obj = walker(mode="TRAVEL")
    scene = bpy.context.scene
    small_render(scene, tmp_path)
    rendered = {}

    def look(scene, depsgraph):
        if depsgraph.mode == "RENDER":
            evaluated = obj.evaluated_get(depsgraph)
            rendered[scene.frame_current_final] = np.array(evaluated.matrix_world @ evaluated.pose.bones["LeftFoot"].head)

    bpy.app.handlers.frame_change_post.append(look)
    try:
        bpy.ops.render.render(animation=True)
    finally:
        bpy.app.handlers.frame_change_post.remove(look)
    assert any(frame % 1 for frame in rendered) and 5.0 in rendered
    for frame, head in rendered.items():
        assert seen(obj, frame, ["LeftFoot"])[0, 0] == pytest.approx(head, abs=SAME)


def small_render(scene: bpy.types.Scene, folder: Path) -> None:
    """Set up two tiny frames with motion blur."""
    scene.camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(scene.camera)
    render = scene.render
    render.engine, render.use_motion_blur, render.filepath = "CYCLES", True, str(folder / "frame")
    render.resolution_x = render.resolution_y = 8
    scene.cycles.samples, scene.frame_start, scene.frame_end = 1, 4, 5


def test_a_generated_rigify_rig_walks_on_its_own_controls():
    obj = rigify_human()
    api.generate_walk(obj, use_network=False)
    frames = played(obj, FRAMES[:20], ["DEF-foot.L"])
    assert np.ptp(frames[:, 0, 0], axis=0).max() > 0.1
    assert np.abs(seen(obj, 7, ["DEF-foot.L"]) - frames[6]).max() < SAME
