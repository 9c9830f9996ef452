"""Archives of arrays: what they say of themselves is not believed."""

import io
import struct
import zipfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from neurarig_addon.core.files.npz_file import UnfitError, array_names, read_arrays, write_arrays
from neurarig_addon.core.mocap.marker_files import read_markers
from neurarig_addon.core.neural import pose_parameters
from tests.refusals import refuses

ARRAYS = {
    "table": np.arange(6.0).reshape(2, 3),
    "turned": np.asfortranarray(np.arange(6).reshape(2, 3)),
    "word": np.array("né"),
    "words": np.array(["a", "bc"]),
    "bytes": np.array([b"ab"]),
    "none": np.zeros((0, 3)),
    "flag": np.array(True),
    "other": np.arange(3, dtype=">f4"),
    "small": np.arange(3, dtype=np.float16),
}


def packed(path: Path, entries: Mapping[str, bytes], packing: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", packing) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return path


def array(header: str, content: bytes = b"", version: int = 1) -> bytes:
    length = struct.pack("<H" if version == 1 else "<I", len(header))
    return b"\x93NUMPY" + bytes([version, 0]) + length + header.encode() + content


def stored(found: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.save(file, found)
    return file.getvalue()


def test_what_is_written_is_read(tmp_path):
    write_arrays(tmp_path / "all.npz", ARRAYS)
    found = read_arrays(tmp_path / "all.npz")
    assert array_names(tmp_path / "all.npz") == list(found) == list(ARRAYS)
    for name, wanted in ARRAYS.items():
        assert (
            found[name].dtype == wanted.dtype
            and found[name].shape == wanted.shape
            and (found[name] == wanted).all()
        )
    assert list(read_arrays(tmp_path / "all.npz", ["flag", "missing"])) == ["flag"]


@pytest.mark.parametrize(
    "header",
    [
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), 3: None, 'x': 4}",
        "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }",
        "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (999999999999999999, 9), }",
        "{'descr': '<f3', 'fortran_order': False, 'shape': (1,), }",
        "{'descr': '<f16', 'fortran_order': False, 'shape': (1,), }",
        "{'descr': '<U9999999', 'fortran_order': False, 'shape': (99,), }",
        f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({'1' * 190}x",
        f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({'1 ' * 90}), }}",
        "{'shape': (1" * 800,
        "[" * 9000,
        "",
    ],
)
@pytest.mark.parametrize("version", [1, 2, 3])
def test_odd_headers_are_refused(tmp_path, header, version):
    path = packed(tmp_path / "odd.npz", {"x.npy": array(header, bytes(8), version)})
    with pytest.raises(UnfitError):
        read_arrays(path)


def bomb(path: Path, header: str, content_bytes: int, others: Mapping[str, np.ndarray], name: str) -> Path:
    """Write an archive in which zeros stand for an array of many bytes."""
    entries = {f"{key}.npy": stored(value) for key, value in others.items()}
    return packed(path, {**entries, f"{name}.npy": array(header, bytes(content_bytes))})


def test_bytes_that_become_numbers_are_counted_as_numbers(tmp_path):
    """A small file of small numbers would unpack to eight times as much when they are made floats."""
    names = np.array([f"m{number}" for number in range(20)])
    header = "{'descr': '|u1', 'fortran_order': False, 'shape': (200000, 20, 3), }"
    path = bomb(tmp_path / "points.npz", header, 200_000 * 60, {"names": names}, "positions")
    assert path.stat().st_size < 50_000
    with refuses("unpacks to more"):
        read_markers(path)
    header = "{'descr': '|u1', 'fortran_order': False, 'shape': (200000, 66), }"
    path = bomb(tmp_path / "pose.npz", header, 200_000 * 66, {"trans": np.zeros((2, 3))}, "poses")
    with refuses("unpacks to more"):
        pose_parameters.load(path)


@pytest.mark.parametrize("dtype", ["<U4", "<f8"])
def test_names_and_places_of_the_wrong_kind(tmp_path, dtype):
    names = np.array(["1.5", "2.5"]).astype(dtype)
    write_arrays(
        tmp_path / "odd.npz",
        {"names": names, "positions": np.zeros((2, 2, 3)).astype("<U4" if dtype == "<U4" else "<f8")},
    )
    with refuses("positions that are numbers"):
        read_markers(tmp_path / "odd.npz")
