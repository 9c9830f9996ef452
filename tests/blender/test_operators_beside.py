"""Presets, names in lists, buttons that are off, and attachments that are damaged."""

import json
from pathlib import Path

import bpy
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.animation.renames import Renames
from neurarig_addon.blender.character.controls import stored_map
from neurarig_addon.blender.interface.panel import role_label
from neurarig_addon.blender.walk.manner import presets
from tests.blender.walking import state_of
from tests.rigs import biped, build


def test_every_shipped_preset_walks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(presets, "_user_folder", lambda kind: tmp_path / kind)
    obj = build(biped())
    bpy.ops.neurarig.generate_walk()
    for name, _ in presets.names(presets.WALK):
        assert bpy.ops.neurarig.apply_preset(kind="WALK", preset=name) == {"FINISHED"}
        bpy.ops.neurarig.check_contacts()
        assert json.loads(obj.neurarig.walk.report)["past_limits"] == [], name
        assert obj.neurarig.walk.preset == name and not obj.neurarig.walk.error


def test_own_presets_of_walk_and_roles(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(presets, "_user_folder", lambda kind: tmp_path / kind)
    obj = build(biped())
    bpy.ops.neurarig.generate_walk()
    obj.neurarig.walk.energy, obj.neurarig.walk.speed = 0.75, 1.0
    bpy.ops.neurarig.add_preset(kind="WALK", preset="Mine")
    bpy.ops.neurarig.apply_preset(kind="WALK", preset="Natural")
    assert obj.neurarig.walk.energy == 0.0
    bpy.ops.neurarig.apply_preset(kind="WALK", preset="Mine")
    assert obj.neurarig.walk.energy == 0.75 and obj.neurarig.walk.speed == pytest.approx(1.0, abs=1e-3)
    mapped = [(item.role, item.bone) for item in obj.neurarig.roles]
    bpy.ops.neurarig.add_preset(kind="ROLES", preset="Mine")
    obj.neurarig.roles.clear()
    bpy.ops.neurarig.apply_preset(kind="ROLES", preset="Mine")
    assert [(item.role, item.bone) for item in obj.neurarig.roles] == mapped
    bpy.ops.neurarig.remove_preset(kind="WALK", preset="Mine")
    with pytest.raises(RuntimeError, match="no preset named"):
        bpy.ops.neurarig.apply_preset(kind="WALK", preset="Mine")


def test_functions_refuse_what_they_do_not_know() -> None:
    obj = build(biped())
    before = state_of(obj)
    for wrong in ({"spede": 1.0}, {"mode": "FLY"}, {"speed": "fast"}, {"preset": "No Such Walk"}):
        with pytest.raises(api.NeuraRigError):
            api.generate_walk(obj, **wrong)
    assert state_of(obj) == before


def test_a_damaged_attachment_can_still_be_removed() -> None:
    obj = build(biped())
    bones = [bone.name for bone in obj.data.bones]
    bpy.ops.neurarig.generate_walk()
    obj.neurarig.attachment = '{"version": 99}'
    assert bpy.ops.neurarig.remove_walk() == {"FINISHED"}
    assert [bone.name for bone in obj.data.bones] == bones and not obj.neurarig.attachment


@pytest.mark.parametrize(
    ("role", "words"),
    [
        ("upper_arm.L", "Left Upper Arm"),
        ("spine.1", "Spine 1"),
        ("head", "Head"),
        ("foot_ik.R", "Right Foot IK"),
        ("leg.L", "Left Leg"),
    ],
)
def test_roles_are_shown_in_words(role: str, words: str) -> None:
    assert role_label(role) == words


def test_what_another_holder_refuses_is_off_and_says_why() -> None:
    obj = build(biped())
    bpy.ops.neurarig.generate_walk()
    for name in ("retarget", "link_retarget", "solve_clip", "find_controls"):
        with pytest.raises(
            RuntimeError, match=f"'{obj.name}' already has a walk. Bake it, or click Remove Walk first."
        ):
            getattr(bpy.ops.neurarig, name)()
        assert not getattr(bpy.ops.neurarig, name).poll()
    assert bpy.ops.neurarig.pose_targets.poll()  # over the walk, while it is live
    obj.neurarig.walk.live = False
    with pytest.raises(RuntimeError, match=rf"'{obj.name}' is not live\. Turn on Live in Walk first\."):
        bpy.ops.neurarig.pose_targets()
    with pytest.raises(RuntimeError, match=rf"'{obj.name}' has no targets\. Click Create Targets first\."):
        bpy.ops.neurarig.remove_targets()
    assert bpy.ops.neurarig.generate_walk.poll()
    bpy.ops.neurarig.remove_walk()
    assert bpy.ops.neurarig.retarget.poll() and bpy.ops.neurarig.find_controls.poll()


def test_the_list_of_controls_follows_a_renamed_bone() -> None:
    obj = build(biped())
    line = obj.neurarig.control_bones.add()
    line.role, line.bone = "foot_ik.L", "Foot control"
    stored_map.follow(obj, Renames({"Foot control": "Foot control of the rig"}))
    assert line.bone == "Foot control of the rig"
