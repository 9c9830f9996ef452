"""Footprints as objects: kept, copied, saved, undone, refused, and removed."""

import json

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.walk.api import prints
from tests.blender.command_line import run
from tests.blender.footprinted import FRAMES, drag, offsets, prints_place, travelling
from tests.blender.walking import played, walker
from tests.refusals import refuses
from tests.rigs import biped, build


def test_remove_walk_takes_our_objects_and_nothing_else():
    obj = travelling()
    handle = prints.take_prints(obj, [("LEFT", 2), ("RIGHT", 2)])[0]
    twin = handle.copy()  # the user's: no print's
    bpy.context.scene.collection.objects.link(twin)
    hung = bpy.data.objects.new("Dust", None)
    bpy.context.scene.collection.objects.link(hung)
    hung.parent = handle
    bpy.context.view_layer.update()
    place = hung.matrix_world.translation.copy()
    drag(twin, 1.0, 0.0, 0.0)
    assert offsets(obj)["LEFT", 2] == (0.0, 0.0, 0.0)
    api.remove_walk(obj)
    bpy.context.view_layer.update()
    assert {obj.name for obj in bpy.data.objects if obj.type == "EMPTY"} == {twin.name, "Dust"}
    assert hung.parent is None and (hung.matrix_world.translation - place).length < 1e-6
    assert "NeuraRig Footprints" not in bpy.data.collections


def test_an_object_that_was_deleted_leaves_the_edit():
    obj = travelling()
    handle = prints.take_prints(obj, [("LEFT", 2)])[0]
    drag(handle, 0.2, 0.0, 0.0)
    bpy.data.objects.remove(handle)
    bpy.context.scene.frame_set(5)
    assert offsets(obj)["LEFT", 2] == (0.0, 0.2, 0.0)
    again = prints.take_prints(obj, [("LEFT", 2)])[0]
    assert np.allclose(again.matrix_world.translation[:2], prints_place(obj, 0, 2)[:2], atol=1e-5)
    prints.put_away_prints(obj)
    assert offsets(obj) and "NeuraRig Footprints" not in bpy.data.collections


def test_prints_go_to_another_character_in_its_size():
    obj, other = travelling(), travelling("Small")
    other.scale = (0.5, 0.5, 0.5)
    bpy.context.view_layer.update()
    prints.edit_print(obj, "LEFT", 2, aside=0.2, yaw=0.3)
    assert prints.copy_prints(obj, other) == 1
    assert offsets(other)["LEFT", 2] == (0.0, 0.1, 0.3)
    with refuses("to itself"):
        prints.copy_prints(obj, obj)


def test_files_and_the_command_line(tmp_path):
    obj = travelling()
    with refuses("no edited footprints"):
        api.save_prints(obj, tmp_path / "prints.json")
    prints.edit_print(obj, "LEFT", 2, aside=0.2)
    live, kept = played(obj, FRAMES), offsets(obj)
    assert api.save_prints(obj, tmp_path / "prints.json") == 1
    prints.reset_prints(obj)
    prints.edit_print(obj, "RIGHT", 1, along=0.1)
    assert api.load_prints(obj, tmp_path / "prints.json") == 1
    assert offsets(obj) == kept and np.abs(played(obj, FRAMES) - live).max() < 1e-5
    (tmp_path / "damaged.json").write_text("{")
    for act in (
        lambda: api.load_prints(obj, tmp_path / "damaged.json"),
        lambda: api.generate_walk(obj, prints=tmp_path / "damaged.json"),
    ):
        with refuses(r"damaged.json': These footprints cannot be used: it is damaged"):
            act()
        assert offsets(obj) == kept
    api.remove_walk(obj)
    prints_file = json.loads((tmp_path / "prints.json").read_text())
    prints_file["prints"][0]["number"] = 3
    (tmp_path / "other.json").write_text(json.dumps(prints_file))
    api.generate_walk(obj, prints=tmp_path / "other.json")
    assert list(offsets(obj)) == [("LEFT", 3)]
    run("walk", "--mode", "travel", "--prints", str(tmp_path / "prints.json"), "--frames", "1", "40")
    assert offsets(obj) == kept


def test_what_a_script_moves_is_taken_in_before_it_asks_for_more():
    obj = travelling()
    handle = prints.take_prints(obj, [("LEFT", 2)])[0]
    handle.location.x += 0.1
    prints.edit_print(obj, "RIGHT", 2, aside=-0.1)
    assert offsets(obj) == {("LEFT", 2): (0.0, 0.1, 0.0), ("RIGHT", 2): (0.0, -0.1, 0.0)}


def test_undo_takes_back_a_drag_and_its_print():
    obj = travelling()
    bpy.context.view_layer.objects.active = obj
    handle = prints.take_prints(obj, [("LEFT", 2)])[0]
    bpy.context.view_layer.update()
    bpy.ops.ed.undo_push(message="Edit Footprints")
    before = played(obj, FRAMES)
    bpy.ops.ed.undo_push(message="Frame")
    drag(handle, 0.2, 0.0, 0.0)
    bpy.ops.ed.undo_push(message="Move")
    assert offsets(obj)["LEFT", 2] == (0.0, 0.2, 0.0)
    bpy.ops.ed.undo()
    obj = bpy.data.objects["Hero"]
    assert offsets(obj)["LEFT", 2] == (0.0, 0.0, 0.0)
    assert np.allclose(played(obj, FRAMES), before, atol=1e-6)
    bpy.ops.ed.redo()
    obj = bpy.data.objects["Hero"]
    assert offsets(obj)["LEFT", 2] == (0.0, 0.2, 0.0)
    bpy.context.view_layer.update()
    assert offsets(obj)["LEFT", 2] == (0.0, 0.2, 0.0)


def test_a_failed_generate_gives_prints_back(tmp_path):
    obj = travelling()
    prints.edit_print(obj, "LEFT", 2, aside=0.2)
    kept, handle = offsets(obj), prints.take_prints(obj, [("LEFT", 2)])[0]
    (tmp_path / "prints.json").write_text(
        '{"format": "neurarig-prints", "version": 1, "prints": [{"side": "right", "number": 1}]}'
    )
    with refuses():
        api.generate_walk(obj, prints=tmp_path / "prints.json", mode="PATH", path=None)
    assert offsets(obj) == kept
    assert handle is not None


def test_refusals_are_sentences_and_change_nothing():
    obj = walker()
    for act, words in (
        (lambda: prints.take_prints(obj), "walks in place"),
        (lambda: prints.edit_print(obj, "MIDDLE", 2), "LEFT, RIGHT"),
        (lambda: prints.edit_print(obj, "LEFT", 2, colour=1), "has no 'colour'"),
        (lambda: prints.edit_print(obj, "LEFT", 2, aside=float("nan")), "must be a number"),
        (lambda: prints.edit_print(obj, "LEFT", 2, yaw=90.0), "must be a number"),
        (lambda: prints.mirror_prints(obj, [("LEFT", 2)]), "not editing that footprint"),
        (lambda: prints.edit_print(build(biped(), "Other"), "LEFT", 2), "has no walk"),
    ):
        with refuses(words):
            act()
    assert not obj.neurarig.walk.prints and "NeuraRig Footprints" not in bpy.data.collections


def test_the_buttons():
    obj = travelling()
    bpy.context.scene.frame_end = 60
    bpy.context.view_layer.objects.active = obj
    bpy.context.scene.frame_set(20)
    assert bpy.ops.neurarig.edit_footprints() == {"FINISHED"}
    assert len(obj.neurarig.walk.prints) == 2 and obj.neurarig.walk.show_footprints
    active = bpy.context.view_layer.objects.active
    assert active.select_get() and active.type == "EMPTY"
    assert bpy.ops.neurarig.neighbour_footprints() == {"FINISHED"}
    assert len(obj.neurarig.walk.prints) == 4
    drag(active, 0.1, 0.0, 0.0)
    assert bpy.ops.neurarig.mirror_footprints() == {"FINISHED"}
    assert bpy.ops.neurarig.lay_footprints() == {"FINISHED"}
    with pytest.raises(RuntimeError, match="Select the characters"):
        bpy.ops.neurarig.copy_footprints()
    assert bpy.ops.neurarig.put_away_footprints() == {"FINISHED"}
    assert bpy.context.view_layer.objects.active == obj and obj.neurarig.walk.prints
    with pytest.raises(RuntimeError, match="Select the object of a footprint"):
        bpy.ops.neurarig.reset_footprints()
    assert bpy.ops.neurarig.edit_footprints(which="RANGE") == {"FINISHED"}
    assert len(obj.neurarig.walk.prints) > 4
    assert bpy.ops.neurarig.reset_footprints(every=True) == {"FINISHED"}
    assert not obj.neurarig.walk.prints and obj.neurarig.walk.error == ""


@pytest.mark.parametrize(
    "act", [prints.reset_prints, prints.mirror_prints, prints.lay_prints], ids=lambda act: act.__name__
)
def test_who_does_not_walk_has_no_prints_to_edit(act):
    obj = build(biped(), "Hero")
    with refuses("has no walk"):
        act(obj, [("LEFT", 2)])
    assert not obj.neurarig.walk.prints
