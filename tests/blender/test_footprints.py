"""Footprints in hand: dragged, carried, copied, baked, saved, taken away; feet elsewhere stay to the bit."""

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.animation import compat
from neurarig_addon.blender.walk.api import prints
from neurarig_addon.blender.walk.source import source as walk_source
from neurarig_addon.blender.walk.ui import print_drawing
from tests.blender.footprinted import FRAMES, drag, offsets, prints_place, travelling
from tests.blender.walking import played, seen
from tests.refusals import refuses

FEET = ["LeftFoot", "RightFoot"]


def touch_frame(obj: bpy.types.Object, side: int, number: int) -> float:
    pace = walk_source.source_of(obj, bpy.context.scene).walker.rhythm
    return 1.0 + 24.0 * float(pace.seconds_when(np.full((1, 2), float(number)))[0, side])


def ball(obj: bpy.types.Object, frame: float, side: int = 0) -> np.ndarray:
    return seen(obj, frame, [FEET[side]])[0, 1]


def test_a_dragged_print_takes_its_foot_along_and_nothing_else():
    obj = travelling()
    before = played(obj, FRAMES)
    handle = prints.take_prints(obj, [("LEFT", 2)])[0]
    np.testing.assert_allclose(
        played(obj, FRAMES), before, atol=1e-6, err_msg="taking a print in hand changes nothing"
    )
    touch = touch_frame(obj, 0, 2)
    stood = ball(obj, touch + 8)
    drag(handle, 0.15, -0.05, 0.0)  # the character faces -Y
    assert offsets(obj)["LEFT", 2] == (0.05, 0.15, 0.0)
    assert np.allclose(ball(obj, touch + 8) - stood, [0.15, -0.05, 0.0], atol=2e-5)
    changed = (np.abs(played(obj, FRAMES) - before) > 1e-6).reshape(len(FRAMES), -1).any(axis=1)
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
    assert np.isclose(handle.matrix_world.translation.y, prints_place(obj, 1, 1)[1], atol=1e-5), (
        "it stays where it hangs"
    )


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
    assert (
        item.height == 0.0
        and abs(prints_place(obj, 0, 2)[2] - (0.5 + 0.1 * prints_place(obj, 0, 2)[0])) < 0.01
    )
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
    mirrored = next(
        other for other in obj.neurarig.walk.prints if other.side == "RIGHT" and other.number == 2
    )
    assert np.allclose([mirrored.aside, mirrored.touch], [-0.1, 5.0])
    assert prints.reset_prints(obj, [("LEFT", 2)]) == 1 and len(obj.neurarig.walk.prints) == 2


def test_a_baked_walk_has_the_prints():
    obj = travelling()
    prints.edit_print(obj, "LEFT", 2, aside=0.2, yaw=0.3, touch=0.04)
    prints.edit_print(obj, "RIGHT", 2, height=0.1)
    live = played(obj, FRAMES)
    with refuses("edited footprints does not repeat"):
        api.bake_walk(obj, loop=True)
    api.bake_walk(obj, frame_start=1, frame_end=139, target="LAYER")
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


def test_what_is_shown_is_where_feet_stand_and_when():
    obj = travelling()
    bpy.context.scene.frame_end = 100
    prints.edit_print(obj, "LEFT", 2, along=1.2)
    source = walk_source.source_of(obj, bpy.context.scene)
    found = print_drawing.shown(obj, bpy.context.scene, source)
    assert print_drawing.shown(obj, bpy.context.scene, source) is found, "worked out once"
    row = found.keys.index((1, 2))
    touch = touch_frame(obj, 1, 2)
    assert found.label(row).startswith(f"R2  {round(touch)}-")
    toes = seen(obj, touch + 8, ["RightFoot"])[0]
    outline = found.outlines[row]
    assert (outline.min(axis=0)[:2] < toes[1, :2]).all() and (toes[1, :2] < outline.max(axis=0)[:2]).all()
    wrong = found.keys.index((0, 2))
    assert found.is_wrong[wrong] and "the leg reaches" in found.label(wrong) and found.inks[wrong, 0] == 1.0
    assert not found.is_wrong[found.keys.index((0, 1))]
