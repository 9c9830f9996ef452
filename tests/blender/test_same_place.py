"""A character that has gone a part of its way stands where it should, whatever became of its file or of the extension meanwhile."""

from pathlib import Path

import bpy
import numpy as np
import pytest

import neurarig_addon
from neurarig_addon.blender import api
from neurarig_addon.core.errors import NeuraRigError
from tests import rigs
from tests.blender.walking import seen, seen_now, walker

pytestmark = pytest.mark.usefixtures("addon")

ON_ITS_WAY = 30
TOLERANCE_M = 1e-4


def travelling(**settings: object) -> bpy.types.Object:
    """Return a character that began its walk at the origin and is on its way."""
    obj = walker("Hero", mode="TRAVEL", **settings)
    bpy.context.scene.frame_set(ON_ITS_WAY)
    assert obj.location.length > 1.0
    return obj


def saved(tmp_path: Path) -> str:
    path = str(tmp_path / "scene.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    return path


def in_a_new_file(path: str, link: bool) -> bpy.types.Object:
    """Return the character of another file, appended or linked into a new one."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    with bpy.data.libraries.load(path, link=link) as (_, wanted):
        wanted.objects = ["Hero"]
    bpy.context.scene.collection.objects.link(wanted.objects[0])
    return wanted.objects[0]


def assert_begins_at_the_origin(obj: bpy.types.Object) -> None:
    bpy.context.scene.frame_set(1)
    assert obj.location.length < TOLERANCE_M


def test_switching_the_extension_off_and_on_leaves_a_traveller_on_its_path():
    obj = travelling()
    before = {frame: seen(obj, frame) for frame in (3, ON_ITS_WAY)}
    neurarig_addon.unregister()
    neurarig_addon.register()
    for frame, pose in before.items():
        np.testing.assert_allclose(seen(obj, frame), pose, atol=TOLERANCE_M)
    api.remove_walk(obj)
    assert obj.location.length < TOLERANCE_M


def test_a_traveller_stays_on_its_path_though_the_frame_changed_while_the_extension_was_off():
    obj = travelling()
    neurarig_addon.unregister()
    bpy.context.scene.frame_set(1)
    neurarig_addon.register()
    bpy.context.scene.frame_set(20)
    assert_begins_at_the_origin(obj)


def test_an_appended_traveller_begins_where_it_began(tmp_path: Path):
    travelling()
    obj = in_a_new_file(saved(tmp_path), link=False)
    assert_begins_at_the_origin(obj)
    bpy.context.scene.frame_set(12)
    api.remove_walk(obj)
    assert obj.location.length < TOLERANCE_M


def test_a_traveller_linked_and_overridden_begins_where_it_began(tmp_path: Path):
    travelling(controls="FK")
    obj = in_a_new_file(saved(tmp_path), link=True).override_create(remap_local_usages=True)
    assert_begins_at_the_origin(obj)


def test_a_linked_traveller_is_left_as_its_file_has_it(tmp_path: Path):
    there = travelling(controls="FK").location.copy()
    obj = in_a_new_file(saved(tmp_path), link=True)
    bpy.context.scene.frame_set(1)
    assert (obj.location - there).length < TOLERANCE_M or obj.location.length < TOLERANCE_M


def test_a_traveller_linked_into_another_scene_begins_where_it_began():
    obj = travelling()
    other = bpy.data.scenes.new("Other")
    other.collection.objects.link(obj)
    bpy.context.window.scene = other
    other.frame_set(1)
    assert obj.location.length < TOLERANCE_M


def test_a_changed_frame_rate_is_seen_at_once():
    obj = travelling()
    bpy.context.scene.render.fps = 60
    bpy.context.view_layer.update()
    shown = seen_now(obj)
    np.testing.assert_allclose(shown, seen(obj, ON_ITS_WAY), atol=1e-5)
    api.remove_walk(obj)
    assert obj.location.length < TOLERANCE_M


def test_a_file_saved_in_edit_mode_opens_with_the_walk_on(tmp_path: Path):
    obj = walker("Hero")
    before = seen(obj, 9)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.wm.open_mainfile(filepath=saved(tmp_path))
    obj = bpy.data.objects["Hero"]
    assert (obj.neurarig.walk.live, obj.neurarig.walk.error) == (True, "")
    bpy.context.view_layer.objects.active = obj
    if obj.mode == "EDIT":
        bpy.ops.object.mode_set(mode="OBJECT")
    np.testing.assert_allclose(seen(obj, 9), before, atol=1e-5)


def test_a_walker_that_was_given_another_armature_says_so():
    obj = walker("Hero")
    own = obj.data
    other = rigs.build(rigs.biped(), "Other")
    obj.data = other.data.copy()
    bpy.context.scene.frame_set(9)
    assert obj.neurarig.walk.error and "internal" not in obj.neurarig.walk.error
    obj.data = own
    api.resume_walk(obj)
    bpy.context.scene.frame_set(11)
    assert not obj.neurarig.walk.error


def test_legs_whose_switch_a_studio_drives_walk_or_it_is_said():
    obj = rigs.rigify_human()
    obj.pose.bones["torso"]["legs_fk"] = 1.0
    for side in ("L", "R"):
        driver = obj.driver_add(f'pose.bones["thigh_parent.{side}"]["IK_FK"]').driver
        variable = driver.variables.new()
        variable.name, driver.expression = "legs", "legs"
        variable.targets[0].id, variable.targets[0].data_path = obj, 'pose.bones["torso"]["legs_fk"]'
    bpy.context.view_layer.update()
    try:
        report = api.generate_walk(obj, use_network=False)
    except NeuraRigError as refusal:
        assert "IK_FK" in str(refusal) or "slip" in str(refusal)
        return
    slipped = max(side["max"] for side in report["slip_mm"].values())
    assert slipped < 1.0, f"{slipped:.0f} mm, and nothing was said"
    api.remove_walk(obj)
    drivers = [driver for driver in obj.animation_data.drivers if "IK_FK" in driver.data_path]
    assert len(drivers) == 2 and not any(driver.mute for driver in drivers)
