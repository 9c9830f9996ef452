"""Recordings on characters: whatever wrote the points, whoever moved them, in one new action; and pose parameters there and back."""

import csv
import json
from pathlib import Path

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import compat
from neurarig_addon.blender.neural_pose import api, mocap
from neurarig_addon.blender.neural_pose.recording import PointRecording
from neurarig_addon.blender.seen_pose import same_frame_after
from neurarig_addon.core.errors import NeuraRigError
from neurarig_addon.core.mocap.upright import TO_Z_UP
from neurarig_addon.core.neural import pose_parameters
from neurarig_addon.core.neural.points import INDEX, JOINTS, POINTS
from tests.blender.posing import STRIDE, shown_points, turn_bones
from tests.blender.retargeting import FIRST, LAST, actor, hero, keys_of
from tests.blender.test_cli import run
from tests.blender.test_neural_pose import untouched
from tests.blender.walking import played
from tests.core import trackers
from tests.core.c3d_writer import C3D, MIPS
from tests.core.neural_rigs import recorded_walk
from tests.rigs import arms_only, biped, build, make_active, rigify_human
from tests.shared_data import shared_path

pytestmark = pytest.mark.usefixtures("addon")

FRAMES = range(FIRST, LAST + 1)
TO_Y_UP = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
# An optical system's labels, as people give them; head top, fingers and toe tips are missing.
LABELS = [f"Actor:{name}" for name in pose_parameters.NAMES]


def points_of(obj: bpy.types.Object, frames: range = FRAMES) -> np.ndarray:
    """Return where the 27 points of a character are `(f, 27, 3)` in the world."""
    found = []
    with same_frame_after(bpy.context.scene):
        for frame in frames:
            bpy.context.scene.frame_set(frame)
            found.append(shown_points(obj))
    return np.array(found)


def same_size() -> bpy.types.Object:
    """Return a character of the actor's proportions in another rest pose."""
    obj = build(biped(arm_drop_deg=45.0), "Twin")
    make_active(obj)
    return obj


def write_csv(path: Path, points: np.ndarray, two_rows: bool = False, fps: float = 24.0) -> Path:
    """Write the 22 joints in millimetres, y up."""
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        if two_rows:
            rows.writerow(["Trajectories"])
            rows.writerow(["", ""] + [cell for name in LABELS for cell in (name, "", "")])
            rows.writerow(["Frame", "Time"] + ["X", "Y", "Z"] * len(LABELS))
            rows.writerow(["", "s"] + ["mm"] * 3 * len(LABELS))
        else:
            rows.writerow(["frame", "time"] + [f"{name}_{axis}" for name in LABELS for axis in "xyz"])
        for row, frame in enumerate(1000.0 * points[:, : len(JOINTS)] @ TO_Y_UP.T):
            cells = [f"{value:.4f}" if np.isfinite(value) else "" for value in frame.ravel()]
            rows.writerow([row + 1, f"{row / fps:.6f}", *cells])
    return path


@pytest.mark.parametrize("form", ["csv", "two rows", "npz"])
def test_a_file_of_points_gives_the_pose_that_they_were_taken_from(tmp_path: Path, form: str) -> None:
    source, _ = actor()
    wanted = points_of(source)
    if form == "npz":
        file = tmp_path / "points.npz"
        np.savez(file, names=np.array(LABELS), positions=wanted[:, : len(JOINTS)], fps=24.0)
    else:
        file = write_csv(tmp_path / "points.csv", wanted, form == "two rows")
    obj = same_size()
    before = set(bpy.data.actions)
    action = mocap.solve_clip(obj, file=file, contacts=False, frame_start=FIRST, noise=0.0)
    assert set(bpy.data.actions) - before == {action} and action.use_fake_user and obj.animation_data.action == action
    assert tuple(action.frame_range) == (FIRST, LAST)
    apart = np.linalg.norm(points_of(obj) - wanted, axis=-1)[:, : len(JOINTS)]
    assert 1e3 * apart.max() < 3.0


def test_a_c3d_file_of_markers_on_the_skin_gives_what_the_same_points_give_from_an_npz(tmp_path: Path) -> None:
    _, rotations, points = recorded_walk("cmu_02_01")
    skin = trackers.plug_in_gait(points, rotations)
    places = 1000.0 * np.stack(list(skin.values()), axis=1) @ TO_Z_UP["y"]
    places[20:30, list(skin).index("LKNE")] = np.nan
    labels = [f"Ann:{code}" for code in skin]
    samples = np.random.default_rng(2).normal(size=(len(places), 8, 6))  # of force plates
    told = {"POINT:X_SCREEN": ["+X"], "POINT:Y_SCREEN": ["+Y"]}
    (tmp_path / "walk.c3d").write_bytes(C3D(places, labels, MIPS, fps=60.0, analog=samples, parameters=told).to_bytes())
    np.savez(tmp_path / "walk.npz", names=np.array(labels), positions=places, fps=60.0)
    obj = same_size()
    found = []
    for file in ("walk.c3d", "walk.npz"):
        action = mocap.solve_clip(obj, file=tmp_path / file, frame_start=1)
        assert action.frame_range[1] == 1 + int((len(places) - 1) * 24.0 / 60.0)
        found.append(points_of(obj, range(1, int(action.frame_range[1]) + 1)))
    assert np.abs(found[0] - found[1]).max() < 1e-4
    travelled = np.linalg.norm(np.ptp(found[0][:, INDEX["pelvis"], :2], axis=0))
    assert travelled > 1.0


def test_who_else_was_recorded_is_told(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    source, _ = actor()
    both = np.concatenate([points_of(source)[:, : len(JOINTS)] + apart for apart in (0.0, 2.0)], axis=1)
    labels = [f"{who}:{name}" for who in ("Ann", "Ben") for name in pose_parameters.NAMES]
    (tmp_path / "duet.c3d").write_bytes(C3D(1000.0 * both, labels, fps=24.0).to_bytes())
    obj = same_size()
    hips = []
    for options, words in (((), "set Names to subject=Ben"), (("--map", "subject=Ben"), "")):
        assert run("solve", "--armature", "Twin", "--points", tmp_path / "duet.c3d", "--frames", FIRST, "--no-resize", *options) == 0
        said = capsys.readouterr().out
        assert words in said and ("subject" in said) == bool(words)
        hips.append(points_of(obj, range(FIRST, FIRST + 1))[0, INDEX["pelvis"]])
    assert np.abs(hips[1] - hips[0] - 2.0)[:2].max() < 0.01  # the floor found under the feet is put where the scene has it


def test_planted_feet_stay_planted_on_a_body_of_another_size(tmp_path: Path) -> None:
    source, _ = actor()
    file = write_csv(tmp_path / "points.csv", points_of(source))
    obj = hero()
    before = untouched(obj)
    clip = mocap.solve_clip_steps(obj, file=file, frame_start=FIRST)
    try:
        while True:
            next(clip)
    except StopIteration as finished:
        _, solved = finished.value
    report = solved.report
    assert report["past_limits"] == [] and report["slip_mm"]["L"]["max"] is not None
    hips = points_of(obj, range(FIRST, LAST, 10))[:, INDEX["pelvis"]]
    legs = obj.data.bones["LeftUpLeg"].length + obj.data.bones["LeftLeg"].length
    actor_legs = source.data.bones["LeftUpLeg"].length + source.data.bones["LeftLeg"].length
    travelled = np.linalg.norm(np.ptp(points_of(source, range(FIRST, LAST, 10))[:, INDEX["pelvis"], :2], axis=0))
    assert np.linalg.norm(np.ptp(hips[:, :2], axis=0)) == pytest.approx(travelled * legs / actor_legs, rel=0.05)
    action = obj.animation_data.action
    api.remove_targets(obj)
    bpy.data.actions.remove(action)
    assert untouched(obj) == before


def test_armatures_and_collections_are_recordings_too() -> None:
    source, _ = actor()
    wanted = points_of(source)
    obj = same_size()
    mocap.solve_clip(obj, source=source, contacts=False, noise=0.0, frame_start=FIRST, frame_end=LAST)
    from_armature = points_of(obj)
    markers = bpy.data.collections.new("Markers")
    for point, label in enumerate(LABELS):
        marker = bpy.data.objects.new(label, None)
        markers.objects.link(marker)
        action, slot = compat.new_action(label, marker)
        compat.assign(marker.animation_data_create(), action, slot)
        curves, _ = compat.ensure_channels(action, slot)
        for axis in range(3):
            keys = curves.new("location", index=axis).keyframe_points
            keys.add(len(FRAMES))
            keys.foreach_set("co", np.stack([np.array(FRAMES, dtype=float), wanted[:, point, axis]], 1).ravel())
    bpy.context.scene.collection.children.link(markers)
    mocap.solve_clip(obj, collection=markers, contacts=False, noise=0.0, frame_start=FIRST, frame_end=LAST)
    for found in (from_armature, points_of(obj)):
        assert 1e3 * np.linalg.norm(found - wanted, axis=-1)[:, : len(JOINTS)].max() < 3.0


def test_names_that_say_nothing_can_be_mapped(tmp_path: Path) -> None:
    source, _ = actor()
    points = points_of(source, range(FIRST, FIRST + 5))
    chosen = ["pelvis", "head", "wrist.L", "wrist.R", "ankle.L", "ankle.R", "hip.L", "hip.R", "spine3"]
    file = tmp_path / "points.npz"
    np.savez(file, names=np.array([f"m{n}" for n in range(len(chosen))]), positions=points[:, [INDEX[name] for name in chosen]], fps=24.0)
    obj = same_size()
    with pytest.raises(NeuraRigError, match="known by name"):
        mocap.solve_clip(obj, file=file)
    mapping = {point: f"m{n}" for n, point in enumerate(chosen)}
    mocap.solve_clip(obj, file=file, mapping=mapping, contacts=False, frame_start=FIRST)
    rows = [INDEX[name] for name in chosen]
    assert np.linalg.norm(points_of(obj, range(FIRST, FIRST + 5)) - points, axis=-1)[:, rows].mean() < 0.05


def test_a_recording_without_legs_is_enough() -> None:
    source = build(arms_only(), "Arms")
    turn_bones(source, {name: degrees for name, degrees in STRIDE.items() if "Arm" in name})
    obj = same_size()
    mocap.solve_clip(obj, source=source, frame_start=1, frame_end=3)
    assert np.isfinite(points_of(obj, range(1, 4))).all()


def test_points_that_were_not_seen_are_guessed(tmp_path: Path) -> None:
    source, _ = actor()
    wanted = points_of(source)
    gaps = wanted.copy()
    gaps[10:20, INDEX["knee.L"]] = np.nan
    gaps[30:, INDEX["elbow.R"]] = np.nan
    gaps[5, INDEX["pelvis"]] = np.nan
    obj = same_size()
    mocap.solve_clip(obj, file=write_csv(tmp_path / "points.csv", gaps), contacts=False, frame_start=FIRST)
    apart = np.linalg.norm(points_of(obj) - wanted, axis=-1)[:, : len(JOINTS)]
    assert np.isfinite(apart).all() and apart.max() < 0.15 and 1e3 * np.median(apart) < 5.0


def test_a_noisy_recording_is_smoothed_and_its_jumps_left_out(tmp_path: Path) -> None:
    source, _ = actor()
    wanted = points_of(source)
    noisy = wanted + np.random.default_rng(3).normal(0.0, 0.01, wanted.shape)
    noisy[20, INDEX["wrist.L"]] += [0.0, 0.0, 1.0]
    file = write_csv(tmp_path / "points.csv", noisy)
    obj = same_size()
    found = {}
    for mend in (True, False):
        mocap.solve_clip(obj, file=file, contacts=False, frame_start=FIRST, noise=10.0, mend=mend)
        found[mend] = points_of(obj)[:, : len(JOINTS)]
    off, jerk = (
        {mend: np.linalg.norm(change(places), axis=-1).mean() for mend, places in found.items()}
        for change in (lambda places: places - wanted[:, : len(JOINTS)], lambda places: np.diff(places, 3, axis=0))
    )
    assert off[True] < 0.8 * off[False] and jerk[True] < 0.3 * jerk[False]
    assert np.linalg.norm(found[True][20] - wanted[20, : len(JOINTS)], axis=-1).max() < 0.1


def test_what_a_tracker_sees_about_the_hips_walks_through_the_scene(tmp_path: Path) -> None:
    source, _ = actor()
    wanted = points_of(source)
    seen = trackers.mediapipe(wanted, np.tile(np.eye(3), (len(wanted), 1, 1)))
    hips = 0.5 * (seen["left_hip"] + seen["right_hip"])
    columns = ["time", *(f"{name}_{axis}" for name in seen for axis in "xyz")]
    table = np.column_stack([np.arange(len(wanted)) / 24.0, *((place - hips) @ TO_Z_UP["-y"] for place in seen.values())])
    np.savetxt(tmp_path / "pose.csv", table, delimiter=",", header=",".join(columns), comments="", fmt="%.5f")
    obj = same_size()
    mocap.solve_clip(obj, file=tmp_path / "pose.csv", frame_start=FIRST)
    found = points_of(obj)
    travelled, way = (np.linalg.norm(np.ptp(places[:, INDEX["pelvis"], :2], axis=0)) for places in (found, wanted))
    assert travelled == pytest.approx(way, rel=0.2)
    assert abs(found[:, [INDEX["ball.L"], INDEX["ball.R"]], 2].min() - wanted[:, [INDEX["ball.L"], INDEX["ball.R"]], 2].min()) < 0.06


def test_pose_parameters_there_and_back(tmp_path: Path) -> None:
    obj = same_size()
    turn_bones(obj, STRIDE)
    for bone in obj.pose.bones:
        bone.keyframe_insert("rotation_quaternion", frame=1)
    seen = played(obj, [1])
    parameters = mocap.export_pose(obj, tmp_path / "pose.npz", 1, 3)
    assert parameters.poses.shape == (3, 66) and pose_parameters.load(tmp_path / "pose.npz").fps == 24.0
    twin = build(biped(), "T-Pose")
    mocap.solve_clip(twin, file=tmp_path / "pose.npz", contacts=False)
    assert np.abs(played(twin, [1])[..., 0, :] - seen[..., 0, :]).max() < 1e-4


def test_a_recorded_walk_on_a_rigify_human() -> None:
    obj = rigify_human()
    steps = mocap.solve_clip_steps(obj, file=shared_path("data", "mocap", "walk", "cmu_02_01.bvh"))
    try:
        while True:
            next(steps)
    except StopIteration as finished:
        action, solved = finished.value
    assert solved.report["past_limits"] == []
    feet = played(obj, range(1, 80), ["DEF-toe.L", "DEF-toe.R"])[..., 0, :]
    still = np.linalg.norm(np.diff(feet, axis=0), axis=-1) < 2e-4
    assert still.mean() > 0.3
    assert len(keys_of(action, obj)) > 60


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    source, _ = actor()
    file = write_csv(tmp_path / "points.csv", points_of(source))
    obj = same_size()
    report, output = tmp_path / "report.json", tmp_path / "out.blend"
    assert run("solve", "--armature", "Twin", "--points", file, "--frames", FIRST, "--report", report, "--output", output) == 0
    assert json.loads(report.read_text())["past_limits"] == [] and output.is_file()
    assert obj.animation_data.action.name in capsys.readouterr().out
    assert run("pose", "--armature", "Twin", "--frames", FIRST, LAST, "--output", tmp_path / "pose.npz") == 0
    assert len(pose_parameters.load(tmp_path / "pose.npz")) == len(FRAMES)
    assert run("solve", "--armature", "Twin", "--points", file, "--map", "wrist.L=Nobody") == 1
    assert "Nobody" in capsys.readouterr().err


@pytest.mark.parametrize("fps", [24.0, 25.0, 60.0, 120.0])
def test_another_rate_keeps_paths_smooth_and_gaps_open(fps: float) -> None:
    def path(seconds: np.ndarray) -> np.ndarray:
        return np.stack([np.sin(6.0 * seconds), np.cos(4.0 * seconds), seconds**2], axis=-1)[:, None] * np.ones((1, len(POINTS), 1))

    points = path(np.arange(60) / 30.0)
    found = PointRecording("path", points, 30.0).at_rate(fps)
    wanted = path(np.arange(len(found)) / fps)
    assert found.fps == fps and np.abs(found.points - wanted).max() < 2.5e-3
    jerk, least = (np.linalg.norm(np.diff(places, 3, axis=0), axis=-1).mean() for places in (found.points, wanted))
    assert jerk < 2.5 * least  # on straight lines ten times as much at 60 and more
    points[10:12, 3] = np.nan
    seen = np.isfinite(PointRecording("path", points, 30.0).at_rate(fps).points[..., 0])
    assert seen[:, :3].all() and not seen[round(10.5 / 30.0 * fps), 3] and seen[: int(9.0 / 30.0 * fps) + 1, 3].all()


def test_a_recording_worse_than_stated_is_told(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    source, _ = actor()
    wanted = points_of(source)
    file = write_csv(tmp_path / "points.csv", wanted + np.random.default_rng(3).normal(0.0, 0.02, wanted.shape))
    same_size()
    for noise, words in ((1, "off by about 2"), (20, "action")):
        assert run("solve", "--armature", "Twin", "--points", file, "--noise", noise) == 0
        said = capsys.readouterr().out
        assert words in said and ("off by" in said) == (noise == 1)


def test_what_is_no_recording_is_refused_in_a_sentence(tmp_path: Path) -> None:
    obj = same_size()
    before = untouched(obj)
    (tmp_path / "empty.csv").write_text("")
    (tmp_path / "words.csv").write_text("head_x,head_y,head_z\na,b,c\n1,x,3\n")
    (tmp_path / "text.txt").write_text("")
    (tmp_path / "broken.npz").write_bytes(b"PK\x03\x04 no zip")
    (tmp_path / "drawing.c3d").write_bytes(b"AC1032" + bytes(1000))
    (tmp_path / "empty.npz").write_bytes(b"")
    (tmp_path / "walk.fbx").write_bytes(b"Kaydara FBX Binary")
    (tmp_path / "folder.c3d").mkdir()
    (tmp_path / "long.csv").write_text("head_x,head_y,head_z\n" + "1" * 200_000)
    with (tmp_path / "array.npz").open("wb") as file:
        np.save(file, np.zeros(3))
    np.savez(tmp_path / "other.npz", a=np.zeros(3))
    np.savez(tmp_path / "nan.npz", names=np.array(LABELS), positions=np.full((3, 22, 3), np.nan))
    np.savez(tmp_path / "bad.npz", poses=np.full((3, 66), np.nan), trans=np.zeros((3, 3)), fps=24.0)
    np.savez(tmp_path / "few.npz", poses=np.zeros((3, 5)), trans=np.zeros((3, 3)), fps=24.0)
    for given, words in (
        *(
            ({"file": tmp_path / name}, f"'{name}'")
            for name in ("empty.csv", "text.txt", "broken.npz", "other.npz", "drawing.c3d", "empty.npz", "array.npz", "long.csv")
        ),
        ({"file": tmp_path / "walk.fbx"}, "Retarget"),
        ({"file": tmp_path / "folder.c3d"}, "cannot be read"),
        ({"file": tmp_path / "words.csv"}, "no number|known by name"),
        ({"file": tmp_path / "nan.npz"}, "no points"),
        ({"file": tmp_path / "bad.npz"}, "NaN"),
        ({"file": tmp_path / "few.npz"}, "frames x 66"),
        ({"file": tmp_path / "none.bvh"}, "cannot be read"),
        ({"source": obj}, "another armature"),
        ({"collection": bpy.data.collections.new("Empty")}, "'Empty' holds no objects"),
        ({"feil": "x"}, "no setting 'feil'"),
        ({}, "No file is chosen"),
        ({"file": tmp_path / "other.npz", "mapping": "wrist.L"}, "point=name"),
    ):
        with pytest.raises(NeuraRigError, match=words) as refusal:
            mocap.solve_clip(obj, **given)
        assert str(refusal.value).count("\n") == 0
        assert untouched(obj) == before, given
    with pytest.raises(NeuraRigError, match=r"must end in \.npz"):
        mocap.export_pose(obj, tmp_path / "pose.txt")


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
    assert bpy.ops.neurarig.choose_target(point="wrist.R", target="Actor", bone="LeftHand", lock=True) == {"FINISHED"}
    assert bpy.ops.neurarig.solve_pose(key=True) == {"FINISHED"} and bpy.ops.neurarig.snap_targets() == {"FINISHED"}
    assert bpy.ops.neurarig.solve_range(frame_start=FIRST, frame_end=FIRST + 2) == {"FINISHED"}
    assert bpy.ops.neurarig.remove_target(point="head_top") == {"FINISHED"}
    assert {item.point for item in obj.neurarig.neural_pose.targets} < set(POINTS) - {"head_top"}
    assert bpy.ops.neurarig.remove_targets(keep_pose=True) == {"FINISHED"}
