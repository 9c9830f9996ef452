"""Binary FBX files are looked through before they are imported: what they say they hold must fit into
them."""

import struct
from pathlib import Path

import pytest

from neurarig_addon.core.files.scene_file import require_sound
from tests.refusals import refuses

BEGIN = b"Kaydara FBX Binary  \x00\x1a\x00"


def fbx(version: int = 7400, count: int | None = None, elements: int = 2, cut: int = 0) -> bytes:
    """Return a file of a node with a text, an array and a node of its own; `count` properties and `elements`
    of the array, as it says."""
    form = "<QQQB" if version >= 7500 else "<IIIB"
    size = struct.calcsize(form)
    begin = BEGIN + struct.pack("<I", version)
    said = b"S" + struct.pack("<I", 4) + b"Hips" + b"d" + struct.pack("<III", elements, 0, 16) + bytes(16)
    inner = len(begin) + size + 4 + len(said)
    child = struct.pack(form, inner + size + 1 + 5, 1, 5, 1) + b"P" + b"I" + bytes(4)
    end = inner + len(child) + size
    node = (
        struct.pack(form, end, 2 if count is None else count, len(said), 4)
        + b"Node"
        + said
        + child
        + bytes(size)
    )
    whole = begin + node + bytes(size) + b"footer"
    return whole[: len(whole) - cut]


@pytest.mark.parametrize("version", [7400, 7700])
def test_a_sound_file_passes(tmp_path: Path, version: int) -> None:
    path = tmp_path / "sound.fbx"
    path.write_bytes(fbx(version))
    require_sound(path)


@pytest.mark.parametrize("version", [7400, 7700])
@pytest.mark.parametrize("damage", [{"count": 2**31 - 1}, {"elements": 2**31 - 1}, {"cut": 70}])
def test_one_that_says_it_holds_more_than_it_can_is_refused(
    tmp_path: Path, version: int, damage: dict
) -> None:
    path = tmp_path / "bomb.fbx"
    path.write_bytes(fbx(version, **damage))
    with refuses(r"'bomb.fbx' is damaged or cut off"):
        require_sound(path)


def test_other_files_pass(tmp_path: Path) -> None:
    path = tmp_path / "text.fbx"
    path.write_text("; FBX 7.4.0 project file\n")
    require_sound(path)


def test_one_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with refuses(r"missing.fbx' cannot be read"):
        require_sound(tmp_path / "missing.fbx")
