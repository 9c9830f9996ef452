"""Frames that somebody gives: one gate for all that bake, measure, solve and export."""

from pathlib import Path

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.animation.frame_range import (
    FARTHEST,
    checked_frame,
    checked_range,
    frames_between,
)
from neurarig_addon.blender.neural_pose import mocap
from tests.blender.walking import walker
from tests.refusals import refuses
from tests.rigs import biped, build

ODD = [float("nan"), float("inf"), -float("inf"), "a", "", [], True, 1e300, 2_000_000, -2_000_000, 10**400]


@pytest.mark.few(30)
@pytest.mark.parametrize("odd", ODD, ids=lambda odd: str(odd)[:12])
def test_what_is_no_frame_is_a_sentence(odd):
    with refuses("frame"):
        checked_frame(odd, "start frame")


@pytest.mark.parametrize("frame", [1, -5, 2.5, FARTHEST, -FARTHEST, np.float64(3.0), np.int32(7)])
def test_a_frame_stays_as_it_was_given(frame):
    assert checked_frame(frame, "start frame") is frame


def test_what_is_left_out_is_the_scenes():
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 3, 5
    assert checked_range(None, None) == (3, 5) and checked_range(4, None) == (4, 5)
    np.testing.assert_array_equal(frames_between(None, 6), [3.0, 4.0, 5.0, 6.0])
    with refuses("The end frame 5 is before the start frame 9"):
        checked_range(9, None)


@pytest.mark.parametrize("odd", [float("nan"), "a", 2_000_000])
def test_all_that_takes_frames_passes_it(odd, tmp_path: Path):
    """A walk's report, a solved range, a solved clip, a retargeted one and exported parameters."""
    obj, other, third = walker("Hero"), build(biped(), "Other"), build(biped(), "Third")
    api.pose_targets(other, ["pelvis"])
    points = tmp_path / "points.csv"
    points.write_text("Head_x,Head_y,Head_z\n1,2,3\n")
    calls = (
        lambda: api.contact_report(obj, (1, odd)),
        lambda: api.solve_range(other, odd, 9),
        lambda: mocap.export_pose(other, tmp_path / "pose.npz", 1, odd),
        lambda: api.solve_clip(other, file=points, frame_start=odd),
        lambda: api.retarget(third, source=obj, frame_start=odd),
    )
    for call in calls:
        with refuses("frame"):
            call()
    assert not bpy.data.actions and not (tmp_path / "pose.npz").exists()


@pytest.mark.parametrize("noise", [float("nan"), float("inf"), -1.0, "loud", 10**400])
def test_noise_is_a_distance(noise, tmp_path):
    with refuses("Noise"):
        api.solve_clip(build(biped(), "Hero"), file=tmp_path / "points.csv", noise=noise)
