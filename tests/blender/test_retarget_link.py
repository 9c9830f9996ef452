"""The live link: a function of the frame alone, that follows edits, files, undo and the user's own hand."""

from pathlib import Path

import bpy
import numpy as np
import pytest

from neurarig_addon.blender.animation import compat
from neurarig_addon.blender.retarget import api, live
from tests.blender.retargeting import FIRST, LAST, actor, hero
from tests.blender.walking import played, seen, seen_now, walker
from tests.refusals import refuses

FRAMES = (FIRST, 21, 40.25, LAST)
SAME = 2e-6  # metres


def linked(**given: object) -> tuple[bpy.types.Object, bpy.types.Object, bpy.types.Action]:
    """Return a linked target, its source and the source's action."""
    source, action = actor()
    obj = hero()
    api.link_retarget(obj, source=source, action=action, **given)
    return obj, source, action


def test_before_and_after_the_clip_its_ends_are_held() -> None:
    obj, *_ = linked(root="OBJECT")
    assert np.abs(seen(obj, FIRST - 10) - seen(obj, FIRST)).max() < SAME
    assert np.abs(seen(obj, LAST + 10) - seen(obj, LAST)).max() < SAME


def test_an_edited_key_of_the_source_is_followed() -> None:
    obj, source, action = linked()
    before = seen(obj, 20, ["LeftHand"])
    curves = compat.find_channels(action, compat.suitable_slot(action, source))
    for curve in (curve for curve in curves if "LeftArm" in curve.data_path and curve.array_index):
        for key in curve.keyframe_points:
            key.co.y += 0.3
        curve.update()
    action.update_tag()
    bpy.context.view_layer.update()
    assert np.abs(seen_now(obj, ["LeftHand"]) - before).max() > 0.01


def test_a_setting_is_seen_at_once() -> None:
    obj, *_ = linked()
    before = played(obj, FRAMES)
    bpy.context.scene.frame_set(LAST)
    obj.neurarig.retarget.stride = 0.5
    assert np.abs(seen_now(obj)[0, 0] - before[-1][0, 0]).max() > 0.1
    obj.neurarig.retarget.stride = 1.0
    assert np.abs(played(obj, FRAMES) - before).max() < SAME


@pytest.mark.parametrize("controls", ["FK", "IK"])
def test_linked_again_it_keeps_to_corrected_roles(controls: str) -> None:
    obj, *_ = linked(controls=controls)
    attachment = obj.neurarig.attachment
    api.link_retarget(obj)
    assert obj.neurarig.attachment == attachment
    rest = seen(obj, FIRST, ["LeftHand"]) - seen(obj, FIRST, ["LeftForeArm"])
    next(item for item in obj.neurarig.roles if item.role == "hand.L").bone = ""
    api.link_retarget(obj)
    assert obj.neurarig.attachment != attachment and obj.neurarig.retarget.live
    assert np.abs(seen(obj, FIRST, ["LeftHand"]) - seen(obj, FIRST, ["LeftForeArm"]) - rest).max() > 1e-3


def test_a_corrected_role_of_the_source_is_followed() -> None:
    obj, source, _ = linked()
    before = played(obj, FRAMES)
    bpy.ops.neurarig.detect_rig(armature="Actor")
    next(item for item in source.neurarig.roles if item.role == "forearm.L").bone = ""
    next(item for item in source.neurarig.roles if item.role == "hand.L").bone = ""
    bpy.context.view_layer.update()
    assert np.abs(played(obj, FRAMES) - before).max() > 1e-3


@pytest.mark.parametrize("controls", ["FK", "IK"])
def test_save_and_load(controls: str, tmp_path: Path) -> None:
    obj, *_ = linked(root="OBJECT", controls=controls)
    before = played(obj, FRAMES)
    bpy.context.scene.frame_set(17)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "link.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "link.blend"))
    obj = bpy.data.objects["Hero"]
    assert np.abs(played(obj, FRAMES) - before).max() < SAME
    api.remove_retarget(obj)
    assert obj.animation_data.action == bpy.data.actions["Wave"] and not obj.neurarig.attachment


def test_a_source_that_has_to_be_played_is_played_again_after_loading(tmp_path: Path) -> None:
    bpy.context.scene.frame_end = 30
    source = walker("Actor", mode="TRAVEL")
    obj = hero()
    api.link_retarget(obj, source=source)
    before = played(obj, (3, 17, 30))
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "link.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "link.blend"))
    assert np.abs(played(bpy.data.objects["Hero"], (3, 17, 30)) - before).max() < 1e-4


def test_undo_and_redo() -> None:
    obj, *_ = linked(root="OBJECT")
    before = played(obj, FRAMES)
    bpy.context.scene.frame_set(21)
    bpy.ops.ed.undo_push(message="Linked")
    obj.neurarig.retarget.stride = 0.5
    obj.location.x += 1.0
    bpy.context.view_layer.update()
    bpy.ops.ed.undo_push(message="Short steps, aside")
    short = played(obj, FRAMES)
    assert np.abs(short - before).max() > 0.9
    bpy.ops.ed.undo()
    assert np.abs(played(bpy.data.objects["Hero"], FRAMES) - before).max() < SAME
    bpy.ops.ed.redo()
    assert np.abs(played(bpy.data.objects["Hero"], FRAMES) - short).max() < 1e-4


def test_an_object_moved_in_mid_clip_goes_on_from_there() -> None:
    obj, *_ = linked(root="OBJECT")
    before = played(obj, FRAMES)
    bpy.context.scene.frame_set(21)
    obj.location.x += 3.0
    bpy.context.view_layer.update()
    assert np.abs(played(obj, FRAMES) - before - [3.0, 0.0, 0.0]).max() < 1e-4
    api.remove_retarget(obj)
    assert tuple(obj.location) == pytest.approx((5.0, 1.0, 0.0), abs=1e-5)


def test_a_root_that_is_chosen_anew_leaves_the_object_where_it_was() -> None:
    obj, *_ = linked(root="OBJECT")
    bpy.context.scene.frame_set(LAST)
    assert (obj.location - obj.neurarig.origin.translation).length > 0.2
    obj.neurarig.retarget.root = "PELVIS"
    assert tuple(obj.location) == pytest.approx((2.0, 1.0, 0.0), abs=1e-5)


@pytest.mark.parametrize("how", ["deleted", "action emptied", "file moved"])
def test_a_source_that_goes_turns_the_link_off_with_a_sentence(how: str, tmp_path: Path) -> None:
    obj, source, action = linked()
    if how == "file moved":
        api.encode_action(source, tmp_path / "clip.npz", action)
        api.link_retarget(obj, file=tmp_path / "clip.npz")
        (tmp_path / "clip.npz").unlink()
        obj.neurarig.retarget.stride = 0.9
    elif how == "deleted":
        bpy.data.objects.remove(source)
        obj.neurarig.retarget.stride = 0.9
    else:
        curves = compat.find_channels(action, compat.suitable_slot(action, source))
        for curve in list(curves):
            curves.remove(curve)
        action.update_tag()
        bpy.context.view_layer.update()
    settings = obj.neurarig.retarget
    assert not settings.live and settings.error.endswith(".")
    bpy.context.scene.frame_set(30)
    api.remove_retarget(obj)
    assert obj.animation_data.action == bpy.data.actions["Wave"] and not settings.error


def test_duplicates_follow_too() -> None:
    obj, *_ = linked()
    bpy.ops.object.duplicate()
    copy = bpy.context.object
    assert copy != obj
    bpy.context.view_layer.update()
    copy.location.x += 2.0
    bpy.context.view_layer.update()
    for frame in (12, 30):
        assert np.abs(seen(copy, frame) - seen(obj, frame) - [2.0, 0.0, 0.0]).max() < 1e-5


@pytest.mark.parametrize("controls", ["FK", "IK"])
def test_a_target_in_another_mode(controls: str) -> None:
    obj, source, action = linked(controls=controls)
    shown = played(obj, FRAMES)
    api.remove_retarget(obj)
    bpy.ops.object.mode_set(mode="POSE")
    api.link_retarget(obj, source=source, action=action, controls=controls)
    assert obj.mode == "POSE" and np.abs(played(obj, FRAMES) - shown).max() < SAME
    api.remove_retarget(obj)
    bpy.ops.object.mode_set(mode="EDIT")
    with refuses("Edit Mode"):
        api.link_retarget(obj, source=source, action=action, controls=controls)
    assert obj.mode == "EDIT"


@pytest.mark.parametrize("bound", ["OPENING_S", "LONGEST_AT_OPENING"])
def test_a_clip_that_takes_long_does_not_hold_up_the_file_it_is_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bound: str
) -> None:
    """What has to be played stops in time, and frames up to a far key are counted first; one press goes
    on."""
    obj = linked()[0]
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "linked.blend"))
    monkeypatch.setattr(live, bound, -1)
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "linked.blend"))
    obj = bpy.data.objects["Hero"]
    assert not obj.neurarig.retarget.live and "Press Live Link" in obj.neurarig.retarget.error
    api.link_retarget(obj)
    assert obj.neurarig.retarget.live and obj.neurarig.retarget.error == ""


def test_a_key_that_lies_hours_away_is_named() -> None:
    source, action = actor()
    action.use_frame_range = False
    next(iter(compat.find_channels(action, compat.suitable_slot(action, source)))).keyframe_points.insert(
        1e6, 0.0
    )
    with refuses(r"to 1000000\. Delete a key"):
        api.retarget(hero(), source=source, action=action)
