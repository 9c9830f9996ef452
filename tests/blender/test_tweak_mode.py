"""Buttons pressed while a strip is tweaked (Tab in the NLA): Blender forbids much then, and forgives nothing."""

import subprocess
import sys
import textwrap
from collections.abc import Callable

import bpy
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.animation import compat
from neurarig_addon.core.errors import NeuraRigError
from tests import rigs
from tests.blender.situations.record import differences, recorded, report

BUTTONS = {
    "generate_walk": lambda obj: api.generate_walk(obj, use_network=False),
    "bake_walk": lambda obj: api.bake_walk(obj, frame_start=1, frame_end=9),
    "remove_walk": lambda obj: api.remove_walk(obj),
    "pose_targets": lambda obj: api.pose_targets(obj),
}


def tweaking(obj: bpy.types.Object, track: bpy.types.NlaTrack) -> None:
    """Go into tweak mode on the first strip of a track."""
    data = obj.animation_data
    track.lock = track.mute = False
    data.nla_tracks.active = track
    track.select = track.strips[0].select = True
    data.use_tweak_mode = True
    assert data.use_tweak_mode


def with_strip() -> tuple[bpy.types.Object, bpy.types.NlaTrack]:
    """Return a character with an action in a strip, and the track."""
    obj = rigs.build(rigs.biped(), "Hero")
    obj.pose.bones["Hips"].keyframe_insert("location", frame=1)
    data = obj.animation_data
    action, slot = compat.assigned(data)
    track = data.nla_tracks.new()
    compat.assign(track.strips.new("Strip", 1, action), action, slot)
    data.action = None
    return obj, track


@pytest.mark.usefixtures("addon")
@pytest.mark.parametrize("button", ["generate_walk", "pose_targets"])
def test_what_begins_in_tweak_mode_is_refused_or_works(button: str):
    obj, track = with_strip()
    tweaking(obj, track)
    assert_sentence_or_done(obj, BUTTONS[button])


@pytest.mark.usefixtures("addon")
@pytest.mark.parametrize("button", ["generate_walk", "bake_walk", "remove_walk"])
def test_what_is_pressed_on_a_walker_in_tweak_mode_is_refused_or_works(button: str):
    obj, track = with_strip()
    api.generate_walk(obj, use_network=False)
    tweaking(obj, track)
    assert_sentence_or_done(obj, BUTTONS[button])


@pytest.mark.usefixtures("addon")
def test_an_action_comes_back_though_a_strip_was_tweaked_when_its_walk_was_removed():
    obj, track = with_strip()
    own = bpy.data.actions.new("hours of work")
    obj.animation_data.action = own
    obj.pose.bones["Hips"].keyframe_insert("location", frame=1)
    api.generate_walk(obj, use_network=False)
    tweaking(obj, track)
    assert_sentence_or_done(obj, BUTTONS["remove_walk"])
    obj.animation_data.use_tweak_mode = False
    if any(bone.name.startswith("NR") for bone in obj.data.bones):
        api.remove_walk(obj)
    assert obj.animation_data.action == own
    assert len(obj.animation_data.nla_tracks) == 1


@pytest.mark.parametrize(
    ("attach", "remove"),
    [
        ("api.generate_walk(obj, use_network=False)", "api.remove_walk(obj)"),
        ("api.pose_targets(obj)", "api.remove_targets(obj)"),
    ],
)
def test_removing_while_the_action_that_made_way_is_tweaked_leaves_blender_alive(attach: str, remove: str):
    """In a process of its own, which a crash ends."""
    script = f"""
        import os
        import bpy
        import neurarig_addon
        from neurarig_addon.blender import api
        from neurarig_addon.core.errors import NeuraRigError
        from tests import rigs
        from tests.blender.test_tweak_mode import tweaking

        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        neurarig_addon.register()
        obj = rigs.build(rigs.biped(), "Hero")
        for frame in (1, 20):
            obj.pose.bones["Hips"].keyframe_insert("location", frame=frame)
        own = obj.animation_data.action
        {attach}
        data = obj.animation_data
        tweaking(obj, next(track for track in data.nla_tracks if any(strip.action == own for strip in track.strips)))
        try:
            {remove}
        except NeuraRigError as refusal:
            print(refusal)
        if data.use_tweak_mode:
            data.use_tweak_mode = False
        for frame in range(1, 30):
            bpy.context.scene.frame_set(frame)
        assert own.users or own.use_fake_user
        print("alive", flush=True)
        os._exit(0)
    """
    ended = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], cwd=rigs.REPOSITORY, capture_output=True, text=True, errors="replace", check=False
    )
    assert ended.stdout.strip().endswith("alive"), ended.stderr[-2000:]


def assert_sentence_or_done(obj: bpy.types.Object, press: Callable[[bpy.types.Object], object]) -> None:
    """Press a button: it works, or says one sentence and has changed nothing."""
    before = recorded()
    try:
        press(obj)
    except NeuraRigError:
        changed = differences(before, recorded())
        assert not changed, report(changed)
