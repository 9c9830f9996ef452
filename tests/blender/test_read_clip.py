"""A motion read from F-curves is the motion that Blender shows; reading leaves nothing behind."""

import bpy
import numpy as np
import pytest
from mathutils import Matrix
from numpy.testing import assert_allclose, assert_array_equal

from neurarig_addon.blender.animation import compat
from neurarig_addon.blender.character.read_clip import read_clip, read_clip_steps
from neurarig_addon.core.skeleton.clip import Clip
from tests import rigs
from tests.blender.made_actions import SIZES, curve, new_action, play
from tests.refusals import refuses

MODES = ("QUATERNION", "XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX", "AXIS_ANGLE")
FRAMES = np.arange(1.0, 41.0)
SCALES = ("FULL", "NONE", "AVERAGE", "ALIGNED", "FIX_SHEAR", "NONE_LEGACY")


def shaken(rng: np.random.Generator, matrix: Matrix | None = None, **kwargs: object) -> bpy.types.Object:
    """Return a biped with every rotation mode, every relation to the parent, and an action."""
    obj = rigs.build(rigs.biped(), matrix=matrix)
    for number, bone in enumerate(obj.pose.bones):
        bone.rotation_mode = MODES[number % len(MODES)]
        bone.bone.use_inherit_rotation = rng.random() < 0.7
        bone.bone.use_local_location = rng.random() < 0.7
        bone.bone.inherit_scale = SCALES[number % len(SCALES)]
    play(obj, new_action(obj, rng, **kwargs))
    return obj


def stepped(obj: bpy.types.Object, *args: object, **kwargs: object) -> Clip:
    """Read with a constraint without any effect, because of which the timeline has to step."""
    obj.pose.bones[0].constraints.new("COPY_LOCATION")
    try:
        return read_clip(bpy.context, obj, *args, **kwargs)
    finally:
        obj.pose.bones[0].constraints.remove(obj.pose.bones[0].constraints[-1])


def assert_same(one: Clip, other: Clip, metres: float = 1e-5) -> None:
    assert_array_equal(one.frames, other.frames)
    assert_allclose(one.heads, other.heads, atol=metres)
    assert_allclose(one.axes, other.axes, atol=2e-5)


@pytest.mark.parametrize("seed", range(6))
def test_curves_tell_what_blender_shows(seed: int) -> None:
    obj = shaken(np.random.default_rng(seed))
    bones = obj.data.edit_bones
    bpy.ops.object.mode_set(mode="EDIT")
    for name in ("LeftLeg", "RightFoot", "Spine1"):
        bones[name].use_connect = True
    bpy.ops.object.mode_set(mode="OBJECT")
    assert_same(read_clip(bpy.context, obj, frames=FRAMES - 0.3), stepped(obj, frames=FRAMES - 0.3))


@pytest.mark.parametrize(("old", "new"), [(100, 200), (200, 100), (24, 25)])
def test_time_stretching_is_no_part_of_a_clip(old: int, new: int) -> None:
    obj = shaken(np.random.default_rng(2))
    as_keyed = read_clip(bpy.context, obj)
    bpy.context.scene.render.frame_map_old, bpy.context.scene.render.frame_map_new = old, new
    assert_same(read_clip(bpy.context, obj), as_keyed)
    assert_same(stepped(obj), as_keyed, metres=1e-4)


@pytest.mark.skipif(not compat.HAS_SLOTS, reason="this Blender has no slots")
def test_an_action_without_its_slot_is_read_by_the_slot_that_has_keys() -> None:
    obj = shaken(np.random.default_rng(3))
    data, assigned = obj.animation_data, read_clip(bpy.context, obj)
    data.action.slots.new(id_type="OBJECT", name=obj.name)  # empty
    data.action_slot = None
    assert_same(read_clip(bpy.context, obj, data.action), stepped(obj))
    assert np.ptp(assigned.heads, axis=0).max() > 0.1 and data.action_slot is None
    assert_same(read_clip(bpy.context, obj), read_clip(bpy.context, obj, data.action))
    assert np.ptp(read_clip(bpy.context, obj).heads, axis=0).max() > 0.1


def test_uneven_scale_is_passed_on() -> None:
    rng = np.random.default_rng(1)
    obj = rigs.build(rigs.biped())
    play(obj, new_action(obj, rng))
    for squashed in compat.find_channels(*compat.assigned(obj.animation_data)):
        if squashed.data_path.endswith("scale") and squashed.array_index == 1:
            squashed.keyframe_points[3].co[1] = 0.5
    assert_same(read_clip(bpy.context, obj), stepped(obj))
    obj.data.bones["LeftLeg"].inherit_scale = "AVERAGE"
    assert_same(read_clip(bpy.context, obj), stepped(obj))


@pytest.mark.parametrize("mode", MODES)
def test_the_object_carries_its_bones(mode: str) -> None:
    rng = np.random.default_rng(7)
    bpy.context.scene.unit_settings.scale_length = 0.5
    obj = shaken(rng, matrix=rigs.fbx_matrix(20.0))
    parent = bpy.data.objects.new("Parent", None)
    bpy.context.scene.collection.objects.link(parent)
    parent.location, parent.rotation_euler = (1.0, 2.0, 0.0), (0.0, 0.0, 0.7)
    obj.parent, obj.rotation_mode = parent, mode
    obj.delta_location, obj.delta_rotation_euler = (0.1, 0.0, 0.2), (0.3, 0.0, 0.0)
    obj.delta_rotation_quaternion = (0.9, 0.1, 0.0, 0.2)
    bpy.context.view_layer.update()
    action, slot = compat.assigned(obj.animation_data)
    turned = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}.get(
        mode, "rotation_euler"
    )
    for prop in ("location", turned):
        for index in range(SIZES[prop]):
            curve(action, slot, prop, index, rng.normal(size=11))
    assert_same(read_clip(bpy.context, obj), stepped(obj))
    parent.keyframe_insert("location")
    assert_same(read_clip(bpy.context, obj), stepped(obj))


def test_curves_of_all_kinds() -> None:
    obj = shaken(np.random.default_rng(3))
    curves = compat.find_channels(*compat.assigned(obj.animation_data))
    for number, each in enumerate(curves):
        each.mute = number % 11 == 0
        each.extrapolation = ("CONSTANT", "LINEAR")[number % 2]
        if number % 5 == 0:
            each.modifiers.new("CYCLES")
        for key in each.keyframe_points:
            key.interpolation = ("CONSTANT", "LINEAR", "BEZIER", "ELASTIC")[number % 4]
    frames = np.arange(-5.0, 60.0)
    assert_same(read_clip(bpy.context, obj, frames=frames), stepped(obj, frames=frames))


def test_a_driver_or_strip_or_constraint_is_seen() -> None:
    obj = shaken(np.random.default_rng(4))
    driver = obj.pose.bones["Head"].driver_add("location", 0).driver
    driver.expression = "0.01 * frame"
    shown = read_clip(bpy.context, obj)
    assert (
        np.ptp(
            shown.heads[:, shown.skeleton.index["Head"]] - shown.heads[:, shown.skeleton.index["Neck"]],
            axis=0,
        ).max()
        > 0.1
    )
    obj.pose.bones["Head"].driver_remove("location", 0)
    action, _ = compat.assigned(obj.animation_data)
    strip = obj.animation_data.nla_tracks.new().strips.new("Late", 11, action)
    compat.assign(strip, action, compat.suitable_slot(action, obj))
    obj.animation_data.action = None
    late, own = read_clip(bpy.context, obj, frames=FRAMES + 10.0), read_clip(bpy.context, obj, action, FRAMES)
    assert_allclose(late.heads, own.heads, atol=1e-5)


def test_an_action_is_read_as_if_it_alone_played() -> None:
    rng = np.random.default_rng(5)
    obj = shaken(rng)
    turns = new_action(obj, rng, props=("rotation",))
    bare = rigs.build(rigs.biped(), "Bare")
    for bone in bare.pose.bones:
        bone.rotation_mode = obj.pose.bones[bone.name].rotation_mode
        for setting in ("use_inherit_rotation", "use_local_location", "inherit_scale"):
            setattr(bone.bone, setting, getattr(obj.data.bones[bone.name], setting))
    for bone in obj.pose.bones:
        bone.scale = (1.0, 1.0, 1.0)
    alone = read_clip(bpy.context, bare, turns)
    assert_same(stepped(obj, turns), alone)
    for bone in obj.pose.bones:
        bone.scale = (1.0, 1.0, 1.0)
    assert_same(read_clip(bpy.context, obj, turns), alone)


def everything(obj: bpy.types.Object) -> tuple:
    data, scene = obj.animation_data, bpy.context.scene
    pose = [
        (*b.location, *b.rotation_quaternion, *b.rotation_euler, *b.rotation_axis_angle, *b.scale)
        for b in obj.pose.bones
    ]
    assigned = compat.assigned(data) if data else None
    return (
        pose,
        assigned,
        data and data.use_nla,
        scene.frame_current,
        scene.frame_subframe,
        obj.matrix_basis.copy(),
        len(bpy.data.actions),
    )


@pytest.mark.parametrize("closed_early", [False, True])
def test_reading_leaves_no_trace(closed_early: bool) -> None:
    rng = np.random.default_rng(6)
    obj = shaken(rng)
    other = new_action(obj, rng)
    bpy.context.scene.frame_set(7, subframe=0.25)
    for bone in obj.pose.bones:  # by hand, without keys
        bone.location = rng.normal(size=3)
    obj.location = (1.0, 2.0, 3.0)
    before = everything(obj)
    obj.pose.bones[0].constraints.new("COPY_LOCATION")
    for action in (None, other):
        steps = read_clip_steps(bpy.context, obj, action)
        assert 0.0 < next(steps) < 1.0
        if not closed_early:
            list(steps)
        steps.close()
        assert everything(obj) == before
    obj.animation_data_clear()
    before = everything(obj)
    read_clip(bpy.context, obj, other)
    assert everything(obj) == before


@pytest.mark.parametrize("scale", [(0.0, 0.0, 0.0), (1.0, 0.0, 1.0), (1.0, 1.0, 0.0)])
@pytest.mark.parametrize("steps", [False, True])
def test_a_bone_scaled_to_nothing_keeps_its_last_direction(scale: tuple[float, ...], steps: bool) -> None:
    obj = rigs.build(rigs.biped())
    hand = obj.pose.bones["LeftHand"]
    hand.rotation_mode = "XYZ"
    for frame, turn, size in (
        (1, 0.0, (1.0, 1.0, 1.0)),
        (5, 0.8, (1.0, 1.0, 1.0)),
        (6, 0.8, scale),
        (9, 0.8, scale),
    ):
        hand.rotation_euler, hand.scale = (turn, 0.0, 0.0), size
        hand.keyframe_insert("rotation_euler", frame=frame)
        hand.keyframe_insert("scale", frame=frame)
    clip = stepped(obj) if steps else read_clip(bpy.context, obj)
    row = clip.skeleton.index["LeftHand"]
    turned = clip.axes[:, row]
    assert_allclose(turned @ np.swapaxes(turned, 1, 2), np.tile(np.eye(3), (9, 1, 1)), atol=1e-5)
    assert_allclose(turned[5:], np.tile(turned[4], (4, 1, 1)), atol=1e-5)
    assert np.abs(turned[4] - turned[0]).max() > 0.5


def test_a_key_without_a_number_is_refused() -> None:
    obj = rigs.build(rigs.biped())
    hand = obj.pose.bones["LeftHand"]
    hand.keyframe_insert("rotation_quaternion", frame=1)
    hand.keyframe_insert("rotation_quaternion", frame=5)
    key = compat.find_channels(obj.animation_data.action, compat.assigned(obj.animation_data)[1])[
        0
    ].keyframe_points[1]
    key.co = 5.0, np.nan
    with refuses(r"A key of 'pose\.bones.*LeftHand.*has no number; delete it"):
        read_clip(bpy.context, obj)
