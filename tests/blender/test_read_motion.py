"""Motion that is no plain action: live walks, motion capture, long and unreadable clips."""

from time import process_time

import bpy
import numpy as np
from numpy.testing import assert_allclose

from neurarig_addon.blender import api
from neurarig_addon.blender.animation import compat
from neurarig_addon.blender.character.read_character import read_character
from neurarig_addon.blender.character.read_clip import read_clip
from neurarig_addon.core.skeleton.bvh import read_bvh
from tests import rigs
from tests.blender.made_actions import curve, new_action, play
from tests.blender.walking import walker
from tests.refusals import refuses
from tests.shared_data import shared_path


def test_a_live_walk_is_read_as_it_is_shown() -> None:
    obj = walker(mode="TRAVEL")
    clip = read_clip(bpy.context, obj, frames=np.array([1.0, 30.0]))
    hips = clip.heads[:, clip.skeleton.index["Hips"]]
    assert np.linalg.norm(hips[1] - hips[0]) > 0.8 * obj.neurarig.walk.speed * 29.0 / 24.0
    api.bake_walk(obj, frame_start=1, frame_end=30, target="LAYER")
    baked = read_clip(bpy.context, obj, frames=np.array([1.0, 30.0]))
    assert_allclose(baked.heads, clip.heads, atol=1e-4)


def test_a_character_knows_which_bones_matter() -> None:
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


def test_motion_capture_is_read_as_by_the_core() -> None:
    path = shared_path("data", "mocap", "walk")
    file = sorted(path.glob("*.bvh"))[0]
    ours = read_bvh(file, up="y")
    bpy.ops.import_anim.bvh(
        filepath=str(file), global_scale=np.linalg.norm(ours.skeleton.to_world[:3, 0]), use_fps_scale=False
    )
    clip = read_clip(bpy.context, bpy.context.object, frames=ours.frames)
    rows = [clip.skeleton.index[name] for name in ours.skeleton.names]
    assert_allclose(clip.heads[:, rows], ours.heads, atol=1e-4)
    away = clip.axes[:, rows] @ np.linalg.inv(clip.axes[:1, rows])
    assert_allclose(away, ours.axes @ np.linalg.inv(ours.axes[:1]), atol=1e-4)


def test_what_cannot_be_read_is_refused() -> None:
    obj = rigs.build(rigs.biped())
    empty, _ = compat.new_action("Empty", obj)
    with refuses(r"'Empty' moves no bone of 'Character'"):
        read_clip(bpy.context, obj, empty)
    obj.data.pose_position = "REST"
    with refuses("Pose Position"):
        read_clip(bpy.context, obj)
    with refuses("not an armature"):
        read_clip(bpy.context, bpy.data.objects.new("Empty", None))


def test_a_thousand_frames_are_read_at_once() -> None:
    obj = rigs.build(rigs.biped())
    rng = np.random.default_rng(0)
    action, slot = compat.new_action("Long", obj)
    for bone in obj.pose.bones:
        bone.rotation_mode = "XYZ"
        for index in range(3):
            curve(
                action,
                slot,
                f'pose.bones["{bone.name}"].rotation_euler',
                index,
                rng.normal(size=1000),
                every=1.0,
            )
    start = process_time()
    clip = read_clip(bpy.context, obj, action)
    assert len(clip) == 1000 and process_time() - start < 0.5
