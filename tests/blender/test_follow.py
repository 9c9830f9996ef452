"""Follow-through in Blender: what hangs on a character swings with its walk, clip or own action."""

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from tests.blender.walking import walk, walker
from tests.refusals import refuses

TAIL = ("Tail_1", "Tail_2", "Tail_3")


@pytest.fixture
def hero(addon: None, fresh_file: None) -> bpy.types.Object:
    obj = walker("Hero")
    api.remove_walk(obj)
    add_tail(obj)
    return obj


def add_tail(obj: bpy.types.Object) -> None:
    """Hang three bones behind the pelvis."""
    pelvis = next(item.bone for item in obj.neurarig.roles if item.role == "pelvis")
    bpy.context.view_layer.objects.active = obj
    bpy.ops.object.mode_set(mode="EDIT")
    bones = obj.data.edit_bones
    above = bones[pelvis]
    place = above.head.copy()
    place.y += 0.12
    for name in TAIL:
        bone = bones.new(name)
        bone.head, bone.parent = place, above
        place = place.copy()
        place.y, place.z = place.y + 0.12, place.z - 0.05
        bone.tail, above = place, bone
    bpy.ops.object.mode_set(mode="OBJECT")


def shown(obj: bpy.types.Object, *frames: float) -> np.ndarray:
    """Return the tail's own matrices `(f, 3, 4, 4)`."""
    found = []
    for frame in frames:
        bpy.context.scene.frame_set(int(frame), subframe=frame % 1.0)
        seen = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
        found.append([np.array(seen.pose.bones[name].matrix_basis) for name in TAIL])
    return np.array(found)


def test_a_tail_follows_live_and_baked_and_is_given_back(hero):
    stood = shown(hero, 1)
    walk(hero, mode="TRAVEL")
    assert api.follow_through(hero) == list(TAIL)
    frames = (30, 3.5, 12, 30, 1)
    live = shown(hero, *frames)
    assert np.abs(live - np.eye(4)).max() > 0.02
    np.testing.assert_array_equal(live[0], live[3])
    np.testing.assert_array_equal(shown(hero, *frames[::-1])[::-1], live)
    action = api.bake_walk(hero, loop=True)
    first, last = action.frame_range
    np.testing.assert_allclose(shown(hero, first), shown(hero, last), atol=1e-6)
    np.testing.assert_allclose(shown(hero, 12, 1), live[[2, 4]], atol=1e-5)
    api.remove_walk(hero)
    np.testing.assert_array_equal(shown(hero, 1), stood)


def test_keys_stay_and_are_added_to_and_constraints_are_respected(hero):
    bone = hero.pose.bones[TAIL[1]]
    bone.rotation_mode = "XYZ"
    for frame, angle in ((1, 0.0), (20, 0.4), (40, 0.0)):
        bone.rotation_euler.x = angle
        bone.keyframe_insert("rotation_euler", frame=frame)
    hips = hero.pose.bones[next(item.bone for item in hero.neurarig.roles if item.role == "pelvis")]
    for frame, angle in ((1, 0.0), (10, 0.5), (20, -0.5)):
        hips.rotation_quaternion = (np.cos(angle), 0.0, np.sin(angle), 0.0)
        hips.keyframe_insert("rotation_quaternion", frame=frame)
    plain = shown(hero, 5, 14, 20)
    api.follow_through(hero)
    layered = shown(hero, 5, 14, 20)
    assert np.abs(layered - plain).max() > 0.05
    np.testing.assert_array_equal(shown(hero, 20, 14, 5)[::-1], layered)
    api.follow_through(hero, on=False)
    np.testing.assert_array_equal(shown(hero, 5, 14, 20), plain)
    hero.pose.bones[TAIL[1]].constraints.new("LIMIT_ROTATION")
    assert api.follow_through(hero) == [TAIL[0]]
    hero.pose.bones[TAIL[0]].constraints.new("LIMIT_ROTATION")
    with refuses("Constraints move the bone 'Tail_1'"):
        api.follow_through(hero)
    np.testing.assert_array_equal(shown(hero, 5, 14, 20), plain)


def test_what_has_nothing_that_hangs_is_told(addon, fresh_file):
    with refuses("Nothing hangs on 'Hero'"):
        api.follow_through(walker("Hero"))
