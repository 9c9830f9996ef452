"""Recordings in the files of other tools: the points of the walk that was written are read again, in any
form."""

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.geometry.rotation import from_axis_angle, normalized
from neurarig_addon.core.mocap.generated_motion import is_generated, read_generated
from neurarig_addon.core.mocap.joint_angles import read_angles
from neurarig_addon.core.mocap.landmarks import points_of
from neurarig_addon.core.mocap.marker_files import read_markers
from neurarig_addon.core.mocap.placement import upright
from neurarig_addon.core.neural import pose_parameters
from neurarig_addon.core.neural.points import INDEX, JOINTS
from neurarig_addon.core.neural.pose_parameters import PoseParameters
from tests.core import point_files as written
from tests.core import trackers
from tests.core.generated_walks import joints
from tests.core.neural_rigs import recorded_walk
from tests.refusals import refuses

LIMBS = [
    INDEX[f"{part}.{side}"]
    for part in ("hip", "knee", "ankle", "shoulder", "elbow", "wrist")
    for side in "LR"
]


@pytest.fixture(scope="module")
def walk() -> tuple[np.ndarray, np.ndarray]:
    """Return points `(f, 27, 3)` of a recorded walk and the turns of its heads."""
    _, rotations, points = recorded_walk("cmu_02_01")
    return points[:60], rotations[:60, INDEX["head"]]


def points_in(path: Path) -> np.ndarray:
    markers = read_markers(path)
    return upright(points_of(markers.names, markers.places), markers.metres, markers.up)


def same(found: np.ndarray, points: np.ndarray) -> None:
    """Both are one figure: any heading and place."""
    left, right = (
        values[:, LIMBS] - values[:, LIMBS].mean(axis=1, keepdims=True) for values in (found, points)
    )
    u, _, vt = np.linalg.svd(np.einsum("fpi,fpj->ij", left, right))
    assert np.linalg.det(u @ vt) > 0.0, "not mirrored"
    assert_allclose(left @ (u @ vt), right, atol=1e-3)


TRACKED = {
    17: (trackers.coco, 0), "human3.6m": (trackers.human36m, 1), 25: (trackers.body_25, 0),
    33: (trackers.mediapipe, 0),
    133: (trackers.coco, 0), 543: (trackers.mediapipe, 0), 75: (trackers.mediapipe, 0),
}  # fmt: skip


def tracked(walk: tuple, kind: int | str) -> np.ndarray:
    tracker, which = TRACKED[kind]
    points = dict(tracker(*walk))
    if tracker is trackers.human36m:
        points["Neck/Nose"] = points["Neck"]
    return written.in_order(points, kind if isinstance(kind, int) else 17, which)


@pytest.mark.parametrize("kind", TRACKED)
@pytest.mark.parametrize("form", ["array", "flat", "batch", "still", "gaps"])
def test_points_without_names_are_known_by_their_count_and_what_they_form(
    kind, form, walk, tmp_path: Path
) -> None:
    places = tracked(walk, kind)
    told = {"flat": places.reshape(len(places), -1), "batch": places[None], "still": places[:1]}.get(
        form, places
    ).copy()
    if form == "gaps":
        told[7] = np.nan
    (tmp_path / "a.npy").write_bytes(
        written.npy(1000.0 * told @ written.TO_Y_UP.T if form not in ("flat",) else told)
    )
    found, points = points_in(tmp_path / "a.npy"), walk[0]
    if form == "gaps":
        assert np.isnan(found[7]).all()
        found, points = np.delete(found, 7, axis=0), np.delete(points, 7, axis=0)
    same(found, points[: len(found)])


@pytest.mark.parametrize("form", ["trc", "sto of three", "sto"])
def test_tables_of_opensim_and_trc_hold_points(form, walk, tmp_path: Path) -> None:
    points = trackers.body_25(*walk)
    name, content = {
        "trc": ("a.trc", written.trc(points)),
        "sto of three": ("a.sto", written.opensim(points, True)),
        "sto": ("a.mot", written.opensim(points, False)),
    }[form]
    (tmp_path / name).write_bytes(content)
    markers = read_markers(tmp_path / name)
    assert markers.fps == pytest.approx(written.FPS, rel=1e-3) and set(markers.names) == set(points)
    same(points_in(tmp_path / name), walk[0])


@pytest.mark.parametrize("where", ["folder", "frame"])
def test_frames_of_openpose_follow_one_person(where, walk, tmp_path: Path) -> None:
    for number, content in enumerate(written.openpose(tracked(walk, 25), others=2)):
        (tmp_path / f"cam_{number + 8:d}_keypoints.json").write_bytes(content)
    same(points_in(tmp_path if where == "folder" else tmp_path / "cam_11_keypoints.json"), walk[0])


@pytest.mark.parametrize(("knee", "in_degrees"), [(1.0, True), (-1.0, False)])
def test_angles_of_joints_are_read_on_an_adult(knee, in_degrees, tmp_path: Path) -> None:
    places, turns = joints()
    (tmp_path / "a.mot").write_bytes(written.angles(turns, places[:, 0], knee, in_degrees))
    found = read_angles(tmp_path / "a.mot")
    assert found.fps == pytest.approx(written.FPS, rel=1e-3)
    off = np.degrees(
        np.arccos(np.clip(0.5 * (np.einsum("fjab,fjab->fj", found.rotations(), turns) - 1.0), -1.0, 1.0))
    )
    whole = [JOINTS.index(joint) for joint in ("pelvis", "hip.L", "hip.R", "shoulder.L", "shoulder.R")]
    hinged = [
        JOINTS.index(joint) for joint in ("knee.L", "knee.R", "ankle.L", "ankle.R", "elbow.L", "elbow.R")
    ]
    assert off[:, whole].max() < 0.1 and off[:, hinged].mean() < 12.0
    clip = read_generated(tmp_path / "a.mot")
    assert is_generated(tmp_path / "a.mot") and "adult" in clip.remark
    with refuses("Use Retarget"):
        read_markers(tmp_path / "a.mot")


@pytest.mark.parametrize("form", ["global_orient", "root_orient", "matrices", "joints apart", "no place"])
def test_pose_parameters_go_by_other_names(form, tmp_path: Path) -> None:
    places, turns = joints()
    own = PoseParameters.of(turns, places[:, 0], 30.0)
    root, body = own.poses[:, :3], np.concatenate([own.poses[:, 3:], np.zeros((len(own), 6))], axis=1)
    arrays = {"global_orient": root, "body_pose": body, "transl": own.trans, "fps": np.array(30.0)}
    if form == "root_orient":
        arrays = {
            "root_orient": root,
            "pose_body": body[:, :63],
            "trans": own.trans,
            "mocap_frame_rate": np.array(30.0),
        }
    elif form == "matrices":

        def turned(values: np.ndarray) -> np.ndarray:
            vectors = values.reshape(len(values), -1, 3)
            return from_axis_angle(normalized(vectors), np.linalg.norm(vectors, axis=-1))

        arrays |= {"global_orient": turned(root), "body_pose": turned(body)}
    elif form == "joints apart":
        arrays |= {"body_pose": body.reshape(len(body), -1, 3)}
    elif form == "no place":
        arrays.pop("transl")
    np.savez(tmp_path / "a.npz", **arrays)
    assert is_generated(tmp_path / "a.npz")
    found = pose_parameters.load(tmp_path / "a.npz")
    assert_allclose(found.rotations(), own.rotations(), atol=1e-6)
    assert_allclose(found.trans, 0.0 * own.trans if form == "no place" else own.trans, atol=1e-9)


@pytest.mark.parametrize("kind", ["places", "parameters", "angles"])
def test_a_row_of_no_numbers_is_bridged_and_told(kind, tmp_path: Path) -> None:
    places, turns = joints()
    if kind == "places":
        spoiled = places.copy()
        spoiled[9] = np.nan
        np.save(tmp_path / "a.npy", spoiled)
        path = tmp_path / "a.npy"
    elif kind == "parameters":
        own = PoseParameters.of(turns, places[:, 0], 30.0)
        poses = own.poses.copy()
        poses[9, 5] = np.nan
        np.savez(tmp_path / "a.npz", poses=poses, trans=own.trans, fps=np.array(30.0))
        path = tmp_path / "a.npz"
    else:
        lines = written.angles(turns, places[:, 0]).decode().splitlines()
        lines[5 + 9] = "\t".join([lines[5 + 9].split("\t")[0], *["nan"] * (lines[5 + 9].count("\t"))])
        path = tmp_path / "a.mot"
        path.write_text("\n".join(lines))
    clip = read_generated(path)
    assert "Frame 10 " in clip.remark and "bridged" in clip.remark
    between = 0.5 * (clip.heads[8] + clip.heads[10])
    assert np.abs(clip.heads[9] - between).max() < 0.01


@pytest.mark.parametrize(
    "name, content, said",
    [
        ("a.npy", written.npy(np.zeros((5, 17, 2))), "flat"),
        ("a.npy", written.npy(np.zeros((5, 16, 3))), "16 points without names"),
        ("a.npy", written.npy(np.zeros(7)), "frames x points x 3"),
        ("a.json", written.openpose(np.ones((1, 25, 3)), flat=True)[0], "without depth"),
        ("a.json", b"{}", "no 'people'"),
        ("a.json", b'{"people": []}', "nobody"),
        ("a.json", b"[{", "not JSON"),
        ("a.json", b'{"people": [{"pose_keypoints_3d": [1, 2, 3]}]}', "four numbers"),
        ("a.trc", b"PathFileType\t4\n", "no columns named"),
        ("a.sto", b"endheader\ntime\tground_force_vx\n0\t1\n", "no columns named"),
    ],
)
def test_what_holds_no_points_is_named(name, content, said, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    with refuses(said) as refusal:
        read_markers(tmp_path / name)
    assert name in str(refusal.value)
