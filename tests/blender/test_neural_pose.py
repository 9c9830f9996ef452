"""Neural Pose: the body follows its targets, reaches what is locked, and is given back as it was."""

import bpy
import numpy as np
import pytest
from mathutils import Vector

from neurarig_addon.blender import api as walk_api
from neurarig_addon.blender.neural_pose import api
from neurarig_addon.core.neural.points import JOINTS
from tests.blender.posing import (
    DRAGGED,
    REACHED_MM,
    STRIDE,
    TURNED,
    drag,
    follow,
    hero,
    missed_mm,
    put,
    shown_points,
    target_of,
    turn_bones,
    untouched,
)
from tests.blender.walking import played, seen_now
from tests.refusals import refuses
from tests.rigs import biped, build, make_active, rigify_human

SAME = 1e-5  # metres


def test_once_a_pose_is_solved_the_sentence_about_the_last_one_is_gone() -> None:
    obj = hero()
    follow(obj, shown_points(obj))
    obj.neurarig.neural_pose.error = "The pose is no longer there."
    api.solve_pose(obj)
    assert obj.neurarig.neural_pose.error == ""


@pytest.mark.parametrize("kind", ["t-pose", "a-pose, as from fbx", "halves"])
def test_targets_at_the_joints_of_a_posed_copy_reproduce_its_pose(kind: str) -> None:
    other, obj = build(biped(), "Posed", TURNED), hero(kind)
    turn_bones(other, STRIDE)
    wanted = shown_points(other)
    follow(obj, wanted, lock=())
    apart = 1e3 * np.linalg.norm(shown_points(obj) - wanted, axis=-1)
    # the soles of the two are not quite the same
    assert apart[: len(JOINTS)].max() < 1.0 and apart.max() < 5.0
    assert not obj.neurarig.neural_pose.error


@pytest.mark.parametrize("controls", ["FK", "IK"])
def test_a_rigify_human_is_posed_by_its_own_controls(controls: str) -> None:
    obj = rigify_human()
    before, seen = untouched(obj), seen_now(obj)
    api.pose_targets(obj, "LIMBS", controls=controls)
    joints = [
        obj.pose.bones.find(name)
        for name in ("DEF-spine", "DEF-hand.L", "DEF-forearm.R", "DEF-foot.R", "DEF-shin.L")
    ]
    assert np.abs(seen_now(obj)[joints, 0] - seen[joints, 0]).max() < 5e-3
    drag(obj, DRAGGED, 0.5)
    assert missed_mm(obj) < REACHED_MM
    assert not api.remove_targets(obj)
    assert np.abs(seen_now(obj) - seen).max() < SAME and untouched(obj) == before


@pytest.mark.parametrize("kind", ["a-pose, as from fbx", "no feet"])
def test_a_control_layer_reaches_too_and_goes_without_a_trace(kind: str) -> None:
    obj = hero(kind)
    before = untouched(obj)
    api.pose_targets(obj, controls="IK")
    drag(obj, DRAGGED, 0.5)
    assert missed_mm(obj) < REACHED_MM
    api.remove_targets(obj)
    assert untouched(obj) == before


@pytest.mark.parametrize("points", ["MAIN", "FULL", ["wrist.L", "ankle.R"]])
def test_creating_targets_changes_nothing_and_a_drag_only_what_it_must(points: str | list[str]) -> None:
    obj = hero("other size and rolls")
    turn_bones(obj, STRIDE)
    seen = seen_now(obj)
    api.pose_targets(obj, points)
    assert np.abs(seen_now(obj) - seen).max() < 1e-4
    drag(obj, {"wrist.L": (0.0, -0.02, 0.0)})
    assert 1e-3 < np.abs(seen_now(obj) - seen).max() < 0.05
    obj.neurarig.neural_pose.keep_base = False
    bpy.context.view_layer.update()
    assert points == "FULL" or np.abs(seen_now(obj) - seen).max() > 0.02


def test_live_pose_solved_pose_and_solved_range_are_the_same() -> None:
    obj = hero("a-pose, as from fbx")
    api.pose_targets(obj, "LIMBS")
    hand = target_of(obj, "wrist.L")
    hand.keyframe_insert("location", frame=1)
    hand.location = hand.location + Vector((-20.0, 30.0, 10.0))
    hand.keyframe_insert("location", frame=20)
    frames = [1, 20, 7.5, 3, 12]
    live = played(obj, frames)
    assert np.abs(np.ptp(live[:, :, 0], axis=0)).max() > 0.1
    bpy.context.scene.frame_set(7, subframe=0.5)
    obj.neurarig.neural_pose.live = False
    api.solve_pose(obj)
    bpy.context.view_layer.update()
    assert np.abs(seen_now(obj) - live[2]).max() < SAME
    action = api.solve_range(obj, 1, 20)
    assert obj.animation_data.action == action and tuple(action.frame_range) == (1.0, 20.0)
    baked = played(obj, frames)
    whole = [row for row, frame in enumerate(frames) if frame == int(frame)]
    assert np.abs(baked - live)[whole].max() < SAME and not obj.neurarig.neural_pose.live


def test_keyed_poses_play_and_take_their_targets_along() -> None:
    obj = hero()
    scene = bpy.context.scene
    obj.pose.bones["Hips"].keyframe_insert("location", frame=1)
    own = obj.animation_data.action
    own.name = "Mine"
    api.pose_targets(obj)
    scene.frame_set(1)
    api.solve_pose(obj, key=True)
    first = seen_now(obj)
    scene.frame_set(10)
    drag(obj, {"wrist.L": (-0.2, -0.3, 0.2)}, 0.5)
    action = api.solve_pose(obj, key=True)
    second = seen_now(obj)
    assert action != own and action == obj.animation_data.action and obj.neurarig.neural_pose.live
    assert np.abs(played(obj, [1, 10]) - [first, second]).max() < SAME
    scene.frame_set(5)
    between = seen_now(obj)
    assert 0.01 < np.abs(between - first).max() < np.abs(second - first).max()
    assert missed_mm(obj) < REACHED_MM
    bpy.context.view_layer.update()  # an edit of something else
    assert np.abs(seen_now(obj) - between).max() < SAME
    api.remove_targets(obj)
    assert obj.animation_data.action == own and bpy.data.actions[action.name]


def test_refusals_are_one_sentence_and_leave_no_trace() -> None:
    obj = hero()
    before = untouched(obj)
    other = build(biped(), "Other")
    make_active(obj)
    chased = bpy.data.objects.new("Chased", None)
    bpy.context.scene.collection.objects.link(chased)
    chased.parent, chased.parent_type, chased.parent_bone = obj, "BONE", "Head"
    before = untouched(obj)
    for act, words in (
        (lambda: api.pose_targets(obj, ["wrist"]), "not a body point"),
        (lambda: api.pose_targets(obj, "SOME"), "not a set of targets"),
        (lambda: api.pose_targets(obj, controls="XX"), "not a choice for controls"),
        (lambda: api.choose_target(obj, "wrist.L", obj), "the character itself"),
        (lambda: api.choose_target(obj, "wrist.L", other, "Nose"), "no bone 'Nose'"),
        (lambda: api.choose_target(obj, "wrist.L", chased), "chase itself"),
        (lambda: api.choose_target(obj, "nose", other), "not a body point"),
        (lambda: api.solve_pose(obj), "no targets"),
        (lambda: api.remove_targets(obj), "no targets"),
        (lambda: api.solve_range(obj, 1, 5), "no targets"),
    ):
        with refuses(words):
            act()
        assert untouched(obj) == before, words
    walk_api.generate_walk(obj, use_network=False)
    with refuses(r"follows the walk of .* can have a target"):
        api.pose_targets(obj, ["ankle.L"])
    walk_api.remove_walk(obj)
    api.pose_targets(obj)
    with refuses("Apply or remove"):
        walk_api.generate_walk(obj)


def test_a_deleted_bone_ends_the_pose_with_a_reason(capsys: pytest.CaptureFixture) -> None:
    obj = hero()
    api.pose_targets(obj)
    bpy.ops.object.mode_set(mode="EDIT")
    obj.data.edit_bones.remove(obj.data.edit_bones["LeftForeArm"])
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.view_layer.update()
    put(obj, {"wrist.R": (-0.4, -0.3, 1.2)})
    assert "LeftForeArm" in obj.neurarig.neural_pose.error and not obj.neurarig.neural_pose.live
    assert capsys.readouterr().out.count("NeuraRig:") == 1
