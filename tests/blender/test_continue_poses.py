"""A few keyed poses that go on: a step blocked at two to four poses becomes a walk, however the keys lead
from pose to pose."""

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.animation import compat
from tests.blender.continuing import hips, walker
from tests.blender.retargeting import report_of
from tests.refusals import refuses


def contacts(obj: bpy.types.Object, action: bpy.types.Action) -> tuple[int, int]:
    """Return the frames on which the left foot of a walk touches the ground, and the right one after it."""
    left = min(marker.frame for marker in action.pose_markers if marker.name == "L Contact")
    return left, min(
        marker.frame for marker in action.pose_markers if marker.name == "R Contact" and marker.frame > left
    )


def blocked(action: bpy.types.Action, obj: bpy.types.Object, frames: list[int], interpolation: str) -> None:
    """Keep of an action only the poses on some frames."""
    for curve in compat.find_channels(action, compat.suitable_slot(action, obj)):
        values = [curve.evaluate(frame) for frame in frames]
        curve.keyframe_points.clear()
        for frame, value in zip(frames, values, strict=True):
            curve.keyframe_points.insert(frame, value).interpolation = interpolation
        curve.update()
    action.use_frame_range = False


def posed(
    shares: list[float], interpolation: str
) -> tuple[bpy.types.Object, bpy.types.Action, float, list[int]]:
    """Return a character with poses of its walk at shares of a step, the action, the walk's speed a frame,
    and the frames of the poses."""
    obj, action = walker()
    first, last = contacts(obj, action)
    speed = float(np.linalg.norm(hips(obj, last)[:2] - hips(obj, first)[:2])) / (last - first)
    frames = [round(first + share * (last - first)) for share in shares]
    blocked(action, obj, frames, interpolation)
    return obj, action, speed, frames


@pytest.mark.few(2)
@pytest.mark.parametrize("interpolation", ["BEZIER", "CONSTANT"])
@pytest.mark.parametrize("shares", [[0.0, 1.0], [0.0, 0.5, 1.0], [0.0, 0.25, 0.5, 1.0], [0.0, 0.5]])
def test_poses_of_a_step_go_on_as_a_walk(shares: list[float], interpolation: str) -> None:
    obj, action, speed, frames = posed(shares, interpolation)
    last = frames[-1]
    made = api.continue_motion(obj, 6.0)
    fps = bpy.context.scene.render.fps
    assert made.frame_range[1] == pytest.approx(last + 6 * fps)
    ends = [hips(obj, frame) for frame in (last, last + fps, last + 3 * fps, last + 6 * fps)]
    far = np.linalg.norm(ends[3][:2] - ends[1][:2]) / (5 * fps)
    assert far == pytest.approx(speed, rel=0.1), "straight on, at the speed of the step"
    assert np.abs(ends[1][:2] - ends[0][:2]).max() > 0.8 * speed * fps, "at once"
    steps = [
        marker.frame
        for marker in made.pose_markers
        if marker.name.endswith("Contact") and marker.frame > last
    ]
    assert 8 <= len(steps) <= 15, "it steps on"
    report = report_of(obj)
    assert max(report["slip_mm"][side]["max"] for side in "LR") < 0.5 and report["penetration_mm"] < 1.0
    api.remove_retarget(obj)
    assert obj.animation_data.action == action and action.frame_range[1] == last


def test_arms_that_poses_do_not_key_hang_and_swing_and_keyed_bones_stay() -> None:
    obj, action, _, frames = posed([0.0, 0.5, 1.0], "BEZIER")
    curves = compat.find_channels(action, compat.suitable_slot(action, obj))
    for curve in [curve for curve in curves if "Arm" in curve.data_path or "Hand" in curve.data_path]:
        curves.remove(curve)
    for bone in obj.pose.bones:
        bone.matrix_basis.identity()
    keyed = [hips(obj, frame, "LeftFoot") for frame in frames]
    api.continue_motion(obj, 3.0)
    assert np.allclose([hips(obj, frame, "LeftFoot") for frame in frames], keyed, atol=1e-4)
    rows = range(frames[0], frames[-1] + 40)
    hands = np.array([hips(obj, frame, "LeftHand") - hips(obj, frame) for frame in rows])
    assert hands[:, 2].max() < 0.1 and np.ptp(hands[:, :2], axis=0).max() > 0.05


def test_poses_are_followed_live_and_baked_the_same() -> None:
    obj, action, _, frames = posed([0.0, 0.5, 1.0], "BEZIER")
    api.link_retarget(obj, source=obj, action=action, continue_for=4.0)
    live = hips(obj, frames[-1] + 60)
    api.retarget(obj)
    assert np.abs(hips(obj, frames[-1] + 60) - live).max() < 1e-5


def test_poses_on_the_spot_and_a_single_pose_are_refused() -> None:
    obj, action, _, frames = posed([0.0, 0.5, 1.0], "BEZIER")
    for curve in compat.find_channels(action, compat.suitable_slot(action, obj)):
        if curve.data_path.endswith("location"):
            for point in curve.keyframe_points:
                point.co.y = curve.keyframe_points[0].co.y
            curve.update()
    with refuses(
        r"The 3 poses of '.*' stay on the spot, so no walk follows from them\. Move the hips",
    ):
        api.continue_motion(obj, 4.0)
    blocked(action, obj, frames[:1], "BEZIER")
    with refuses("single pose"):
        api.continue_motion(obj, 4.0)
    assert obj.animation_data.action == action
