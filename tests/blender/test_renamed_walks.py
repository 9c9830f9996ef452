"""A walk made again, turned on or baked after its bones and constraints were renamed."""

from collections.abc import Callable
from contextlib import suppress

import bpy

from neurarig_addon.blender import api
from neurarig_addon.core.errors import NeuraRigError
from tests import rigs


def walk(obj: bpy.types.Object) -> Callable[[], object]:
    api.generate_walk(obj, use_network=False)
    return lambda: api.remove_walk(obj)


def test_a_muted_constraint_that_was_renamed_comes_back_though_the_walk_was_generated_again():
    obj = rigs.build(rigs.biped(), "Hero")
    made = obj.pose.bones["RightArm"].constraints.new("COPY_ROTATION")
    made.target, made.subtarget = obj, "Hips"
    api.generate_walk(obj, use_network=False, controls="FK")
    assert made.mute
    made.name = "renamed"
    api.generate_walk(obj, use_network=False, controls="FK")
    assert not api.remove_walk(obj)
    assert not obj.pose.bones["RightArm"].constraints["renamed"].mute


def test_a_walk_that_is_turned_on_after_renaming_and_deleting_bones_of_ours_says_what_is_missing():
    obj = rigs.build(rigs.biped(), "Hero")
    remove = walk(obj)
    obj.data.bones["NR-MCH-calf.R"].name = "Calf"
    rigs.make_active(obj)
    bpy.ops.object.mode_set(mode="EDIT")
    obj.data.edit_bones.remove(obj.data.edit_bones["NR-MCH-foot.R"])
    bpy.ops.object.mode_set(mode="OBJECT")
    with suppress(NeuraRigError):
        api.resume_walk(obj)
    remove()
    assert sorted(obj.data.bones.keys()) == sorted(bone.name for bone in rigs.biped())
