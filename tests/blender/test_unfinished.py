"""What is in the file only while we work on it does not come back with a file that was saved, or an undo step
that was taken, meanwhile."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import bpy
import pytest

from neurarig_addon.blender.animation import scratch
from neurarig_addon.blender.animation.keyframes import fresh_action
from neurarig_addon.blender.animation.scratch import alone
from neurarig_addon.blender.character.controls.probing.bench import bench
from tests.blender.walking import walker


def names() -> dict[str, list[str]]:
    """Return the names of everything that we make while we work."""
    return {
        kind: [block.name for block in getattr(bpy.data, kind)]
        for kind in ("scenes", "objects", "armatures", "actions")
    }


@pytest.fixture
def obj() -> bpy.types.Object:
    """Return a walker beside an action of the user's, in a file that holds nothing unfinished."""
    found = walker("Hero")
    bpy.data.actions.new("Own").use_fake_user = True
    return found


def saved_meanwhile(path: Path) -> None:
    """Save a file and open it again, as after a crash."""
    bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True)


WORK: dict[str, Callable[[bpy.types.Object], AbstractContextManager]] = {
    "bench": bench,
    "alone": lambda obj: alone(bpy.context.scene, obj),
    "action": lambda obj: fresh_action("Half", obj),
}


@pytest.mark.parametrize("work", WORK)
def test_work_that_fails_as_it_begins_leaves_nothing(
    obj: bpy.types.Object, monkeypatch: pytest.MonkeyPatch, work: str
) -> None:
    before = names()
    monkeypatch.setattr(scratch, "begin", lambda block: 1 / 0)
    with pytest.raises(ZeroDivisionError), WORK[work](obj):
        pass
    assert names() == before


@pytest.mark.parametrize("work", WORK)
def test_a_file_saved_in_the_middle_of_work_opens_without_what_it_made(
    obj: bpy.types.Object, tmp_path: Path, work: str
) -> None:
    before, path = names(), tmp_path / "meanwhile.blend"
    with WORK[work](obj) as made:
        if work == "action":
            made[0].use_fake_user = True
        assert names() != before
        saved_meanwhile(path)
    bpy.ops.wm.open_mainfile(filepath=str(path))
    assert names() == before


def test_a_scene_that_is_shown_gives_way_to_one_of_the_users() -> None:
    own, ours = bpy.context.scene, bpy.data.scenes.new("Ours")
    scratch.begin(ours)
    bpy.context.window.scene = ours
    scratch.sweep()
    assert bpy.context.window.scene == own and bpy.data.scenes[:] == [own]


def test_what_is_finished_stays(obj: bpy.types.Object) -> None:
    with fresh_action("Whole", obj):
        pass
    bpy.data.actions["Whole"].use_fake_user = True
    before = names()
    scratch.sweep()
    assert names() == before and "Whole" in before["actions"] and "Own" in before["actions"]
