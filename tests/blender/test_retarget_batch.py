"""Many clips at once, from actions and from folders of all kinds of files, and the command line."""

import json
from pathlib import Path

import bpy
import pytest

from neurarig_addon.blender.cli import export
from neurarig_addon.blender.retarget import api
from tests.blender.command_line import has_exporter, run
from tests.blender.retargeting import FIRST, LAST, actor, hero, rig_state
from tests.rigs import make_active


def everything() -> dict[str, list[str]]:
    """Return the names of all data in the file."""
    collections = {name: getattr(bpy.data, name) for name in dir(bpy.data)}
    return {
        name: sorted(block.name for block in blocks)
        for name, blocks in collections.items()
        if isinstance(blocks, bpy.types.bpy_prop_collection)
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a clip in every format that this Blender can write."""
    source, action = actor("Clip")
    api.encode_action(source, tmp_path / "encoded.npz", action)
    api.encode_action(source, tmp_path / "rows.csv", action)
    scene = bpy.context.scene
    for ending, operators, name in (
        (".bvh", bpy.ops.export_anim, "bvh"),
        (".fbx", bpy.ops.export_scene, "fbx"),
    ):
        if has_exporter(operators, name):
            export.export(source, tmp_path / f"jog{ending}", (FIRST, LAST))
    if has_exporter(bpy.ops.export_scene, "gltf"):
        export.export(source, tmp_path / "walk.glb", (FIRST, LAST))
    (tmp_path / "notes.txt").write_text("no clip")
    bpy.data.batch_remove([source, source.data, action])
    scene.frame_set(7)
    return tmp_path


def test_every_file_of_a_folder_becomes_an_action_and_leaves_nothing_else(folder: Path) -> None:
    files = sorted(path for path in folder.iterdir() if path.suffix != ".txt")
    obj = hero()
    before, scene = everything(), bpy.context.scene
    made = api.retarget_folder(obj, folder, check=True)
    after = everything()
    assert [clip.refusal for clip in made] == [""] * len(files)
    assert sorted(clip.name.split(".")[0] for clip in made) == sorted(path.stem for path in files)
    assert all(clip.report["past_limits"] == [] for clip in made), [clip.report for clip in made]
    assert {name for name in after if after[name] != before[name]} == {"actions"}
    assert sorted(after["actions"]) == sorted([*before["actions"], *(clip.name for clip in made)])
    assert (
        bpy.context.scene,
        scene.frame_current,
        bpy.context.view_layer.objects.active,
        obj.select_get(),
    ) == (scene, 7, obj, True)
    assert (scene.render.fps, scene.frame_start, scene.frame_end) == (24, 1, 250)


def test_a_damaged_file_is_passed_over(folder: Path) -> None:
    (folder / "broken.bvh").write_text("HIERARCHY\nROOT")
    (folder / "broken.glb").write_bytes(b"glTF is something else")
    (folder / "broken.npz").write_bytes(b"PK no archive")
    obj = hero()
    before = everything()
    made = {clip.name: clip for clip in api.retarget_folder(obj, folder)}
    for name in ("broken.bvh", "broken.glb", "broken.npz"):
        assert made[name].action is None and made[name].refusal.endswith("."), name
    assert len([clip for clip in made.values() if clip.action]) == len(made) - 3
    assert {name for name, found in everything().items() if found != before[name]} == {"actions"}


def test_a_cancelled_folder_leaves_nothing(folder: Path) -> None:
    obj = hero()
    before, state = everything(), rig_state(obj)
    work = api.retarget_folder.steps(obj, folder, check=True)
    for _ in range(12):
        next(work)
    work.close()
    assert everything() == before and rig_state(obj) == state


def test_a_folder_of_refusals_changes_nothing(tmp_path: Path) -> None:
    obj = hero()
    state = rig_state(obj)
    for content, sentence in ((None, "holds no clips"), ("MOTION", "broken")):
        if content:
            (tmp_path / "broken.bvh").write_text(content)
        make_active(obj)
        with pytest.raises(RuntimeError, match=sentence):
            bpy.ops.neurarig.retarget_folder(directory=str(tmp_path))
        assert rig_state(obj) == state and not len(obj.neurarig.roles)


def test_several_actions_of_a_source() -> None:
    source, walk = actor()
    run_, _ = walk.copy(), None
    run_.name = "Actor Run"
    obj = hero()
    obj.neurarig.retarget.source = source
    assert bpy.ops.neurarig.retarget_actions() == {"FINISHED"}
    assert {"Hero Actor Walk", "Hero Actor Run"} <= {action.name for action in bpy.data.actions}
    assert "Hero Wave" not in bpy.data.actions or source.data.bones.keys() == obj.data.bones.keys()


def test_the_command_line_retargets_reports_and_writes(tmp_path: Path) -> None:
    actor()
    hero()
    bpy.data.objects["Hero"].name = "Target"
    report, output = tmp_path / "report.json", tmp_path / "out.blend"
    assert run(
        "retarget", "--source", "Actor", "--target", "Target", "--action", "Actor Walk", "--root", "object",
        "--controls", "ik",
        "--report", report, "--output", output,
    ) == 0  # fmt: skip
    assert json.loads(report.read_text())["past_limits"] == []
    with bpy.data.libraries.load(str(output)) as (stored, _):
        assert "Target Actor Walk" in stored.actions


def test_the_command_line_encodes_and_takes_folders(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    source, action = actor()
    assert (
        run("encode", "--armature", "Actor", "--action", "Actor Walk", "--output", tmp_path / "clips.npz")
        == 0
    )
    assert (tmp_path / "clips.npz").is_file()
    said = capsys.readouterr().out
    assert "frames of 'Actor'" in said and "clips.npz" in said
    hero()
    bpy.data.batch_remove([source, action])
    assert run("retarget", "--folder", tmp_path, "--output", tmp_path / "{clip} done.blend") == 0
    assert (tmp_path / "clips done.blend").is_file()
    assert "'clips'" in capsys.readouterr().out


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["retarget", "--target", "Hero", "--source", "Nobody"], "no armature named 'Nobody'"),
        (["retarget", "--source", "Actor"], "--target"),
        (
            ["retarget", "--target", "Hero", "--source", "Actor", "--action", "Dance"],
            "no action named 'Dance'",
        ),
        (["retarget", "--target", "Hero", "--source", "Hero"], "both source and target"),
        (["retarget", "--target", "Hero", "--file", "nowhere.bvh"], "There is no file"),
        (["retarget", "--target", "Hero", "--folder", "nowhere"], "There is no folder"),
        (["retarget", "--target", "Hero", "--source", "Actor", "--root", "feet"], "'feet' is unknown"),
        (
            ["retarget", "--target", "Hero", "--source", "Actor", "--root", "object", "--output", "x.bvh"],
            "has no object that could move",
        ),
        (["encode", "--armature", "Hero", "--output", "clip.txt"], "must end in"),
    ],
)
def test_refusals_of_the_command_line(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture
) -> None:
    actor()
    hero()
    assert run(*arguments) != 0
    said = capsys.readouterr().err.strip()
    assert sentence in said and len(said.splitlines()) == 1 and said.startswith("neurarig: ")
