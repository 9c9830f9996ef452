"""Bones, constraints and bone collections: what is ours goes and what is the user's stays, whatever both are
called."""

from pathlib import Path

import bpy
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.character import record
from tests.blender.keeping import reopened, walk
from tests.blender.walking import moved_feet, walker
from tests.rigs import biped, build


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
    assert sorted(
        bone.name for bone in obj.data.bones if bone.name not in {bone.name for bone in biped()}
    ) == sorted([*wanted, "on ours"])
    assert all(f"'{name}'" in told for name in wanted)
    walk(obj)
    assert api.remove_walk(obj) == [] and set(wanted) <= set(obj.data.bones.keys()), (
        "they are no longer taken for ours"
    )


def test_own_bones_deleted_by_hand_leave_no_constraint_behind() -> None:
    obj = walker()
    bpy.ops.object.mode_set(mode="EDIT")
    for bone in [bone for bone in obj.data.edit_bones if bone.name.startswith("NR")]:
        obj.data.edit_bones.remove(bone)
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.scene.frame_set(9)
    api.remove_walk(obj)
    assert not [constraint for bone in obj.pose.bones for constraint in bone.constraints]


def test_what_of_the_users_aims_at_a_bone_of_ours_is_named_when_that_goes() -> None:
    obj = walker()
    control = record.attachment(obj)["controls"]["foot.L"]
    lamp = bpy.data.objects.new("Lamp", None)
    prop = bpy.data.objects.new("Prop", None)
    for other in (lamp, prop):
        bpy.context.scene.collection.objects.link(other)
    lamp.constraints.new("TRACK_TO").target = obj
    lamp.constraints[0].subtarget = control
    prop.parent, prop.parent_type, prop.parent_bone = obj, "BONE", control
    variable = lamp.driver_add("hide_render").driver.variables.new()
    variable.targets[0].id, variable.targets[0].data_path = obj, f'pose.bones["{control}"].location[0]'
    told = api.remove_walk(obj)
    assert len(told) == 3 and all(f"'{control}' of 'Hero'" in sentence for sentence in told)
    for what in (
        "The constraint 'Track To' of 'Lamp'",
        "'Prop', whose parent is a bone",
        "The driver of 'hide_render' of 'Lamp'",
    ):
        assert any(sentence.startswith(what) for sentence in told), what
