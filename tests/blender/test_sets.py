"""Sets of clips exported from Blender: what is written, that the character and the file stay as they were,
and what is refused."""

import json
import re
from dataclasses import replace

import bpy
import numpy as np
import pytest
from mathutils import Matrix
from numpy.testing import assert_allclose, assert_array_equal

from neurarig_addon.blender import api
from neurarig_addon.blender.cli import arguments
from neurarig_addon.blender.sets.api import export_set
from neurarig_addon.blender.sets.export_set import MANIFEST
from neurarig_addon.blender.walk.manner import profiles
from neurarig_addon.blender.walk.source import source as walk_source
from tests.blender import command_line
from tests.blender.walking import played, walker
from tests.refusals import refuses
from tests.rigs import Bone, biped, build, make_active, rigify_human
from tests.skins import dressed

FEW = ("idle", "walk_forward", "walk_left", "walk_start_left_foot", "turn_left_90")
KINDS = ("objects", "armatures", "meshes", "actions", "scenes", "collections")
FRAMES = (1, 9, 17)


def names() -> dict[str, list[str]]:
    return {kind: [block.name for block in getattr(bpy.data, kind)] for kind in KINDS}


@pytest.fixture
def hero() -> bpy.types.Object:
    found = walker("Hero")
    dressed(found)
    return found


needs_glb = pytest.mark.skipif(
    not command_line.has_exporter(bpy.ops.export_scene, "gltf"), reason="this Blender writes no GLB"
)
needs_fbx = pytest.mark.skipif(
    not command_line.has_exporter(bpy.ops.export_scene, "fbx"), reason="this Blender writes no FBX"
)


@needs_glb
def test_a_set_is_written_and_everything_else_is_as_before(hero, tmp_path):
    before, walked = names(), played(hero, FRAMES)
    shown = bpy.context.scene.frame_current
    told = api.export_set(hero, tmp_path / "set", names=FEW, convention="UNITY")
    assert names() == before and bpy.context.scene.frame_current == shown
    assert_array_equal(played(hero, FRAMES), walked)
    assert told == json.loads((tmp_path / "set" / MANIFEST).read_text())
    assert {clip["name"] for clip in told["clips"]} == set(FEW)
    assert sorted(path.name for path in (tmp_path / "set").iterdir()) == ["Hero.glb", "manifest.json"]
    assert told["bones"]["shin.L"] == "LeftLowerLeg"


@needs_fbx
def test_a_clip_is_a_file_of_its_own_as_fbx(hero, tmp_path):
    told = api.export_set(
        hero, tmp_path, names=FEW[:2], convention="UNREAL", file_format="FBX", travel="IN_PLACE"
    )
    files = {clip["file"] for clip in told["clips"]}
    assert {path.name for path in tmp_path.iterdir()} == files | {"Hero.fbx", "manifest.json"} and len(
        files
    ) == 2


@needs_fbx
def test_a_set_that_is_stopped_while_it_is_written_leaves_the_folder_as_it_was(hero, tmp_path):
    (tmp_path / "Hero.fbx").write_text("mine")
    steps = export_set.steps(hero, tmp_path, names=FEW[:2], file_format="FBX", overwrite=True)
    while next(steps) < 0.79:
        pass
    steps.close()
    (left,) = tmp_path.iterdir()
    assert left.read_text() == "mine"


@needs_glb
def test_work_that_is_stopped_leaves_nothing_in_the_file(hero, tmp_path):
    before = names()
    steps = export_set.steps(hero, tmp_path, names=FEW)
    for _ in range(40):
        next(steps)
    assert names() != before
    steps.close()
    assert names() == before and not list(tmp_path.iterdir())


@needs_glb
@pytest.mark.parametrize("named", ["PLAIN", "UNREAL"])
def test_a_skeleton_travels_on_its_own_root_if_it_has_one(tmp_path, named):
    ground = Bone("ground", None, (0.0, 0.0, 0.0), (0.0, 0.3, 0.0))
    hero = build([ground, *(replace(bone, parent=bone.parent or "ground") for bone in biped())], "Hero")
    if named == "UNREAL":  # it stands elsewhere than at rest, and looks back
        hero.pose.bones["ground"].matrix = Matrix.Translation((1.0, 2.0, 0.5)) @ Matrix.Rotation(
            np.pi, 4, "Z"
        )
        bpy.context.view_layer.update()
    api.generate_walk(hero, use_network=False)
    told = api.export_set(hero, tmp_path, names=["walk_forward"], convention=named)
    before = set(bpy.data.objects)
    bpy.ops.import_scene.gltf(filepath=str(tmp_path / "Hero.glb"))
    made = next(obj for obj in set(bpy.data.objects) - before if obj.type == "ARMATURE")
    top = [bone.name for bone in made.data.bones if bone.parent is None]
    assert top == ["ground" if named == "PLAIN" else "root"]
    places = []
    for frame in (0, told["clips"][0]["frames"]):
        bpy.context.scene.frame_set(frame)
        places.append(np.array(made.matrix_world @ made.pose.bones[top[0]].head))
    assert_allclose(places[1] - places[0], [0.0, -told["clips"][0]["stride"], 0.0], atol=1e-4)
    left, right = (made.matrix_world @ made.pose.bones[told["bones"][f"foot.{side}"]].head for side in "LR")
    assert left.y < right.y - 0.3 and left.x > right.x and 0.0 < left.z < 0.2


@needs_glb
def test_a_kept_set_is_a_character_of_its_own_with_its_clips_as_assets(hero, tmp_path):
    before = {obj.name for obj in bpy.data.objects}
    api.export_set(hero, tmp_path, names=FEW[:2], convention="PLAIN", keep=True)
    made = bpy.data.collections["Hero Set"].objects
    assert {obj.name for obj in bpy.data.objects} - before == {obj.name for obj in made}
    armature = next(obj for obj in made if obj.type == "ARMATURE")
    actions = {track.name: track.strips[0].action for track in armature.animation_data.nla_tracks}
    assert set(actions) == set(FEW[:2])
    for action in actions.values():
        assert action.asset_data is not None and np.ptp(np.array(action.preview.image_pixels_float[:])) > 0.5
    assert all(track.mute for track in armature.animation_data.nla_tracks), "it stands until a clip is chosen"
    assert bpy.data.scenes.keys() == ["Scene"]


@needs_glb
@pytest.mark.parametrize("unit", [1.0, 0.01])
def test_a_kept_set_is_as_large_as_the_character_whatever_the_scenes_unit(hero, tmp_path, unit):
    bpy.context.scene.unit_settings.scale_length = unit
    hero.scale = [1.0 / unit] * 3
    bpy.context.view_layer.update()
    api.generate_walk(hero)
    told = api.export_set(hero, tmp_path, names=FEW[:1], convention="PLAIN", keep=True)
    kept = next(obj for obj in bpy.data.collections["Hero Set"].objects if obj.type == "ARMATURE")
    bpy.context.view_layer.update()
    own = walk_source.source_of(hero, bpy.context.scene).roles.bones
    lengths = [
        (
            obj.matrix_world @ obj.data.bones[bones["head"]].head_local
            - obj.matrix_world @ obj.data.bones[bones["foot.L"]].head_local
        ).length
        for obj, bones in ((kept, told["bones"]), (hero, own))
    ]
    assert lengths[0] == pytest.approx(lengths[1], rel=1e-3)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"convention": "MAYA"}, "'MAYA' is not a choice for convention"),
        ({"name_pattern": "{group}"}, "needs {name}"),
    ],
)
def test_what_a_set_cannot_be_is_refused_before_anything_is_written(hero, tmp_path, given, sentence):
    with refuses(sentence):
        api.export_set(hero, tmp_path / "set", **given)
    assert not (tmp_path / "set").exists()


@needs_glb
def test_files_are_overwritten_only_when_asked_to(hero, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(arguments, "TELLS_EVERY_S", 0.0)
    hero.name = "Armature"  # as the game character is called meanwhile
    there = tmp_path / "Armature.glb"
    there.write_text("mine")
    with refuses("already has 'Armature.glb"):
        api.export_set(hero, tmp_path, names=FEW[:1])
    assert there.read_text() == "mine" and not (tmp_path / MANIFEST).exists()
    assert command_line.run("set", tmp_path, "--clip", "walk_left", "--overwrite", "--speed", 2) == 0
    assert {path.name for path in tmp_path.iterdir()} == {there.name, MANIFEST}
    assert re.search(r"Walk: \d+% after .*Set: 60% after", capsys.readouterr().out, re.DOTALL)
    told = json.loads((tmp_path / MANIFEST).read_text())
    assert there.stat().st_size > 1000 and told["character"] == hero.name == "Armature"
    (left,) = told["clips"]
    assert left["pace"] == 0.42 and left["speed"] == pytest.approx(0.84, abs=0.03)


@needs_glb
@pytest.mark.parametrize("mode", ["ACTIONS", "NLA_TRACKS"])
def test_each_bake_on_a_track_is_an_animation_of_its_own(hero, tmp_path, mode):
    names = [
        api.bake_walk(hero, frame_start=1, frame_end=12, push_nla=True, action_name=name).name
        for name in ("", "", "Stroll")
    ]
    api.remove_walk(hero)
    make_active(hero)
    bpy.ops.export_scene.gltf(filepath=str(tmp_path / "nla.glb"), export_animation_mode=mode)
    content = (tmp_path / "nla.glb").read_bytes()
    told = json.loads(content[20 : 20 + int.from_bytes(content[12:16], "little")])
    assert sorted(one["name"] for one in told["animations"]) == sorted(names) and len(set(names)) == 3


def test_who_does_not_walk_and_who_walks_by_a_profile_is_refused(hero, tmp_path):
    api.use_profile(hero, profiles.shipped()[0][0])
    with refuses("human gait"):
        api.export_set(hero, tmp_path, names=FEW[:2])
    api.remove_walk(hero)
    with refuses("Hero"):
        api.export_set(hero, tmp_path, names=FEW[:2])


@needs_glb
def test_a_control_rig_gives_its_deform_bones_on_a_root(tmp_path):
    rig = rigify_human()
    assert command_line.run("set", tmp_path, "--clip", "walk_forward", "--clip", "idle", "--keep") == 0
    told = json.loads((tmp_path / "manifest.json").read_text())
    assert told["bones"]["foot.L"] == "LeftFoot" and told["bones"]["pelvis"] == "Hips"
    kept = next(obj for obj in bpy.data.collections[f"{rig.name} Set"].objects if obj.type == "ARMATURE")
    kept.animation_data.nla_tracks[0].mute = False
    roles = [f"{part}.{side}" for side in "LR" for part in ("upper_arm", "forearm", "hand", "thigh", "foot")]
    live = played(rig, FRAMES, [f"DEF-{role}" for role in roles])[..., 0, :]  # whichever its switches say
    made = played(kept, [frame - 1 for frame in FRAMES], [told["bones"][role] for role in roles])[..., 0, :]
    assert_allclose(np.diff(made, axis=1), np.diff(live, axis=1), atol=0.01)
    parents = {bone.name: bone.parent.name if bone.parent else "" for bone in kept.data.bones}
    assert parents["Root"] == "" and parents["Hips"] == "Root"
    assert parents["LeftFoot"] and all(bone == "Root" or _top(parents, bone) == "Root" for bone in parents)


def _top(parents: dict[str, str], bone: str) -> str:
    while parents[bone]:
        bone = parents[bone]
    return bone
