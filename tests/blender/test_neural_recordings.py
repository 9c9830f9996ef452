"""What can be a recording of points: files of all kinds, armatures, collections; and what cannot."""

from pathlib import Path

import bpy
import numpy as np
import pytest

from neurarig_addon.blender.animation import compat
from neurarig_addon.blender.neural_pose import mocap
from neurarig_addon.core.neural import pose_parameters
from neurarig_addon.core.neural.points import INDEX, JOINTS
from tests.blender.posing import STRIDE, turn_bones, untouched
from tests.blender.recording import FRAMES, LABELS, points_of, same_size, write_csv
from tests.blender.retargeting import FIRST, LAST, actor
from tests.blender.walking import played
from tests.refusals import refuses
from tests.rigs import biped, build


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
    assert (
        set(bpy.data.actions) - before == {action}
        and action.use_fake_user
        and obj.animation_data.action == action
    )
    assert tuple(action.frame_range) == (FIRST, LAST)
    apart = np.linalg.norm(points_of(obj) - wanted, axis=-1)[:, : len(JOINTS)]
    assert 1e3 * apart.max() < 3.0


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
            keys.foreach_set(
                "co", np.stack([np.array(FRAMES, dtype=float), wanted[:, point, axis]], 1).ravel()
            )
    bpy.context.scene.collection.children.link(markers)
    mocap.solve_clip(obj, collection=markers, contacts=False, noise=0.0, frame_start=FIRST, frame_end=LAST)
    for found in (from_armature, points_of(obj)):
        assert 1e3 * np.linalg.norm(found - wanted, axis=-1)[:, : len(JOINTS)].max() < 3.0


def test_names_that_say_nothing_can_be_mapped(tmp_path: Path) -> None:
    source, _ = actor()
    points = points_of(source, range(FIRST, FIRST + 5))
    chosen = ["pelvis", "head", "wrist.L", "wrist.R", "ankle.L", "ankle.R", "hip.L", "hip.R", "spine3"]
    file = tmp_path / "points.npz"
    np.savez(
        file,
        names=np.array([f"m{n}" for n in range(len(chosen))]),
        positions=points[:, [INDEX[name] for name in chosen]],
        fps=24.0,
    )
    obj = same_size()
    with refuses("known by name"):
        mocap.solve_clip(obj, file=file)
    mapping = {point: f"m{n}" for n, point in enumerate(chosen)}
    mocap.solve_clip(obj, file=file, mapping=mapping, contacts=False, frame_start=FIRST)
    rows = [INDEX[name] for name in chosen]
    assert np.linalg.norm(points_of(obj, range(FIRST, FIRST + 5)) - points, axis=-1)[:, rows].mean() < 0.05


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
            for name in (
                "empty.csv",
                "text.txt",
                "broken.npz",
                "other.npz",
                "drawing.c3d",
                "empty.npz",
                "array.npz",
                "long.csv",
            )
        ),
        ({"file": tmp_path / "walk.fbx"}, "Retarget"),
        ({"file": tmp_path / "folder.c3d"}, "cannot be read"),
        ({"file": tmp_path / "words.csv"}, "not a number|known by name"),
        ({"file": tmp_path / "nan.npz"}, "no points"),
        ({"file": tmp_path / "bad.npz"}, "NaN"),
        ({"file": tmp_path / "few.npz"}, "frames x 66"),
        ({"file": tmp_path / "none.bvh"}, "cannot be read"),
        ({"source": obj}, "No armature with recorded points"),
        ({"collection": bpy.data.collections.new("Empty")}, "'Empty' holds no objects"),
        ({"feil": "x"}, "no setting 'feil'"),
        ({}, "No file is chosen"),
        ({"file": tmp_path / "other.npz", "mapping": "wrist.L"}, "point=name"),
    ):
        with refuses(words) as refusal:
            mocap.solve_clip(obj, **given)
        assert str(refusal.value).count("\n") == 0
        assert untouched(obj) == before, given
    with refuses(r"must end in \.npz"):
        mocap.export_pose(obj, tmp_path / "pose.txt")
