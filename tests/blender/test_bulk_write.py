"""A row that is written at once poses the bones as one written property by property, and leaves every other
bone alone."""

import bpy
import numpy as np
from numpy.testing import assert_allclose

from neurarig_addon.blender import api
from neurarig_addon.blender.animation.write_pose import Slots, apply_row
from neurarig_addon.blender.walk.source import source as walk_source
from tests.blender.walking import played, seen, walker
from tests.rigs import Bone, biped, build

SAME = 1e-6  # metres
MODES = ("QUATERNION", "XYZ", "ZYX", "AXIS_ANGLE")
NAMES = ("location", "rotation_quaternion", "rotation_euler", "rotation_axis_angle", "scale")


def _channels(obj: bpy.types.Object):
    return walk_source.source_of(obj, bpy.context.scene).block(np.arange(1.0, 9.0)).channels


def _values(obj: bpy.types.Object) -> dict[tuple[str, str], tuple[float, ...]]:
    return {(bone.name, name): tuple(getattr(bone, name)) for bone in obj.pose.bones for name in NAMES}


def _mixed() -> bpy.types.Object:
    """Return a walking biped whose bones turn in all modes, with some that nothing drives, posed by hand."""
    obj = walker(controls="FK")
    for number, bone in enumerate(obj.pose.bones):
        bone.rotation_mode = MODES[0] if number < 12 else MODES[number % len(MODES)]
    bpy.context.view_layer.update()
    _add_bones(obj, "Hair", 3)
    for bone in obj.pose.bones:
        if bone.name.startswith("Hair"):
            bone.location, bone.rotation_quaternion = (0.1, 0.2, 0.3), (0.6, 0.0, 0.8, 0.0)
    return obj


def _add_bones(obj: bpy.types.Object, name: str, count: int) -> None:
    bpy.context.view_layer.objects.active = obj
    bpy.ops.object.mode_set(mode="EDIT")
    for number in range(count):
        bone = obj.data.edit_bones.new(f"{name} {number}")
        bone.head, bone.tail = (0.0, 0.0, 2.0), (0.0, 0.0, 2.1 + 0.1 * number)
    bpy.ops.object.mode_set(mode="OBJECT")


def _remove_bones(obj: bpy.types.Object, name: str) -> None:
    bpy.context.view_layer.objects.active = obj
    bpy.ops.object.mode_set(mode="EDIT")
    for bone in [bone for bone in obj.data.edit_bones if bone.name.startswith(name)]:
        obj.data.edit_bones.remove(bone)
    bpy.ops.object.mode_set(mode="OBJECT")


def test_a_row_written_at_once_is_the_row_written_property_by_property():
    obj = _mixed()
    channels = _channels(obj)
    slots = Slots.of(obj, channels)
    assert slots.arrays and slots.paths  # both ways are used, each column of a row goes one of them
    written = [*(array.columns for array in slots.arrays), *(np.r_[columns] for _, columns in slots.paths)]
    assert sorted(np.concatenate(written).tolist()) == list(range(len(channels.views[0])))
    filled = slots.filled(channels)
    before = _values(obj)
    for row in (0, 5):
        apply_row(obj, channels, row)
        expected = _values(obj)
        apply_row(obj, channels, 3)
        filled.put(obj, row)
        assert _values(obj) == expected
    driven = {(prop.bone, prop.name) for prop in channels.properties}
    assert all(value == before[at] for at, value in _values(obj).items() if at not in driven)


def test_bones_side_by_side_are_written_as_one_piece_and_others_one_by_one():
    """Of both kinds of arrays, in turn for two blocks of frames: a row is always that of the channels it is
    asked of."""
    for obj, is_run in ((walker(controls="FK"), True), (_mixed(), False)):
        first = _channels(obj)
        second = walk_source.source_of(obj, bpy.context.scene).block(np.arange(9.0, 17.0)).channels
        slots = Slots.of(obj, first)
        assert any((array.run is not None) == is_run for array in slots.arrays)
        for channels, row in ((first, 2), (second, 2), (first, 7)):
            apply_row(obj, channels, row)
            expected = _values(obj)
            apply_row(obj, channels, 4)
            slots.filled(channels).put(obj, row)
            assert _values(obj) == expected


def test_few_driven_bones_among_many_are_written_alone():
    obj = walker()
    _add_bones(obj, "Hair", 200)
    assert not Slots.of(obj, _channels(obj)).arrays


def test_bones_that_come_and_go_between_two_frames_leave_the_walk_as_it_was():
    spare = Bone("Spare", None, (0.0, 0.4, 0.0), (0.0, 0.4, 0.2))
    obj, twin = build([spare, *biped()], "Hero"), walker("Twin", controls="FK")
    api.generate_walk(obj, use_network=False, controls="FK")
    assert obj.pose.bones[0].name == "Spare"  # the others move up once it is gone
    bones = [bone.name for bone in twin.pose.bones]
    played(obj, (5, 6, 7))
    _remove_bones(obj, "Spare")
    assert_allclose(seen(obj, 8, bones), seen(twin, 8, bones), atol=SAME)
    _add_bones(obj, "New", 2)
    assert_allclose(played(obj, (9, 10), bones), played(twin, (9, 10), bones), atol=SAME)


def test_a_bone_renamed_between_two_frames_does_not_end_the_walk():
    obj, twin = walker(controls="FK"), walker("Twin", controls="FK")
    played(obj, (5, 6, 7))
    played(twin, (5, 6, 7))
    obj.data.bones["LeftUpLeg"].name = "Femur"
    bpy.context.scene.frame_set(8)
    assert obj.neurarig.walk.live and not obj.neurarig.walk.error
    assert_allclose(played(obj, (9, 10)), played(twin, (9, 10)), atol=SAME)
