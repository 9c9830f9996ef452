"""Recordings as trackers and capture systems give them: their points, their names, their files, their idea of where the origin is."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from neurarig_addon.core.character.character import Character
from neurarig_addon.core.errors import NeuraRigError
from neurarig_addon.core.geometry import rotation
from neurarig_addon.core.mocap.actor import resized
from neurarig_addon.core.mocap.landmarks import points_of, rows_that_tell
from neurarig_addon.core.mocap.marker_files import read_markers
from neurarig_addon.core.mocap.marker_header import Header
from neurarig_addon.core.mocap.mending import mended
from neurarig_addon.core.mocap.odometry import is_about_hips, on_the_ground
from neurarig_addon.core.mocap.subjects import people
from neurarig_addon.core.mocap.upright import TO_Z_UP, upright
from neurarig_addon.core.neural.point_body import PointBody
from neurarig_addon.core.neural.points import INDEX, POINTS
from neurarig_addon.core.neural.solver import PoseSolver
from tests.core import trackers
from tests.core.neural_rigs import recorded_walk
from tests.core.skeletons import biped, scaled, skeleton

Tracker = Callable[[np.ndarray, np.ndarray], dict[str, np.ndarray]]
TRACKERS = pytest.mark.parametrize("tracker", [trackers.coco, trackers.mediapipe, trackers.body_25, trackers.human36m])
LIMBS = [INDEX[f"{part}.{side}"] for part in ("hip", "knee", "shoulder", "elbow") for side in "LR"]


@pytest.fixture(scope="module")
def walk() -> tuple[PointBody, np.ndarray, np.ndarray]:
    """Return a recorded walk: body, rotations, points in the walk frame."""
    return recorded_walk("cmu_02_01")


def told(tracker: Tracker, walk: tuple) -> tuple[list[str], np.ndarray]:
    _, rotations, points = walk
    found = tracker(points, rotations[:, INDEX["head"]])
    return list(found), np.stack(list(found.values()), axis=1)


@TRACKERS
def test_what_a_tracker_sees_is_enough_for_a_pose(tracker: Tracker, walk) -> None:
    body, rotations, points = walk
    names, places = told(tracker, walk)
    recorded = upright(points_of(names, 1000.0 * places @ TO_Z_UP["-y"]))  # millimetres, y down, as cameras have it
    assert np.nanmax(np.abs(recorded[:, LIMBS] - points[:, LIMBS])) < 1e-9
    made = mended(recorded, 60.0, 0.001)
    found, root = PoseSolver.load().solve(body, resized(made.points, body.rest), made.trust, made.noise, refine=1)
    off = np.degrees(np.linalg.norm(rotation.rotation_vector(np.swapaxes(found, -1, -2) @ rotations), axis=-1))
    assert off[:, LIMBS].mean() < 4.0 and off[:, INDEX["head"]].mean() < 15.0 and off[:, INDEX["pelvis"]].mean() < 10.0
    assert np.linalg.norm(root - points[:, 0], axis=-1).max() < 0.06


@TRACKERS
def test_a_figure_recorded_about_its_hips_walks(tracker: Tracker, walk) -> None:
    names, places = told(tracker, walk)
    middle = points_of(names, places)[:, [INDEX["hip.L"], INDEX["hip.R"]]].mean(axis=1)
    recorded = points_of(names, places - middle[:, None])
    assert is_about_hips(recorded) and not is_about_hips(points_of(names, places))
    found = on_the_ground(recorded)
    travelled = found[-1, INDEX["hip.L"]] - found[0, INDEX["hip.L"]]
    wanted = walk[2][-1, INDEX["hip.L"]] - walk[2][0, INDEX["hip.L"]]
    assert np.linalg.norm(travelled[:2] - wanted[:2]) < 0.15 * np.linalg.norm(wanted[:2])
    assert -0.05 < np.nanmin(found[..., 2]) < 0.1


def test_joints_lie_inside_the_markers_of_the_skin(walk) -> None:
    body, rotations, points = walk
    skin = trackers.plug_in_gait(points, rotations)
    names = [f"Ann:{code}" for code in skin]
    found = upright(points_of(names, 1000.0 * np.stack(list(skin.values()), axis=1)))
    for part, near in (("hip", 0.04), ("knee", 0.015), ("ankle", 0.015), ("ball", 0.03), ("shoulder", 0.02), ("wrist", 0.01)):
        rows = [INDEX[f"{part}.{side}"] for side in "LR"]
        assert np.linalg.norm(found[:, rows] - points[:, rows], axis=-1).mean() < near, part
    chosen = points_of(names, np.stack(list(skin.values()), axis=1), {"elbow.L": "Ann:LSHO", "neck": ""})
    assert np.array_equal(chosen[:, INDEX["elbow.L"]], skin["LSHO"]) and np.isnan(chosen[:, INDEX["neck"]]).all()
    made = mended(found, 60.0, 0.001)
    solved, _ = PoseSolver.load().solve(body, resized(made.points, body.rest), made.trust, 0.005, refine=1)
    off = np.degrees(np.linalg.norm(rotation.rotation_vector(np.swapaxes(solved, -1, -2) @ rotations), axis=-1))
    assert off[:, LIMBS].mean() < 8.0


_ANIMATION = {"ASI": "Waist#Front", "PSI": "Waist#Back", "SHO": "#ShoulderTop", "ELB": "#ElbowOut", "WRA": "#WristIn", "WRB": "#WristOut"}
_ANIMATION |= {"KNE": "#KneeOut", "ANK": "#AnkleOut", "C7": "BackTop", "CLAV": "Chest"}
_LANDMARKS = {"ASI": "#_IAS", "PSI": "#_IPS", "SHO": "#_SAE", "ELB": "#_HLE", "WRA": "#_RSP", "WRB": "#_USP", "C7": "CV7", "CLAV": "SJN"}
_LANDMARKS |= {"KNE": "#_FLE", "ANK": "#_FAL", "TOE": "#_FM2", "FHD": "#AH", "BHD": "#PH"}


@pytest.mark.parametrize("names", [{"ASI": "#FWT", "PSI": "#BWT"}, _ANIMATION, _LANDMARKS], ids=["cmu", "animation", "landmarks"])
def test_other_sets_of_markers_on_the_skin(names: dict[str, str], walk) -> None:
    _, rotations, points = walk
    skin = trackers.plug_in_gait(points, rotations)
    wanted = points_of(list(skin), np.stack(list(skin.values()), axis=1))
    if names is _ANIMATION:
        across = skin["LASI"] - skin["RASI"]
        for side in "LR":
            toe = skin.pop(f"{side}TOE")
            skin |= {f"{side}ToeIn": toe + 0.2 * across, f"{side}ToeOut": toe - 0.2 * across}
            del skin[f"{side}FHD"], skin[f"{side}BHD"]
        wanted[:, [INDEX["head"], INDEX["head_top"]]] = np.nan
    sided = {f"{side}{code}": name.replace("#", side) for code, name in names.items() for side in "LR"}
    spelled = [f"Ann:{names.get(code) or sided.get(code, code)}" for code in skin]
    np.testing.assert_allclose(points_of(spelled, np.stack(list(skin.values()), axis=1)), wanted, atol=1e-12)


def test_of_several_people_one_is_taken(walk) -> None:
    _, rotations, points = walk
    skin = trackers.plug_in_gait(points, rotations)
    less = [code for code in skin if code not in ("CLAV", "LWRA")]
    names = [f"Unlabeled:{number}" for number in range(70)] + [f"Ann:{code}" for code in less] + [f"Ben:{code}" for code in skin]
    names += ["Sword:Hilt", "Sword:Tip", "origin"]
    people_at = ((5.0, less), (0.0, skin))
    found = [np.stack([skin[code] + apart for code in codes], axis=1) for apart, codes in people_at]
    places = np.concatenate([np.zeros((len(points), 70, 3)), *found, np.zeros((len(points), 3, 3))], axis=1)
    assert people(names) == ["Ben", "Ann"]
    alone = points_of(list(skin), np.stack(list(skin.values()), axis=1))
    np.testing.assert_array_equal(points_of(names, places), alone)
    ann = points_of(names, places, {"subject": "Ann", "wrist.L": "Ben:LWRA"})
    assert np.isnan(ann[:, INDEX["neck"]]).all() and np.array_equal(ann[:, INDEX["wrist.L"]], skin["LWRA"])
    np.testing.assert_allclose(ann[:, LIMBS], alone[:, LIMBS] + 5.0)
    assert {names[row].partition(":")[0] for row in rows_that_tell(names, {"subject": "Ann"})} == {"Ann"}
    with pytest.raises(NeuraRigError, match="Nobody named 'Eve' was recorded; there are Ben, Ann"):
        points_of(names, places, {"subject": "Eve"})


def test_the_head_follows_ears_eyes_and_nose(walk) -> None:
    body, rotations, points = walk
    names, places = told(trackers.coco, walk)
    found = points_of(names, places)
    up = found[:, INDEX["head_top"]] - found[:, INDEX["head"]]
    wanted = rotations[:, INDEX["head"]] @ (body.rest[INDEX["head_top"]] - body.rest[INDEX["head"]])
    off = np.degrees(np.arccos(np.sum(rotation.normalized(up) * rotation.normalized(wanted), axis=-1)))
    assert off.max() < 12.0
    assert np.linalg.norm(found[:, INDEX["head"]] - points[:, INDEX["head"]], axis=-1).max() < 0.03


def test_a_tracked_figure_takes_the_proportions_of_another_body(walk) -> None:
    names, places = told(trackers.coco, walk)
    other = PointBody.of(Character.of(skeleton(scaled(biped(), 0.5))))
    fitted = resized(points_of(names, places), other.rest)
    for first, second in (("hip.L", "knee.L"), ("shoulder.R", "elbow.R"), ("hip.L", "hip.R"), ("shoulder.L", "shoulder.R")):
        length = np.median(np.linalg.norm(fitted[:, INDEX[first]] - fitted[:, INDEX[second]], axis=-1))
        assert length == pytest.approx(np.linalg.norm(other.rest[INDEX[first]] - other.rest[INDEX[second]]), rel=0.05)
    assert np.isnan(fitted[:, INDEX["pelvis"]]).all() and np.isnan(fitted[:, INDEX["neck"]]).all()


NAMES = ("Hips", "LeftFoot", "RightFoot", "Head")
PLACES = np.random.default_rng(4).normal(size=(5, 4, 3)).round(4)


def cells(places: np.ndarray) -> list[str]:
    return ["" if np.isnan(value) else f"{value:.4f}" for value in places.ravel()]


def vicon() -> str:
    head = [
        "Trajectories",
        "100",
        ",," + ",,,".join(f"Ann:{name}" for name in NAMES) + ",,",
        "Frame,Sub Frame" + ",X,Y,Z" * 4,
        ",," + "mm," * 12,
    ]
    rows = [",".join([str(row + 1), "0", *cells(places)]) for row, places in enumerate(PLACES)]
    return "\n".join(
        [*head, *rows, "", "Model Outputs", "100", ",,Ann:LKneeAngles,,", "Frame,Sub Frame,X,Y,Z", ",,deg,deg,deg", "1,0,1,2,3"]
    )


def motive() -> str:
    columns = [(name, kind, axis) for name in NAMES for kind, axes in (("Rotation", "XYZW"), ("Position", "XYZ")) for axis in axes]
    head = [
        "Format Version,1.23,Take Name,Walk,Capture Frame Rate,240.000000,Export Frame Rate,100.000000,Length Units,Meters",
        "",
        ",Type" + ",Bone" * len(columns),
        ",Name," + ",".join(f"Ann:{name}" for name, _, _ in columns),
        ",ID" + ",1" * len(columns),
        ",," + ",".join(kind for _, kind, _ in columns),
        "Frame,Time (Seconds)," + ",".join(axis for _, _, axis in columns),
    ]
    rows = []
    for row, places in enumerate(PLACES):
        turned = np.concatenate([np.full((4, 4), 0.5), places], axis=1)
        rows.append(",".join([str(row), f"{row / 100:.6f}", *cells(turned)]))
    return "\n".join([*head, *rows]) + "\n"


def qualisys(columns: bool) -> str:
    head = ["NO_OF_FRAMES\t5", "NO_OF_CAMERAS\t8", "NO_OF_MARKERS\t4", "FREQUENCY\t100", "TIME_STAMP\t2026-01-02", "DATA_INCLUDED\t3D"]
    head.append("\t".join(["MARKER_NAMES", *NAMES]))
    if columns:
        head.append("\t".join(["Frame", "Time", *(f"{name} {axis}" for name in NAMES for axis in "XYZ")]))
    rows = ["\t".join([*((str(row + 1), f"{row / 100:.5f}") if columns else ()), *cells(places)]) for row, places in enumerate(PLACES)]
    return "\n".join([*head, *rows]) + "\n"


@pytest.mark.parametrize(
    ("name", "text"),
    [("vicon.csv", vicon()), ("motive.csv", motive()), ("listed.tsv", qualisys(False)), ("columns.tsv", qualisys(True))],
)
def test_tables_of_capture_systems(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    markers = read_markers(tmp_path / name)
    assert [marker.rpartition(":")[2] for marker in markers.names] == list(NAMES)
    assert markers.fps == pytest.approx(100.0, rel=1e-3)
    np.testing.assert_allclose(markers.places, PLACES)


def test_damaged_tables_are_refused_in_a_sentence(tmp_path: Path) -> None:
    rng = np.random.default_rng(8)
    for number in range(300):
        text = [vicon, motive, lambda: qualisys(False), lambda: qualisys(True)][number % 4]()
        for _ in range(int(rng.integers(1, 8))):
            first = int(rng.integers(len(text)))
            end = first + int(rng.integers(1, 40))
            text = text[:first] + [text[first:end] * 2, "", ",", "\n", "x"][int(rng.integers(5))] + text[end:]
        (tmp_path / "damaged.csv").write_text(text)
        try:
            markers = read_markers(tmp_path / "damaged.csv")
            mended(upright(points_of(markers.names, markers.places)), markers.fps or 24.0, 0.01)
        except NeuraRigError as refusal:
            assert "\n" not in str(refusal)


@pytest.mark.parametrize("units", ["", "s,mm,mm,mm\n"])
@pytest.mark.parametrize("row", [1, 3])
def test_the_row_with_a_cell_that_is_no_number_is_named(tmp_path: Path, row: int, units: str) -> None:
    rows = [f"0.0{number},1,{'1x' if number == row else '1'},1" for number in range(1, 5)]
    (tmp_path / "odd.csv").write_text("time,nose_x,nose_y,nose_z\n" + units + "\n".join(rows))
    with pytest.raises(NeuraRigError, match=rf"'odd\.csv'.* in row {row} of its points .*1x"):
        read_markers(tmp_path / "odd.csv")


def test_what_a_tracker_is_not_sure_of_was_not_seen(tmp_path: Path) -> None:
    head = "time,nose_x,nose_y,nose_z,nose_visibility,left_hip_x,left_hip_y,left_hip_z,left_hip_visibility"
    (tmp_path / "pose.csv").write_text(f"{head}\n0,1,2,3,0.9,1,1,1,0.1\n0.05,1,2,3,0.2,1,1,1,0.8\n0.1,0,0,0,0.9,1,1,1,0.8\n")
    markers = read_markers(tmp_path / "pose.csv")
    assert markers.names == ("nose", "left_hip") and markers.fps == pytest.approx(20.0)
    assert np.isfinite(markers.places[..., 0]).tolist() == [[True, False], [False, True], [False, True]]


def test_a_number_beyond_all_bounds_is_a_point_that_was_not_seen(tmp_path: Path) -> None:
    (tmp_path / "far.csv").write_text("head_x,head_y,head_z,pelvis_x,pelvis_y,pelvis_z\n0,0,1e308,0,0,1\n0,-1e300,2,0,0,1\n0,0,2,0,0,1\n")
    np.savez(tmp_path / "far.npz", names=["head"], positions=[[[0.0, 0.0, 1e308]], [[0.0, 0.0, 2.0]]])
    assert np.isfinite(read_markers(tmp_path / "far.csv").places).all(axis=-1).tolist() == [[False, True], [False, True], [True, True]]
    assert np.isfinite(read_markers(tmp_path / "far.npz").places).all(axis=-1).tolist() == [[False], [True]]


def test_every_point_is_told_by_somebody(walk) -> None:
    names, places = told(trackers.mediapipe, walk)
    seen = {POINTS[row] for row in np.flatnonzero(np.isfinite(points_of(names, places)[0]).all(axis=-1))}
    assert seen >= {"head", "head_top", "ball.L", "toe_tip.R", "hand_tip.L", "hip.R"} and "pelvis" not in seen


@pytest.mark.parametrize(
    ("cell", "point"),
    [
        ("LeftWrist_x", "LeftWrist"), ("LeftWrist.Y", "LeftWrist"), ("Left Wrist Z", "Left Wrist"), ("LeftWrist (x)", "LeftWrist"),
        ("LeftWrist [Z]", "LeftWrist"), ("LeftWrist/x", "LeftWrist"), ("wristX", "wrist"), ("_x", "_"), ("x", None), ("(x)", "("),
        ("LeftWrist", None), ("LeftWrist_q", None), ("a" + "_" * 60_000 + "x", "a"), ("_" * 60_000 + "q", None), ("", None),
    ],
)  # fmt: skip
def test_a_column_is_named_after_its_point_and_axis(cell, point):
    columns = [cell[:-1] + axis if not cell.endswith((")", "]")) else cell[:-2] + axis + cell[-1] for axis in "xyz"] if point else [cell]
    header = Header.of([columns])
    assert header is None if point is None else header is not None and list(header.points) == [point]


@pytest.mark.parametrize("word", ["visibility", "vis", "Confidence", "CONF", "score", "likelihood"])
@pytest.mark.parametrize("between", ["_", " ", ".", ":", "-", "/", "__", "_" * 60_000])
def test_how_sure_a_point_is_has_a_column(word, between):
    header = Header.of([["a_x", "a_y", "a_z", f"a{between}{word}"]])
    assert header is not None and header.confidence == {"a": 3} and list(header.points) == ["a"]
    header = Header.of([["a_x", "a_y", "a_z", f"a{word}", word]])
    assert header is not None and not header.confidence


def test_rows_that_lack_their_columns_are_not_worth_a_small_file(tmp_path):
    """A row of two letters must not become thousands of numbers again and again."""
    head = ",".join(f"m{number}_{axis}" for number in range(3_000) for axis in "xyz")
    path = tmp_path / "short.csv"
    path.write_text(head + "\n1,2,3\n" * 20)
    assert read_markers(path).places.shape == (20, 3_000, 3)
    path.write_text(head + "\n1,2,3\n" * 5_000)
    with pytest.raises(NeuraRigError, match="lack most of its 9000 columns"):
        read_markers(path)
