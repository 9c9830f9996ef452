"""Bake Loop of a closed path: a lap that repeats by itself, whichever way the body faces, whatever turns the
object."""

import bpy
import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.blender import api
from neurarig_addon.blender.walk.source import source as walk_source
from tests.blender.leading import curve, linked
from tests.blender.walking import deform_bones, played, walker
from tests.refusals import refuses


def ring(radius: float = 1.5) -> bpy.types.Object:
    angle = np.linspace(0.0, 2.0 * np.pi, 48, endpoint=False)
    return curve(
        zip(radius - radius * np.cos(angle), -0.7 * radius * np.sin(angle), strict=True), is_closed=True
    )


def thing(*place: float) -> bpy.types.Object:
    obj = linked("Thing", None)
    obj.location = place
    bpy.context.view_layer.update()
    return obj


def lap_of(obj: bpy.types.Object) -> int:
    source = walk_source.source_of(obj, bpy.context.scene)
    return int(source.walker.rhythm.lap_frames(source.clock))


@pytest.mark.parametrize("turned", ["XYZ", "QUATERNION", "AXIS_ANGLE", "BONE"])
@pytest.mark.parametrize("facing", [0.0, 180.0, "thing"])
def test_a_lap_loops_by_itself(facing, turned):
    path = ring()
    settings = {"face": thing(1.5, 0.2, 1.0)} if facing == "thing" else {"facing": facing}
    obj = walker(
        mode="PATH", path=path, speed=0.9, travel_with="BONE" if turned == "BONE" else "OBJECT", **settings
    )
    if turned != "BONE":
        obj.rotation_mode = turned
        bpy.context.view_layer.update()
    lap = lap_of(obj)
    frames = (5, 40, lap - 3, lap - 0.5, lap + 0.5, lap + 4)
    bones = deform_bones(obj)
    live = played(obj, frames, bones)
    api.bake_walk(obj, frame_start=1, frame_end=2, loop=True)
    whole = [row for row, frame in enumerate(frames) if frame == int(frame)]
    assert_allclose(played(obj, frames, bones)[whole], live[whole], atol=3e-4)
    assert_allclose(
        played(obj, frames, bones), live, atol=0.03, err_msg="no spin between the last key and the first"
    )
    assert_allclose(played(obj, [frame + 3 * lap for frame in frames], bones)[whole], live[whole], atol=1e-3)


def test_what_does_not_repeat_is_refused_in_one_sentence():
    obj = walker(mode="PATH", path=curve([(0.0, 0.0), (0.0, -6.0)]))
    with refuses("path that is not closed does not repeat"):
        api.bake_walk(obj, frame_start=1, frame_end=20, loop=True)
    obj.neurarig.walk.path = ring()
    at = thing(1.0, 0.0, 1.0)
    for frame in (1, 30):
        at.location.x = frame
        at.keyframe_insert("location", frame=frame)
    obj.neurarig.walk.face = at
    with refuses("faces an object does not repeat"):
        api.bake_walk(obj, frame_start=1, frame_end=20, loop=True)
    obj.neurarig.walk.face = None
    obj.neurarig.walk.variation = 1.0
    with refuses("Set Variation to 0"):
        api.bake_walk(obj, frame_start=1, frame_end=20, loop=True)
    assert obj.neurarig.walk.live
