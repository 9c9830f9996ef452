"""Added steps: one more where it is asked for, dragged like any print, saved, copied, undone, and taken out
without a trace."""

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.walk.source import source as walk_source
from tests.blender import leading
from tests.blender.command_line import run
from tests.blender.walking import played, walker
from tests.refusals import refuses

FRAMES = range(1, 240, 5)


def travelling(name: str = "Hero", **settings) -> bpy.types.Object:
    return walker(name, **{"mode": "TRAVEL", "speed": 1.2, **settings})


def kept(obj: bpy.types.Object) -> dict:
    return {(item.side, item.number): (round(item.aside, 5), item.added) for item in obj.neurarig.walk.prints}


def strides(obj: bpy.types.Object, frame: float = 170.0) -> float:
    walk = walk_source.source_of(obj, bpy.context.scene)
    return float(walk.walker.rhythm.phase_at(walk.clock.seconds(np.array([frame])))[0])


def test_a_step_more_and_what_comes_after_it_keeps_its_edit():
    obj = travelling()
    before, were = played(obj, FRAMES), strides(obj)
    early, late = api.take_prints(obj, [("LEFT", 2), ("RIGHT", 6)])
    late.location.x += 0.1
    bpy.context.view_layer.update()
    edited = played(obj, FRAMES)
    assert api.add_print(obj, "LEFT", 3) == ("LEFT", 4)
    assert kept(obj) == {("LEFT", 2): (0.0, False), ("RIGHT", 7): (0.1, False), ("LEFT", 4): (0.0, True)}
    assert late.name == "Hero Right 7" and early.name == "Hero Left 2"
    assert strides(obj) == pytest.approx(were + 1.0)
    after = played(obj, FRAMES)
    assert np.abs(after - edited)[-6:].max() < 1e-5, "what comes later is as it was"
    assert np.abs(after - edited).max() > 0.1
    handle = api.take_prints(obj, [("LEFT", 4)])[0]
    handle.location.x += 0.05
    bpy.context.view_layer.update()
    assert kept(obj)["LEFT", 4] == (0.05, True)
    assert api.reset_prints(obj, [("LEFT", 4)]) == 1
    assert kept(obj) == {("LEFT", 2): (0.0, False), ("RIGHT", 6): (0.1, False)}
    assert late.name == "Hero Right 6"
    assert np.abs(played(obj, FRAMES) - edited).max() < 1e-6
    api.reset_prints(obj)
    assert np.array_equal(played(obj, FRAMES), before)


def test_feet_stay_on_the_ground_of_a_path_with_a_step_more():
    hill = leading.sheet("Hill", lambda x, y: 0.05 * np.sin(1.3 * x) * np.cos(1.1 * y), 20.0, 60)
    path = leading.curve([(0.0, 0.0), (0.5, -4.0), (0.0, -9.0)], "BEZIER")
    obj = travelling(mode="PATH", path=path, ground=hill)
    api.add_print(obj, "RIGHT", 4)
    report = api.contact_report(obj, (1, 140))
    assert max(side["max"] for side in report["slip_mm"].values()) < 0.5
    assert report["penetration_mm"] < 1.0


def test_the_button_adds_after_the_selected_print_or_at_the_playhead():
    obj = travelling()
    bpy.context.view_layer.objects.active = obj
    bpy.context.scene.frame_set(60)
    assert bpy.ops.neurarig.add_footprint() == {"FINISHED"}
    (added,) = obj.neurarig.walk.prints
    active = bpy.context.view_layer.objects.active
    assert added.added and added.object == active and obj.neurarig.walk.show_footprints
    side, number = added.side, added.number
    assert bpy.ops.neurarig.add_footprint() == {"FINISHED"}
    assert kept(obj) == {(side, number): (0.0, True), (side, number + 1): (0.0, True)}
    assert bpy.ops.neurarig.reset_footprints() == {"FINISHED"}
    assert kept(obj) == {(side, number): (0.0, True)}
    assert obj.neurarig.walk.error == ""


def test_added_steps_survive_files_undo_copies_and_bakes(tmp_path):
    obj = travelling()
    bpy.context.view_layer.objects.active = obj
    bpy.ops.ed.undo_push(message="Walk")
    were = strides(obj)
    api.add_print(obj, "LEFT", 3)
    api.edit_print(obj, "LEFT", 4, aside=0.1)
    bpy.ops.ed.undo_push(message="Add Step")
    live, known = played(obj, FRAMES), kept(obj)
    copy = obj.copy()
    copy.data = obj.data.copy()
    bpy.context.scene.collection.objects.link(copy)
    bpy.context.view_layer.update()
    assert kept(copy) == known and strides(copy) == pytest.approx(were + 1.0)
    bpy.data.objects.remove(copy)
    assert api.save_prints(obj, tmp_path / "prints.json") == 1
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "steps.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "steps.blend"))
    obj = bpy.data.objects["Hero"]
    assert kept(obj) == known and np.abs(played(obj, FRAMES) - live).max() < 1e-6
    api.reset_prints(obj)
    assert strides(obj) == pytest.approx(were)
    assert api.load_prints(obj, tmp_path / "prints.json") == 1
    assert kept(obj) == known and np.abs(played(obj, FRAMES) - live).max() < 1e-5
    api.bake_walk(obj, frame_start=1, frame_end=239, target="LAYER")
    assert np.abs(played(obj, FRAMES) - live).max() < 1e-5


def test_undo_is_one_step():
    obj = travelling()
    bpy.context.view_layer.objects.active = obj
    api.edit_print(obj, "RIGHT", 6, aside=0.1)
    bpy.ops.ed.undo_push(message="Edit")
    before = kept(obj)
    assert bpy.ops.neurarig.add_footprint("EXEC_DEFAULT", True) == {"FINISHED"}
    assert len(kept(bpy.data.objects["Hero"])) == 2
    bpy.ops.ed.undo()
    assert kept(bpy.data.objects["Hero"]) == before


def test_a_run_of_prints_goes_to_another_character_with_its_added_steps():
    obj, other = travelling(), travelling("Small")
    other.scale = (0.5, 0.5, 0.5)
    bpy.context.view_layer.update()
    api.add_print(obj, "LEFT", 3)
    api.edit_print(obj, "RIGHT", 5, aside=0.2)
    api.edit_print(other, "LEFT", 6, aside=0.05)
    were = strides(other)
    assert api.copy_prints(obj, other) == 2
    assert kept(other) == {("LEFT", 7): (0.05, False), ("LEFT", 4): (0.0, True), ("RIGHT", 5): (0.1, False)}
    assert strides(other) == pytest.approx(were + 1.0)


def test_the_command_line_reads_them(tmp_path):
    obj = travelling()
    api.add_print(obj, "LEFT", 3)
    api.save_prints(obj, tmp_path / "prints.json")
    api.reset_prints(obj)
    api.remove_walk(obj)
    run("walk", "--mode", "travel", "--prints", str(tmp_path / "prints.json"), "--frames", "1", "40")
    assert kept(obj) == {("LEFT", 4): (0.0, True)}


def test_refusals_are_sentences_and_change_nothing():
    path = leading.curve([(0.0, 0.0), (0.0, -5.0)], "POLY")
    obj = travelling(mode="PATH", path=path, start_standing=True)
    api.edit_print(obj, "RIGHT", 3, aside=0.1)
    before = kept(obj)
    skips = travelling("Skips", gait="SKIP")
    for act, words in (
        (lambda: api.add_print(obj, "LEFT", 60), "no room for a step before the left print 61"),
        (lambda: api.add_print(obj, "MIDDLE", 2), "LEFT, RIGHT"),
        (lambda: api.add_print(obj, "LEFT", 2.5), "not a step number"),
        (lambda: api.edit_print(obj, "LEFT", 2, added=True), "Use add_print"),
        (lambda: api.add_print(skips, "LEFT", 3), "A skip, gallop or hop cannot take one more step"),
    ):
        with refuses(words):
            act()
    assert kept(obj) == before and not kept(skips)


def test_a_step_that_has_no_room_any_more_is_told():
    path = leading.curve([(0.0, 0.0), (0.0, -12.0)], "POLY")
    obj = travelling(mode="PATH", path=path)
    api.add_print(obj, "LEFT", 6)
    assert walk_source.source_of(obj, bpy.context.scene).lacks_room == ()
    path.data.splines[0].points[1].co.y = -4.0
    path.data.update_tag()
    bpy.context.view_layer.update()
    assert walk_source.source_of(obj, bpy.context.scene).lacks_room == (
        "The walk has no room for the added left print 7. Reset it.",
    )
    assert obj.neurarig.walk.error == "" and len(kept(obj)) == 1
