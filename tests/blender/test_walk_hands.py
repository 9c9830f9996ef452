"""Hands that a walk holds: relaxed where nothing of the user's is lost, live, keyed, baked, and given
back."""

from itertools import pairwise

import bpy
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from neurarig_addon.blender import api
from neurarig_addon.blender.animation import compat
from tests import rigs
from tests.blender.drawing import drawn, of_kind, texts
from tests.blender.fingers import FINGERS, with_fingers

LEFT = [f"Left{finger}{number}" for finger in (*FINGERS, "Thumb") for number in (1, 2, 3)]
RIGHT = [name.replace("Left", "Right") for name in LEFT]


def shape(obj: bpy.types.Object, names: list[str]) -> np.ndarray:
    """Return the evaluated rotations of bones relative to their parents `(n, 3, 3)`."""
    bpy.context.view_layer.update()
    posed = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
    return np.array([(posed[name].parent.matrix.inverted() @ posed[name].matrix).to_3x3() for name in names])


def basis(obj: bpy.types.Object) -> dict[str, np.ndarray]:
    return {bone.name: np.array(bone.matrix_basis) for bone in obj.pose.bones}


def walking(**settings) -> bpy.types.Object:
    obj = rigs.build(with_fingers())
    rigs.make_active(obj)
    api.generate_walk(obj, **settings)
    return obj


def posed_by_script(pose: str, names: list[str]) -> np.ndarray:
    """Return what Pose Hands makes of the same character."""
    obj = rigs.build(with_fingers(), "Other")
    api.pose_hands(obj, pose)
    return shape(obj, names)


def keys_of(obj: bpy.types.Object, action: bpy.types.Action, bone: str) -> list[int]:
    curves = compat.find_channels(action, compat.suitable_slot(action, obj))
    return [len(curve.keyframe_points) for curve in curves if f'"{bone}"' in curve.data_path]


def test_a_new_walk_relaxes_hands_and_gives_them_back():
    obj = rigs.build(with_fingers())
    before = basis(obj)
    api.generate_walk(obj)
    relaxed = posed_by_script("RELAXED", LEFT + RIGHT)
    for frame in (3, 17, 60):
        bpy.context.scene.frame_set(frame)
        assert_allclose(shape(obj, LEFT + RIGHT), relaxed, atol=1e-5)
    api.remove_walk(obj)
    for name, was in before.items():
        assert_array_equal(np.array(obj.pose.bones[name].matrix_basis), was)


def test_rigifys_controls_hold_the_hands():
    obj = rigs.rigify_human()
    before = basis(obj)
    tips = [
        f"DEF-f_{finger}.0{number}.{side}"
        for finger in ("index", "ring")
        for number in (2, 3)
        for side in "LR"
    ]
    rest = shape(obj, tips)
    api.generate_walk(obj, right_hand_pose="FIST")
    bpy.context.scene.frame_set(9)
    turns = np.degrees(
        np.arccos(np.clip((np.einsum("nij,nij->n", shape(obj, tips), rest) - 1.0) / 2.0, -1.0, 1.0))
    )
    # right hands close farther than relaxed ones
    assert (turns[1::2] > 40.0).all() and (turns[::2] < 40.0).all()
    api.remove_walk(obj)
    for name, was in before.items():
        assert_array_equal(np.array(obj.pose.bones[name].matrix_basis), was)


def test_a_rig_without_fingers_walks_as_before():
    obj = rigs.build(rigs.biped())
    api.generate_walk(obj)
    api.bake_walk(obj, frame_start=1, frame_end=10)
    keyed = {curve.data_path for curve in compat.find_channels(*compat.assigned(obj.animation_data))}
    assert not any("Index" in path or "Thumb" in path for path in keyed)
    with pytest.raises(api.NeuraRigError, match="no fingers that 'left_hand_pose' could pose"):
        api.generate_walk(obj, left_hand_pose="FIST")


def pose_by_hand(obj: bpy.types.Object) -> None:
    obj.pose.bones["LeftIndex1"].rotation_mode = "XYZ"
    obj.pose.bones["LeftIndex1"].rotation_euler.x = 0.3


def key_fingers(obj: bpy.types.Object) -> None:
    obj.pose.bones["LeftIndex1"].keyframe_insert("rotation_quaternion", frame=1)


def drive_fingers(obj: bpy.types.Object) -> None:
    obj.pose.bones["LeftIndex1"].driver_add("rotation_quaternion", 1).driver.expression = "0.2"


@pytest.mark.parametrize("touch", [pose_by_hand, key_fingers, drive_fingers])
def test_hands_that_are_the_users_stay_so(touch):
    obj = rigs.build(with_fingers())
    touch(obj)
    before = shape(obj, LEFT)
    api.generate_walk(obj)
    bpy.context.scene.frame_set(12)
    assert_allclose(shape(obj, LEFT), before, atol=1e-6)
    assert_allclose(shape(obj, RIGHT), posed_by_script("RELAXED", RIGHT), atol=1e-5)
    rigs.make_active(obj)
    assert "Auto leaves fingers" in texts(drawn("NEURARIG_PT_hands"))


def test_a_chosen_pose_is_live_and_as_posed_gives_back():
    obj = walking()
    own, settings = posed_by_script("FIST", LEFT), obj.neurarig.walk
    settings.left_hand_pose = "FIST"
    assert_allclose(shape(obj, LEFT), own, atol=1e-5)
    settings.left_hand = 0.0
    assert_allclose(
        shape(obj, LEFT), posed_at_rest := shape(rigs.build(with_fingers(), "Rest"), LEFT), atol=1e-5
    )
    settings.left_hand = 0.5
    assert 0.1 < np.abs(shape(obj, LEFT) - posed_at_rest).max() < 0.99
    settings.left_hand_pose = "POSED"
    assert_allclose(shape(obj, LEFT), posed_at_rest, atol=1e-6)
    assert_allclose(shape(obj, RIGHT), posed_by_script("RELAXED", RIGHT), atol=1e-5)


def test_a_pose_of_the_users_under_a_chosen_one_comes_back():
    obj = rigs.build(with_fingers())
    pose_by_hand(obj)
    before = basis(obj)
    api.generate_walk(obj, left_hand_pose="FIST")
    assert np.abs(shape(obj, LEFT) - posed_by_script("FIST", LEFT)).max() < 1e-5
    api.generate_walk(obj)
    api.remove_walk(obj)
    assert obj.pose.bones["LeftIndex1"].rotation_mode == "XYZ"
    for name in LEFT:
        assert_array_equal(np.array(obj.pose.bones[name].matrix_basis), before[name])


def test_fingers_are_found_again_after_renaming():
    obj = walking()
    obj.data.bones["LeftRing2"].name = "Renamed"
    bpy.context.view_layer.update()
    api.generate_walk(obj)
    bpy.context.scene.frame_set(5)
    assert np.abs(np.array(obj.pose.bones["Renamed"].matrix_basis) - np.eye(4)).max() > 0.1
    assert not api.remove_walk(obj)
    assert_array_equal(np.array(obj.pose.bones["Renamed"].matrix_basis), np.eye(4))


def test_keyed_amounts_play_scrub_and_bake_alike():
    obj = walking(left_hand_pose="FIST")
    for frame, amount in ((1, 0.0), (21, 1.0)):
        obj.neurarig.walk.left_hand = amount
        obj.neurarig.walk.keyframe_insert("left_hand", frame=frame)
    seen = []
    for frame in (1, 6, 11, 16, 21):
        bpy.context.scene.frame_set(frame)
        seen.append(shape(obj, LEFT))
    assert all(np.abs(one - other).max() > 0.05 for one, other in pairwise(seen))
    bpy.context.scene.frame_set(11)
    assert_allclose(shape(obj, LEFT), seen[2], atol=1e-6)
    action = api.bake_walk(obj, frame_start=1, frame_end=21)
    assert min(keys_of(obj, action, "LeftRing2")) > 1 and set(keys_of(obj, action, "RightRing2")) == {1}
    for frame, live in zip((1, 6, 11, 16, 21), seen, strict=True):
        bpy.context.scene.frame_set(frame)
        assert_allclose(shape(obj, LEFT), live, atol=1e-5)


def test_pose_hands_takes_a_hand_over():
    obj = walking()
    api.pose_hands(obj, "POINT", sides="L")
    own = shape(obj, LEFT)
    bpy.context.scene.frame_set(31)
    assert_allclose(shape(obj, LEFT), own, atol=1e-6)
    assert obj.neurarig.walk.left_hand_pose == "POSED" and obj.neurarig.walk.right_hand_pose == "AUTO"
    api.remove_walk(obj)
    assert_allclose(shape(obj, LEFT), own, atol=1e-6)


def test_the_panel_offers_a_pose_and_an_amount_for_each_hand():
    walking()
    assert list(of_kind(drawn("NEURARIG_PT_hands"), "prop")) == [
        "left_hand_pose",
        "left_hand",
        "right_hand_pose",
        "right_hand",
    ]
