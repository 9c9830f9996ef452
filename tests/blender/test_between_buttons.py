"""What an animator does between our buttons, compared over the whole file: what stays, what a refusal leaves,
and where a traveller is."""

import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import bpy
import pytest

import neurarig_addon
from neurarig_addon.blender import api
from neurarig_addon.core.errors import NeuraRigError
from tests import rigs
from tests.blender.retargeting import actor
from tests.blender.situations.record import differences, recorded, report
from tests.blender.walking import played, walker
from tests.generated_human import REPOSITORY
from tests.refusals import refuses

ON_ITS_WAY = 30
PLANTED_MM = 1.0


def walk(obj: bpy.types.Object) -> Callable[[], list[str]]:
    api.generate_walk(obj, use_network=False)
    return lambda: api.remove_walk(obj)


def link(obj: bpy.types.Object) -> Callable[[], list[str]]:
    source, _ = actor()
    rigs.make_active(obj)
    api.link_retarget(obj, source=source, controls="IK")
    return lambda: api.remove_retarget(obj)


def clip(obj: bpy.types.Object) -> Callable[[], list[str]]:
    source, _ = actor()
    rigs.make_active(obj)
    api.retarget(obj, source=source, controls="IK")
    return lambda: api.remove_retarget(obj)


def pose(obj: bpy.types.Object) -> Callable[[], list[str]]:
    api.pose_targets(obj, controls="IK")
    return lambda: api.remove_targets(obj)


attached_by = pytest.mark.parametrize("attach", [walk, link, clip, pose])


@attached_by
@pytest.mark.parametrize("stopped_by", ["hidden collection", "Edit Mode"])
def test_a_removal_is_whole_or_has_changed_nothing(attach, stopped_by: str):
    obj = rigs.build(rigs.biped(), "Hero")
    obj.pose.bones["Hips"].keyframe_insert("location", frame=1)
    own = bpy.data.collections.new("Own")
    bpy.context.scene.collection.children.link(own)
    own.objects.link(obj)
    bpy.context.scene.collection.objects.unlink(obj)
    remove = attach(obj)
    hidden = bpy.context.view_layer.layer_collection.children["Own"]
    if stopped_by == "Edit Mode":
        bpy.ops.object.mode_set(mode="EDIT")
    else:
        hidden.hide_viewport = True
    bpy.context.scene.frame_set(9)
    before = recorded()
    try:
        remove()
    except NeuraRigError as refusal:
        assert stopped_by in str(refusal)
        changed = differences(before, recorded())
        assert not changed, report(changed)
        hidden.hide_viewport = False
        if stopped_by == "Edit Mode":
            bpy.ops.object.mode_set(mode="OBJECT")
        remove()
    else:
        assert hidden.hide_viewport, "the collection is hidden still"
    assert not [bone.name for bone in obj.data.bones if bone.name.startswith("NR")]


def test_generate_again_that_is_refused_leaves_the_walk_that_is_there():
    obj = walker("Hero")
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("Other", obj.data))
    bpy.context.scene.frame_set(9)
    before = recorded()
    with refuses("shared by"):
        api.generate_walk(obj)
    changed = differences(before, recorded())
    assert not changed, report(changed)


def test_two_objects_of_one_armature_walk_without_new_bones_and_are_left_as_they_were():
    one = rigs.build(rigs.biped(), "Hero")
    other = bpy.data.objects.new("Other", one.data)
    bpy.context.scene.collection.objects.link(other)
    bpy.context.view_layer.update()
    before = recorded()
    for obj in (one, other):
        api.generate_walk(obj, use_network=False, mode="TRAVEL")
    assert not [bone.name for bone in one.data.bones if bone.name.startswith("NR")]
    moved = played(other, (1, 20), ["Hips"])
    assert abs(moved[1] - moved[0]).max() > 0.3
    for obj in (one, other):
        api.remove_walk(obj)
    bpy.context.scene.frame_set(1)
    changed = differences(before, recorded())
    assert not changed, report(changed)


@pytest.mark.parametrize("controls", ["AUTO", "FK"])
def test_constraints_of_all_kinds_that_are_called_like_ours_stay(controls: str):
    other = rigs.build(rigs.biped(), "Other")
    obj = rigs.build(rigs.biped(), "Hero")
    several = obj.pose.bones["Neck"].constraints.new("ARMATURE")
    several.name, several.influence = "NeuraRig arm", 0.1
    aimed = several.targets.new()
    aimed.target, aimed.subtarget = other, "Head"
    for bone, kind in (
        ("LeftHand", "CHILD_OF"),
        ("RightHand", "COPY_TRANSFORMS"),
        ("Head", "LIMIT_ROTATION"),
        ("LeftLeg", "IK"),
    ):
        obj.pose.bones[bone].constraints.new(kind).name = "NeuraRig Copy"
    before = recorded()
    api.generate_walk(obj, use_network=False, controls=controls)
    bpy.context.scene.frame_set(9)
    api.remove_walk(obj)
    bpy.context.scene.frame_set(1)
    changed = differences(before, recorded())
    assert not changed, report(changed)


def test_a_bake_that_is_tweaked_while_its_walk_is_removed_leaves_blender_alive():
    """In a process of its own, which a crash ends."""
    script = """
        import os
        import bpy
        import neurarig_addon
        from neurarig_addon.blender import api
        from neurarig_addon.core.errors import NeuraRigError
        from tests import rigs

        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        neurarig_addon.register()
        obj = rigs.build(rigs.biped(), "Hero")
        api.generate_walk(obj, use_network=False)
        api.bake_walk(obj, frame_start=1, frame_end=9, push_nla=True)
        data = obj.animation_data
        track = data.nla_tracks[0]
        data.nla_tracks.active = track
        track.select = track.strips[0].select = True
        data.use_tweak_mode = True
        assert data.use_tweak_mode
        try:
            api.remove_walk(obj)
        except NeuraRigError as refusal:
            print(refusal)
        if obj.animation_data and obj.animation_data.use_tweak_mode:
            obj.animation_data.use_tweak_mode = False
        for frame in range(1, 30):
            bpy.context.scene.frame_set(frame)
        print("alive", flush=True)
        os._exit(0)
    """
    command = [sys.executable, "-c", textwrap.dedent(script)]
    ended = subprocess.run(
        command, cwd=REPOSITORY, capture_output=True, text=True, errors="replace", check=False
    )
    assert ended.stdout.strip().endswith("alive"), ended.stderr[-2000:]


def travelling(**settings: object) -> bpy.types.Object:
    """Return a character that began its walk at the origin and is on its way."""
    obj = walker("Hero", mode="TRAVEL", travel_with="OBJECT", **settings)
    bpy.context.scene.frame_set(ON_ITS_WAY)
    assert obj.location.length > 1.0
    return obj


def test_a_traveller_stays_on_its_path_though_the_frame_changed_while_the_extension_was_off():
    obj = travelling()
    neurarig_addon.unregister()
    bpy.context.scene.frame_set(1)
    neurarig_addon.register()
    bpy.context.scene.frame_set(20)
    bpy.context.scene.frame_set(1)
    assert obj.location.length < 1e-4


def test_a_traveller_linked_into_another_scene_begins_where_it_began():
    obj = travelling()
    other = bpy.data.scenes.new("Other")
    other.collection.objects.link(obj)
    bpy.context.window.scene = other
    other.frame_set(1)
    assert obj.location.length < 1e-4


def test_a_traveller_that_is_only_linked_stays_where_its_file_has_it(tmp_path: Path):
    there = travelling(controls="FK").location.copy()
    path = str(tmp_path / "scene.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    with bpy.data.libraries.load(path, link=True) as (_, wanted):
        wanted.objects = ["Hero"]
    obj = wanted.objects[0]
    bpy.context.scene.collection.objects.link(obj)
    bpy.context.scene.frame_set(1)
    assert min(obj.location.length, (obj.location - there).length) < 1e-4


def test_legs_whose_switch_a_studio_drives_stay_planted_or_it_is_said():
    obj = rigs.rigify_human()
    obj.pose.bones["torso"]["legs_fk"] = 1.0
    for side in ("L", "R"):
        driver = obj.driver_add(f'pose.bones["thigh_parent.{side}"]["IK_FK"]').driver
        variable = driver.variables.new()
        variable.name, driver.expression = "legs", "legs"
        variable.targets[0].id, variable.targets[0].data_path = obj, 'pose.bones["torso"]["legs_fk"]'
    bpy.context.view_layer.update()
    before = recorded()
    try:
        found = api.generate_walk(obj, use_network=False)
    except NeuraRigError as refusal:
        assert "IK_FK" in str(refusal) or "slip" in str(refusal)
    else:
        slipped = max(side["max"] for side in found["slip_mm"].values())
        assert slipped < PLANTED_MM, f"{slipped:.0f} mm, and nothing was said"
        api.remove_walk(obj)
        bpy.context.scene.frame_set(1)
    changed = differences(before, recorded())
    assert not changed, report(changed)


@pytest.mark.parametrize("controls", ["AUTO", "FK"])
def test_a_driver_that_switches_the_users_ik_on_does_not_beat_the_walk_and_comes_back(controls: str):
    obj = rigs.metarig_with_leg_ik()
    for side in ("L", "R"):
        obj.pose.bones[f"shin.{side}"].constraints[-1].driver_add("mute").driver.expression = "0"
    bpy.context.view_layer.update()
    before = recorded()
    found = api.generate_walk(obj, use_network=False, controls=controls)
    assert max(side["max"] for side in found["slip_mm"].values()) < PLANTED_MM
    api.remove_walk(obj)
    bpy.context.scene.frame_set(1)
    changed = differences(before, recorded())
    assert not changed, report(changed)


def test_generate_that_is_refused_leaves_the_action_that_was_chosen_over_the_walk():
    obj = rigs.build(rigs.biped(), "Hero")
    obj.pose.bones["Hips"].keyframe_insert("location", frame=1)
    own = obj.animation_data.action
    api.generate_walk(obj, use_network=False, controls="FK")
    obj.animation_data.action = own
    away = bpy.data.collections.new("Away")
    bpy.context.scene.collection.children.link(away)
    away.objects.link(obj)
    bpy.context.scene.collection.objects.unlink(obj)
    bpy.context.view_layer.layer_collection.children["Away"].exclude = True
    before = recorded()
    with refuses("view layer"):
        api.generate_walk(obj, controls="AUTO")
    changed = differences(before, recorded())
    assert not changed, report(changed)
