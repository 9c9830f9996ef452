"""C3D files: every way of storing numbers, what programs fill in differently, the unit and upward axis told,
damage."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.core.mocap.landmarks import points_of
from neurarig_addon.core.mocap.marker_files import read_markers
from neurarig_addon.core.mocap.markers import Markers
from neurarig_addon.core.mocap.placement import TO_Z_UP, upright
from neurarig_addon.core.neural.points import INDEX
from tests.core import trackers
from tests.core.c3d_writer import C3D, DEC, INTEL, MIPS, integers, reals
from tests.core.neural_rigs import recorded_walk
from tests.refusals import refuses

RANDOM = np.random.default_rng(11)
LABELS = ("Ann:LASI", "Ann:RASI", "Ann:SACR", "Ann:LKNE", "Ann:RKNE")
PLACES = RANDOM.normal(scale=700.0, size=(40, len(LABELS), 3))
PLACES[3:9, 1] = np.nan
PLACES[:, 4] = np.nan
ANALOG = RANDOM.integers(-2000, 2000, (40, 10, 7)).astype(float)  # seven channels at ten times the rate


def read(folder: Path, data: bytes) -> Markers:
    file = folder / "take.c3d"
    file.write_bytes(data)
    return read_markers(file)


def assert_same(found: np.ndarray, wanted: np.ndarray, error: float = 1e-3) -> None:
    assert_allclose(found, wanted, rtol=0.0, atol=error)


@pytest.mark.parametrize("processor", [INTEL, DEC, MIPS])
@pytest.mark.parametrize("in_reals", [True, False])
@pytest.mark.parametrize("analog", [ANALOG, None])
def test_points_are_where_they_were_recorded(
    tmp_path: Path, processor: int, in_reals: bool, analog: np.ndarray | None
) -> None:
    markers = read(tmp_path, C3D(PLACES, LABELS, processor, in_reals, analog=analog).to_bytes())
    assert markers.name == "take" and markers.names == LABELS and markers.fps == 120.0
    assert_same(markers.places, PLACES, 1e-4 if in_reals else 0.0501)
    assert markers.metres == 0.001 and markers.up is None


def test_the_reals_of_every_processor(tmp_path: Path) -> None:
    places = np.array([0.5, -1.0, 1e-30, 0.0, 3.1415927, -123456.789, 1e30, -1e-3, 2.0**-120]).reshape(
        3, 1, 3
    )
    for processor in (INTEL, DEC, MIPS):
        found = read(tmp_path, C3D(places, ["A"], processor).to_bytes()).places
        assert_allclose(found, places, rtol=1e-7)


VARIANTS: dict[str, dict[str, Any]] = {
    "parameters elsewhere": {"parameter_block": 9},
    "points told by the header alone": {"parameters": {"POINT:USED": None, "POINT:SCALE": None,
    "POINT:RATE": None}},
    "no place of the points (PhoeniX)": {"parameters": {"POINT:DATA_START": integers(0)}, "header": {9: 3}},
    "real counts": {"parameters": {"POINT:FRAMES": reals(40.0), "POINT:USED": reals(5.0)}},
    "frames of the header wrong": {"header": {4: 0, 5: 0}},
    "frames of the parameter wrong": {"parameters": {"POINT:FRAMES": integers(4000)}},
    "no frames but of the trial": {
        "parameters": {
            "POINT:FRAMES": integers(65535), "TRIAL:ACTUAL_START_FIELD": integers(7, 1),
            "TRIAL:ACTUAL_END_FIELD": integers(46, 1)
        }
    },
    "analog channels told by the header alone (Xsens)": {"parameters": {"ANALOG:USED": None,
    "ANALOG:RATE": None}},
    "analog samples of the header wrong": {"header": {3: 7}},
}  # fmt: skip


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_programs_fill_in_differently(tmp_path: Path, variant: str) -> None:
    for in_reals in (True, False):
        markers = read(
            tmp_path, C3D(PLACES, LABELS, reals=in_reals, analog=ANALOG, **VARIANTS[variant]).to_bytes()
        )
        assert_same(markers.places, PLACES, 0.0501)
        assert markers.fps == 120.0


def test_recordings_longer_than_sixteen_bits_count(tmp_path: Path) -> None:
    frames = 65535 + 70
    places = np.broadcast_to(np.arange(frames, dtype=float)[:, None, None], (frames, 3, 3)) % 30000.0 + 1.0
    for told in (
        {"POINT:FRAMES": reals(frames)},
        {"POINT:LONG_FRAMES": reals(frames)},
        {"TRIAL:ACTUAL_START_FIELD": integers(1, 0), "TRIAL:ACTUAL_END_FIELD": integers(frames - 65536, 1)},
        {},  # by the length of the file; it may then end in what fills its last block
    ):
        markers = read(tmp_path, C3D(places, "ABC", reals=False, scale=1.0, parameters=told).to_bytes())
        assert len(markers) == frames if told else frames <= len(markers) < frames + 22
        assert_same(markers.places[:frames], places)
        assert np.isnan(markers.places[frames:]).all()


def test_more_points_than_a_parameter_has_labels(tmp_path: Path) -> None:
    places = RANDOM.normal(size=(3, 600, 3))
    labels = [f"Somebody's Marker {number}" for number in range(600)]
    assert read(tmp_path, C3D(places, labels).to_bytes()).names == tuple(labels)
    few = read(tmp_path, C3D(places, ["A", "", "C"]).to_bytes())
    assert few.names[:4] == ("A", "point 2", "C", "point 4") and len(few.names) == 600


def test_what_is_no_place_is_left_out(tmp_path: Path) -> None:
    parameters = {"POINT:ANGLES": ["Ann:RASI"], "POINT:POWERS": ["Ann:LKNE", ""]}
    markers = read(tmp_path, C3D(PLACES, LABELS, parameters=parameters).to_bytes())
    assert markers.names == (LABELS[0], LABELS[2], LABELS[4])
    assert_same(markers.places, PLACES[:, [0, 2, 4]])
    blank = PLACES.copy()
    blank[5:9, 0] = 0.0  # with a residual as if it had been seen
    assert np.isnan(read(tmp_path, C3D(blank, LABELS).to_bytes()).places[5:9, 0]).all()


def test_points_that_are_all_marked_as_unseen_were_seen_after_all(tmp_path: Path) -> None:
    file = C3D(PLACES, LABELS)
    data = bytearray(file.to_bytes())
    table = np.frombuffer(
        data, "<f4", count=40 * 5 * 4, offset=len(data) - 512 * -(-40 * 5 * 16 // 512)
    ).reshape(40, 5, 4)
    table[..., 3] = -1.0
    assert_same(read(tmp_path, bytes(data)).places, PLACES)


@pytest.mark.few(8)
@pytest.mark.parametrize("up", TO_Z_UP)
@pytest.mark.parametrize(("unit", "metres"), [("mm", 0.001), ("cm", 0.01), ("m", 1.0), ("in", 0.0254)])
def test_unit_and_upward_axis_are_as_told(tmp_path: Path, up: str, unit: str, metres: float) -> None:
    _, rotations, points = recorded_walk("cmu_02_01")
    points, rotations = points[:60], rotations[:60]
    # a child 1 m tall; somebody who lies and rolls
    for size, lies in ((1.0, False), (0.6, False), (1.0, True)):
        wanted = size * points
        if lies:
            turn = np.linspace(0.0, 6.0, len(points))
            wanted = np.stack(
                [
                    np.cos(turn)[:, None] * wanted[..., 2],
                    np.sin(turn)[:, None] * wanted[..., 2],
                    wanted[..., 1],
                ],
                axis=-1,
            )
        joints = trackers.human36m(wanted, rotations[:, INDEX["head"]])
        recorded = np.stack(list(joints.values()), axis=1) @ TO_Z_UP[up] / metres
        sign = "" if up.startswith("-") else "+"
        told: Mapping[str, Any] = {
            "POINT:UNITS": [unit],
            "POINT:X_SCREEN": ["+X"],
            "POINT:Y_SCREEN": [sign + up.upper()],
        }
        markers = read(tmp_path, C3D(recorded, list(joints), parameters=told).to_bytes())
        assert markers.metres == metres and markers.up == up
        found = upright(points_of(markers.names, markers.places), markers.metres, markers.up)
        rows = [INDEX["knee.L"], INDEX["wrist.R"], INDEX["head"]]
        assert np.abs(found[:, rows] - wanted[:, rows]).max() < 1e-4


def test_what_is_no_c3d_is_refused_in_a_sentence(tmp_path: Path) -> None:
    whole = C3D(PLACES, LABELS, analog=ANALOG).to_bytes()
    for data, words in (
        (b"", "not a complete C3D file"),
        (b"\x89PNG\r\n\x1a\n" + bytes(2000), "not a complete C3D file"),
        (whole[:300], "not a complete C3D file"),
        (whole[:512], "not a complete C3D file"),
        (whole[:1024], "its points are not where"),
        (whole[:-1024], "it ends before its last frame"),
        (C3D(PLACES[:, :0], [], analog=ANALOG).to_bytes(), "holds no points"),
        (C3D(np.full((3, 2, 3), np.nan), ["A", "B"]).to_bytes(), "holds no points"),
        (C3D(PLACES, LABELS, scale=0.0).to_bytes(), "scale"),
        (C3D(PLACES, LABELS, parameters={"POINT:USED": reals(1e30)}).to_bytes(), "its points are not where"),
        (
            C3D(PLACES, LABELS, parameters={"POINT:FRAMES": reals(1e30)}, header={5: 0}).to_bytes(),
            "it ends before its last frame",
        ),
        (C3D(PLACES, LABELS, fps=1e30).to_bytes(), "frames a second"),
        (C3D(np.zeros((1, 10_001, 3)), []).to_bytes(), "more than 10000 points"),
    ):
        with refuses(words) as refusal:
            read(tmp_path, data)
        assert "'take" in str(refusal.value) and "\n" not in str(refusal.value)
