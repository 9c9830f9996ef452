"""Bakes on the NLA: pushed, taken off, and with waves keyed over them."""

import bpy
import numpy as np
import pytest
from mathutils import Euler

from neurarig_addon.blender import api
from neurarig_addon.core.posing.channels import rotation_path
from tests.blender.walking import deform_bones, played, seen, walker
from tests.rigs import biped, build, rigify_human

FRAMES = list(range(1, 31))
SAME = 1e-5  # metres


def test_pushed_to_the_nla():
    obj = walker(mode="TRAVEL")
    before = played(obj, FRAMES, deform_bones(obj))
    baked = [
        api.bake_walk(obj, frame_start=1, frame_end=30, push_nla=True, action_name=name)
        for name in ("", "Stroll", "Stroll")
    ]
    assert obj.animation_data.action is None
    assert [action.name for action in baked] == ["Hero Walk", "Stroll", "Stroll.001"]
    assert [track.name for track in obj.animation_data.nla_tracks] == [action.name for action in baked]
    assert np.abs(played(obj, FRAMES, deform_bones(obj)) - before).max() < 20.0 * SAME
    api.remove_walk(obj)
    assert [track.mute for track in obj.animation_data.nla_tracks] == [True, True, False]
    assert np.abs(played(obj, FRAMES, deform_bones(obj)) - before).max() < 20.0 * SAME


def test_a_loop_on_the_nla_goes_on_to_the_end_of_the_scene():
    obj = walker(mode="TRAVEL")
    bones = deform_bones(obj)
    frames = [1, 20, 100, 250]
    before = played(obj, frames, bones)
    api.bake_walk(obj, frame_start=1, loop=True, push_nla=True)
    assert np.abs(played(obj, frames, bones) - before).max() < 5 * SAME


@pytest.mark.parametrize("push_nla", [False, True])
def test_live_again_the_bake_makes_way(push_nla):
    obj = walker()
    baked = api.bake_walk(obj, frame_start=1, frame_end=30, push_nla=push_nla)
    obj.neurarig.walk.crouch = 0.2
    api.resume_walk(obj)
    crouched = seen(obj, 8)
    obj.neurarig.walk.crouch = 0.0
    assert np.abs(seen(obj, 8) - crouched).max() > 0.05
    assert baked.name in bpy.data.actions


@pytest.mark.parametrize("make", [walker, rigify_human])
def test_a_wave_keyed_over_a_bake_on_the_nla_lasts_as_long_as_its_keys(make):
    obj = make()
    if not obj.neurarig.attachment:
        api.generate_walk(obj, use_network=False, mode="TRAVEL")
    arm = next(name for name in ("upper_arm_fk.L", "LeftArm", "upper_arm.L") if name in obj.pose.bones)
    api.bake_walk(obj, frame_start=1, frame_end=60, push_nla=True)
    frames, bones = range(1, 61), deform_bones(obj)
    walking = played(obj, frames, bones)
    _wave(obj, arm, 24, 40)
    wave = obj.animation_data.action
    _assert_waves(obj, walking, bones)
    strip = obj.animation_data.nla_tracks.new().strips.new("Wave", 24, wave)  # as Push Down does
    strip.extrapolation, obj.animation_data.action = obj.animation_data.action_extrapolation, None
    _assert_waves(obj, walking, bones)
    api.remove_walk(obj)
    assert obj.animation_data.action_extrapolation == "HOLD"


def test_a_wave_that_was_keyed_before_a_bake_is_pushed_comes_back_as_it_was():
    obj = build(biped(), "Hero")
    _wave(obj, "LeftArm", 24, 40)
    obj.animation_data.action_extrapolation, wave = "HOLD_FORWARD", obj.animation_data.action
    api.generate_walk(obj, use_network=False)
    for _ in range(2):
        api.bake_walk(obj, frame_start=1, frame_end=10, push_nla=True)
    assert obj.animation_data.action_extrapolation == "NOTHING"
    api.remove_walk(obj)
    assert (obj.animation_data.action, obj.animation_data.action_extrapolation) == (wave, "HOLD_FORWARD")


def _wave(obj: bpy.types.Object, name: str, first: int, last: int) -> None:
    """Key a bone on two frames, as an animator does."""
    bone = obj.pose.bones[name]
    for frame, angle in ((first, 1.0), (last, 1.4)):
        bpy.context.scene.frame_set(frame)
        bone.matrix_basis = Euler((angle, 0.3, 0.0)).to_matrix().to_4x4()
        bone.keyframe_insert(rotation_path(bone.rotation_mode), frame=frame)


def _assert_waves(obj: bpy.types.Object, walking: np.ndarray, bones: list[str]) -> None:
    off = np.abs(played(obj, range(1, 61), bones) - walking).reshape(60, -1).max(axis=1)
    assert off[:22].max() < SAME and off[41:].max() < SAME and off[24:39].min() > 0.1
