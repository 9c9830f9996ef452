"""Arrival and markers on a path: kept to on the frame, by object or metres, edited live, refused in one
sentence, saved with the file."""

import bpy
import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.blender import api
from tests.blender.command_line import run
from tests.blender.leading import curve
from tests.blender.walking import played, seen, walker
from tests.refusals import refuses
from tests.rigs import biped, build

AHEAD = [(0.0, 0.0), (0.0, -8.0)]


def gone(obj: bpy.types.Object, frame: float) -> float:
    """Return how far along the path ahead the root is."""
    bpy.context.scene.frame_set(int(frame), subframe=frame % 1)
    return -obj.matrix_world.translation.y


def test_a_character_arrives_at_a_frame_and_passes_its_markers():
    obj = walker(
        mode="PATH",
        travel_with="OBJECT",
        path=curve(AHEAD),
        arrive=200,
        markers=[{"distance": 2.0, "frame": 60, "pause": 1.5}, {"distance": 5.0}],
    )
    assert gone(obj, 200) == pytest.approx(8.0, abs=1e-4) and gone(obj, 196) < 7.999
    assert gone(obj, 60) == pytest.approx(2.0, abs=0.01) == gone(obj, 60 + 34)
    assert gone(obj, 54) < 1.999 and gone(obj, 60 + 45) > 2.03
    feet = played(obj, (68, 75, 86), ["LeftFoot", "RightFoot"])
    assert np.ptp(feet, axis=0).max() < 1e-4
    frames = (30, 77.5, 150)
    live = played(obj, frames[:1] + frames[2:])
    api.bake_walk(obj, frame_start=1, frame_end=200, target="LAYER")
    assert_allclose(played(obj, frames[:1] + frames[2:]), live, atol=1e-4)


def test_a_marker_is_where_its_object_is_and_follows_it_and_the_settings():
    place = bpy.data.objects.new("Spot", None)
    bpy.context.scene.collection.objects.link(place)
    place.location = (1.0, -3.0, 0.5)
    bpy.context.view_layer.update()
    obj = walker(
        mode="PATH", travel_with="OBJECT", path=curve(AHEAD), markers=[{"place": place, "frame": 80}]
    )
    assert gone(obj, 80) == pytest.approx(3.0, abs=0.01)
    place.location.y = -4.0
    bpy.context.view_layer.update()
    assert -obj.matrix_world.translation.y == pytest.approx(4.0, abs=0.01), "at once"
    obj.neurarig.walk.markers[0].distance = 2.5
    obj.neurarig.walk.markers[0].place = None
    assert gone(obj, 80) == pytest.approx(2.5, abs=0.01)
    obj.neurarig.walk.markers[0].place = place
    bpy.data.objects.remove(place)
    bpy.context.view_layer.update()
    assert gone(obj, 81) > 2.0 and obj.neurarig.walk.live, (
        "a deleted object leaves its marker at its distance"
    )


def test_a_character_turns_on_the_spot_before_at_and_after_the_path():
    markers = [{"distance": 3.0, "pause": 2.0, "turn": 90}]
    obj = walker(
        mode="PATH",
        travel_with="OBJECT",
        path=curve(AHEAD),
        start_turn=-120,
        end_turn=180,
        markers=markers,
        speed=1.3,
    )
    turned = [
        np.degrees(obj.matrix_world.to_euler().z) for frame in range(1, 600, 3) if gone(obj, frame) > -1.0
    ]
    assert turned[0] == pytest.approx(-120.0, abs=0.1) and abs(turned[-1]) == pytest.approx(180.0, abs=0.1)
    assert sum(abs(angle - 90.0) < 0.1 for angle in turned) >= 15, "it stands turned for the pause"
    report = api.contact_report(obj, (1, 400))
    assert max(side["max"] for side in report["slip_mm"].values()) < 0.5 and report["penetration_mm"] < 1.0
    api.bake_walk(obj, frame_start=1, frame_end=500)
    assert np.degrees(obj.matrix_world.to_euler().z) == pytest.approx(
        turned[-1] if gone(obj, 500) else 0.0, abs=0.1
    )


def test_buttons_add_and_remove_markers():
    obj = walker(mode="PATH", travel_with="OBJECT", path=curve(AHEAD))
    markers = obj.neurarig.walk.markers
    bpy.ops.neurarig.add_marker()
    bpy.ops.neurarig.add_marker()
    assert [marker.distance for marker in markers] == [2.0, 4.0] and obj.neurarig.walk.live
    markers[1].pause = 1.0
    bpy.ops.neurarig.remove_marker()
    assert [marker.distance for marker in markers] == [2.0]
    bpy.ops.neurarig.remove_marker()
    assert not bpy.ops.neurarig.remove_marker.poll(), "there is none"
    assert len(markers) == 0 and obj.neurarig.walk.live


def test_an_impossible_time_is_one_sentence_and_nothing_is_lost():
    obj = build(biped(), "Hero")
    path = curve(AHEAD)
    with refuses(r"would have to walk at \d+\.\d m/s; the fastest walk is"):
        api.generate_walk(obj, use_network=False, mode="PATH", path=path, arrive=20)
    assert not obj.neurarig.attachment and not obj.neurarig.walk.is_due and obj.location.length < 1e-6
    for markers, sentence in (
        (3.0, "needs a list of dictionaries"),
        ([{"metres": 3.0}], "has no 'metres'"),
        ([{"distance": "far"}], "needs a number of 0 or more"),
        ([{"distance": 10**400}], "needs a number of 0 or more"),
        ([{"place": "Spot"}], "must be an object"),
        ([{"distance": 50.0}], "not on the path, which is 8 m long"),
    ):
        with refuses(sentence):
            api.generate_walk(obj, use_network=False, mode="PATH", path=path, markers=markers)
        assert not obj.neurarig.attachment and len(obj.neurarig.walk.markers) == 0
    with refuses("'arrive' needs a frame"):
        api.generate_walk(obj, mode="PATH", path=path, arrive="noon")


def test_markers_are_saved_with_the_file_and_given_back_where_generate_fails(tmp_path):
    obj = walker(
        mode="PATH",
        travel_with="OBJECT",
        path=curve(AHEAD),
        markers=[{"distance": 3.0, "frame": 90, "pause": 2.0}],
        arrive=260,
    )
    with refuses():
        api.generate_walk(obj, markers=[{"distance": 1.0}], arrive=3)
    was = seen(obj, 90)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "walk.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "walk.blend"))
    obj = bpy.data.objects[0] if bpy.data.objects[0].type == "ARMATURE" else bpy.data.objects["Hero"]
    marker = obj.neurarig.walk.markers[0]
    assert (marker.distance, marker.frame, marker.pause, marker.is_timed) == (3.0, 90.0, 2.0, True)
    assert_allclose(seen(obj, 90), was, atol=1e-6)


def test_the_command_line_takes_arrival_and_markers():
    build(biped(), "Hero")
    curve(AHEAD)
    assert (
        run(
            "walk",
            "--path",
            "Way",
            "--travel-with",
            "object",
            "--arrive",
            200,
            "--marker",
            "3@80+1.5",
            "--marker",
            "5",
            "--start-turn",
            90,
            "--frames",
            1,
            200,
        )
        == 0
    )
    obj = bpy.data.objects["Hero"]
    assert gone(obj, 200) == pytest.approx(8.0, abs=1e-4) and gone(obj, 100) == pytest.approx(3.0, abs=0.01)
    assert gone(obj, 1) == pytest.approx(0.0) and np.degrees(obj.matrix_world.to_euler().z) == pytest.approx(
        90.0, abs=0.01
    )
    assert run("walk", "--path", "Way", "--arrive", 10) == 1
