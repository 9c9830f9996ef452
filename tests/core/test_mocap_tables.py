"""Tables of capture systems: their layouts, units, gaps and damage."""

from pathlib import Path

import numpy as np
import pytest

from neurarig_addon.core.errors import NeuraRigError
from neurarig_addon.core.mocap.landmarks import points_of
from neurarig_addon.core.mocap.marker_files import read_markers
from neurarig_addon.core.mocap.marker_table import Header
from neurarig_addon.core.mocap.mending import mended
from neurarig_addon.core.mocap.placement import upright
from tests.refusals import refuses

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
        [
            *head,
            *rows,
            "",
            "Model Outputs",
            "100",
            ",,Ann:LKneeAngles,,",
            "Frame,Sub Frame,X,Y,Z",
            ",,deg,deg,deg",
            "1,0,1,2,3",
        ]
    )


def motive() -> str:
    columns = [
        (name, kind, axis)
        for name in NAMES
        for kind, axes in (("Rotation", "XYZW"), ("Position", "XYZ"))
        for axis in axes
    ]
    head = [
        (
            "Format Version,1.23,Take Name,Walk,Capture Frame Rate,240.000000,Export Frame"
            " Rate,100.000000,Length Units,Meters"
        ),
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
    head = [
        "NO_OF_FRAMES\t5",
        "NO_OF_CAMERAS\t8",
        "NO_OF_MARKERS\t4",
        "FREQUENCY\t100",
        "TIME_STAMP\t2026-01-02",
        "DATA_INCLUDED\t3D",
    ]
    head.append("\t".join(["MARKER_NAMES", *NAMES]))
    if columns:
        head.append("\t".join(["Frame", "Time", *(f"{name} {axis}" for name in NAMES for axis in "XYZ")]))
    rows = [
        "\t".join([*((str(row + 1), f"{row / 100:.5f}") if columns else ()), *cells(places)])
        for row, places in enumerate(PLACES)
    ]
    return "\n".join([*head, *rows]) + "\n"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("vicon.csv", vicon()),
        ("motive.csv", motive()),
        ("listed.tsv", qualisys(False)),
        ("columns.tsv", qualisys(True)),
    ],
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


@pytest.mark.parametrize("names", ["MARKER_NAMES", "MARKER_NAMES\r", "MARKER_NAMES\t\t"])
def test_a_table_that_names_no_points_is_refused(tmp_path: Path, names: str) -> None:
    listed = "\t".join(["MARKER_NAMES", *NAMES])
    (tmp_path / "nameless.tsv").write_bytes(qualisys(False).replace(listed, names).encode())
    with refuses(r"'nameless\.tsv' has no columns named as points"):
        read_markers(tmp_path / "nameless.tsv")


def test_what_a_tracker_is_not_sure_of_was_not_seen(tmp_path: Path) -> None:
    head = "time,nose_x,nose_y,nose_z,nose_visibility,left_hip_x,left_hip_y,left_hip_z,left_hip_visibility"
    (tmp_path / "pose.csv").write_text(
        f"{head}\n0,1,2,3,0.9,1,1,1,0.1\n0.05,1,2,3,0.2,1,1,1,0.8\n0.1,0,0,0,0.9,1,1,1,0.8\n"
    )
    markers = read_markers(tmp_path / "pose.csv")
    assert markers.names == ("nose", "left_hip") and markers.fps == pytest.approx(20.0)
    assert np.isfinite(markers.places[..., 0]).tolist() == [[True, False], [False, True], [False, True]]


@pytest.mark.parametrize(
    ("cell", "point"),
    [
        ("LeftWrist_x", "LeftWrist"), ("LeftWrist.Y", "LeftWrist"), ("Left Wrist Z", "Left Wrist"),
        ("LeftWrist (x)", "LeftWrist"),
        ("LeftWrist [Z]", "LeftWrist"), ("LeftWrist/x", "LeftWrist"), ("wristX", "wrist"), ("_x", "_"),
        ("x", None), ("(x)", "("),
        ("LeftWrist", None), ("LeftWrist_q", None), ("a" + "_" * 60_000 + "x", "a"),
        ("_" * 60_000 + "q", None), ("", None),
    ],
)  # fmt: skip
def test_a_column_is_named_after_its_point_and_axis(cell, point):
    columns = (
        [cell[:-1] + axis if not cell.endswith((")", "]")) else cell[:-2] + axis + cell[-1] for axis in "xyz"]
        if point
        else [cell]
    )
    header = Header.of([columns])
    assert header is None if point is None else header is not None and list(header.points) == [point]


@pytest.mark.parametrize("word", ["visibility", "vis", "Confidence", "CONF", "score", "likelihood"])
@pytest.mark.parametrize("between", ["_", " ", ".", ":", "-", "/", "__", "_" * 60_000])
def test_how_sure_a_point_is_has_a_column(word, between):
    header = Header.of([["a_x", "a_y", "a_z", f"a{between}{word}"]])
    assert header is not None and header.confidence == {"a": 3} and list(header.points) == ["a"]
    header = Header.of([["a_x", "a_y", "a_z", f"a{word}", word]])
    assert header is not None and not header.confidence
