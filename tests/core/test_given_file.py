"""What may be given as a file to read, and how much may be made of it."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from neurarig_addon.core.errors import LONGEST
from neurarig_addon.core.files.given_file import MOST, SMALL, exists, worth
from neurarig_addon.core.human.gait_network import GaitNetwork
from neurarig_addon.core.ikrig import storage
from neurarig_addon.core.logic.profile import Profile
from neurarig_addon.core.mocap.marker_files import read_markers
from neurarig_addon.core.neural import pose_parameters
from neurarig_addon.core.skeleton.bvh import read_bvh
from tests.refusals import refuses

READERS: list[tuple[Callable[[Path], object], str]] = [
    (read_bvh, ".bvh"), (read_markers, ".csv"), (read_markers, ".c3d"), (read_markers, ".npz"),
    (pose_parameters.load, ".npz"),
    (storage.load, ".csv"), (storage.load, ".npz"), (Profile.load, ".json"),
    (GaitNetwork.load, ".safetensors"),
]  # fmt: skip


@pytest.mark.parametrize(("read", "ending"), READERS)
@pytest.mark.parametrize(
    "path", ["missing/file", "a\0b", "x" * 5_000, "\udcff", "folder", "pipe", "round", "wall/file"]
)
def test_what_is_no_file_is_a_sentence(read, ending, path, tmp_path):
    (tmp_path / "folder.bvh").mkdir()
    (tmp_path / f"folder{ending}").mkdir(exist_ok=True)
    (tmp_path / "wall").write_text("")
    (tmp_path / f"round{ending}").symlink_to(tmp_path / f"round{ending}")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / f"pipe{ending}")
    with refuses("cannot be read") as refusal:
        read(tmp_path / f"{path}{ending}")
    assert (
        str(refusal.value).isprintable()
        and len(str(refusal.value)) <= LONGEST
        and str(refusal.value).endswith(".")
    )


@pytest.mark.parametrize("path", ["a\0b", "x" * 5_000, "", "/"])
def test_anything_may_be_asked_for(path):
    assert not exists(Path(path))


def test_a_file_is_worth_its_size():
    assert worth(0) == worth(1_000) == SMALL
    assert worth(SMALL) > 10 * SMALL
    assert worth(10**12) == MOST
