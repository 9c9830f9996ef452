"""Neural Pose removed, applied, undone and opened: what is given back, and what stays."""

from pathlib import Path

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api as walk_api
from neurarig_addon.blender.neural_pose import api
from tests.blender.posing import (
    DRAGGED,
    REACHED_MM,
    STRIDE,
    drag,
    hero,
    missed_mm,
    target_of,
    turn_bones,
    untouched,
)
from tests.blender.walking import played, seen_now

SAME = 1e-5  # metres


def test_removal_gives_everything_back() -> None:
    obj = hero("other size and rolls")
    turn_bones(obj, STRIDE)
    obj.pose.bones["LeftArm"].keyframe_insert("rotation_quaternion", frame=3)
    mode = obj.pose.bones["Head"].constraints.new("COPY_ROTATION")
    mode.target, mode.subtarget = obj, "Hips"
    bpy.context.view_layer.update()
    before, playing = untouched(obj), obj.animation_data.action
    api.pose_targets(obj, "FULL")
    target_of(obj, "wrist.L").keyframe_insert("location", frame=1)
    drag(obj, DRAGGED, 0.5)
    target_of(obj, "wrist.L").keyframe_insert("location", frame=4)
    api.solve_range(obj, 1, 4)
    actions = set(bpy.data.actions) - {playing}
    assert not api.remove_targets(obj)
    for action in actions:
        bpy.data.actions.remove(action)
    assert untouched(obj) == before and obj.animation_data.action == playing
    assert not obj.neurarig.neural_pose.targets and not obj.neurarig.stash


@pytest.mark.few(2)
@pytest.mark.parametrize("kind", ["t-pose", "a-pose, as from fbx", "other size and rolls", "no toes"])
@pytest.mark.parametrize("controls", ["FK", "IK"])
def test_a_pose_can_be_kept(kind: str, controls: str) -> None:
    obj = hero(kind)
    bones = list(obj.data.bones.keys())
    api.pose_targets(obj, controls=controls)
    drag(obj, DRAGGED, 0.5)
    posed = seen_now(obj, bones)
    api.remove_targets(obj, keep_pose=True)
    bpy.context.view_layer.update()
    assert np.abs(seen_now(obj, bones) - posed).max() < 10 * SAME and not obj.neurarig.attachment


def test_keyed_poses_can_be_kept_and_an_own_action_is_not_lost() -> None:
    obj = hero()
    obj.pose.bones["LeftArm"].keyframe_insert("rotation_quaternion", frame=3)
    own = obj.animation_data.action
    api.pose_targets(obj)
    for frame, share in ((1, 0.3), (20, 0.6)):
        bpy.context.scene.frame_set(frame)
        drag(obj, DRAGGED, share)
        keyed = api.solve_pose(obj, key=True)
    frames = [1, 8, 20]
    shown = played(obj, frames)
    api.remove_targets(obj, keep_pose=True)
    assert obj.animation_data.action == keyed and np.abs(played(obj, frames) - shown).max() < SAME
    assert own.use_fake_user and np.abs(np.ptp(shown, axis=0)).max() > 0.1
    walk_api.generate_walk(obj)
    walk_api.remove_walk(obj)
    assert obj.animation_data.action == keyed


def test_one_click_is_one_undo_step_and_undo_follows_on() -> None:
    obj = hero()
    bpy.ops.ed.undo_push(message="Ready")
    bpy.ops.neurarig.pose_targets(point_set="MAIN")
    bpy.ops.ed.undo_push(message="Targets")
    drag(obj, DRAGGED, 0.5)
    bpy.ops.ed.undo_push(message="Drag")
    dragged = seen_now(obj)
    bpy.ops.ed.undo()
    obj = bpy.data.objects["Hero"]
    bpy.context.view_layer.update()
    assert np.abs(seen_now(obj) - dragged).max() > 0.05
    drag(obj, DRAGGED, 0.5)
    assert np.abs(seen_now(obj) - dragged).max() < 1e-4 and missed_mm(obj) < REACHED_MM
    bpy.ops.ed.undo()
    obj = bpy.data.objects["Hero"]
    assert (
        not obj.neurarig.attachment
        and not obj.neurarig.neural_pose.targets
        and "Hero Head" not in bpy.data.objects
    )


def test_a_file_goes_on_following(tmp_path: Path) -> None:
    obj = hero()
    api.pose_targets(obj)
    drag(obj, DRAGGED, 0.5)
    seen = seen_now(obj)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "posed.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "posed.blend"))
    obj = bpy.data.objects["Hero"]
    assert np.abs(seen_now(obj) - seen).max() < SAME
    drag(obj, {"wrist.R": (0.0, -0.2, 0.0)}, 0.5)
    assert missed_mm(obj) < REACHED_MM and np.abs(seen_now(obj) - seen).max() > 0.05
