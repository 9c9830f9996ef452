"""Footprints in hand: dragged, carried, copied, baked, saved, taken away; feet elsewhere stay to the bit."""

import json

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.animation import compat
from neurarig_addon.blender.walk import source as walk_source
from neurarig_addon.blender.walk.footprints import api as prints
from neurarig_addon.blender.walk.footprints import shown
from neurarig_addon.core.errors import NeuraRigError
from tests.blender.command_line import run
from tests.blender.walking import played, seen, walker
from tests.rigs import biped, build

pytestmark = pytest.mark.usefixtures("addon")

FRAMES = range(1, 140, 3)
FEET = ["LeftFoot", "RightFoot"]


def travelling(name: str = "Hero", **settings) -> bpy.types.Object:
    return walker(name, **{"mode": "TRAVEL", "speed": 1.2, **settings})


def drag(handle: bpy.types.Object, *by: float, turn: float = 0.0) -> None:
    """Move and turn an object as a transform does, and let Blender tell of it."""
    handle.location = [a + b for a, b in zip(handle.location, by, strict=True)]
    handle.rotation_euler.z += turn
    bpy.context.view_layer.update()


def offsets(obj: bpy.types.Object) -> dict:
    return {(item.side, item.number): (round(item.along, 5), round(item.aside, 5), round(item.yaw, 5)) for item in obj.neurarig.walk.prints}


def touch_frame(obj: bpy.types.Object, side: int, number: int) -> float:
    pace = walk_source.source_of(obj, bpy.context.scene).walker.rhythm
    return 1.0 + 24.0 * float(pace.seconds_when(np.full((1, 2), float(number)))[0, side])


def ball(obj: bpy.types.Object, frame: float, side: int = 0) -> np.ndarray:
    return seen(obj, frame, [FEET[side]])[0, 1]


def test_a_dragged_print_takes_its_foot_along_and_nothing_else():
    obj = travelling()
    before = played(obj, FRAMES)
    handle = prints.take_prints(obj, [("LEFT", 2)])[0]
    assert np.array_equal(played(obj, FRAMES), before), "taking a print in hand changes nothing"
    touch = touch_frame(obj, 0, 2)
    stood = ball(obj, touch + 8)
    drag(handle, 0.15, -0.05, 0.0)  # the character faces -Y
    assert offsets(obj)["LEFT", 2] == (0.05, 0.15, 0.0)
    assert np.allclose(ball(obj, touch + 8) - stood, [0.15, -0.05, 0.0], atol=2e-5)
    changed = (played(obj, FRAMES) != before).reshape(len(FRAMES), -1).any(axis=1)
    at = np.array(FRAMES)
    cycle = touch_frame(obj, 0, 3) - touch
    assert changed[(at > touch - 0.2 * cycle) & (at < touch + cycle)].all()
    assert not changed[(at < touch - 0.5 * cycle) | (at > touch + cycle)].any()


def test_a_print_that_hangs_on_something_goes_along():
    obj = travelling()
    handle = prints.take_prints(obj, [("RIGHT", 1)])[0]
    crate = bpy.data.objects.new("Crate", None)
    bpy.context.scene.collection.objects.link(crate)
    handle.parent = crate
    bpy.context.view_layer.update()
    crate.location.x = -0.1
    bpy.context.view_layer.update()
    assert offsets(obj)["RIGHT", 1] == (0.0, -0.1, 0.0)
    obj.neurarig.walk.speed = 1.0
    assert np.isclose(handle.matrix_world.translation.y, prints_place(obj, 1, 1)[1], atol=1e-5), "it stays where it hangs"


@pytest.mark.parametrize("by_parent", [False, True], ids=["keys", "hung"])
def test_a_print_that_moves_by_itself_is_where_it_is_as_the_foot_touches_it(by_parent):
    obj = travelling()
    handle = prints.take_prints(obj, [("LEFT", 2)])[0]
    touch, planned = touch_frame(obj, 0, 2), ball(obj, touch_frame(obj, 0, 2) + 8)
    moved = handle
    if by_parent:
        moved = handle.parent = bpy.data.objects.new("Crate", None)
        bpy.context.scene.collection.objects.link(moved)
    start = moved.location.x
    for frame, away in ((touch - 10.0, 0.0), (touch + 10.0, 0.1), (touch + 30.0, 0.4)):
        moved.location.x = start + away
        moved.keyframe_insert("location", index=0, frame=frame)
    curve = compat.find_channels(*compat.assigned(moved.animation_data))[0]
    for key in curve.keyframe_points:
        key.interpolation = "LINEAR"
    moved.animation_data.action.update_tag()
    bpy.context.view_layer.update()
    aside = pytest.approx(0.05, abs=2e-4)
    assert ball(obj, touch + 8)[0] - planned[0] == aside
    assert ball(obj, touch + 5)[0] - planned[0] == aside, "where it stands it stays"
    forwards = played(obj, FRAMES)
    assert np.array_equal(played(obj, FRAMES[::-1])[::-1], forwards)
    bpy.context.scene.frame_set(5)
    for key in curve.keyframe_points:
        key.co.y += 0.1
    moved.animation_data.action.update_tag()
    bpy.context.view_layer.update()
    assert ball(obj, touch + 8)[0] - planned[0] == pytest.approx(0.15, abs=2e-4)


def prints_place(obj: bpy.types.Object, side: int, number: int) -> np.ndarray:
    """Return where a print is drawn."""
    found = shown.shown(obj, bpy.context.scene, walk_source.source_of(obj, bpy.context.scene))
    return found.places[found.keys.index((side, number))]


def test_path_and_speed_carry_prints_and_their_objects():
    obj = travelling()
    handle = prints.take_prints(obj, [("LEFT", 3)])[0]
    drag(handle, 0.2, 0.0, 0.0, turn=0.4)
    kept, place = offsets(obj), handle.matrix_world.translation.copy()
    for change in ({"speed": 0.9}, {"stride": 1.2}):
        for name, value in change.items():
            setattr(obj.neurarig.walk, name, value)
        assert offsets(obj) == kept
        assert abs(handle.matrix_world.translation.y - place.y) > 0.1
        assert np.allclose(handle.matrix_world.translation[:2], prints_place(obj, 0, 3)[:2], atol=1e-5)
    obj.location = (2.0, 1.0, 0.0)
    bpy.context.view_layer.update()
    assert offsets(obj) == kept and handle.matrix_world.translation.x > 2.0


def test_a_print_on_ground_lies_on_it_wherever_it_is_dragged():
    mesh = bpy.data.meshes.new("Hill")
    mesh.from_pydata([(-5, -9, 0), (5, -9, 1), (5, 2, 1), (-5, 2, 0)], [], [(0, 1, 2, 3)])
    hill = bpy.data.objects.new("Hill", mesh)
    bpy.context.scene.collection.objects.link(hill)
    obj = travelling(ground=hill)
    handle = prints.take_prints(obj, [("LEFT", 2)])[0]
    item = obj.neurarig.walk.prints[0]
    assert item.on_ground
    drag(handle, 0.3, 0.0, 0.5)
    assert item.height == 0.0 and abs(prints_place(obj, 0, 2)[2] - (0.5 + 0.1 * prints_place(obj, 0, 2)[0])) < 0.01
    item.on_ground = False
    drag(handle, 0.0, 0.0, 0.1)
    assert 0.5 < item.height < 0.65
    prints.lay_prints(obj, [("LEFT", 2)])
    assert item.height == 0.0 and abs(handle.location.z - (0.5 + 0.1 * handle.location.x)) < 0.02


def test_a_foot_stays_retimed_and_mirrored_by_settings():
    obj = travelling()
    prints.take_prints(obj, [("LEFT", 2), ("RIGHT", 3)])
    item = obj.neurarig.walk.prints[0]
    item.held = True
    at = [touch_frame(obj, 0, 2) - 2.0, touch_frame(obj, 0, 2) + 6.0]
    assert np.allclose(ball(obj, at[0]), ball(obj, at[1]), atol=1e-5)
    item.held, item.touch, item.aside = False, 5.0, 0.1
    assert prints.mirror_prints(obj, [("LEFT", 2)]) == 1
    mirrored = next(other for other in obj.neurarig.walk.prints if other.side == "RIGHT" and other.number == 2)
    assert np.allclose([mirrored.aside, mirrored.touch], [-0.1, 5.0])
    assert prints.reset_prints(obj, [("LEFT", 2)]) == 1 and len(obj.neurarig.walk.prints) == 2


def test_a_baked_walk_has_the_prints():
    obj = travelling()
    prints.edit_print(obj, "LEFT", 2, aside=0.2, yaw=0.3, touch=0.04)
    prints.edit_print(obj, "RIGHT", 2, height=0.1)
    live = played(obj, FRAMES)
    with pytest.raises(NeuraRigError, match="edited footprints does not repeat"):
        api.bake_walk(obj, loop=True)
    api.bake_walk(obj, frame_start=1, frame_end=139)
    assert np.abs(played(obj, FRAMES) - live).max() < 2e-5


def test_a_print_is_turned_on_the_ball_live_and_in_every_bake():
    obj = travelling()
    prints.edit_print(obj, "LEFT", 2, ball_pivot=0.7)
    touch = touch_frame(obj, 0, 2)
    stands = [frame for frame in range(1, 140) if touch + 5.0 < frame < touch + 13.0]
    live = played(obj, stands, FEET)
    heels, balls = live[:, 0, 0], live[:, 0, 1]
    assert np.ptp(balls[:, :2], axis=0).max() < 1e-4 < 0.05 < np.ptp(heels[:, :2], axis=0).max()
    report = api.contact_report(obj, (1, 139))
    assert report["slip_mm"]["L"]["max"] < 0.05 and "penetration_mm" not in report["past_limits"]
    for keys, most, slips in (("DENSE", 2e-5, 1e-4), ("EDITABLE", 6e-3, 1.5e-3)):
        api.bake_walk(obj, frame_start=1, frame_end=139, keys=keys)
        baked = played(obj, stands, FEET)
        assert np.abs(baked - live).max() < most and np.ptp(baked[:, 0, 1, :2], axis=0).max() < slips, keys


def test_prints_survive_a_file(tmp_path):
    obj = travelling()
    drag(prints.take_prints(obj, [("LEFT", 2)])[0], 0.2, 0.0, 0.0)
    live, kept = played(obj, FRAMES), offsets(obj)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "prints.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "prints.blend"))
    obj = bpy.data.objects["Hero"]
    assert offsets(obj) == kept and np.abs(played(obj, FRAMES) - live).max() < 1e-6
    drag(obj.neurarig.walk.prints[0].object, 0.1, 0.0, 0.0)
    assert offsets(obj)["LEFT", 2] == (0.0, 0.3, 0.0)


def test_a_copy_has_prints_of_its_own():
    obj = travelling()
    handle = prints.take_prints(obj, [("LEFT", 2)])[0]
    drag(handle, 0.2, 0.0, 0.0)
    copy = obj.copy()
    copy.data = obj.data.copy()
    bpy.context.scene.collection.objects.link(copy)
    bpy.context.view_layer.update()
    bpy.context.scene.frame_set(3)
    assert offsets(copy) == offsets(obj)
    assert copy.neurarig.walk.prints[0].object is None
    drag(handle, 0.1, 0.0, 0.0)
    assert offsets(obj)["LEFT", 2][1] == 0.3 and offsets(copy)["LEFT", 2][1] == 0.2
    own = prints.take_prints(copy, [("LEFT", 2)])[0]
    assert own != handle
    api.remove_walk(copy)
    assert handle.name in bpy.data.objects and len(bpy.data.collections["NeuraRig Footprints"].objects) == 1


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
    with pytest.raises(NeuraRigError, match="to itself"):
        prints.copy_prints(obj, obj)


def test_files_and_the_command_line(tmp_path):
    obj = travelling()
    with pytest.raises(NeuraRigError, match="no edited footprints"):
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
        with pytest.raises(NeuraRigError, match=r"damaged.json': These footprints cannot be used: it is damaged"):
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
    (tmp_path / "prints.json").write_text('{"format": "neurarig-prints", "version": 1, "prints": [{"side": "right", "number": 1}]}')
    with pytest.raises(NeuraRigError):
        api.generate_walk(obj, prints=tmp_path / "prints.json", mode="PATH", path=None)
    assert offsets(obj) == kept
    assert handle is not None


def test_refusals_are_sentences_and_change_nothing():
    obj = walker()
    for act, words in (
        (lambda: prints.take_prints(obj), "walks in place"),
        (lambda: prints.edit_print(obj, "MIDDLE", 2), "LEFT or RIGHT"),
        (lambda: prints.edit_print(obj, "LEFT", 2, colour=1), "has no 'colour'"),
        (lambda: prints.edit_print(obj, "LEFT", 2, aside=float("nan")), "must be a number"),
        (lambda: prints.edit_print(obj, "LEFT", 2, yaw=90.0), "must be a number"),
        (lambda: prints.mirror_prints(obj, [("LEFT", 2)]), "not editing that footprint"),
        (lambda: prints.edit_print(build(biped(), "Other"), "LEFT", 2), "has no walk"),
    ):
        with pytest.raises(NeuraRigError, match=words):
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


def test_what_is_shown_is_where_feet_stand_and_when():
    obj = travelling()
    bpy.context.scene.frame_end = 100
    prints.edit_print(obj, "LEFT", 2, along=1.2)
    source = walk_source.source_of(obj, bpy.context.scene)
    found = shown.shown(obj, bpy.context.scene, source)
    assert shown.shown(obj, bpy.context.scene, source) is found, "worked out once"
    row = found.keys.index((1, 2))
    touch = touch_frame(obj, 1, 2)
    assert found.labels[row].startswith(f"R2  {round(touch)}-")
    toes = seen(obj, touch + 8, ["RightFoot"])[0]
    outline = found.outlines[row]
    assert (outline.min(axis=0)[:2] < toes[1, :2]).all() and (toes[1, :2] < outline.max(axis=0)[:2]).all()
    wrong = found.keys.index((0, 2))
    assert found.is_wrong[wrong] and "the leg reaches" in found.labels[wrong] and found.inks[wrong, 0] == 1.0
    assert not found.is_wrong[found.keys.index((0, 1))]


def test_prints_ride_on_a_deck():
    deck = bpy.data.objects.new("Deck", None)
    bpy.context.scene.collection.objects.link(deck)
    for frame, x in ((1, 0.0), (100, 3.0)):
        deck.location.x = x
        deck.keyframe_insert("location", frame=frame)
    bpy.context.scene.frame_set(1)
    obj = travelling(stand_on=deck)
    handle = prints.take_prints(obj, [("LEFT", 2)])[0]
    places = {}
    for frame in (1, 50, 100):
        bpy.context.scene.frame_set(frame)
        places[frame] = (handle.matrix_world.translation - deck.matrix_world.translation)[:]
    assert np.allclose(places[50], places[1], atol=1e-5) and np.allclose(places[100], places[1], atol=1e-5)
    assert offsets(obj)["LEFT", 2] == (0.0, 0.0, 0.0)
    drag(handle, 0.2, 0.0, 0.0)
    assert offsets(obj)["LEFT", 2] == (0.0, 0.2, 0.0)


@pytest.mark.parametrize("act", [prints.reset_prints, prints.mirror_prints, prints.lay_prints], ids=lambda act: act.__name__)
def test_who_does_not_walk_has_no_prints_to_edit(act):
    obj = build(biped(), "Hero")
    with pytest.raises(NeuraRigError, match="has no walk"):
        act(obj, [("LEFT", 2)])
    assert not obj.neurarig.walk.prints
