"""What a bake refuses, what it costs, and what it leaves when it is cancelled or taken off."""

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.walk.bake import bake
from neurarig_addon.blender.walk.bake.bake import bake_steps
from neurarig_addon.blender.walk.bake.bake_options import BakeOptions
from neurarig_addon.blender.walk.source import source as walk_source
from tests.blender.walking import deform_bones, played, seen, walker
from tests.refusals import refuses
from tests.rigs import rigify_human

FRAMES = list(range(1, 31))
SAME = 1e-5  # metres


def test_a_keyed_walk_cannot_loop():
    obj = walker()
    for frame, speed in ((1, 0.6), (60, 1.8)):
        obj.neurarig.walk.speed = speed
        obj.neurarig.walk.keyframe_insert("speed", frame=frame)
    with refuses("speed"):
        api.bake_walk(obj, frame_start=1, loop=True)
    assert obj.neurarig.walk.live


@pytest.mark.parametrize(
    "options", [{"frame_start": 9, "frame_end": 3}, {"frame_start": 1, "frame_end": 9, "step": 0}]
)
def test_impossible_options_leave_the_file_alone(options):
    obj = walker()
    actions = len(bpy.data.actions)
    with refuses():
        api.bake_walk(obj, **options)
    assert obj.neurarig.walk.live and len(bpy.data.actions) == actions


@pytest.mark.parametrize("make", [walker, rigify_human])
def test_bakes_follow_one_another(make):
    obj = make()
    if not obj.neurarig.attachment:
        api.generate_walk(obj, use_network=False)
    bones = deform_bones(obj)
    before = played(obj, FRAMES[:9], bones)
    for target in ("DEFORM", "CONTROLS", "DEFORM", "DEFORM", "CONTROLS"):
        api.bake_walk(obj, frame_start=1, frame_end=9, target=target)
        assert np.abs(played(obj, FRAMES[:9], bones) - before).max() < 2 * SAME, target


def test_keyed_sliders_are_kept_for_later():
    obj = walker(mode="TRAVEL")
    for frame, speed in ((1, 0.6), (60, 1.8)):
        obj.neurarig.walk.speed = speed
        obj.neurarig.walk.keyframe_insert("speed", frame=frame)
    own = obj.animation_data.action
    before = played(obj, FRAMES, deform_bones(obj))
    api.bake_walk(obj, frame_start=1, frame_end=30)
    assert np.abs(played(obj, FRAMES, deform_bones(obj)) - before).max() < SAME
    api.resume_walk(obj)
    assert np.abs(played(obj, FRAMES, deform_bones(obj)) - before).max() < SAME
    api.remove_walk(obj)
    assert obj.animation_data.action == own


@pytest.mark.parametrize("make", [walker, rigify_human])
def test_a_cancelled_bake_leaves_nothing(make):
    obj = make()
    if not obj.neurarig.attachment:
        api.generate_walk(obj, use_network=False)
    bpy.context.scene.frame_set(7)
    actions = len(bpy.data.actions)
    before = seen(obj, 7)
    steps = bake_steps(obj, BakeOptions(1, 30, target="DEFORM"))
    for _, _ in zip(range(2), steps, strict=False):
        pass
    steps.close()
    assert len(bpy.data.actions) == actions and obj.neurarig.walk.live
    assert bpy.context.scene.frame_current == 7
    assert np.abs(seen(obj, 7) - before).max() < SAME


def test_a_rig_that_stands_still_has_nothing_to_loop():
    obj = walker(speed=0.0, idle=0.0)
    with refuses("speed"):
        api.bake_walk(obj, frame_start=1, loop=True)
    api.bake_walk(obj, frame_start=1, frame_end=10)


def test_constraints_work_again_when_the_walk_is_removed():
    obj = rigify_human()
    muted = {(bone.name, c.name): c.mute for bone in obj.pose.bones for c in bone.constraints}
    api.generate_walk(obj, use_network=False)
    api.bake_walk(obj, frame_start=1, frame_end=3, target="DEFORM")
    assert muted != {(bone.name, c.name): c.mute for bone in obj.pose.bones for c in bone.constraints}
    api.remove_walk(obj)
    bpy.context.view_layer.update()  # the rig's own drivers mute some
    assert muted == {(bone.name, c.name): c.mute for bone in obj.pose.bones for c in bone.constraints}


ODD_FRAMES = [float("nan"), float("inf"), "a", None, 2_000_000, [], True]


@pytest.mark.few(4)
@pytest.mark.parametrize("odd", ODD_FRAMES)
@pytest.mark.parametrize("which", ["frame_start", "frame_end"])
def test_a_frame_that_is_none_is_a_sentence(which, odd):
    obj = walker()
    with refuses("frame"):
        api.bake_walk(obj, **{"frame_start": 1, "frame_end": 9, which: odd})
    assert not bpy.data.actions and obj.neurarig.walk.live


@pytest.mark.parametrize("options", [{"step": 2.5}, {"step": "2"}, {"loop": "x"}, {"push_nla": []}])
def test_an_option_of_the_wrong_kind_is_a_sentence(options):
    obj = walker()
    with refuses():
        api.bake_walk(obj, frame_start=1, frame_end=9, **options)
    assert not bpy.data.actions


def test_a_bake_costs_its_frames_however_many_a_second_has():
    """What lies around the keys is looked at in seconds, not in frames: 120 / 0.001 a second were 240 000
    poses for five keys."""
    obj = walker()
    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base = 120, 0.001
    source = walk_source.source_of(obj, scene)
    known = bake.Known(source, np.arange(1.0, 6.0))
    assert len(known.pose.frames) < 2_000
    assert api.bake_walk(obj, frame_start=1, frame_end=5).frame_end == 5
