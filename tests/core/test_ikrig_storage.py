"""Files of encodings: what is written comes back, and whatever is wrong with a file is one sentence."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from neurarig_addon.core.ikrig import layout, storage
from neurarig_addon.core.ikrig.encode import encode
from neurarig_addon.core.ikrig.encoding import Contacts, Encoding
from tests.refusals import refuses

from . import ikrig_clips as clips


@pytest.fixture(scope="module")
def encoding() -> Encoding:
    subject = clips.made_character()
    contacts = Contacts({"heel.L": np.array([[0, 3], [8, 11]]), "hand.R": np.array([[5, 5]])})
    return replace(encode(subject, clips.swaying(subject, frames=12)), name="sway é", contacts=contacts)


def assert_equal(found: Encoding, wanted: Encoding) -> None:
    assert_allclose(
        layout.to_rows(found, list(wanted.chains)), layout.to_rows(wanted, list(wanted.chains)), atol=1e-12
    )
    assert (found.name, found.fps, found.normalised) == (wanted.name, wanted.fps, wanted.normalised)
    assert_array_equal(found.frames, wanted.frames)
    assert set(found.extras) == set(wanted.extras)
    for role, turns in wanted.extras.items():
        assert_array_equal(found.extras[role], turns)
    assert {point: spans.tolist() for point, spans in found.contacts.intervals.items()} == {
        point: spans.tolist() for point, spans in wanted.contacts.intervals.items()
    }
    assert found.measures is not None and wanted.measures is not None
    assert (
        found.measures.lengths == wanted.measures.lengths
        and found.measures.hips_height == wanted.measures.hips_height
    )
    assert_array_equal(found.measures.hip_offset, wanted.measures.hip_offset)
    assert_array_equal(found.measures.rest["spine"], wanted.measures.rest["spine"])


def test_npz_holds_everything(encoding, tmp_path):
    storage.save(tmp_path / "a.npz", encoding)
    assert_equal(storage.load(tmp_path / "a.npz"), encoding)


def test_csv_is_the_86_floats(encoding, tmp_path):
    storage.save(tmp_path / "a.csv", encoding)
    lines = (tmp_path / "a.csv").read_text().splitlines()
    assert lines[0].split(",") == list(layout.COLUMNS) and len(lines) == 1 + len(encoding)
    found = storage.load(tmp_path / "a.csv", fps=60.0)
    assert_allclose(layout.to_rows(found), layout.to_rows(encoding), atol=1e-7)
    assert found.fps == 60.0 and found.measures is None and found.name == "a"
    (tmp_path / "bare.csv").write_text("\n".join(lines[1:]))
    assert_array_equal(layout.to_rows(storage.load(tmp_path / "bare.csv")), layout.to_rows(found))


def refused(path: Path) -> str:
    """Return the sentence with which a file is refused."""
    with refuses() as refusal:
        storage.load(path)
    message = str(refusal.value)
    assert path.name in message and "\n" not in message and message.endswith(".") and ". " not in message, (
        message
    )
    return message


ROW = ",".join(["0.5"] * 86)


@pytest.mark.parametrize("text, words", [
    ("", "no pose"),
    (",".join(layout.COLUMNS), "no pose"),
    (ROW + "\n" + ROW + ",1", "87 columns in line 2"),
    (ROW.replace("0.5", "0;5"), "no pose"),
    (ROW + "\n" + ROW.replace("0.5", "half", 1), "'half' in line 2"),
    (ROW + "\n" + ROW.replace("0.5", "nan", 1), "nan"),
    (ROW.replace("0.5", "1e300", 3), "1e+300"),
    ("\x00\x01PK\x03", "no pose"),
])  # fmt: skip
def test_bad_csv_is_one_sentence(tmp_path, text, words):
    path = tmp_path / "bad.csv"
    path.write_text(text)
    assert words in refused(path)


def changed(encoding: Encoding, path: Path, **arrays: Any) -> Path:
    """Write an encoding as .npz with some arrays replaced; None leaves one out."""
    storage.save(path, encoding)
    with np.load(path) as archive:
        found: dict[str, Any] = dict(archive) | arrays
    np.savez(path, **{name: array for name, array in found.items() if array is not None})
    return path


@pytest.mark.parametrize("arrays, words", [
    ({"version": np.array(2)}, "version 2"),
    ({"version": np.array(np.nan)}, "NaN"),
    ({"format": np.array("other")}, "another kind"),
    ({"format": None}, "Solve Mocap"),
    ({"poses": np.zeros((12, 85))}, "85 columns"),
    ({"poses": np.full((12, 86), np.nan)}, "NaN"),
    ({"poses": np.zeros(86)}, "wrong shape"),
    ({"poses": np.zeros((0, 86)), "frames": np.zeros(0), "extras": np.zeros((13, 0, 4))}, "no pose"),
    ({"poses": np.array([{"a": 1}], dtype=object)}, "objects"),
    ({"fps": np.array(-1.0)}, "frames a second"),
    ({"fps": np.array("fast")}, "wrong shape"),
    ({"chains": np.array(["spine", "tail"])}, "columns"),
    ({"chains": np.array(["neck", "spine"])}, "columns"),
    ({"extra_roles": np.array(["tail"])}, "wrong shape"),
    ({"contacts": np.array([[0, 3, 99]])}, "last row"),
    ({"contacts": np.array([[77, 0, 1]])}, "unknown points"),
    ({"contacts": np.array([[0, -5, 1]])}, "heel"),
    ({"contacts": np.array([[0.0, 1e300, 1e301]])}, "last row"),
    ({"sizes": np.array([1.0, 0.0, 1.0])}, "lengths above zero"),
    ({"lengths": np.zeros(2)}, "wrong shape"),
    ({"frames": np.full(12, np.inf)}, "infinite"),
])  # fmt: skip
def test_bad_npz_is_one_sentence(encoding, tmp_path, arrays, words):
    assert words in refused(changed(encoding, tmp_path / "bad.npz", **arrays))


def test_other_files(tmp_path):
    (tmp_path / "a.txt").write_text("hello")
    assert "must end in" in refused(tmp_path / "a.txt")
    assert "cannot be read" in refused(tmp_path / "none.npz")
    (tmp_path / "folder.csv").mkdir()
    assert "cannot be read" in refused(tmp_path / "folder.csv")
