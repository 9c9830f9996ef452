"""Names of version 0.1: scripts go on with a warning; files, keys and drivers are carried over."""

import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

import neurarig_addon
from neurarig_addon.blender import api, old_names
from neurarig_addon.blender.animation import compat
from neurarig_addon.blender.character import kept
from neurarig_addon.blender.character.bakes import BAKE_TRACK
from neurarig_addon.blender.character.record import CLIP, POSE, WALK
from neurarig_addon.blender.character.state import State, state_of
from tests.blender.aging import age_attachment, age_settings
from tests.blender.retargeting import actor
from tests.blender.walking import moved_feet, seen_now
from tests.rigs import biped, build

pytestmark = pytest.mark.usefixtures("addon")


def reopened(tmp_path: Path) -> bpy.types.Object:
    """Save the file, open it again and return its character."""
    path = str(tmp_path / "old.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    return bpy.data.objects["Hero"]


CHANGED = [("speed", 0.75), ("mode", "TRAVEL"), ("live", True), ("start_frame", 7.0), ("preset", "Brisk"), ("layer_parts", {"HEAD"})]


@pytest.mark.parametrize("name, value", CHANGED)
def test_an_old_name_is_the_new_one_with_a_warning(name: str, value: Any) -> None:
    obj = build(biped(), "Hero")
    with pytest.warns(DeprecationWarning, match=rf"neurarig\.walk\.{name}"):
        setattr(obj.neurarig, name, value)
    assert getattr(obj.neurarig.walk, name) == getattr(obj.neurarig, name) == value


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_every_old_name_reads_as_the_new_one(capfd: pytest.CaptureFixture) -> None:
    obj = build(biped(), "Hero")
    for name in old_names.NAMES:
        old, new = getattr(obj.neurarig, name), getattr(obj.neurarig.walk, name)
        assert old is new or old == new or list(old) == list(new), name
    assert "Traceback" not in capfd.readouterr().err


def test_each_old_name_warns_once() -> None:
    obj = build(biped(), "Hero")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(3):
            obj.neurarig.energy = obj.neurarig.energy + 0.1
    assert len(caught) == 1


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_every_setting_of_the_walk_has_its_old_name() -> None:
    obj = build(biped(), "Hero")
    for name in old_names.NAMES:
        found, expected = getattr(obj.neurarig, name), getattr(obj.neurarig.walk, name)
        if hasattr(expected, "__len__") and not isinstance(expected, str | set):
            assert len(found) == len(expected)
        else:
            assert found == expected, name


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_choice_of_several_has_its_old_name_too(capfd: pytest.CaptureFixture) -> None:
    own = build(biped(), "Hero").neurarig
    own.walk.layer_parts = {"HEAD", "LEFT_ARM"}
    assert own.layer_parts == {"HEAD", "LEFT_ARM"}
    own.layer_parts = {"TRUNK", "HEAD"}
    assert own.walk.layer_parts == own.layer_parts == {"TRUNK", "HEAD"}
    assert "Traceback" not in "".join(capfd.readouterr())


def test_a_file_of_the_old_version_walks_on(tmp_path: Path) -> None:
    obj = build(biped(), "Hero")
    api.generate_walk(obj, profile="Plain Biped", mode="TRAVEL", energy=0.25)
    for frame, speed in ((1, 0.6), (60, 1.8)):
        obj.neurarig.walk.speed = speed
        obj.neurarig.walk.keyframe_insert("speed", frame=frame)
    api.use_profile(obj, "Plain Biped", **{obj.neurarig.walk.profile_constants[0].name: obj.neurarig.walk.profile_constants[0].high})
    bpy.context.scene.frame_set(40)
    place, constant = obj.location.copy(), obj.neurarig.walk.profile_constants[0].value
    age_settings(obj)
    obj = reopened(tmp_path)
    walk = obj.neurarig.walk
    assert (walk.mode, walk.gait_source, walk.live) == ("TRAVEL", "PROFILE", True)
    assert walk.energy == pytest.approx(0.25) and walk.profile_constants[0].value == constant
    assert (obj.location - place).length < 1e-5
    curves = compat.find_channels(*compat.assigned(obj.animation_data))
    assert [curve.data_path for curve in curves] == ["neurarig.walk.speed"]
    assert not set(old_names.NAMES) & set(compat.stored(obj.neurarig).keys())
    assert moved_feet(obj) > 0.01


def test_drivers_of_the_old_version_go_on(tmp_path: Path) -> None:
    obj = build(biped(), "Hero")
    api.generate_walk(obj)
    other = bpy.data.objects.new("Gauge", None)
    bpy.context.scene.collection.objects.link(other)
    age_settings(obj)
    obj.neurarig.walk.speed = 1.25  # so that something is stored on the new name too
    compat.stored(obj.neurarig)["energy"] = 0.5
    variable = other.driver_add("location", 0).driver.variables.new()
    variable.targets[0].id, variable.targets[0].data_path = obj, "neurarig.energy"
    other.animation_data.drivers[0].driver.type = "SUM"
    obj = reopened(tmp_path)
    driver = bpy.data.objects["Gauge"].animation_data.drivers[0].driver
    assert driver.variables[0].targets[0].data_path == "neurarig.walk.energy"
    bpy.context.view_layer.update()
    assert bpy.data.objects["Gauge"].matrix_world.translation.x == pytest.approx(0.5)


@pytest.mark.parametrize("update", [lambda: bpy.context.view_layer.update(), lambda: bpy.context.scene.frame_set(4)], ids=["edit", "frame"])
def test_a_script_that_keys_or_drives_an_old_name_does_so_to_the_new_one(update: Callable[[], None]) -> None:
    obj = build(biped(), "Hero")
    api.generate_walk(obj)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        obj.neurarig.keyframe_insert("crouch", frame=4)
        obj.driver_add("neurarig.lean").driver.expression = "frame"
        update()
    curves = compat.find_channels(*compat.assigned(obj.animation_data))
    assert [curve.data_path for curve in curves] == ["neurarig.walk.crouch"]
    driven = {driver.data_path for driver in obj.animation_data.drivers}
    assert "neurarig.walk.lean" in driven and "neurarig.lean" not in driven


@pytest.mark.parametrize("name, value", [("mode", 77), ("speed", "fast"), ("profile_constants", 3)])
def test_damaged_settings_of_the_old_version_are_the_defaults(tmp_path: Path, name: str, value: Any) -> None:
    obj = build(biped(), "Hero")
    compat.stored(obj.neurarig)[name] = value
    compat.stored(obj.neurarig)["energy"] = 0.5
    walk = reopened(tmp_path).neurarig.walk
    assert walk.energy == pytest.approx(0.5) and not walk.is_property_set(name)
    json.dumps(api.generate_walk(bpy.data.objects["Hero"]))


@pytest.mark.parametrize("controls", ["FK", "IK"])
@pytest.mark.parametrize("holder", [WALK, CLIP, POSE])
def test_a_character_attached_by_the_old_version_goes_on_and_is_given_back(tmp_path: Path, holder: str, controls: str) -> None:
    source, _ = actor()
    obj = build(biped(), "Hero")
    bones = sorted(obj.data.bones.keys())
    obj.pose.bones["LeftArm"].keyframe_insert("rotation_quaternion", frame=1)
    obj.animation_data.action.name = "Wave"
    track = obj.animation_data.nla_tracks.new()
    track.name = "Mine"
    wave, slot = compat.assigned(obj.animation_data)
    compat.assign(track.strips.new("Wave", 1, wave), wave, slot)
    if holder == WALK:
        api.generate_walk(obj, mode="TRAVEL", controls="FK" if controls == "FK" else "AUTO")
    elif holder == CLIP:
        api.link_retarget(obj, source=source, controls=controls, root="OBJECT")
    else:
        api.pose_targets(obj, controls=controls)
    bpy.context.scene.frame_set(20)
    shown = seen_now(obj)
    age_attachment(obj, holder)
    obj = reopened(tmp_path)
    assert state_of(obj) is State.LIVE and obj.neurarig.holders == {holder}
    assert [track.name for track in obj.animation_data.nla_tracks] == ["Mine"]
    assert abs(seen_now(obj) - shown).max() < 1e-5
    told = {WALK: api.remove_walk, CLIP: api.remove_retarget, POSE: api.remove_targets}[holder](obj)
    assert told == [] and sorted(obj.data.bones.keys()) == bones
    assert not [constraint for bone in obj.pose.bones for constraint in bone.constraints]
    assert obj.animation_data.action.name == "Wave" and not obj.animation_data.nla_tracks["Mine"].mute
    assert obj.location.length < 1e-5


def test_of_baked_tracks_of_the_old_version_only_those_it_made_are_ours(tmp_path: Path) -> None:
    """Who has put a bake onto a track of his own keeps that track."""
    obj = build(biped(), "Hero")
    api.generate_walk(obj, use_network=False)
    action = api.bake_walk(obj, frame_start=1, frame_end=8, push_nla=True)
    own = obj.animation_data.nla_tracks.new()
    own.name = "Shots"
    compat.assign(own.strips.new("Walk", 40, action), action, compat.slot_of_handle(action, obj.neurarig.kept[-1].slot))
    age_attachment(obj, WALK)
    name = action.name
    obj = reopened(tmp_path)
    assert [item.track for item in kept.of_kind(obj, kept.BAKE)] == [BAKE_TRACK]
    api.remove_walk(obj)
    assert obj.animation_data.nla_tracks["Shots"].strips[0].action.name == name


def test_the_old_names_of_attachments_go_on() -> None:
    obj = build(biped(), "Hero")
    api.pose_targets(obj)
    with pytest.warns(DeprecationWarning, match=r"neurarig\.attachment"):
        assert obj.neurarig.neural_pose.attachment == obj.neurarig.attachment
        assert obj.neurarig.retarget.attachment == ""


@pytest.mark.parametrize("reads", ["frame", "edit"])
def test_a_file_that_is_open_while_the_new_version_comes_walks_on(reads: str) -> None:
    """Blender shows nobody its file while it enables an add-on."""
    obj = build(biped(), "Hero")
    api.generate_walk(obj, use_network=False, speed=0.8)
    bpy.context.scene.frame_set(9)
    expected = seen_now(obj)
    bpy.context.scene.frame_set(1)
    age_settings(obj)
    neurarig_addon.unregister()
    with pytest.MonkeyPatch.context() as blender:
        blender.setattr(bpy, "data", object())
        neurarig_addon.register()
    if reads == "edit":
        obj.location.x = 0.0
        bpy.context.view_layer.update()
        assert obj.neurarig.walk.speed == pytest.approx(0.8)
    bpy.context.scene.frame_set(9)
    assert obj.neurarig.walk.live and np.abs(seen_now(obj) - expected).max() < 1e-5
