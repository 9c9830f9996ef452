"""Recorded points on a character, in one new action: planted, mended, smoothed, at another rate."""

import json
from pathlib import Path

import bpy
import numpy as np
import pytest

from neurarig_addon.blender.animation.steps import finish
from neurarig_addon.blender.neural_pose import api, mocap
from neurarig_addon.core.mocap.placement import TO_Z_UP
from neurarig_addon.core.neural import pose_parameters
from neurarig_addon.core.neural.points import INDEX, POINTS
from tests.blender.command_line import run
from tests.blender.posing import untouched
from tests.blender.recording import FRAMES, points_of, same_size, write_csv
from tests.blender.retargeting import FIRST, LAST, actor, hero
from tests.blender.walking import played
from tests.core import trackers


def test_planted_feet_stay_planted_on_a_body_of_another_size(tmp_path: Path) -> None:
    source, _ = actor()
    file = write_csv(tmp_path / "points.csv", points_of(source))
    obj = hero()
    before = untouched(obj)
    _, solved = finish(mocap.solve_clip_steps(obj, file=file, frame_start=FIRST))
    report = solved.report
    assert report["past_limits"] == [] and report["slip_mm"]["L"]["max"] is not None
    hips = points_of(obj, range(FIRST, LAST, 10))[:, INDEX["pelvis"]]
    legs = obj.data.bones["LeftUpLeg"].length + obj.data.bones["LeftLeg"].length
    actor_legs = source.data.bones["LeftUpLeg"].length + source.data.bones["LeftLeg"].length
    travelled = np.linalg.norm(
        np.ptp(points_of(source, range(FIRST, LAST, 10))[:, INDEX["pelvis"], :2], axis=0)
    )
    assert np.linalg.norm(np.ptp(hips[:, :2], axis=0)) == pytest.approx(
        travelled * legs / actor_legs, rel=0.05
    )
    action = obj.animation_data.action
    api.remove_targets(obj)
    bpy.data.actions.remove(action)
    assert untouched(obj) == before


@pytest.mark.few(2)
@pytest.mark.parametrize("frames", [1, 2, 3])
def test_contacts_are_looked_for_where_there_is_a_motion(tmp_path: Path, frames: int) -> None:
    """A single frame stands or not: nothing tells."""
    source, _ = actor()
    file = write_csv(tmp_path / "points.csv", points_of(source)[:frames])
    _, solved = finish(mocap.solve_clip_steps(hero(), file=file, frame_start=FIRST))
    assert (solved.report is not None) == (frames > 1)


def test_what_a_tracker_sees_about_the_hips_walks_through_the_scene(tmp_path: Path) -> None:
    source, _ = actor()
    wanted = points_of(source)
    seen = trackers.mediapipe(wanted, np.tile(np.eye(3), (len(wanted), 1, 1)))
    hips = 0.5 * (seen["left_hip"] + seen["right_hip"])
    columns = ["time", *(f"{name}_{axis}" for name in seen for axis in "xyz")]
    table = np.column_stack(
        [np.arange(len(wanted)) / 24.0, *((place - hips) @ TO_Z_UP["-y"] for place in seen.values())]
    )
    np.savetxt(tmp_path / "pose.csv", table, delimiter=",", header=",".join(columns), comments="", fmt="%.5f")
    obj = same_size()
    mocap.solve_clip(obj, file=tmp_path / "pose.csv", frame_start=FIRST)
    found = points_of(obj)
    travelled, way = (
        np.linalg.norm(np.ptp(places[:, INDEX["pelvis"], :2], axis=0)) for places in (found, wanted)
    )
    assert travelled == pytest.approx(way, rel=0.2)
    assert (
        abs(
            found[:, [INDEX["ball.L"], INDEX["ball.R"]], 2].min()
            - wanted[:, [INDEX["ball.L"], INDEX["ball.R"]], 2].min()
        )
        < 0.06
    )


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    source, _ = actor()
    file = write_csv(tmp_path / "points.csv", points_of(source))
    obj = same_size()
    report, output = tmp_path / "report.json", tmp_path / "out.blend"
    assert (
        run(
            "solve",
            "--armature",
            "Twin",
            "--points",
            file,
            "--frames",
            FIRST,
            "--report",
            report,
            "--output",
            output,
        )
        == 0
    )
    assert json.loads(report.read_text())["past_limits"] == [] and output.is_file()
    assert obj.animation_data.action.name in capsys.readouterr().out
    assert run("pose", "--armature", "Twin", "--frames", FIRST, LAST, "--output", tmp_path / "pose.npz") == 0
    assert len(pose_parameters.load(tmp_path / "pose.npz")) == len(FRAMES)
    assert run("solve", "--armature", "Twin", "--points", file, "--map", "wrist.L=Nobody") == 1
    assert "Nobody" in capsys.readouterr().err


def test_a_recording_worse_than_stated_is_told(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    source, _ = actor()
    wanted = points_of(source)
    file = write_csv(
        tmp_path / "points.csv", wanted + np.random.default_rng(3).normal(0.0, 0.02, wanted.shape)
    )
    same_size()
    for noise, words in ((1, "suggest about 2"), (20, "action")):
        assert run("solve", "--armature", "Twin", "--points", file, "--noise", noise) == 0
        said = capsys.readouterr().out
        assert words in said and ("of error" in said) == (noise == 1)


def test_buttons_do_what_the_functions_do(tmp_path: Path) -> None:
    source, _ = actor()
    file = write_csv(tmp_path / "points.csv", points_of(source))
    obj = same_size()
    assert bpy.ops.neurarig.solve_clip(file=str(file), frame_start=FIRST) == {"FINISHED"}
    by_button = played(obj, (FIRST, 20, LAST))
    assert np.abs(played(obj, (FIRST, 20, LAST)) - by_button).max() == 0.0
    mocap.solve_clip(obj, file=file, frame_start=FIRST)
    assert np.abs(played(obj, (FIRST, 20, LAST)) - by_button).max() < 1e-6
    assert bpy.ops.neurarig.export_pose(filepath=str(tmp_path / "pose.npz")) == {"FINISHED"}
    with pytest.raises(RuntimeError, match="cannot be read"):
        bpy.ops.neurarig.solve_clip(file=str(tmp_path / "none.csv"))
    assert bpy.ops.neurarig.remove_targets() == {"FINISHED"}
    for arguments in ({"point_set": "LIMBS"}, {"controls": "FK"}):
        assert bpy.ops.neurarig.pose_targets(**arguments) == {"FINISHED"}
    assert bpy.ops.neurarig.add_target(point="head_top") == {"FINISHED"}
    assert bpy.ops.neurarig.choose_target(point="wrist.R", target="Actor", bone="LeftHand", lock=True) == {
        "FINISHED"
    }
    assert bpy.ops.neurarig.solve_pose(key=True) == {"FINISHED"} and bpy.ops.neurarig.snap_targets() == {
        "FINISHED"
    }
    assert bpy.ops.neurarig.solve_range(frame_start=FIRST, frame_end=FIRST + 2) == {"FINISHED"}
    assert bpy.ops.neurarig.remove_target(point="head_top") == {"FINISHED"}
    assert {item.point for item in obj.neurarig.neural_pose.targets} < set(POINTS) - {"head_top"}
    assert bpy.ops.neurarig.remove_targets(keep_pose=True) == {"FINISHED"}
