"""Targets and where the body goes for them: reached exactly, approached, turned, weighed, in odd places."""

import bpy
import numpy as np
import pytest

from neurarig_addon.blender.neural_pose import api
from neurarig_addon.blender.neural_pose.empties import SETS
from neurarig_addon.core.neural.points import INDEX
from tests.blender.posing import (
    BUILDS,
    DRAGGED,
    REACHED_MM,
    TURNED,
    drag,
    hero,
    lock,
    missed_mm,
    put,
    shown_points,
    target_of,
    turn_bones,
)
from tests.blender.walking import seen_now
from tests.rigs import biped, build

SAME = 1e-5  # metres


@pytest.mark.few(2)
@pytest.mark.parametrize("kind", BUILDS)
def test_locked_targets_are_reached_exactly(kind: str) -> None:
    obj = hero(kind)
    api.pose_targets(obj)
    assert {item.point for item in obj.neurarig.neural_pose.targets if item.lock} == {"ankle.L", "ankle.R"}
    lock(obj, {"head", "pelvis", *DRAGGED})
    drag(obj, DRAGGED)
    assert missed_mm(obj) < REACHED_MM


def test_turning_a_target_turns_the_hand_or_foot_whose_ends_it_carries() -> None:
    obj = hero("a-pose, as from fbx")
    api.pose_targets(obj, [*(item for item in SETS["MAIN"]), "hand_tip.L", "ball.R", "toe_tip.R"])
    before = shown_points(obj)
    for point in ("wrist.L", "ankle.R"):
        target_of(obj, point).rotation_euler = (0.4, 0.3, -0.5)
    bpy.context.view_layer.update()
    shown = shown_points(obj)
    for joint, tip in (("wrist.L", "hand_tip.L"), ("ankle.R", "ball.R"), ("ball.R", "toe_tip.R")):
        lines = [points[INDEX[tip]] - points[INDEX[joint]] for points in (before, shown)]
        assert np.linalg.norm(lines[1] - lines[0]) > 0.3 * np.linalg.norm(lines[0])
        assert np.linalg.norm(lines[1]) == pytest.approx(np.linalg.norm(lines[0]), rel=1e-3)
    assert missed_mm(obj) < REACHED_MM
    api.remove_targets(obj, ["ankle.R"])
    bpy.context.view_layer.update()
    assert (
        np.linalg.norm(
            np.array(target_of(obj, "toe_tip.R").matrix_world.translation) - shown[INDEX["toe_tip.R"]]
        )
        < 1e-4
    )


@pytest.mark.parametrize("arm_drop_deg", [0.0, 45.0])
def test_a_dragged_hand_does_not_turn_the_other_arm_over(arm_drop_deg: float) -> None:
    obj = build(biped(arm_drop_deg=arm_drop_deg), "Hero")
    api.pose_targets(obj)
    start = np.array(target_of(obj, "wrist.L").matrix_world.translation)
    still = {
        name: obj.pose.bones[name].matrix.to_quaternion()
        for name in ("RightArm", "RightHand", "LeftFoot", "RightFoot")
    }
    for down in np.linspace(0.0, 0.4, 21):
        put(obj, {"wrist.L": start - [0.0, 0.0, down]})
        turned = {
            name: np.degrees(obj.pose.bones[name].matrix.to_quaternion().rotation_difference(was).angle)
            for name, was in still.items()
        }
        assert turned["RightArm"] < 75.0  # it comes down as the body stoops
        assert turned["RightHand"] < 75.0 and max(turned[name] for name in ("LeftFoot", "RightFoot")) < 0.5


def test_objects_and_bones_of_other_armatures_can_be_targets() -> None:
    other, obj = build(biped(), "Other", TURNED), hero()
    cup = bpy.data.objects.new("Cup", None)
    bpy.context.scene.collection.objects.link(cup)
    bones = {"pelvis": "Hips", "spine3": "Spine2", "ankle.L": "LeftFoot", "ankle.R": "RightFoot"}
    for point, bone in bones.items():
        api.choose_target(obj, point, other, bone)
    api.choose_target(obj, "wrist.R", cup, lock=True)
    cup.location = (-0.4, -0.35, 1.3)
    bpy.context.view_layer.update()
    assert missed_mm(obj) < REACHED_MM
    foot = other.pose.bones["LeftFoot"]
    before = shown_points(obj)[INDEX["ankle.L"]]
    turn_bones(other, {"LeftUpLeg": (-40.0, 0.0, 0.0)})
    shown = shown_points(obj)[INDEX["ankle.L"]]
    assert np.linalg.norm(shown - before) > 0.1
    assert np.linalg.norm(shown - np.array(other.matrix_world @ foot.head)) < 1e-4
    api.remove_targets(obj)
    assert "Cup" in bpy.data.objects


def test_moving_the_character_takes_its_targets_along() -> None:
    obj = hero()
    api.pose_targets(obj)
    drag(obj, DRAGGED, 0.5)
    before = seen_now(obj)
    obj.location.x += 3.0
    bpy.context.view_layer.update()
    assert np.abs(seen_now(obj) - before - [3.0, 0.0, 0.0]).max() < 1e-4


def test_weights_locks_and_the_eye_count_at_once() -> None:
    obj = hero()
    api.pose_targets(obj)
    drag(obj, {"wrist.L": (-0.2, -0.4, 0.1)})
    reached = seen_now(obj)
    item = next(item for item in obj.neurarig.neural_pose.targets if item.point == "wrist.L")
    item.use = False
    bpy.context.view_layer.update()
    assert np.abs(seen_now(obj) - reached).max() > 0.05
    item.use = True
    bpy.context.view_layer.update()
    assert np.abs(seen_now(obj) - reached).max() < SAME


def test_a_target_that_is_deleted_is_let_go() -> None:
    obj = hero()
    api.pose_targets(obj)
    bpy.data.objects.remove(target_of(obj, "wrist.L"))
    drag(obj, {"wrist.R": (0.0, -0.2, 0.1)}, 0.5)
    assert missed_mm(obj, ["wrist.R"]) < REACHED_MM and obj.neurarig.neural_pose.live


def test_a_hand_dragged_to_the_floor_takes_the_body_along_and_the_feet_stand() -> None:
    obj = hero()
    api.pose_targets(obj)
    before = shown_points(obj)
    put(obj, {"wrist.L": before[INDEX["toe_tip.L"]] + [0.0, -0.2, 0.05]})  # the character looks along -y
    shown = shown_points(obj)
    assert missed_mm(obj, ["wrist.L", "ankle.L", "ankle.R"]) < REACHED_MM and not api.missed_targets(obj)
    assert (
        shown[INDEX["pelvis"], 2] < before[INDEX["pelvis"], 2] - 0.1
        and shown[INDEX["head"], 2] < before[INDEX["head"], 2] - 0.3
    )


def test_hold_and_lock_are_one_choice() -> None:
    obj = hero()
    api.pose_targets(obj)
    held = {item.point: item for item in obj.neurarig.neural_pose.targets}
    assert {point for point, item in held.items() if item.hold == "LOCKED"} == {"ankle.L", "ankle.R"}
    assert {item.hold for point, item in held.items() if not item.lock} == {"SOFT"}
    held["head"].hold = "FREE"
    held["wrist.R"].lock = True
    assert (held["head"].lock, held["head"].is_free, held["wrist.R"].hold) == (False, True, "LOCKED")
    held["head"].hold = "LOCKED"
    start = shown_points(obj)
    put(obj, {"pelvis": start[INDEX["pelvis"]] + [0.0, 0.0, -0.1]})
    assert missed_mm(obj, ["ankle.L", "ankle.R"]) < REACHED_MM
    held["head"].hold = "FREE"
    bpy.context.view_layer.update()
    assert shown_points(obj)[INDEX["head"], 2] < start[INDEX["head"], 2] - 0.05
