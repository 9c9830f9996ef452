"""NLA tracks of the user's stay and play as before; one that is tweaked is left alone."""

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.animation import compat
from neurarig_addon.blender.character import bakes
from tests.blender.keeping import FINGER, WAYS, animated, tweak, walk, with_track
from tests.blender.walking import played, state_of, walker
from tests.refusals import refuses
from tests.rigs import biped, build


def test_a_bake_that_the_user_has_pushed_down_himself_is_his_track() -> None:
    obj = build(biped(), "Hero")
    walk(obj)
    baked = api.bake_walk(obj, frame_start=1, frame_end=9)
    with_track(baked, obj, "Mine")
    assert "'Mine'" in " ".join(api.remove_walk(obj))
    assert [track.name for track in obj.animation_data.nla_tracks] == ["Mine"]


def test_a_track_of_ours_goes_though_its_bake_was_deleted() -> None:
    obj = build(biped(), "Hero")
    walk(obj)
    bpy.data.actions.remove(api.bake_walk(obj, frame_start=1, frame_end=9, push_nla=True))
    mine = obj.animation_data.nla_tracks.new()
    mine.name = "Mine"
    assert api.remove_walk(obj) == []
    assert [track.name for track in obj.animation_data.nla_tracks] == ["Mine"]


def test_a_track_of_ours_that_was_renamed_is_the_users() -> None:
    obj = build(biped(), "Hero")
    walk(obj)
    api.bake_walk(obj, frame_start=1, frame_end=9, push_nla=True)
    obj.animation_data.nla_tracks[0].name = "Keep this"
    assert "'Keep this'" in " ".join(api.remove_walk(obj))
    assert [track.name for track in obj.animation_data.nla_tracks] == ["Keep this"]


@pytest.mark.parametrize("way", WAYS)
def test_tweak_mode_is_refused_before_anything_is_changed(way: str) -> None:
    begin, end = WAYS[way]
    obj = animated()
    own, _ = compat.assigned(obj.animation_data)
    obj.animation_data.action = None
    tweak(obj, with_track(own, obj, "Mine"))
    before = state_of(obj)
    with refuses("tweak mode"):
        begin(obj)
    assert {**state_of(obj), "data": 0, "mode": 0} == {**before, "data": 0, "mode": 0}
    obj.animation_data.use_tweak_mode = False
    begin(obj)
    track = obj.animation_data.nla_tracks["Mine"]
    track.mute = False
    tweak(obj, track)
    before = state_of(obj)
    with refuses("tweak mode"):
        end(obj)
    assert state_of(obj) == before
    obj.animation_data.use_tweak_mode = False
    end(obj)
    assert not obj.neurarig.attachment


def test_a_tweaked_bake_is_neither_baked_over_nor_taken_away() -> None:
    obj = walker()
    api.bake_walk(obj, frame_start=1, frame_end=9, push_nla=True)
    tweak(obj, obj.animation_data.nla_tracks[0])
    actions = len(bpy.data.actions)
    for step in (
        lambda: api.bake_walk(obj, frame_start=1, frame_end=9),
        lambda: api.remove_walk(obj),
        lambda: api.generate_walk(obj),
    ):
        with refuses("tweak mode"):
            step()
    assert len(bpy.data.actions) == actions and len(obj.animation_data.nla_tracks) == 1
    obj.neurarig.walk.live = True
    assert "tweak mode" in obj.neurarig.walk.error and not obj.neurarig.walk.live
    obj.animation_data.use_tweak_mode = False
    bpy.context.scene.frame_set(5)
    api.remove_walk(obj)
    assert [track.name for track in obj.animation_data.nla_tracks] == ["Hero Walk"]


@pytest.mark.parametrize("controls", ["AUTO", "FK"])
def test_a_bake_of_deform_bones_that_the_user_has_play_again_leaves_no_pose_behind(controls: str) -> None:
    obj = build(biped(), "Hero")
    obj.pose.bones["LeftUpLeg"].rotation_quaternion = (0.9, 0.1, 0.3, 0.3)
    before = {bone.name: bone.matrix_basis.copy() for bone in obj.pose.bones}
    api.generate_walk(obj, use_network=False, controls=controls)
    api.bake_walk(obj, frame_start=1, frame_end=9, target="DEFORM", push_nla=True)
    api.generate_walk(obj, use_network=False, controls="AUTO")
    api.bake_walk(obj, frame_start=1, frame_end=9)
    obj.animation_data.nla_tracks[0].mute = False
    for frame in (3, 5):
        bpy.context.scene.frame_set(frame)
    obj.animation_data.nla_tracks[0].mute = True
    api.remove_walk(obj)
    bpy.context.scene.frame_set(7)
    assert all(np.allclose(bone.matrix_basis, before[bone.name], atol=1e-6) for bone in obj.pose.bones)


def test_a_constraint_that_a_bake_muted_comes_back_though_it_was_renamed_and_bones_were_edited() -> None:
    obj = build([*biped(), FINGER], "Hero")
    walk(obj)
    own = obj.pose.bones["RightUpLeg"].constraints.new("LIMIT_ROTATION")
    bakes.take_over(
        obj, bpy.data.actions.new("Baked"), None, replaced=bakes.Replaced({"RightUpLeg": [own.name]}, {})
    )
    assert own.mute
    own.name = "Renamed"
    bpy.ops.object.mode_set(mode="EDIT")
    obj.data.edit_bones.remove(obj.data.edit_bones["LeftFinger"])
    bpy.ops.object.mode_set(mode="OBJECT")
    api.remove_walk(obj)
    assert not obj.pose.bones["RightUpLeg"].constraints["Renamed"].mute


def test_in_tweak_mode_a_pose_is_not_keyed_and_the_rig_is_searched_on_a_copy() -> None:
    obj = animated()
    own, _ = compat.assigned(obj.animation_data)
    obj.animation_data.action = None
    WAYS["pose"][0](obj)
    tweak(obj, with_track(own, obj, "Mine"))
    before = state_of(obj)
    for step in (api.key_pose, api.solve_range):
        with refuses("tweak mode"):
            step(obj)
        assert state_of(obj) == before and obj.neurarig.neural_pose.live
    obj.animation_data.use_tweak_mode = False
    api.remove_targets(obj)
    track = obj.animation_data.nla_tracks["Mine"]
    tweak(obj, track)
    objects = len(bpy.data.objects)
    api.find_controls(obj)
    assert obj.animation_data.use_tweak_mode and len(bpy.data.objects) == objects
    obj.animation_data.use_tweak_mode = False


@pytest.mark.parametrize("bone", ["Head", FINGER.name])
def test_a_track_that_plays_alone_makes_way_and_plays_alone_again(bone: str) -> None:
    obj = build([*biped(), FINGER], "Hero")
    for frame in (1, 20):
        obj.pose.bones[bone].location.x = 0.01 * frame
        obj.pose.bones[bone].keyframe_insert("location", frame=frame)
    own, _ = compat.assigned(obj.animation_data)
    obj.animation_data.action = None
    with_track(own, obj, "Alone")
    with_track(own.copy(), obj, "Other")
    obj.animation_data.nla_tracks["Alone"].is_solo = True
    walk(obj)
    live = played(obj, (3, 9), ["Head"])
    api.bake_walk(obj, frame_start=1, frame_end=9)
    np.testing.assert_allclose(played(obj, (3, 9), ["Head"]), live, atol=1e-5)
    assert np.ptp(live, axis=0).max() > 0.001
    api.remove_walk(obj)
    assert [(track.name, track.mute, track.is_solo) for track in obj.animation_data.nla_tracks] == [
        ("Alone", False, True),
        ("Other", False, False),
    ]
