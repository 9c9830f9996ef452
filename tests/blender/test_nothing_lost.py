"""What is the user's stays, whatever they did meanwhile; an operator that refuses has changed nothing."""

from collections.abc import Callable
from pathlib import Path

import bpy
import numpy as np
import pytest

import neurarig_addon
from neurarig_addon.blender import api
from neurarig_addon.blender.animation import compat
from neurarig_addon.blender.character import attached, record
from neurarig_addon.blender.live import memory
from neurarig_addon.core.errors import NeuraRigError
from tests.blender.retargeting import actor
from tests.blender.walking import moved_feet, seen, seen_now, state_of, walker
from tests.rigs import Bone, biped, build, make_active

pytestmark = pytest.mark.usefixtures("addon")

FINGER = Bone("LeftFinger", "LeftHand", (0.88, 0.015, 1.42), (0.95, 0.015, 1.42))


def animated(*more: Bone) -> bpy.types.Object:
    """Return a character with an action of its own, which nothing but the character keeps in the file."""
    obj = build([*biped(), *more], "Hero")
    obj.pose.bones["Hips"].keyframe_insert("location", frame=1)
    obj.animation_data.action.name = "Hours of Work"
    return obj


def with_track(action: bpy.types.Action, obj: bpy.types.Object, name: str) -> bpy.types.NlaTrack:
    """Return a new NLA track that plays an action."""
    data = obj.animation_data or obj.animation_data_create()
    track = data.nla_tracks.new()
    track.name = name
    compat.assign(track.strips.new("strip", 1, action), action, action.slots[0] if compat.HAS_SLOTS else None)
    return track


def tweak(obj: bpy.types.Object, track: bpy.types.NlaTrack) -> None:
    """Enter tweak mode on the first strip of a track."""
    track.lock = False
    obj.animation_data.nla_tracks.active = track
    track.select = track.strips[0].select = True
    obj.animation_data.use_tweak_mode = True
    assert obj.animation_data.use_tweak_mode


def reopened(tmp_path: Path) -> bpy.types.Object:
    path = str(tmp_path / "a.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    return bpy.data.objects["Hero"]


def walk(obj: bpy.types.Object) -> None:
    api.generate_walk(obj, use_network=False)


def link(obj: bpy.types.Object) -> None:
    source, _ = actor()
    make_active(obj)
    api.link_retarget(obj, source=source)


def pose(obj: bpy.types.Object) -> None:
    api.pose_targets(obj)


WAYS = {"walk": (walk, api.remove_walk), "clip": (link, api.remove_retarget), "pose": (pose, api.remove_targets)}


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
    assert attached.playing_over(obj) == []
    obj.pose.bones["LeftFinger"].keyframe_insert("location", frame=1)
    assert attached.playing_over(obj) == [], "keys of what nobody poses are the animator's"
    obj.pose.bones[driven].keyframe_insert("location", frame=1)
    assert attached.playing_over(obj) == [obj.animation_data.action.name]
    settings.live = False
    assert attached.playing_over(obj) == []
    settings.live = True
    assert settings.live and not settings.error
    assert attached.playing_over(obj) == [] and obj.animation_data.action is None


@pytest.mark.parametrize("way", WAYS)
def test_an_action_that_was_renamed_comes_back(way: str) -> None:
    begin, end = WAYS[way]
    obj = animated()
    own = obj.animation_data.action
    begin(obj)
    own.name = "Renamed"
    assert end(obj) == [] and obj.animation_data.action == own and own.users == 1


def test_generate_again_keeps_the_action_set_aside(tmp_path: Path) -> None:
    obj = animated(FINGER)
    own = obj.animation_data.action
    walk(obj)
    obj.pose.bones["LeftFinger"].keyframe_insert("rotation_quaternion", frame=1)
    walk(obj)
    assert own.users > 0
    api.remove_walk(obj)
    reopened(tmp_path)
    assert "Hours of Work" in bpy.data.actions


def test_an_action_chosen_after_a_bake_and_the_one_of_before_both_stay(tmp_path: Path) -> None:
    obj = animated()
    walk(obj)
    api.bake_walk(obj, frame_start=1, frame_end=9)
    obj.animation_data.action = bpy.data.actions.new("Second")
    obj.pose.bones["Head"].keyframe_insert("location", frame=1)
    api.remove_walk(obj)
    reopened(tmp_path)
    assert {"Hours of Work", "Second"} <= set(bpy.data.actions.keys())


def test_a_bake_that_was_chosen_before_is_an_action_like_any_other() -> None:
    obj = build(biped(), "Hero")
    walk(obj)
    baked = api.bake_walk(obj, frame_start=1, frame_end=9)
    api.remove_walk(obj)
    data = obj.animation_data_create()
    compat.assign(data, baked, baked.slots[0] if compat.HAS_SLOTS else None)
    with_track(baked, obj, "NeuraRig Walk mine")
    walk(obj)
    assert data.action is None and data.nla_tracks["NeuraRig Walk mine"].mute
    assert api.remove_walk(obj) == []
    assert data.action == baked and not data.nla_tracks["NeuraRig Walk mine"].mute


def test_a_bake_that_the_user_has_pushed_down_himself_is_his_track() -> None:
    obj = build(biped(), "Hero")
    walk(obj)
    baked = api.bake_walk(obj, frame_start=1, frame_end=9)
    with_track(baked, obj, "Mine")
    assert "'Mine'" in " ".join(api.remove_walk(obj))
    assert [track.name for track in obj.animation_data.nla_tracks] == ["Mine"]


def test_a_track_of_ours_that_was_renamed_is_the_users() -> None:
    obj = build(biped(), "Hero")
    walk(obj)
    api.bake_walk(obj, frame_start=1, frame_end=9, push_nla=True)
    obj.animation_data.nla_tracks[0].name = "Keep this"
    assert "'Keep this'" in " ".join(api.remove_walk(obj))
    assert [track.name for track in obj.animation_data.nla_tracks] == ["Keep this"]


def test_a_walk_whose_transforms_were_applied_is_put_back_where_it_began() -> None:
    """The step that the object was carried is in its own space, which Apply turns and resizes."""
    obj = build(biped(), "Hero")
    obj.rotation_euler.z, obj.scale = 1.0, (2.0, 2.0, 2.0)
    bpy.context.view_layer.update()
    api.generate_walk(obj, mode="TRAVEL", use_network=False)
    bpy.context.scene.frame_set(30)
    bpy.ops.object.transform_apply(location=False, rotation=True, scale=True)
    bpy.context.view_layer.update()
    api.remove_walk(obj)
    assert obj.location.length < 1e-4


def test_tracks_that_made_way_are_known_by_their_actions_when_renamed() -> None:
    obj = animated()
    own, _ = compat.assigned(obj.animation_data)
    obj.animation_data.action = None
    with_track(own, obj, "Mine")
    walk(obj)
    assert obj.animation_data.nla_tracks["Mine"].mute
    obj.animation_data.nla_tracks["Mine"].name = "Renamed"
    assert api.remove_walk(obj) == [] and not obj.animation_data.nla_tracks["Renamed"].mute


def test_a_track_that_cannot_be_found_again_is_told() -> None:
    obj = animated()
    own, _ = compat.assigned(obj.animation_data)
    obj.animation_data.action = None
    with_track(own, obj, "Mine")
    walk(obj)
    obj.animation_data.nla_tracks.remove(obj.animation_data.nla_tracks["Mine"])
    assert "'Mine'" in " ".join(api.remove_walk(obj))


def test_empty_tracks_of_the_user_are_left_alone_by_bakes() -> None:
    obj = build(biped(), "Hero")
    track = obj.animation_data_create().nla_tracks.new()
    walk(obj)
    api.bake_walk(obj, frame_start=1, frame_end=9)
    assert not track.mute
    api.remove_walk(obj)
    assert not obj.animation_data.nla_tracks[0].mute


def test_constraints_of_the_user_may_be_called_as_ours_are(tmp_path: Path) -> None:
    other = build(biped(), "Other")
    obj = build(biped(), "Hero")
    aimed = obj.pose.bones["LeftHand"].constraints.new("CHILD_OF")
    aimed.name, aimed.target, aimed.subtarget = "NeuraRig prop", other, "Hips"
    obj.pose.bones["Head"].constraints.new("LIMIT_ROTATION").name = "NeuraRig limit"
    walk(obj)
    obj = reopened(tmp_path)
    assert obj.pose.bones["LeftHand"].constraints["NeuraRig prop"].target.name == "Other"
    assert moved_feet(obj) > 0.01 and not obj.neurarig.walk.error
    assert api.remove_walk(obj) == []
    left = [(bone.name, constraint.name) for bone in obj.pose.bones for constraint in bone.constraints]
    assert sorted(left) == [("Head", "NeuraRig limit"), ("LeftHand", "NeuraRig prop")]


def test_a_constraint_of_ours_goes_whatever_it_and_its_bone_are_called() -> None:
    obj = build(biped(), "Hero")
    walk(obj)
    obj.pose.bones["LeftFoot"].constraints[0].name = "Foot lock"
    obj.data.bones["RightFoot"].name = "Right Paw"
    api.remove_walk(obj)
    assert not [constraint for bone in obj.pose.bones for constraint in bone.constraints]


def test_what_is_ours_goes_though_all_of_it_was_renamed() -> None:
    obj = build(biped(), "Hero")
    walk(obj)
    for bone in [bone for bone in obj.data.bones if bone.name.startswith("NR-")]:
        bone.name = f"my {bone.name}"
    for collection in obj.data.collections:
        collection.name = f"my {collection.name}"
    assert api.remove_walk(obj) == []
    assert sorted(obj.data.bones.keys()) == sorted(bone.name for bone in biped())
    assert not len(obj.data.collections)


def test_a_collection_of_the_users_may_be_called_as_ours_was_and_one_of_ours_that_he_uses_is_his() -> None:
    obj = build(biped(), "Hero")
    walk(obj)
    ours = obj.data.collections["NeuraRig"]
    ours.name = "mine"
    ours.assign(obj.data.bones["Head"])
    obj.data.collections.new("NeuraRig")
    for _ in range(2):  # the second walk does not take them for its own either
        api.remove_walk(obj)
        assert sorted(collection.name for collection in obj.data.collections) == ["NeuraRig", "mine"]
        walk(obj)


@pytest.mark.parametrize("renames_ours", [False, True])
def test_bones_made_from_ours_are_the_users(renames_ours: bool) -> None:
    obj = build(biped(), "Hero")
    walk(obj)
    bpy.ops.object.mode_set(mode="EDIT")
    bones = obj.data.edit_bones
    for bone in bones:
        bone.select = bone.select_head = bone.select_tail = bone.name in ("NR-foot.L", "NR-ball.R")
    bpy.ops.armature.duplicate()
    copies = [bone for bone in bones if bone.select]
    if renames_ours:
        bones["NR-foot.L"].name = "Foot of ours"
        copies[0].name = "NR-foot.L"
    wanted = sorted(bone.name for bone in copies)
    mine = bones.new("on ours")
    mine.head, mine.tail, mine.parent = (0, 0, 1), (0, 0, 1.2), bones["NR-ball.L"]
    bpy.ops.object.mode_set(mode="OBJECT")
    told = " ".join(api.remove_walk(obj))
    assert sorted(bone.name for bone in obj.data.bones if bone.name not in {bone.name for bone in biped()}) == sorted([*wanted, "on ours"])
    assert all(f"'{name}'" in told for name in wanted)
    walk(obj)
    assert api.remove_walk(obj) == [] and set(wanted) <= set(obj.data.bones.keys()), "they are no longer taken for ours"


def test_own_bones_deleted_by_hand_leave_no_constraint_behind() -> None:
    obj = walker()
    bpy.ops.object.mode_set(mode="EDIT")
    for bone in [bone for bone in obj.data.edit_bones if bone.name.startswith("NR")]:
        obj.data.edit_bones.remove(bone)
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.scene.frame_set(9)
    api.remove_walk(obj)
    assert not [constraint for bone in obj.pose.bones for constraint in bone.constraints]


@pytest.mark.parametrize("way", WAYS)
def test_tweak_mode_is_refused_before_anything_is_changed(way: str) -> None:
    begin, end = WAYS[way]
    obj = animated()
    own, _ = compat.assigned(obj.animation_data)
    obj.animation_data.action = None
    tweak(obj, with_track(own, obj, "Mine"))
    before = state_of(obj)
    with pytest.raises(NeuraRigError, match="tweak mode"):
        begin(obj)
    assert {**state_of(obj), "data": 0, "mode": 0} == {**before, "data": 0, "mode": 0}
    obj.animation_data.use_tweak_mode = False
    begin(obj)
    track = obj.animation_data.nla_tracks["Mine"]
    track.mute = False
    tweak(obj, track)
    before = state_of(obj)
    with pytest.raises(NeuraRigError, match="tweak mode"):
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
    for step in (lambda: api.bake_walk(obj, frame_start=1, frame_end=9), lambda: api.remove_walk(obj), lambda: api.generate_walk(obj)):
        with pytest.raises(NeuraRigError, match="tweak mode"):
            step()
    assert len(bpy.data.actions) == actions and len(obj.animation_data.nla_tracks) == 1
    obj.neurarig.walk.live = True
    assert "tweak mode" in obj.neurarig.walk.error and not obj.neurarig.walk.live
    obj.animation_data.use_tweak_mode = False
    bpy.context.scene.frame_set(5)
    api.remove_walk(obj)
    assert obj.animation_data is None


def test_a_character_in_a_hidden_collection_is_given_back() -> None:
    obj = walker()
    collection = bpy.data.collections.new("Hidden")
    bpy.context.scene.collection.children.link(collection)
    collection.objects.link(obj)
    bpy.context.scene.collection.objects.unlink(obj)
    bpy.context.view_layer.layer_collection.children["Hidden"].hide_viewport = True
    assert api.remove_walk(obj) == []
    assert not any(bone.name.startswith("NR-") for bone in obj.data.bones)
    assert not [constraint for bone in obj.pose.bones for constraint in bone.constraints]


def test_a_removal_that_is_refused_changes_nothing() -> None:
    obj = walker()
    other = bpy.data.objects.new("Shares its armature", obj.data)
    before = state_of(obj)
    with pytest.raises(NeuraRigError, match="single-user"):
        api.remove_walk(obj)
    assert state_of(obj) == before and obj.neurarig.walk.live
    bpy.data.objects.remove(other)
    api.remove_walk(obj)
    assert not any(bone.name.startswith("NR-") for bone in obj.data.bones)


def test_pose_mode_stays_while_the_mesh_is_in_weight_paint() -> None:
    obj = build(biped(), "Hero")
    bpy.ops.mesh.primitive_cube_add()
    mesh = bpy.context.object
    mesh.modifiers.new("Armature", "ARMATURE").object = obj
    make_active(obj)
    bpy.ops.object.mode_set(mode="POSE")
    bpy.context.view_layer.objects.active = mesh
    mesh.select_set(True)
    bpy.ops.object.mode_set(mode="WEIGHT_PAINT")
    before = obj.mode, mesh.mode
    walk(obj)
    assert (obj.mode, mesh.mode, bpy.context.view_layer.objects.active) == (*before, mesh)


def travelling() -> bpy.types.Object:
    obj = walker(mode="TRAVEL", controls="FK")
    bpy.context.scene.frame_set(30)
    assert obj.location.length > 1.0
    return obj


def enabled_anew(obj: bpy.types.Object, _: Path) -> bpy.types.Object:
    neurarig_addon.unregister()
    neurarig_addon.register()
    return obj


def appended(_: bpy.types.Object, tmp_path: Path, link: bool = False) -> bpy.types.Object:
    path = str(tmp_path / "a.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    with bpy.data.libraries.load(path, link=link) as (_, wanted):
        wanted.objects = ["Hero"]
    bpy.context.scene.collection.objects.link(wanted.objects[0])
    return wanted.objects[0]


def overridden(obj: bpy.types.Object, tmp_path: Path) -> bpy.types.Object:
    return appended(obj, tmp_path, link=True).override_create(remap_local_usages=True)


@pytest.mark.parametrize("come", [enabled_anew, appended, overridden])
def test_a_travelling_character_begins_where_it_began_however_it_came(come: Callable, tmp_path: Path) -> None:
    obj = come(travelling(), tmp_path)
    bpy.context.scene.frame_set(1)
    assert obj.location.length < 1e-4
    bpy.context.scene.frame_set(40)
    assert obj.location.length > 1.0
    api.remove_walk(obj)
    assert obj.location.length < 1e-4


def test_a_file_saved_in_edit_mode_walks_on_when_that_is_left(tmp_path: Path) -> None:
    obj = walker()
    expected = seen(obj, 17)
    make_active(obj)
    bpy.ops.object.mode_set(mode="EDIT")
    obj = reopened(tmp_path)
    bpy.context.scene.frame_set(9)
    assert obj.neurarig.walk.live and not obj.neurarig.walk.error
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.scene.frame_set(17)
    assert np.abs(seen_now(obj) - expected).max() < 1e-5


def test_another_armature_in_mid_walk_is_told() -> None:
    obj = walker()
    obj.data = build(biped(), "Other").data.copy()
    make_active(obj)
    bpy.context.scene.frame_set(9)
    assert "is gone or renamed" in obj.neurarig.walk.error and not obj.neurarig.walk.live
    api.remove_walk(obj)


def test_what_is_remembered_of_characters_goes_with_them() -> None:
    for number in range(3):
        obj = walker(f"Hero {number}", mode="TRAVEL")
        bpy.context.scene.frame_set(5 + number)
        bpy.data.objects.remove(obj)
        bpy.context.scene.frame_set(1)
    assert not any(len(remembered) for remembered in memory._all)


def test_another_frame_rate_is_shown_at_once() -> None:
    obj = walker(mode="TRAVEL")
    scene = bpy.context.scene
    scene.frame_set(25)
    scene.render.fps = 60
    bpy.context.view_layer.update()
    shown = seen_now(obj)
    scene.frame_set(25)
    assert np.abs(shown - seen_now(obj)).max() < 1e-5
