"""A character's own animation makes way for its walk, and comes back."""

from dataclasses import replace
from types import SimpleNamespace

import bpy
import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.blender import api
from neurarig_addon.blender.animation import compat
from neurarig_addon.blender.walk.source import source as walk_source
from tests.blender.walking import key_speed, seen, walker
from tests.rigs import Bone, biped, build

BESIDES = [
    Bone("Tail", "Hips", (0.0, 0.1, 1.0), (0.0, 0.5, 1.0)),
    Bone("Prop", None, (1.0, 1.0, 0.0), (1.0, 1.0, 0.3)),
]
FRAMES = (1, 12, 20)


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
    assert (
        getattr(obj.animation_data, "action_slot", None) is None
        or obj.animation_data.action_slot.handle == slot_handle
    )
    assert keys == [
        tuple(point.co) for curve in compat.find_channels(own, slot) for point in curve.keyframe_points
    ]
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
    assert_allclose(seen(obj, 20), walking, atol=1e-5)


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
    api.bake_walk(obj, frame_start=1, frame_end=10)
    api.remove_walk(obj)
    assert obj.animation_data is None


def _keyed_besides(*also):
    """A character whose tail, prop and a custom property are keyed, and these bones too."""
    obj = build([*biped(), *BESIDES], "Hero")
    for frame, turn in ((1, 0.0), (12, 1.0), (20, 0.3)):
        for bone in ("Tail", "Prop", *also):
            obj.pose.bones[bone].rotation_mode = "XYZ"
            obj.pose.bones[bone].rotation_euler.x = turn
            obj.pose.bones[bone].keyframe_insert("rotation_euler", frame=frame)
        obj["mood"] = turn
        obj.keyframe_insert('["mood"]', frame=frame)
    return obj


def _besides(obj):
    """How the user's own parts are posed at `FRAMES`, and the custom property."""
    found = []
    for frame in FRAMES:
        bpy.context.scene.frame_set(frame)
        found.append(
            [*obj.pose.bones["Tail"].rotation_euler, *obj.pose.bones["Prop"].rotation_euler, obj["mood"]]
        )
    return np.array(found)


@pytest.mark.few(2)
@pytest.mark.parametrize("also", [(), ("LeftArm",)], ids=["alone", "in an action that makes way"])
@pytest.mark.parametrize("options", [{"loop": True}, {"keys": "EDITABLE"}, {"target": "BOTH"}], ids=str)
def test_the_users_keys_of_other_parts_go_on_in_a_bake(also, options):
    obj = _keyed_besides(*also)
    own, before = obj.animation_data.action, _besides(obj)
    api.generate_walk(obj, use_network=False)
    for _ in range(2):  # a bake of a bake's character as well
        api.bake_walk(obj, frame_start=1, frame_end=20, **options)
        assert_allclose(_besides(obj), before, atol=1e-6)
    obj.neurarig.walk.bounce = 1.5
    api.rebake_walk(obj)
    assert_allclose(_besides(obj), before, atol=1e-6)
    obj.neurarig.walk.live = True
    assert (obj.animation_data.action is own) == (not also), (
        "what plays beside a walk goes on with it after a bake"
    )
    api.remove_walk(obj)
    assert obj.animation_data.action is own
    assert_allclose(_besides(obj), before, atol=1e-6)


def test_what_carries_the_body_is_not_carried_over_from_an_action_that_made_way():
    hung = [replace(bone, parent="Base") if bone.parent is None else bone for bone in biped()]
    obj = build([Bone("Base", None, (0.0, 0.0, 0.0), (0.0, 0.3, 0.0)), *hung], "Hero")
    for bone in ("Base", "LeftArm"):
        obj.pose.bones[bone].keyframe_insert("location", frame=1)
    api.generate_walk(obj, use_network=False)
    bake = api.bake_walk(obj, frame_start=1, frame_end=10)
    assert not any('"Base"' in curve.data_path for curve in compat.all_channels(bake))


def test_a_curve_is_copied_alike_where_blender_cannot_copy_it():
    obj = _keyed_besides()
    pattern = compat.find_channels(*compat.assigned(obj.animation_data))[0]
    pattern.keyframe_points[0].interpolation = "ELASTIC"
    pattern.modifiers.new("CYCLES").mode_after = "REPEAT_OFFSET"
    curves, _ = compat.ensure_channels(*compat.new_action("Copy", obj))
    copy = compat.copied_channel(SimpleNamespace(new=curves.new), pattern, "location")
    frames = np.arange(-5.0, 60.0, 0.5)
    assert [copy.evaluate(frame) for frame in frames] == [pattern.evaluate(frame) for frame in frames]
