"""Markers to Timeline: the key poses of the action that plays, as markers of the scene."""

import bpy

from neurarig_addon.blender import api
from tests.blender.walking import walker
from tests.refusals import refuses


def on_timeline() -> list[tuple[str, int]]:
    """Return the scene's markers, sorted."""
    return sorted((marker.name, marker.frame) for marker in bpy.context.scene.timeline_markers)


def test_they_are_those_of_the_action_once_however_often_pressed():
    obj = walker()
    own = bpy.context.scene.timeline_markers.new("Left Contact", frame=7)
    action = api.bake_walk(obj, frame_start=1, frame_end=60)
    wanted = sorted(
        [
            ("Left Contact", 7),
            *((f"{obj.name}: {marker.name}", marker.frame) for marker in action.pose_markers),
        ]
    )
    assert len(wanted) > 8
    for _ in range(2):
        assert bpy.ops.neurarig.mark_timeline() == {"FINISHED"}
        assert on_timeline() == wanted
    assert own.frame == 7
    api.resume_walk(obj)
    later = api.bake_walk(obj, frame_start=11, frame_end=40)
    api.mark_timeline(obj)
    assert {frame for name, frame in on_timeline() if name != "Left Contact"} == {
        marker.frame for marker in later.pose_markers
    }


def test_without_markers_it_says_so_and_leaves_the_timeline():
    obj = walker()
    with refuses("no action with pose markers"):
        api.mark_timeline(obj)
    assert not bpy.ops.neurarig.mark_timeline.poll()
    assert on_timeline() == []
