"""Bones and constraints that the user renames while something of ours is on the character: all that was noted
by name follows."""

from collections.abc import Callable
from pathlib import Path

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.animation import compat
from tests import rigs
from tests.blender.retargeting import actor
from tests.blender.walking import moved_feet, seen_now, state_of

SIDES = ("LeftUpLeg", "RightUpLeg")


def keyed(*bones: str) -> bpy.types.Object:
    """Return a character with an action of its own that has keys of these bones."""
    obj = rigs.build(rigs.biped(), "Hero")
    for bone in bones:
        obj.pose.bones[bone].keyframe_insert("location", frame=1, group=bone)
    obj.animation_data.action.name = "Hours of Work"
    return obj


def rename(obj: bpy.types.Object, **names: str) -> None:
    """Rename bones one after the other, as clicks do."""
    for old, new in names.items():
        obj.data.bones[old].name = new
        bpy.context.view_layer.update()


def rig_of(obj: bpy.types.Object) -> dict[str, object]:
    """Return bones, constraints, pose and place."""
    return {
        key: value for key, value in state_of(obj).items() if key in ("bones", "constraints", "pose", "place")
    }


def swap(obj: bpy.types.Object, first: str, second: str) -> None:
    """Have two bones take each other's name at once, as Flip Names does."""
    bones = obj.data.bones
    one, other = bones[first], bones[second]
    one.name = "in between"
    other.name = first
    one.name = second


def keys(action: bpy.types.Action) -> dict[str, str]:
    """Return the paths that an action has keys on, and the group of each."""
    return {curve.data_path: curve.group.name if curve.group else "" for curve in compat.all_channels(action)}


def walk(obj: bpy.types.Object) -> Callable[[], object]:
    api.generate_walk(obj, use_network=False)
    return lambda: api.remove_walk(obj)


def clip(obj: bpy.types.Object) -> Callable[[], object]:
    api.retarget(obj, source=actor()[0], check=False)
    return lambda: api.remove_retarget(obj)


def pose(obj: bpy.types.Object) -> Callable[[], object]:
    api.pose_targets(obj)
    return lambda: api.remove_targets(obj)


@pytest.mark.parametrize("attach", [walk, clip, pose])
def test_the_action_that_made_way_has_keys_of_the_bones_as_they_are_called_now(attach: Callable):
    obj = keyed("Hips", *SIDES)
    remove = attach(obj)
    rename(obj, Hips="Pelvis")
    rename(obj, Pelvis="Root of all")
    swap(obj, *SIDES)
    assert not remove()
    action = obj.animation_data.action
    assert keys(action) == {f'pose.bones["{name}"].location': name for name in ("Root of all", *SIDES)}
    values = {curve.data_path: curve for curve in compat.all_channels(action)}
    assert action.name == "Hours of Work" and len(values) == 3


def test_keys_change_sides_with_the_names_of_their_bones():
    obj = keyed(*SIDES)
    for curve in compat.all_channels(obj.animation_data.action):
        curve.keyframe_points[0].co.y = 1.0 if "Left" in curve.data_path else 2.0
    remove = walk(obj)
    swap(obj, *SIDES)
    assert not remove()
    found = {
        curve.data_path: curve.keyframe_points[0].co.y
        for curve in compat.all_channels(obj.animation_data.action)
    }
    assert found == {'pose.bones["LeftUpLeg"].location': 2.0, 'pose.bones["RightUpLeg"].location': 1.0}


def test_a_bone_that_takes_the_name_of_a_posed_one_is_not_posed():
    obj = rigs.build(
        [*rigs.biped(), rigs.Bone("Pouch", "Hips", (0.12, 0.1, 0.95), (0.12, 0.1, 0.85))], "Hero"
    )
    rigs.make_active(obj)
    bpy.context.scene.frame_set(5)
    api.generate_walk(obj, use_network=False, controls="FK")
    swap(obj, "LeftForeArm", "Pouch")
    bpy.context.view_layer.update()
    for frame in (5, 9):
        bpy.context.scene.frame_set(frame)
        assert tuple(obj.pose.bones["LeftForeArm"].rotation_quaternion) == (1.0, 0.0, 0.0, 0.0), (
            "the pouch, by its new name"
        )
        assert tuple(obj.pose.bones["Pouch"].rotation_quaternion) != (1.0, 0.0, 0.0, 0.0)


def test_renamed_there_and_back_nothing_has_happened():
    obj = keyed("Hips")
    before = keys(obj.animation_data.action)
    remove = walk(obj)
    rename(obj, Hips="Pelvis")
    rename(obj, Pelvis="Hips")
    assert not remove()
    assert keys(obj.animation_data.action) == before


def test_renames_are_followed_in_a_file_that_was_opened(tmp_path: Path):
    obj = keyed("Hips")
    walk(obj)
    rename(obj, Hips="Pelvis")
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "a.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "a.blend"))
    obj = bpy.data.objects["Hero"]
    rename(obj, Pelvis="Root of all")
    assert not api.remove_walk(obj)
    assert list(keys(obj.animation_data.action)) == ['pose.bones["Root of all"].location']


@pytest.mark.parametrize("controls", ["AUTO", "FK"])
def test_a_walk_goes_on_though_its_bones_are_renamed(controls: str):
    obj = rigs.build(rigs.biped(), "Hero")
    before = rig_of(obj)
    api.generate_walk(obj, use_network=False, controls=controls)
    bpy.context.scene.frame_set(5)
    walked = seen_now(obj, ["RightFoot", "Head"])
    rename(obj, Hips="Pelvis", LeftUpLeg="Thigh", LeftLeg="Shin", Spine1="Back")
    assert obj.neurarig.walk.live and not obj.neurarig.walk.error
    assert obj.neurarig.roles["pelvis"].bone == "Pelvis"
    assert all(line.bone in obj.data.bones for line in obj.neurarig.control_bones if line.bone)
    bpy.context.scene.frame_set(5)
    assert np.allclose(seen_now(obj, ["RightFoot", "Head"]), walked, atol=1e-6)
    assert moved_feet(obj) > 0.1
    assert not api.remove_walk(obj)
    rename(obj, Pelvis="Hips", Thigh="LeftUpLeg", Shin="LeftLeg", Back="Spine1")
    assert rig_of(obj) == before


def test_undo_of_a_rename_leaves_action_and_walk_as_they_were():
    obj = keyed("Hips")
    walk(obj)
    bpy.ops.ed.undo_push(message="walk")
    rename(obj, Hips="Pelvis")
    bpy.ops.ed.undo_push(message="rename")
    bpy.ops.ed.undo()
    obj = bpy.data.objects["Hero"]
    assert obj.neurarig.walk.live
    assert not api.remove_walk(obj)
    assert list(keys(obj.animation_data.action)) == ['pose.bones["Hips"].location']


def test_keys_of_a_bone_that_is_gone_are_told():
    obj = keyed("LeftToeBase", "Hips")
    remove = walk(obj)
    bpy.ops.object.mode_set(mode="EDIT")
    obj.data.edit_bones.remove(obj.data.edit_bones["LeftToeBase"])
    bpy.ops.object.mode_set(mode="OBJECT")
    assert any("LeftToeBase" in sentence and "Hours of Work" in sentence for sentence in remove())


def test_an_action_that_another_character_of_the_armature_plays_is_renamed_once():
    obj = keyed(*SIDES)
    action, slot = compat.assigned(obj.animation_data)
    api.generate_walk(obj, use_network=False, controls="FK")
    other = bpy.data.objects.new("Other", obj.data)
    bpy.context.scene.collection.objects.link(other)
    compat.assign(other.animation_data_create(), action, slot)
    first = next(iter(compat.all_channels(action)))
    swap(obj, *SIDES)
    follows = first.data_path
    assert not api.remove_walk(obj)
    assert first.data_path == follows


@pytest.mark.parametrize(
    "step",
    [
        lambda obj: api.generate_walk(obj, use_network=False),
        lambda obj: api.generate_walk(obj, use_network=False, controls="FK"),
        lambda obj: api.bake_walk(obj, frame_start=1, frame_end=9),
        lambda obj: api.resume_walk(obj),
        lambda obj: None,
    ],
    ids=["generate", "generate on FK", "bake", "resume", "remove"],
)
def test_what_comes_right_after_a_rename_knows_of_it(step: Callable):
    """Without an update of the view between them, as in a script."""
    obj = keyed("LeftArm")
    before = rig_of(obj)
    end = walk(obj)
    for name in (*SIDES, "LeftArm"):
        obj.data.bones[name].name = f"My {name}"
    step(obj)
    assert not obj.neurarig.walk.error
    assert moved_feet(obj) > 0.1
    end()
    assert keys(obj.animation_data.action) == {'pose.bones["My LeftArm"].location': "My LeftArm"}
    for name in (*SIDES, "LeftArm"):
        obj.data.bones[f"My {name}"].name = name
    assert rig_of(obj) == before
