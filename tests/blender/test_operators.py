"""Every button works without a window, is one undo step, and changes nothing when it fails."""

import json
from pathlib import Path

import bpy
import pytest
from mathutils import Matrix

from neurarig_addon.blender import api
from neurarig_addon.blender.walk.api import report as report_api
from tests.blender.walking import state_of
from tests.rigs import arms_only, biped, build, make_active


def character_mesh(armature: bpy.types.Object) -> bpy.types.Object:
    """Return a mesh that the armature deforms."""
    mesh = bpy.data.objects.new("Skin", bpy.data.meshes.new("Skin"))
    bpy.context.scene.collection.objects.link(mesh)
    mesh.modifiers.new("Armature", "ARMATURE").object = armature
    return mesh


def test_detect_fills_the_role_list() -> None:
    obj = build(biped())
    assert bpy.ops.neurarig.detect_rig() == {"FINISHED"}
    found = {item.role: item.bone for item in obj.neurarig.roles}
    assert found["pelvis"] == "Hips" and found["thigh.L"] == "LeftUpLeg" and found["hand.R"] == "RightHand"


def test_one_click_walks() -> None:
    obj = build(biped())
    assert bpy.ops.neurarig.generate_walk() == {"FINISHED"}
    report = json.loads(obj.neurarig.walk.report)
    assert obj.neurarig.walk.live and not obj.neurarig.walk.error
    assert report["past_limits"] == []
    assert report["cycle_frames"] == pytest.approx(round(report["cycle_frames"]), abs=1e-6)
    assert obj.neurarig.walk.speed == pytest.approx(obj.neurarig.walk.natural_speed)


@pytest.mark.parametrize("start", ["mesh selected", "mesh parented", "pose mode"])
def test_the_character_is_found_from_what_is_selected(start: str) -> None:
    obj = build(biped())
    if start == "pose mode":
        bpy.ops.object.mode_set(mode="POSE")
    else:
        mesh = character_mesh(obj)
        if start == "mesh parented":
            mesh.modifiers.clear()
            mesh.parent = obj
        make_active(mesh)
    mode = bpy.context.mode
    assert bpy.ops.neurarig.generate_walk() == {"FINISHED"}
    assert obj.neurarig.walk.live and bpy.context.mode == mode


def test_without_a_character_the_buttons_are_off() -> None:
    assert not bpy.ops.neurarig.generate_walk.poll()
    with pytest.raises(RuntimeError, match="Select an armature"):
        bpy.ops.neurarig.generate_walk()


def test_without_a_walk_there_is_nothing_to_remove() -> None:
    build(biped())
    assert not bpy.ops.neurarig.remove_walk.poll()
    assert not bpy.ops.neurarig.bake_walk.poll()


def test_a_refusal_leaves_the_file_as_it_was() -> None:
    obj = build(arms_only())
    before = state_of(obj)
    for operator in (bpy.ops.neurarig.detect_rig, bpy.ops.neurarig.generate_walk):
        with pytest.raises(RuntimeError):
            operator()
        assert state_of(obj) == before


def test_a_walk_that_fails_late_is_taken_off_again(monkeypatch: pytest.MonkeyPatch) -> None:
    obj = build(biped())
    obj.neurarig.walk.energy = 0.5
    before = state_of(obj)

    def fails(*_: object) -> None:
        raise api.NeuraRigError("The measuring failed.")

    monkeypatch.setattr(report_api, "measure_steps", fails)
    with pytest.raises(RuntimeError, match="The measuring failed"):
        bpy.ops.neurarig.generate_walk()
    assert state_of(obj) == before


def test_a_hand_corrected_role_is_checked_not_overruled() -> None:
    obj = build(biped())
    bpy.ops.neurarig.detect_rig()
    next(item for item in obj.neurarig.roles if item.role == "shin.L").bone = "LeftHand"
    before = state_of(obj)
    with pytest.raises(RuntimeError, match="LeftHand"):
        bpy.ops.neurarig.generate_walk()
    assert state_of(obj) == before


def test_remove_gives_everything_back() -> None:
    obj = build(biped(), matrix=Matrix.Rotation(0.7, 4, "Z"))
    obj.pose.bones["LeftArm"].rotation_mode = "XYZ"
    obj.pose.bones["LeftArm"].rotation_euler = (0.0, 0.0, 0.4)
    before = state_of(obj)
    bpy.ops.neurarig.generate_walk()
    obj.neurarig.walk.mode = "TRAVEL"
    bpy.context.scene.frame_set(40)
    bpy.context.scene.frame_set(1)
    assert bpy.ops.neurarig.remove_walk() == {"FINISHED"}
    after = state_of(obj)
    for kept in ("bones", "constraints", "pose", "place", "collections", "data", "mode"):
        assert after[kept] == before[kept], kept


def test_generate_again_is_as_generate_once() -> None:
    obj = build(biped())
    bpy.ops.neurarig.generate_walk()
    once = state_of(obj)
    bpy.ops.neurarig.generate_walk()
    again = state_of(obj)
    for state in (once, again):
        # its lists follow the order in which roles were found
        state["attachment"] = sorted(state["attachment"])
    assert again == once


def test_a_chosen_speed_is_kept_and_a_natural_one_follows_the_size() -> None:
    obj = build(biped())
    bpy.ops.neurarig.generate_walk()
    natural = obj.neurarig.walk.speed
    obj.scale = (2.0, 2.0, 2.0)
    bpy.context.view_layer.update()
    bpy.ops.neurarig.generate_walk()
    assert obj.neurarig.walk.speed > 1.3 * natural
    obj.neurarig.walk.speed = 0.8
    bpy.ops.neurarig.generate_walk()
    assert obj.neurarig.walk.speed == pytest.approx(0.8)


def test_bake_uses_the_scene_range_and_makes_a_new_action() -> None:
    bpy.context.scene.frame_end = 40
    obj = build(biped())
    bpy.ops.neurarig.generate_walk()
    assert bpy.ops.neurarig.bake_walk() == {"FINISHED"}
    assert tuple(obj.animation_data.action.frame_range) == (1.0, 40.0)


def test_the_report_is_measured_and_saved(tmp_path: Path) -> None:
    obj = build(biped())
    assert not bpy.ops.neurarig.save_report.poll()
    bpy.ops.neurarig.generate_walk()
    obj.neurarig.walk.energy = 0.3
    assert obj.neurarig.walk.report_is_old
    assert bpy.ops.neurarig.check_contacts(frame_start=1, frame_end=30) == {"FINISHED"}
    assert not obj.neurarig.walk.report_is_old
    path = tmp_path / "report.json"
    assert bpy.ops.neurarig.save_report(filepath=str(path)) == {"FINISHED"}
    assert json.loads(path.read_text())["frames"] == [1.0, 30.0]
    with pytest.raises(RuntimeError, match="end frame 1 is before the start frame 5"):
        bpy.ops.neurarig.check_contacts(frame_start=5, frame_end=1)


def test_an_error_turns_off_and_resume_turns_on() -> None:
    obj = build(biped())
    bpy.ops.neurarig.generate_walk()
    settings = obj.neurarig.walk
    settings.error, settings.live = "Something was wrong.", False
    assert bpy.ops.neurarig.resume_walk() == {"FINISHED"}
    assert settings.live and not settings.error
