"""Files, presets and command lines that are refused: one sentence, and nothing changes."""

from pathlib import Path
from unittest.mock import patch

import bpy
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.animation import compat, exporting
from neurarig_addon.blender.cli import arguments
from neurarig_addon.blender.retarget import read_source
from tests.blender.refusing import hero, refused
from tests.refusals import refuses
from tests.rigs import biped, build


@pytest.mark.parametrize("suffix", [".txt", ""])
def test_a_file_of_another_kind_is_no_clip_and_no_recording(suffix, tmp_path):
    path = tmp_path / f"notes{suffix}"
    path.write_text("nothing")
    obj = hero()
    refused(
        obj,
        lambda obj: api.retarget(obj, file=path),
        rf"'{path.name}' is not a clip. Supported files end in \.bvh",
    )
    refused(
        obj,
        lambda obj: api.solve_clip(obj, file=path),
        rf"'{path.name}' is not a recording. Supported files end in ",
    )
    refused(
        obj,
        lambda obj: api.retarget(obj, file=tmp_path / "gone.bvh"),
        r"There is no file '.*gone\.bvh'. Choose it again",
    )


def test_an_importer_that_is_not_there_is_named(monkeypatch, tmp_path):
    (tmp_path / "clip.fbx").write_bytes(b"Kaydara")
    monkeypatch.setattr(exporting.addon_utils, "check", lambda module: (False, False))
    monkeypatch.setattr(exporting.addon_utils, "enable", lambda module, default_set: None)
    scenes = [scene.name for scene in bpy.data.scenes]
    refused(
        hero(),
        lambda obj: api.retarget(obj, file=tmp_path / "clip.fbx"),
        r"importer 'io_scene_fbx' is not installed; convert 'clip\.fbx'",
    )
    assert [scene.name for scene in bpy.data.scenes] == scenes


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ("ROLES", "No list of bones to save. Click Detect Rig first"),
        ("CONTROLS", "No list of controls to save. Click Find Controls first"),
    ],
)
def test_what_was_not_found_yet_cannot_be_saved(kind, sentence):
    refused(hero(), lambda obj: api.save_preset(obj, "Mine", kind), sentence)


def test_the_command_line_tells_which_armatures_there_are():
    with refuses(r"Name the armature with --armature; this file's scene has: none\."):
        arguments.armature(None)
    with refuses(r"no armature named 'Hero' in the scene; it has: none\."):
        arguments.armature("Hero")
    first = build(biped(), "Hero")
    assert arguments.armature(None) == arguments.armature("Hero") == first
    second = build(biped(), "Other")
    with refuses(r"Name the armature with --to; .* has: 'Hero', 'Other'\."):
        arguments.armature(None, "--to")
    with refuses(r"no armature named 'Nobody' in the scene; it has: 'Hero', 'Other'\."):
        arguments.armature("Nobody")
    assert arguments.armature("Other") == second


@pytest.mark.parametrize("ending", [".fbx", ".glb"])
def test_a_file_with_a_key_far_away_is_refused_at_once(ending, tmp_path):
    api.bake_walk(hero(walks=True), frame_start=1, frame_end=8)
    path = tmp_path / f"far{ending}"
    bpy.context.scene.frame_end = 8
    (bpy.ops.export_scene.fbx if ending == ".fbx" else bpy.ops.export_scene.gltf)(filepath=str(path))
    assert read_source.read_imported(bpy.context, path)
    before, plain = set(bpy.data.actions), read_source._import

    def import_it(file: Path) -> None:
        plain(file)
        for action in set(bpy.data.actions) - before:
            for curve in compat.all_channels(action):
                curve.keyframe_points.insert(1_000_000.0, 0.0)

    sentence = rf"'far\{ending}' lasts \d+ frames, far more than it holds; remove keys that are far away"
    with patch.object(read_source, "_import", import_it), refuses(sentence):
        read_source.read_imported(bpy.context, path)
    assert set(bpy.data.actions) == before
