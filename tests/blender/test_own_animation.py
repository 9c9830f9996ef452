"""A character's own animation makes way for its walk, and comes back."""

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.animation import compat
from neurarig_addon.blender.walk.source import source as walk_source
from tests.blender.walking import key_speed, seen, walker
from tests.rigs import biped, build

pytestmark = pytest.mark.usefixtures("addon")


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


def test_what_is_keyed_while_a_walk_is_paused_makes_way_when_it_goes_on():
    obj = walker(mode="TRAVEL")
    walking = seen(obj, 20)
    obj.neurarig.walk.live = False
    for frame, x in ((1, 0.0), (30, 5.0)):
        obj.location.x = x
        obj.keyframe_insert("location", frame=frame)
        obj.pose.bones["LeftArm"].keyframe_insert("rotation_quaternion", frame=frame)
    obj.location.x = 0.0
    obj.neurarig.walk.live = True
    assert obj.animation_data.action is None
    np.testing.assert_allclose(seen(obj, 20), walking, atol=1e-5)


def test_a_walk_is_removed_though_its_stashed_action_was_deleted():
    obj = build(biped(), "Hero")
    obj.pose.bones["LeftArm"].keyframe_insert("rotation_quaternion", frame=1)
    own = obj.animation_data.action
    api.generate_walk(obj, use_network=False)
    bpy.data.actions.remove(own)
    assert "no longer in the file" in " ".join(api.remove_walk(obj))
    assert not obj.neurarig.attachment and not obj.neurarig.stash


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
