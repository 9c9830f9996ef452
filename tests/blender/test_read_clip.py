"""A motion read from F-curves is the motion that Blender shows; reading leaves nothing behind."""

from time import perf_counter

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from neurarig_addon.blender import api
from neurarig_addon.blender.animation import compat
from neurarig_addon.blender.character.read_character import read_character
from neurarig_addon.blender.character.read_clip import read_clip, read_clip_steps
from neurarig_addon.core.errors import NeuraRigError
from neurarig_addon.core.skeleton.bvh import read_bvh
from neurarig_addon.core.skeleton.clip import Clip
from tests import rigs
from tests.blender.walking import walker
from tests.shared_data import shared_path

MODES = ("QUATERNION", "XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX", "AXIS_ANGLE")
SIZES = {"location": 3, "rotation_quaternion": 4, "rotation_axis_angle": 4, "rotation_euler": 3, "scale": 3}
FRAMES = np.arange(1.0, 41.0)
SCALES = ("FULL", "NONE", "AVERAGE", "ALIGNED", "FIX_SHEAR", "NONE_LEGACY")


def curve(action: bpy.types.Action, slot: object, path: str, index: int, values: np.ndarray, every: float = 4.0) -> bpy.types.FCurve:
    """Return a new Bezier curve with a key on every n-th frame."""
    made = compat.ensure_channels(action, slot)[0].new(path, index=index)
    made.keyframe_points.add(len(values))
    made.keyframe_points.foreach_set("co", np.stack([1.0 + every * np.arange(len(values)), values], -1).ravel())
    made.update()
    return made


def new_action(
    obj: bpy.types.Object, rng: np.random.Generator, props: tuple[str, ...] = ("location", "rotation", "scale")
) -> bpy.types.Action:
    """Return an action that shakes every bone, in its own rotation mode; quaternions are not of length one."""
    action, slot = compat.new_action(f"Shake {obj.name}", obj)
    for bone in obj.pose.bones:
        turned = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}.get(bone.rotation_mode, "rotation_euler")
        for prop in (turned if prop == "rotation" else prop for prop in props):
            path = f'pose.bones["{bpy.utils.escape_identifier(bone.name)}"].{prop}'
            even = rng.uniform(0.7, 1.4, 11)
            for index in range(SIZES[prop]):
                curve(
                    action, slot, path, index, even if prop == "scale" else rng.normal(scale=0.05 if prop == "location" else 1.0, size=11)
                )
    return action


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


def play(obj: bpy.types.Object, action: bpy.types.Action) -> None:
    compat.assign(obj.animation_data_create(), action, compat.suitable_slot(action, obj))


def stepped(obj: bpy.types.Object, *args: object, **kwargs: object) -> Clip:
    """Read with a constraint without any effect, because of which the timeline has to step."""
    obj.pose.bones[0].constraints.new("COPY_LOCATION")
    try:
        return read_clip(bpy.context, obj, *args, **kwargs)
    finally:
        obj.pose.bones[0].constraints.remove(obj.pose.bones[0].constraints[-1])


def assert_same(one: Clip, other: Clip, metres: float = 1e-5) -> None:
    np.testing.assert_array_equal(one.frames, other.frames)
    np.testing.assert_allclose(one.heads, other.heads, atol=metres)
    np.testing.assert_allclose(one.axes, other.axes, atol=2e-5)


@pytest.mark.parametrize("seed", range(6))
def test_curves_tell_what_blender_shows(addon: None, seed: int) -> None:
    obj = shaken(np.random.default_rng(seed))
    bones = obj.data.edit_bones
    bpy.ops.object.mode_set(mode="EDIT")
    for name in ("LeftLeg", "RightFoot", "Spine1"):
        bones[name].use_connect = True
    bpy.ops.object.mode_set(mode="OBJECT")
    assert_same(read_clip(bpy.context, obj, frames=FRAMES - 0.3), stepped(obj, frames=FRAMES - 0.3))


def test_uneven_scale_is_passed_on(addon: None) -> None:
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
def test_the_object_carries_its_bones(addon: None, mode: str) -> None:
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
    turned = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}.get(mode, "rotation_euler")
    for prop in ("location", turned):
        for index in range(SIZES[prop]):
            curve(action, slot, prop, index, rng.normal(size=11))
    assert_same(read_clip(bpy.context, obj), stepped(obj))
    parent.keyframe_insert("location")
    assert_same(read_clip(bpy.context, obj), stepped(obj))


def test_curves_of_all_kinds(addon: None) -> None:
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


def test_rotations_of_zeros_are_read_as_blender_does(addon: None) -> None:
    obj = rigs.build(rigs.biped())
    for name, mode in (("Spine", "QUATERNION"), ("Head", "AXIS_ANGLE")):
        obj.pose.bones[name].rotation_mode = mode
    obj.pose.bones["Spine"].rotation_quaternion = (0.0, 0.0, 0.0, 0.0)
    obj.pose.bones["Head"].rotation_axis_angle = (1.0, 0.0, 0.0, 0.0)
    assert_same(read_clip(bpy.context, obj, frames=FRAMES), stepped(obj, frames=FRAMES))


def test_a_driver_or_strip_or_constraint_is_seen(addon: None) -> None:
    obj = shaken(np.random.default_rng(4))
    driver = obj.pose.bones["Head"].driver_add("location", 0).driver
    driver.expression = "0.01 * frame"
    shown = read_clip(bpy.context, obj)
    assert np.ptp(shown.heads[:, shown.skeleton.index["Head"]] - shown.heads[:, shown.skeleton.index["Neck"]], axis=0).max() > 0.1
    obj.pose.bones["Head"].driver_remove("location", 0)
    action, _ = compat.assigned(obj.animation_data)
    strip = obj.animation_data.nla_tracks.new().strips.new("Late", 11, action)
    compat.assign(strip, action, compat.suitable_slot(action, obj))
    obj.animation_data.action = None
    late, own = read_clip(bpy.context, obj, frames=FRAMES + 10.0), read_clip(bpy.context, obj, action, FRAMES)
    np.testing.assert_allclose(late.heads, own.heads, atol=1e-5)


def test_an_action_is_read_as_if_it_alone_played(addon: None) -> None:
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
    pose = [(*b.location, *b.rotation_quaternion, *b.rotation_euler, *b.rotation_axis_angle, *b.scale) for b in obj.pose.bones]
    assigned = compat.assigned(data) if data else None
    return pose, assigned, data and data.use_nla, scene.frame_current, scene.frame_subframe, obj.matrix_basis.copy(), len(bpy.data.actions)


@pytest.mark.parametrize("closed_early", [False, True])
def test_reading_leaves_no_trace(addon: None, closed_early: bool) -> None:
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


def test_a_live_walk_is_read_as_it_is_shown(addon: None) -> None:
    obj = walker(mode="TRAVEL")
    clip = read_clip(bpy.context, obj, frames=np.array([1.0, 30.0]))
    hips = clip.heads[:, clip.skeleton.index["Hips"]]
    assert np.linalg.norm(hips[1] - hips[0]) > 0.8 * obj.neurarig.walk.speed * 29.0 / 24.0
    api.bake_walk(obj, frame_start=1, frame_end=30)
    baked = read_clip(bpy.context, obj, frames=np.array([1.0, 30.0]))
    np.testing.assert_allclose(baked.heads, clip.heads, atol=1e-4)


def test_a_character_knows_which_bones_matter(addon: None) -> None:
    obj = rigs.build([*rigs.biped(), rigs.Bone("Prop", "LeftHand", (0.9, 0, 1.4), (0.9, 0, 1.6))])
    play(obj, new_action(obj, np.random.default_rng(8)))
    obj.pose.bones["Prop"].constraints.new("COPY_LOCATION").target = obj
    character = read_character(obj, bpy.context.scene)
    assert character.roles.get("thigh.L") == "LeftUpLeg"
    shown = []
    bpy.app.handlers.frame_change_pre.append(lambda *_: shown.append(1))
    clip = read_clip(bpy.context, obj, character=character)
    assert not shown and set(character.motions(clip)) == set(character.roles.bones)
    read_clip(bpy.context, obj)
    assert shown
    bpy.app.handlers.frame_change_pre.pop()


def test_motion_capture_is_read_as_by_the_core(addon: None) -> None:
    path = shared_path("data", "mocap", "walk")
    file = sorted(path.glob("*.bvh"))[0]
    ours = read_bvh(file, up="y")
    bpy.ops.import_anim.bvh(filepath=str(file), global_scale=np.linalg.norm(ours.skeleton.to_world[:3, 0]), use_fps_scale=False)
    clip = read_clip(bpy.context, bpy.context.object, frames=ours.frames)
    rows = [clip.skeleton.index[name] for name in ours.skeleton.names]
    np.testing.assert_allclose(clip.heads[:, rows], ours.heads, atol=1e-4)
    away = clip.axes[:, rows] @ np.linalg.inv(clip.axes[:1, rows])
    np.testing.assert_allclose(away, ours.axes @ np.linalg.inv(ours.axes[:1]), atol=1e-4)


def test_what_cannot_be_read_is_refused(addon: None) -> None:
    obj = rigs.build(rigs.biped())
    empty, _ = compat.new_action("Empty", obj)
    with pytest.raises(NeuraRigError, match=r"'Empty' moves no bone of 'Character'"):
        read_clip(bpy.context, obj, empty)
    obj.data.pose_position = "REST"
    with pytest.raises(NeuraRigError, match="Pose Position"):
        read_clip(bpy.context, obj)
    with pytest.raises(NeuraRigError, match="not an armature"):
        read_clip(bpy.context, bpy.data.objects.new("Empty", None))


def test_a_thousand_frames_are_read_at_once(addon: None) -> None:
    obj = rigs.build(rigs.biped())
    rng = np.random.default_rng(0)
    action, slot = compat.new_action("Long", obj)
    for bone in obj.pose.bones:
        bone.rotation_mode = "XYZ"
        for index in range(3):
            curve(action, slot, f'pose.bones["{bone.name}"].rotation_euler', index, rng.normal(size=1000), every=1.0)
    start = perf_counter()
    clip = read_clip(bpy.context, obj, action)
    assert len(clip) == 1000 and perf_counter() - start < 0.5
