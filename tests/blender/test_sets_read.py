"""Sets read back: in Blender, and in Godot where there is one (GODOT names its command); joints against the
poses that were meant."""

import json
import os
import shlex
import shutil
import subprocess
from pathlib import Path

import bpy
import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.blender import api
from neurarig_addon.blender.sets.export_set import walking_of
from neurarig_addon.blender.sets.skeleton import FORWARD
from neurarig_addon.blender.walk.source import source as walk_source
from neurarig_addon.core.sets.clip import FULL, SetClip, clip_plans
from neurarig_addon.core.sets.cutting import clips_of
from tests.blender import command_line
from tests.blender.walking import walker
from tests.skins import dressed

GODOT = os.environ.get("GODOT", "")
# The npm package gltf-validator has to be where NODE_PATH leads.
VALIDATE = (
    "require('gltf-validator').validateBytes(new Uint8Array(require('fs').readFileSync(process.argv[1])))"
)
VALIDATOR = ["node", "-e", f"{VALIDATE}.then(found => console.log(JSON.stringify(found)))"]
PROJECT = Path(__file__).parents[2] / "examples" / "godot"
NAMES = (
    *("idle", "walk_forward", "walk_forward_left", "walk_left", "walk_backward", "run_forward"),
    *("walk_backward_left", "walk_backward_right", "walk_right", "walk_forward_right"),
    *(
        "walk_start_left_foot",
        "walk_stop_right_foot",
        "run_start_right_foot",
        "run_stop_left_foot",
        "turn_left_90",
        "walk_turn_right_180",
    ),
)
FPS = 30
JOINT_M, SEAM_DEG, SLIP_M, SLIP_BETWEEN_M, TRAVEL = 1e-4, 0.1, 1e-3, 1e-2, 1e-3
PLAYED = {  # what a player sees: seconds, metres, shares
    "release_walk": ("seconds", 1.0),
    "release_run": ("seconds", 1.3),
    "tap_run": ("metres", 0.6),
    "behind": ("seconds", 1.3),
    "sweep": ("slip", 2e-2),
}
KNEE_M = 3e-4  # aside, of a leg that is nearly straight: there Blender's IK is not exact
ROLES = (
    "pelvis",
    "head",
    *(f"{part}.{side}" for part in ("shin", "foot", "toe", "forearm", "hand") for side in "LR"),
)

needs_glb = pytest.mark.skipif(
    not command_line.has_exporter(bpy.ops.export_scene, "gltf"), reason="this Blender writes no GLB"
)
needs_fbx = pytest.mark.skipif(
    not command_line.has_exporter(bpy.ops.export_scene, "fbx"), reason="this Blender writes no FBX"
)
needs_godot = pytest.mark.skipif(not GODOT, reason="GODOT names no Godot 4.6")
needs_validator = pytest.mark.skipif(
    not shutil.which("node")
    or subprocess.run(["node", "-e", "require('gltf-validator')"], capture_output=True).returncode != 0,
    reason="node finds no gltf-validator",
)


@pytest.fixture
def hero() -> bpy.types.Object:
    bpy.context.scene.render.fps = FPS
    found = walker("Hero")
    dressed(found)
    return found


def clips(hero: bpy.types.Object, names: tuple[str, ...]) -> dict[str, SetClip]:
    walking = walking_of(hero, walk_source.source_of(hero, bpy.context.scene))
    return {clip.plan.name: clip for clip in clips_of(walking, clip_plans(FULL, names))}


def meant(clip: SetClip, role: str) -> np.ndarray:
    """Return where a role's joint is on each frame `(f, 3)`, in metres, looking along -Y."""
    return clip.pose.in_world()[role].position @ FORWARD.T


def imported(path: Path, importer: str) -> bpy.types.Object:
    before = set(bpy.data.objects)
    getattr(bpy.ops.import_scene, importer)(filepath=str(path))
    return next(obj for obj in set(bpy.data.objects) - before if obj.type == "ARMATURE")


def seen(obj: bpy.types.Object, action: bpy.types.Action, bones: list[str], frames: range) -> np.ndarray:
    """Return heads of bones in the world `(frames, bones, 3)` while an action plays."""
    for track in obj.animation_data_create().nla_tracks:
        track.mute = True
    obj.animation_data.action = action
    if hasattr(obj.animation_data, "action_slot"):
        obj.animation_data.action_slot = action.slots[0]
    found = []
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        found.append([np.array(obj.matrix_world @ obj.pose.bones[bone].head) for bone in bones])
    return np.array(found)


@needs_glb
def test_blender_reads_every_joint_of_a_glb_where_it_was_meant(hero, tmp_path):
    ours = clips(hero, NAMES[:4])
    told = api.export_set(hero, tmp_path, names=NAMES[:4])
    made = imported(tmp_path / "Hero.glb", "gltf")
    for clip in told["clips"]:
        action = next(action for action in bpy.data.actions if action.name.startswith(clip["animation"]))
        places = seen(made, action, [told["bones"][role] for role in ROLES], range(clip["frames"] + 1))
        for row, role in enumerate(ROLES):
            assert_allclose(places[:, row], meant(ours[clip["name"]], role), atol=JOINT_M)


@needs_fbx
@pytest.mark.parametrize("unit", [1.0, 0.01])
def test_an_fbx_is_as_large_and_travels_as_far_as_the_character_whatever_the_scenes_unit(
    hero, tmp_path, unit
):
    bpy.context.scene.unit_settings.scale_length = unit
    hero.scale = [1.0 / unit] * 3
    bpy.context.view_layer.update()
    api.generate_walk(hero)
    told = api.export_set(hero, tmp_path, names=["walk_forward"], file_format="FBX", convention="UNREAL")
    bpy.context.scene.unit_settings.scale_length = 1.0
    clip = told["clips"][0]
    before = set(bpy.data.actions)
    made = imported(tmp_path / clip["file"], "fbx")
    action = next(iter(set(bpy.data.actions) - before))
    first, last = (int(edge) for edge in action.frame_range)
    places = seen(made, action, ["root", told["bones"]["pelvis"]], range(first, last + 1))
    way = places[-1, 0] - places[0, 0]
    assert_allclose(way, [0.0, -clip["stride"], 0.0], atol=TRAVEL * clip["stride"])
    assert places[:, 1, 2].mean() == pytest.approx(hero.neurarig.walk.leg_length, rel=0.2), "metres"
    assert_allclose([bone.scale for bone in made.pose.bones], 1.0, atol=1e-4)
    character = imported(tmp_path / "Hero.fbx", "fbx")  # whose file has the rest pose
    roles = walk_source.source_of(hero, bpy.context.scene).roles
    for role in ("pelvis", "shin.L", "toe.R", "forearm.R"):  # the hero looks along -Y, as exported
        axes = np.array(
            character.matrix_world.to_3x3().normalized()
            @ character.data.bones[told["bones"][role]].matrix_local.to_3x3()
        )
        assert_allclose(axes, np.array(hero.data.bones[roles.bones[role]].matrix_local.to_3x3()), atol=1e-4)


@needs_glb
@needs_godot
def test_godot_plays_it_as_meant_without_slip_or_seam(hero, tmp_path):
    ours = clips(hero, NAMES)
    game = PROJECT.parents[1] / "out" / "godot_game"  # a Godot in a container sees the checkout alone
    shutil.rmtree(game, ignore_errors=True)
    shutil.copytree(PROJECT, game)
    told = api.export_set(hero, game / "set", names=NAMES, convention="GODOT")
    found = in_godot(game, "--script", "measure.gd", "--", "res://set")
    for name, clip in ours.items():
        rows = found["joints"][name]
        last = clip.frames - (1 if clip.plan.loops else 0)  # a loop's last frame is its first
        for role in ROLES:
            places = np.array([row[role][:3] for row in rows])[: last + 1]
            x, y, z = meant(clip, role)[: last + 1].T
            allowed = KNEE_M if role.startswith("shin") else JOINT_M
            assert_allclose(places, np.stack([x, z, -y], axis=-1), atol=allowed)
    for name, slip in found["slip"].items():
        assert slip["looks"] >= 20, f"points of {name} stand, and were looked at"
        assert slip["samples"] < SLIP_M and slip["between"] < SLIP_BETWEEN_M, name
        told_of = next(clip for clip in told["clips"] if clip["name"] == name)
        x, y = told_of["root"]["x"][-1], told_of["root"]["y"][-1]
        assert_allclose(slip["place"], [x, 0.0, y], atol=TRAVEL)
        assert (
            abs((np.degrees(slip["turned"]) - told_of["root"]["turned"][-1] + 180.0) % 360.0 - 180.0)
            < SEAM_DEG
        )
    assert found["seams"] and max(found["seams"].values()) < SEAM_DEG, found["seams"]
    in_godot(game, "--import")  # as the plugin has it: the scene is there, and plays
    played = in_godot(game, "--fixed-fps", "60", "--script", "play.gd", "--", "res://set/Hero.tscn")
    for name, (figure, most) in PLAYED.items():
        assert played[name][figure] <= most, name
    assert all(way["slip"] < SLIP_BETWEEN_M for way in played["directions"].values())
    assert_allclose([steady["speed"] for steady in played["steady"].values()], 1.0, atol=0.02)
    drawn = played["drawn"][0]
    assert drawn["slip_95"] < 0.5 * SLIP_BETWEEN_M and drawn["heard"] <= 0.25
    assert played["sweep"]["pelvis_of_run"] <= 1.3


def in_godot(game: Path, *given: str) -> dict:
    """Run a script of the project, and return what it found."""
    found = game / "found.json"
    command = [*shlex.split(GODOT), "--headless", "--path", str(game), *given, str(found)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=240)
    assert "ERROR" not in ran.stderr + ran.stdout, ran
    return json.loads(found.read_text())


@needs_glb
@needs_validator
def test_the_khronos_validator_finds_no_error_in_a_glb(hero, tmp_path):
    api.export_set(hero, tmp_path, names=NAMES[:2])
    report = json.loads(subprocess.check_output([*VALIDATOR, str(tmp_path / "Hero.glb")], text=True))
    assert report["issues"]["numErrors"] == 0 and report["info"]["animationCount"] == 2


@needs_glb
def test_the_manifest_tells_where_soles_touch_the_ground(hero, tmp_path):
    told = api.export_set(hero, tmp_path, names=NAMES[:1], convention="GODOT")
    left, right = told["soles"]["left"], told["soles"]["right"]
    assert {point: each["bone"] for point, each in left.items()} == {
        "heel": "LeftFoot",
        "ball": "LeftToes",
        "toe": "LeftToes",
    }
    for point in left:
        assert_allclose(np.array(left[point]["at"]) * [-1.0, 1.0, 1.0], right[point]["at"], atol=1e-4)
        assert abs(left[point]["at"][2]) < 1e-4 < left[point]["at"][0]
    assert left["heel"]["at"][1] < left["ball"]["at"][1] < left["toe"]["at"][1]
