"""Files that are written: whole, or as they were."""

import os
from pathlib import Path

import numpy as np
import pytest

from neurarig_addon.core.errors import NeuraRigError
from neurarig_addon.core.files.whole_file import written_whole
from neurarig_addon.core.network.safetensors import write_tensors
from neurarig_addon.core.neural import pose_parameters
from neurarig_addon.core.neural.pose_parameters import PoseParameters
from tests.refusals import refuses


def test_the_new_file_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "note.txt"
    for text in ("old", "new"):
        with written_whole(path) as unfinished:
            unfinished.write_text(text)
        assert path.read_text() == text
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    "failure", [OSError(28, "No space left on device"), ValueError("no number"), KeyboardInterrupt()]
)
def test_the_old_file_stays_where_the_new_one_fails(tmp_path: Path, failure: BaseException) -> None:
    path = tmp_path / "note.txt"
    path.write_text("old")
    with (
        pytest.raises(NeuraRigError if isinstance(failure, OSError) else type(failure)),
        written_whole(path) as unfinished,
    ):
        unfinished.write_text("ne")
        raise failure
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("place", ["none/note.txt", "file/note.txt", "folder"])
def test_a_place_that_takes_no_file_is_named(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "folder" / "full").mkdir(parents=True)
    with (
        refuses(r"cannot be written: .+\.$"),
        written_whole(tmp_path / place) as unfinished,
    ):
        unfinished.write_text("new")


def test_a_link_is_followed_and_stays(tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "note.txt").write_text("old")
    (tmp_path / "note.txt").symlink_to(tmp_path / "store" / "note.txt")
    with written_whole(tmp_path / "note.txt") as unfinished:
        unfinished.write_text("new")
    assert (tmp_path / "note.txt").is_symlink() and (tmp_path / "store" / "note.txt").read_text() == "new"


@pytest.mark.skipif(os.name == "nt", reason="only POSIX lets a process bound its own files")
@pytest.mark.parametrize("kind", ["poses", "tensors", "csv"])
def test_a_full_disk_is_a_sentence_and_leaves_the_old_file(tmp_path: Path, kind: str) -> None:
    """The system refuses to let a file grow: what is written reaches that inside the writers of numpy and of
    zip archives."""
    import resource

    path = tmp_path / "kept.bin"
    path.write_text("old")
    numbers = np.random.default_rng(0).normal(size=(200, 66))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4_096, before[1]))
    try:
        with refuses(r"kept\.bin' cannot be written"):
            if kind == "poses":
                pose_parameters.save(PoseParameters(numbers, numbers[:, :3], 30.0), path)
            elif kind == "tensors":
                write_tensors(path, {}, {"numbers": numbers})
            else:
                with written_whole(path) as unfinished, unfinished.open("wb") as file:
                    np.savetxt(file, numbers)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]
