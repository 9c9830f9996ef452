"""Recorded points: files, names, unit and upward axis, another body's size; pose parameters and the base
pose."""

from pathlib import Path

import numpy as np
import pytest

from neurarig_addon.core.character.character import Character
from neurarig_addon.core.geometry import rotation
from neurarig_addon.core.mocap.actor import resized
from neurarig_addon.core.mocap.marker_files import read_markers
from neurarig_addon.core.mocap.marker_names import arranged, find_points
from neurarig_addon.core.mocap.placement import TO_Z_UP, upright
from neurarig_addon.core.neural import pose_parameters
from neurarig_addon.core.neural.base_pose import BasePose
from neurarig_addon.core.neural.point_body import PointBody
from neurarig_addon.core.neural.points import INDEX, JOINTS, PARENTS, POINTS
from neurarig_addon.core.neural.pose_parameters import PoseParameters
from tests.core.skeletons import biped, scaled, skeleton
from tests.refusals import refuses

RANDOM = np.random.default_rng(7)


@pytest.fixture(scope="module")
def body() -> PointBody:
    return PointBody.of(Character.of(skeleton(biped())))


def random_pose(count: int, spread: float = 0.4) -> np.ndarray:
    """Return rotations `(count, 22, 3, 3)` in which every joint is turned a little against its parent."""
    turns = RANDOM.normal(scale=spread, size=(count, len(JOINTS), 3))
    found = rotation.from_axis_angle(rotation.normalized(turns), np.linalg.norm(turns, axis=-1))
    for joint in range(1, len(JOINTS)):
        found[:, joint] = found[:, PARENTS[joint]] @ found[:, joint]
    return found


def moved_points(body: PointBody, count: int = 40) -> np.ndarray:
    """Return points `(count, 27, 3)` of a body that turns, bends and goes through the scene."""
    root = np.linspace([0.0, 0.0, 0.95], [3.0, 1.0, 0.9], count)
    return body.forward(random_pose(count, 0.2), root)


@pytest.mark.parametrize(
    ("names", "wanted"),
    [
        (pose_parameters.NAMES, dict(zip(JOINTS, pose_parameters.NAMES, strict=True))),
        (
            ["mixamorig:Hips", "mixamorig:LeftUpLeg", "mixamorig:LeftLeg", "mixamorig:LeftFoot",
                "mixamorig:LeftShoulder",
             "mixamorig:LeftArm", "mixamorig:LeftForeArm", "mixamorig:LeftHand", "mixamorig:Head"],
            {"pelvis": "mixamorig:Hips", "hip.L": "mixamorig:LeftUpLeg", "knee.L": "mixamorig:LeftLeg",
             "collar.L": "mixamorig:LeftShoulder", "shoulder.L": "mixamorig:LeftArm",
             "wrist.L": "mixamorig:LeftHand"},
        ),
        (
            ["left_hip", "right_hip", "left_knee", "left_ankle", "left_foot_index", "left_shoulder",
                "left_elbow", "left_wrist"],
            {"hip.L": "left_hip", "ankle.L": "left_ankle", "toe_tip.L": "left_foot_index",
            "wrist.L": "left_wrist"},
        ),
        (["LFoot", "LKnee", "LHip", "RHip", "LHand"], {"ankle.L": "LFoot", "wrist.L": "LHand"}),
        (["LFoot", "LAnkle", "LHip", "RHip"], {"ankle.L": "LAnkle", "ball.L": "LFoot"}),
    ],
    ids=["smpl", "bones", "tracker", "foot is the ankle", "foot is the ball"],
)  # fmt: skip
def test_names_tell_which_point_is_which(names: list[str], wanted: dict[str, str]) -> None:
    found = find_points(names)
    assert {point: names[found[point]] for point in wanted} == wanted
    assert len(set(found.values())) == len(found)


@pytest.mark.parametrize("up", TO_Z_UP)
@pytest.mark.parametrize("metres", [1.0, 0.01, 0.001, 0.0254])
def test_unit_and_upward_axis_follow_from_the_figure(body: PointBody, up: str, metres: float) -> None:
    points = moved_points(body)
    recorded = points @ TO_Z_UP[up] / metres
    assert np.abs(upright(recorded) - points).max() < 1e-9
    few = np.full_like(recorded, np.nan)
    rows = [INDEX[name] for name in ("shoulder.L", "hip.L", "ankle.L")]
    few[:, rows] = recorded[:, rows]
    assert np.nanmax(np.abs(upright(few) - points)) < 1e-9


def test_a_figure_that_lies_in_one_height_is_refused(body: PointBody) -> None:
    points = np.full((3, 27, 3), np.nan)
    points[:, INDEX["wrist.L"]] = 1.0
    with refuses("which way is up"):
        upright(points)


def test_another_size_keeps_directions_and_takes_lengths(body: PointBody) -> None:
    other = PointBody.of(Character.of(skeleton(scaled(biped(), 0.5))))
    points = moved_points(body)
    fitted = resized(points, other.rest)
    for point in range(1, len(POINTS)):
        mine, theirs = (
            fitted[:, point] - fitted[:, PARENTS[point]],
            points[:, point] - points[:, PARENTS[point]],
        )
        assert np.allclose(np.linalg.norm(mine, axis=-1), np.linalg.norm(other.offsets[point]), rtol=1e-6)
        assert np.allclose(rotation.normalized(mine), rotation.normalized(theirs), atol=1e-6)
    assert np.allclose(fitted[-1, 0] - fitted[0, 0], 0.5 * (points[-1, 0] - points[0, 0]), rtol=1e-6)
    assert np.array_equal(resized(points, body.rest), points)
    points[5:9, INDEX["knee.L"]] = np.nan
    points[:, INDEX["spine2"]] = np.nan
    again = resized(points, other.rest)
    assert np.array_equal(np.isfinite(again), np.isfinite(points))
    assert np.nanmax(np.abs(again - fitted)) < 0.05


def test_files_of_points(tmp_path: Path) -> None:
    places = RANDOM.normal(size=(4, 3, 3))
    places[2, 1] = np.nan
    names = ("Head", "Left Wrist", "LAnkle")
    (tmp_path / "one.csv").write_text(
        ",".join(["frame", "Time",
            *(f"{name}{mark}" for name in names for mark in ("_X", ".y", " [z]"))]) + "\n"
        + "\n".join(",".join([str(row), f"{row / 60:.9f}",
            *("" if np.isnan(cell) else repr(float(cell)) for cell in places[row].ravel())])
                    for row in range(4))
    )  # fmt: skip
    (tmp_path / "two.csv").write_text(
        "Trajectories\n60\n;;" + ";;;".join(names) + "\nFrame;Sub Frame;" + ";".join("XYZ" * 3)
        + "\n;;" + ";".join(["mm"] * 9) + "\n"
        + "\n".join(";".join([str(row), "0",
            *("" if np.isnan(cell) else repr(float(cell)) for cell in places[row].ravel())])
                    for row in range(4))
    )  # fmt: skip
    np.savez(tmp_path / "three.npz", names=np.array(names), positions=places, fps=60.0)
    for file, rate in (("one.csv", 60.0), ("two.csv", 60.0), ("three.npz", 60.0)):
        markers = read_markers(tmp_path / file)
        assert markers.names == names and markers.fps == pytest.approx(rate, rel=1e-4)
        assert np.allclose(markers.places, places, equal_nan=True)
    assert np.isnan(arranged(places, {"head": 0})[:, 1:15]).all()


@pytest.mark.parametrize("up", ["y", "z"])
def test_pose_parameters_there_and_back(tmp_path: Path, up: str) -> None:
    turns, root = random_pose(30, 0.8), RANDOM.normal(size=(30, 3))
    parameters = PoseParameters.of(turns, root, 30.0, 0.9)
    file = tmp_path / "pose.npz"
    if up == "y":
        pose_parameters.save(parameters, file)
    else:  # as AMASS has it
        z_up = pose_parameters.TO_Y_UP["z"].T
        first = rotation.rotation_vector(
            z_up @ pose_parameters.WALK_TO_SMPL @ turns[:, 0] @ pose_parameters.WALK_TO_SMPL.T
        )
        poses = np.concatenate([first, parameters.poses[:, 3:], np.zeros((30, 90))], axis=1)
        np.savez(file, poses=poses, trans=parameters.trans @ z_up.T, mocap_framerate=30.0)
    found = pose_parameters.load(file)
    assert pose_parameters.holds_parameters(file) and found.fps == 30.0
    assert np.abs(found.rotations() - turns).max() < 1e-9 and np.abs(found.root - root).max() < 1e-9


@pytest.mark.parametrize("axis", pose_parameters.TO_Y_UP)
@pytest.mark.parametrize("rate", ["fps", "mocap_framerate"])
def test_pose_parameters_show_which_axis_is_up(tmp_path: Path, axis: str, rate: str) -> None:
    turns, root = random_pose(30, 0.2), RANDOM.normal(size=(30, 3))
    parameters = PoseParameters.of(turns, root, 30.0)
    from_y_up = pose_parameters.TO_Y_UP[axis].T

    def stored(name: str, turned: np.ndarray) -> PoseParameters:
        first = rotation.rotation_vector(
            turned @ pose_parameters.WALK_TO_SMPL @ turns[:, 0] @ pose_parameters.WALK_TO_SMPL.T
        )
        poses = np.concatenate([first, parameters.poses[:, 3:]], axis=1)
        np.savez(tmp_path / name, poses=poses, trans=parameters.trans @ from_y_up.T, **{rate: 30.0})
        return pose_parameters.load(tmp_path / name)

    found = stored("stands.npz", from_y_up)
    assert np.abs(found.rotations() - turns).max() < 1e-9 and np.abs(found.root - root).max() < 1e-9
    assert bool(found.remark) == (axis != ("y" if rate == "fps" else "z"))
    halfway = from_y_up @ rotation.about_z(np.array(0.8)) @ rotation.about_x(np.array(0.8))
    assert "which axis is up" in stored("leans.npz", halfway).remark


def test_pose_parameters_mean_what_smpl_means() -> None:
    bent = np.tile(np.eye(3), (1, len(JOINTS), 1, 1))
    forward = rotation.about_z(np.array([-0.5]))  # the left forearm, out to the left, turned ahead
    for joint in ("elbow.L", "wrist.L"):
        bent[:, INDEX[joint]] = forward
    turn = PoseParameters.of(bent, np.zeros((1, 3)), 30.0).poses.reshape(len(JOINTS), 3)
    assert np.allclose(turn[INDEX["elbow.L"]], [0.0, -0.5, 0.0]) and np.allclose(
        np.delete(turn, INDEX["elbow.L"], axis=0), 0.0
    )


def test_a_base_pose_is_kept_where_nothing_moves_and_fades_where_it_does() -> None:
    solved, pose = random_pose(2, 0.3)
    root, solved_root = RANDOM.normal(size=(2, 3))
    base = BasePose.of(solved, solved_root, pose, root)
    for turn in (np.eye(3), rotation.about_z(np.array(1.3))):  # wherever the whole faces
        found, place = base.apply((turn @ solved)[None], (turn @ solved_root)[None])
        assert np.abs(found[0] - turn @ pose).max() < 1e-12 and np.abs(place[0] - turn @ root).max() < 1e-12
    arm = INDEX["shoulder.L"]
    away = solved.copy()
    away[arm] = solved[arm] @ rotation.about_x(np.array(2.0))
    found, _ = base.apply(away[None], solved_root[None])
    assert np.abs(found[0, arm] - away[arm]).max() < 5e-3
    assert np.abs(found[0, INDEX["knee.R"]] - pose[INDEX["knee.R"]]).max() < 1e-12
