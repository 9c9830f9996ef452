"""Files that are written: whole, or as they were."""

from pathlib import Path

import pytest

from neurarig_addon.core.errors import NeuraRigError
from neurarig_addon.core.whole_file import written_whole


def test_the_new_file_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "note.txt"
    for text in ("old", "new"):
        with written_whole(path) as unfinished:
            unfinished.write_text(text)
        assert path.read_text() == text
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("failure", [OSError(28, "No space left on device"), ValueError("no number"), KeyboardInterrupt()])
def test_the_old_file_stays_where_the_new_one_fails(tmp_path: Path, failure: BaseException) -> None:
    path = tmp_path / "note.txt"
    path.write_text("old")
    with pytest.raises(NeuraRigError if isinstance(failure, OSError) else type(failure)), written_whole(path) as unfinished:
        unfinished.write_text("ne")
        raise failure
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("place", ["none/note.txt", "file/note.txt", "folder"])
def test_a_place_that_takes_no_file_is_named(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "folder" / "full").mkdir(parents=True)
    with pytest.raises(NeuraRigError, match=r"cannot be written: .+\.$"), written_whole(tmp_path / place) as unfinished:
        unfinished.write_text("new")
