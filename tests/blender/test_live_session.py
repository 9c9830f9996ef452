"""What a session brings to characters that walk: files, copies, new names, deletion, undo."""

from pathlib import Path

import bpy
import numpy as np
import pytest

import neurarig_addon
from neurarig_addon.blender import api
from neurarig_addon.blender.live import memory
from neurarig_addon.blender.live.memory import Memory, forget_deleted
from tests.blender.walking import moved_feet, played, seen, seen_now, walker
from tests.rigs import biped, build

FRAMES = list(range(1, 41))
SAME = 1e-5  # metres


def test_save_and_load(tmp_path: Path):
    obj = walker(mode="TRAVEL", speed=1.2)
    before = played(obj, FRAMES)
    bpy.context.scene.frame_set(17)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "walk.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "walk.blend"))
    obj = bpy.data.objects["Hero"]
    assert np.abs(seen_now(obj) - before[16]).max() < SAME
    assert np.abs(played(obj, FRAMES) - before).max() < SAME


def test_append(tmp_path: Path):
    before = played(walker(), FRAMES[:20])
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "walk.blend"))
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    with bpy.data.libraries.load(str(tmp_path / "walk.blend")) as (_, wanted):
        wanted.objects = ["Hero"]
    bpy.context.scene.collection.objects.link(wanted.objects[0])
    assert np.abs(played(wanted.objects[0], FRAMES[:20]) - before).max() < SAME


@pytest.mark.parametrize("mode", ["IN_PLACE", "TRAVEL"])
def test_duplicates_walk_too(mode):
    obj = walker(mode=mode)
    seen(obj, 7)
    bpy.ops.object.duplicate()
    copy = bpy.context.object
    assert copy != obj
    copy.location.x += 2.0
    bpy.context.view_layer.update()
    for frame in (12, 3):
        assert np.abs(seen(copy, frame) - seen(obj, frame) - [2.0, 0.0, 0.0]).max() < SAME


def test_duplicates_that_share_their_bones_walk_at_their_own_speed():
    obj = walker(mode="TRAVEL", travel_with="OBJECT")
    bpy.ops.object.duplicate(linked=True)
    copy = bpy.context.object
    copy.neurarig.walk.speed = 0.7
    seen(obj, 49)
    assert copy.location.y > obj.location.y + 0.5


def test_undo_and_redo_bring_back_walk_and_place():
    obj = walker(mode="TRAVEL")
    before = played(obj, FRAMES[:20])
    bpy.context.scene.frame_set(9)
    bpy.ops.ed.undo_push(message="Walk")
    obj.location.x += 1.0
    obj.neurarig.walk.crouch = 0.3
    bpy.context.view_layer.update()
    bpy.ops.ed.undo_push(message="Crouch, aside")
    crouched = played(obj, FRAMES[:20])
    assert np.abs(crouched - before).max() > 0.9
    bpy.ops.ed.undo()
    obj = bpy.data.objects["Hero"]
    assert np.abs(played(obj, FRAMES[:20]) - before).max() < SAME
    bpy.ops.ed.redo()
    assert np.abs(played(bpy.data.objects["Hero"], FRAMES[:20]) - crouched).max() < SAME


@pytest.mark.parametrize("controls", ["AUTO", "FK"])
def test_a_copy_made_by_a_script_looks_to_itself(controls):
    """Its constraints still name the original then, which may go."""
    obj = walker(controls=controls)
    copy = obj.copy()
    copy.data = obj.data.copy()
    bpy.context.scene.collection.objects.link(copy)
    copy.location.x += 3.0
    bpy.context.view_layer.update()
    bpy.context.scene.frame_set(7)
    targets = {
        getattr(constraint, name)
        for bone in copy.pose.bones
        for constraint in bone.constraints
        for name in ("target", "pole_target")
        if getattr(constraint, name, None) is not None
    }
    assert targets <= {copy}
    bpy.data.objects.remove(obj)
    assert moved_feet(copy) > 0.1 and not copy.neurarig.walk.error


def test_what_is_remembered_of_one_or_all_is_forgotten():
    known, one, other = Memory(), build(biped(), "One"), build(biped(), "Other")
    known[one], known[other] = 1, 2
    one.name = "Renamed"
    assert known.get(one) == 1
    known.forget(one)
    assert (len(known), known.get(one), known.get(other)) == (1, None, 2)
    known.forget()
    assert len(known) == 0 and known.get(other) is None


def test_what_is_remembered_of_those_that_are_gone_is_forgotten():
    known, one, other = Memory(), build(biped(), "One"), build(biped(), "Other")
    known[one], known[other] = 1, 2
    bpy.data.objects.remove(one)
    forget_deleted()
    assert known.values() == [2]


@pytest.mark.parametrize("end", ["another file", "disabled"])
def test_nothing_is_remembered_of_a_file_that_was_closed_or_of_a_disabled_add_on(end: str):
    obj = walker(mode="TRAVEL", look=1.0)
    bpy.context.scene.frame_set(9)
    follower, target = build(biped(), "Follower"), build(biped(), "Poser")
    api.link_retarget(follower, source=obj)
    api.pose_targets(target, ["wrist.L"])
    bpy.context.scene.frame_set(12)
    assert sum(map(len, memory._all)) > 3
    if end == "disabled":
        neurarig_addon.unregister()
    else:
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    try:
        assert not sum(map(len, memory._all))
    finally:
        if end == "disabled":
            neurarig_addon.register()
