"""Hand poses: fingers curl towards the palm on any rig, left as right, and nothing else moves."""

from dataclasses import replace

import bpy
import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.blender import api
from tests import rigs
from tests.blender.drawing import drawn, of_kind
from tests.blender.fingers import FINGERS, with_fingers

PALM_DOWN = 1.42  # metres: height of the hand's bones


def joints(obj: bpy.types.Object, names: list[str]) -> np.ndarray:
    """Return where bones start, and where the last one ends `(n + 1, 3)`, as evaluated."""
    bpy.context.view_layer.update()
    posed = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    bones = [posed.pose.bones[name] for name in names]
    return np.array(
        [*(posed.matrix_world @ bone.head for bone in bones), posed.matrix_world @ bones[-1].tail]
    )


def digit(finger: str, side: str = "Left") -> list[str]:
    return [f"{side}{finger}{number}" for number in (1, 2, 3)]


def bend(points: np.ndarray) -> float:
    """Return by how many degrees a digit is bent from its first to its last bone."""
    ways = np.diff(points, axis=0)
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    return float(np.degrees(np.arccos(np.clip(ways[0] @ ways[-1], -1.0, 1.0))))


@pytest.mark.parametrize("thumb", [True, False])
@pytest.mark.parametrize("seed", [0, 1])
def test_a_fist_closes_below_the_palm_whatever_the_rolls(seed, thumb):
    obj = rigs.build(with_fingers(seed=seed, thumb=thumb))
    turned = api.pose_hands(obj, "FIST")
    assert len(turned) == 2 * 3 * (len(FINGERS) + thumb)
    for finger in FINGERS:
        points = joints(obj, digit(finger))
        assert points[1:, 2].max() < PALM_DOWN - 0.02  # below the palm's plane, not above
        assert bend(points) == pytest.approx(165.0, abs=0.5)  # 100 + 65
        assert np.linalg.norm(points[-1] - points[0]) < 0.06


def test_left_mirrors_right():
    obj = rigs.build(with_fingers(seed=3))
    for pose in ("FIST", "RELAXED", "POINT"):
        api.pose_hands(obj, pose, spread=0.5)
        for finger in (*FINGERS, "Thumb"):
            left, right = (joints(obj, digit(finger, side)) for side in ("Left", "Right"))
            assert_allclose(right * [-1.0, 1.0, 1.0], left, atol=1e-5)


def test_spread_fans_the_fingers_out():
    obj = rigs.build(with_fingers())
    api.pose_hands(obj, "FLAT")
    closed = [joints(obj, digit(finger))[-1] for finger in FINGERS]
    api.pose_hands(obj, "FLAT", spread=1.0)
    fanned = [joints(obj, digit(finger))[-1] for finger in FINGERS]
    assert np.linalg.norm(fanned[0] - fanned[-1]) > np.linalg.norm(closed[0] - closed[-1]) + 0.03
    assert np.ptp(np.array(fanned)[:, 2]) < 1e-4  # within the palm's plane


def test_fingers_that_are_fanned_at_rest_come_together_as_they_bend():
    obj = rigs.build(with_fingers(fan=0.4))

    def between() -> float:
        """Return the degrees between the first bones of the outer fingers, seen from above."""
        ways = [np.diff(joints(obj, digit(finger)), axis=0)[0, :2] for finger in (FINGERS[0], FINGERS[-1])]
        return float(np.degrees(np.ptp([np.arctan2(way[1], way[0]) for way in ways])))

    api.pose_hands(obj, "FLAT")
    assert between() == pytest.approx(np.degrees(0.8), abs=0.1)
    api.pose_hands(obj, "RELAXED")
    assert between() < 10.0
    api.pose_hands(obj, "RELAXED", spread=1.0)
    assert between() > 20.0


def test_a_thumb_is_found_by_its_shape_and_closes_over_the_palm():
    named, numbered = rigs.build(with_fingers()), rigs.build(with_fingers(name="Bit{count}"), "Numbered")
    knuckle = joints(named, digit("Pinky"))[0]
    before = joints(named, digit("Thumb"))[-1]
    for obj in (named, numbered):
        api.pose_hands(obj, "FIST")
    thumb = joints(named, digit("Thumb"))
    assert_allclose(joints(numbered, [f"LeftBit{number}" for number in (13, 14, 15)]), thumb, atol=1e-5)
    assert np.linalg.norm(thumb[-1] - knuckle) < np.linalg.norm(before - knuckle) - 0.02
    assert thumb[-1, 2] < PALM_DOWN


def test_a_last_bone_whose_axis_an_importer_guessed_bends_with_its_finger():
    plain, guessed = rigs.build(with_fingers()), with_fingers()
    for at, bone in enumerate(guessed):
        if bone.name[-1] == "3" and bone.name[4:-1] in FINGERS:
            guessed[at] = replace(bone, tail=(*bone.head[:2], bone.head[2] - 0.022))
    other = rigs.build(guessed, "Guessed")
    for obj in (plain, other):
        api.pose_hands(obj, "FIST")
    for finger in FINGERS:
        assert_allclose(joints(other, digit(finger))[:3], joints(plain, digit(finger))[:3], atol=1e-5)
        turns = [
            obj.pose.bones[f"Left{finger}3"].matrix_basis.to_quaternion().angle for obj in (plain, other)
        ]
        assert turns[1] == pytest.approx(turns[0], abs=1e-3)


def test_one_hand_alone_and_nothing_else():
    obj = rigs.build(with_fingers())
    before = {bone.name: bone.matrix_basis.copy() for bone in obj.pose.bones}
    turned = set(api.pose_hands(obj, "FIST", sides="L"))
    changed = {bone.name for bone in obj.pose.bones if bone.matrix_basis != before[bone.name]}
    assert changed <= turned and all(
        name.startswith("Left") and name[4:-1] in (*FINGERS, "Thumb") for name in turned
    )


def test_rigifys_fingers_follow_their_controls():
    obj = rigs.rigify_human()
    rest = joints(obj, [f"DEF-f_index.0{number}.L" for number in (1, 2, 3)])
    turned = api.pose_hands(obj, "FIST")
    assert "f_index.01.L" in turned and not any(name.startswith(("DEF", "ORG", "MCH")) for name in turned)
    for finger in ("f_index", "f_middle", "f_ring", "f_pinky"):
        for side, inwards in (("L", -1.0), ("R", 1.0)):
            points = joints(obj, [f"DEF-{finger}.0{number}.{side}" for number in (1, 2, 3)])
            assert bend(points) == pytest.approx(165.0, abs=6.0)
            wrist = joints(obj, [f"DEF-hand.{side}"])[0]
            assert np.linalg.norm(points[-1] - wrist) < np.linalg.norm(points[1] - wrist)
            assert (points[-1, 0] - points[0, 0]) * inwards > 0.0 or points[-1, 2] < points[0, 2]
    api.pose_hands(obj, "FLAT")
    flat = joints(obj, [f"DEF-f_index.0{number}.L" for number in (1, 2, 3)])
    assert bend(rest) > 20.0 and bend(flat) < 3.0


def test_keys_are_put_on_this_frame():
    obj = rigs.build(with_fingers())
    bpy.context.scene.frame_set(7)
    api.pose_hands(obj, "FIST", key=True)
    shut = joints(obj, digit("Index"))
    bpy.context.scene.frame_set(20)
    api.pose_hands(obj, "FLAT", key=True)
    bpy.context.scene.frame_set(7)
    assert_allclose(joints(obj, digit("Index")), shut, atol=1e-6)


def test_a_live_walk_leaves_the_pose_alone():
    obj = rigs.build(with_fingers())
    api.generate_walk(obj)
    api.pose_hands(obj, "RELAXED")
    held = obj.pose.bones["LeftRing2"].matrix_basis.copy()
    bpy.context.scene.frame_set(bpy.context.scene.frame_current + 9)
    assert obj.pose.bones["LeftRing2"].matrix_basis == held
    api.remove_walk(obj)
    assert obj.pose.bones["LeftRing2"].matrix_basis == held


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"pose": "CLAW"}, "not a hand pose"),
        ({"wiggle": 1.0}, "not a slider"),
        ({}, "no finger bones below 'LeftHand'"),
    ],
)
def test_refusals_change_nothing(given, words):
    obj = rigs.build(rigs.biped())
    before = [bone.matrix_basis.copy() for bone in obj.pose.bones]
    with pytest.raises(api.NeuraRigError, match=words):
        api.pose_hands(obj, **given)
    assert [bone.matrix_basis for bone in obj.pose.bones] == before


def test_constrained_fingers_without_controls_are_refused():
    obj = rigs.build(with_fingers())
    for bone in obj.pose.bones:
        if bone.name[4:-1] in (*FINGERS, "Thumb"):
            bone.constraints.new("COPY_ROTATION").target = obj
    with pytest.raises(api.NeuraRigError, match="Constraints move the fingers below 'LeftHand'"):
        api.pose_hands(obj, "FIST", sides="L")


def test_the_buttons_take_their_pose_and_stand_in_pose_mode():
    obj = rigs.build(with_fingers())
    rigs.make_active(obj)
    assert "neurarig.pose_hands" not in of_kind(drawn("NEURARIG_PT_poses"), "operator")
    bpy.ops.object.mode_set(mode="POSE")
    assert "neurarig.pose_hands" in of_kind(drawn("NEURARIG_PT_poses"), "operator")
    assert bpy.ops.neurarig.pose_hands(pose="FIST") == {"FINISHED"}
    fist = joints(obj, digit("Middle"))
    api.pose_hands(obj, "FIST")
    assert_allclose(joints(obj, digit("Middle")), fist, atol=1e-6)
