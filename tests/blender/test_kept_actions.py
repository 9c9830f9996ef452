"""Actions of the user's stay in the file, and come back to whom they moved, whatever was keyed, baked and
chosen meanwhile."""

from pathlib import Path

import bpy
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.animation import compat
from neurarig_addon.blender.character import holding, integrity, record
from tests.blender.keeping import FINGER, WAYS, animated, reopened, walk
from tests.refusals import refuses
from tests.rigs import biped, build, make_active


@pytest.mark.parametrize("way", WAYS)
def test_an_action_stays_in_the_file_though_another_was_made_meanwhile(way: str, tmp_path: Path) -> None:
    begin, end = WAYS[way]
    obj = animated(FINGER)
    begin(obj)
    obj.pose.bones["LeftFinger"].keyframe_insert("rotation_quaternion", frame=1)
    made = obj.animation_data.action.name
    told = " ".join(end(obj))
    assert "'Hours of Work'" in told and f"'{made}'" in told
    reopened(tmp_path)
    assert {"Hours of Work", made} <= set(bpy.data.actions.keys())


@pytest.mark.parametrize("way", ["walk", "clip"])  # beside a pose keys play: Key Pose makes them
def test_keys_that_play_over_what_is_live_are_told_and_make_way_when_it_is_turned_on_again(way: str) -> None:
    begin, _ = WAYS[way]
    obj = animated(FINGER)
    begin(obj)
    settings = record.settings_of(obj, record.holder_of(obj))
    driven = record.attachment(obj)["drives"][0][0]
    assert holding.playing_over(obj) == []
    obj.pose.bones["LeftFinger"].keyframe_insert("location", frame=1)
    assert holding.playing_over(obj) == [], "keys of what nobody poses are the animator's"
    obj.pose.bones[driven].keyframe_insert("location", frame=1)
    assert holding.playing_over(obj) == [obj.animation_data.action.name]
    settings.live = False
    assert holding.playing_over(obj) == []
    settings.live = True
    assert settings.live and not settings.error
    assert holding.playing_over(obj) == [] and obj.animation_data.action is None


def test_a_bake_without_a_fake_user_as_in_a_file_it_was_appended_to_stays() -> None:
    obj = animated(FINGER)
    api.generate_walk(obj, use_network=False)
    baked = api.bake_walk(obj, frame_start=1, frame_end=9)
    baked.use_fake_user = False
    obj.pose.bones["LeftFinger"].keyframe_insert("location", frame=15)
    api.remove_walk(obj)
    assert obj.animation_data.action != baked and baked.use_fake_user and baked.users == 1


@pytest.mark.parametrize("slider", ["energy", "speed", "variation"])
def test_keyed_sliders_stay_in_the_file_when_the_earlier_action_comes_back(
    slider: str, tmp_path: Path
) -> None:
    obj = animated(FINGER)
    own = obj.animation_data.action
    walk(obj)
    obj.keyframe_insert(f"neurarig.walk.{slider}", frame=1)
    keyed = obj.animation_data.action.name
    told = " ".join(api.remove_walk(obj))
    assert obj.animation_data.action == own and f"'{keyed}'" in told
    reopened(tmp_path)
    assert {"Hours of Work", keyed} <= set(bpy.data.actions.keys())


def test_an_action_chosen_after_a_bake_and_the_one_of_before_both_stay(tmp_path: Path) -> None:
    obj = animated()
    walk(obj)
    api.bake_walk(obj, frame_start=1, frame_end=9)
    obj.animation_data.action = bpy.data.actions.new("Second")
    obj.pose.bones["Head"].keyframe_insert("location", frame=1)
    api.remove_walk(obj)
    reopened(tmp_path)
    assert {"Hours of Work", "Second"} <= set(bpy.data.actions.keys())


@pytest.mark.parametrize("mode", ["OBJECT", "POSE"])
def test_a_pose_that_is_not_keyed_stays_where_a_walk_is_refused(
    mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    obj = animated(FINGER)
    bpy.ops.object.mode_set(mode=mode)
    obj.pose.bones["Hips"].location.x = 0.3
    obj.location.z = 0.2
    bpy.context.view_layer.update()

    def come_apart(*_: object) -> None:
        raise integrity.CameApartError("It comes apart.", "LAYER", "it comes apart", broken=True)

    monkeypatch.setattr(integrity, "require", come_apart)
    with refuses("comes apart"):
        walk(obj)
    bpy.context.view_layer.update()
    assert (obj.pose.bones["Hips"].location.x, obj.location.z) == pytest.approx((0.3, 0.2))


@pytest.mark.skipif(not compat.HAS_SLOTS, reason="actions have slots from Blender 4.4 on")
def test_an_action_whose_slots_were_separated_comes_back_also_from_a_file(tmp_path: Path) -> None:
    obj = animated()
    own, _ = compat.assigned(obj.animation_data)
    other = build(biped(), "Villain")
    data = other.animation_data_create()
    data.action, data.action_slot = own, own.slots.new(id_type="OBJECT", name="Villain")
    other.keyframe_insert("location", frame=3)
    make_active(obj)
    walk(obj)
    make_active(other)
    bpy.ops.anim.separate_slots()
    for _ in range(2):
        obj = reopened(tmp_path)
    assert api.remove_walk(obj) == []
    assert [curve.data_path for curve in compat.find_channels(*compat.assigned(obj.animation_data))] == [
        'pose.bones["Hips"].location'
    ] * 3
