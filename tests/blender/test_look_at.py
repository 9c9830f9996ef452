"""Look At: an object, where it stands or where its keys take it; dragged, baked, refused where it hangs on
the character."""

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from tests.blender.command_line import run
from tests.blender.leading import curve, linked
from tests.blender.walking import seen, walker
from tests.refusals import refuses
from tests.rigs import biped, build


def thing(*place: float) -> bpy.types.Object:
    obj = linked("Thing", None)
    obj.location = place
    bpy.context.view_layer.update()
    return obj


def turned(obj: bpy.types.Object, frame: float) -> float:
    """Return how far the head bone has turned about the vertical since it looked ahead, in degrees; the
    character faces -Y."""
    seen(obj, frame)
    bone = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones["Head"]
    turn = np.array(bone.matrix) @ np.linalg.inv(np.array(bone.bone.matrix_local))
    return float(np.degrees(np.arctan2(turn[1, 0], turn[0, 0])))


@pytest.mark.parametrize("mode", ["IN_PLACE", "TRAVEL"])
def test_the_head_turns_to_an_object_and_follows_where_it_is_dragged(mode):
    at = thing(4.0, -4.0, 1.5)
    obj = walker(mode=mode, look_at=at, speed=1.0)
    assert turned(obj, 1) == pytest.approx(45.0, abs=8.0)
    at.location.x = -4.0
    bpy.context.view_layer.update()
    assert turned(obj, 1) == pytest.approx(-45.0, abs=8.0)
    assert (abs(turned(obj, 60)) > 60.0) == (mode == "TRAVEL")
    obj.neurarig.walk.look = 0.0
    assert abs(turned(obj, 1)) < 6.0
    obj.neurarig.walk.look, obj.neurarig.walk.look_at = 1.0, None
    assert abs(turned(obj, 1)) < 6.0


def test_on_a_path_it_is_looked_at_too_and_deleting_it_ends_that():
    at = thing(3.0, -2.0, 1.5)
    obj = walker(mode="PATH", path=curve([(0.0, 0.0), (0.0, -6.0)]), look_at=at)
    assert turned(obj, 1) > 35.0
    bpy.data.objects.remove(at)
    bpy.context.view_layer.update()
    assert abs(turned(obj, 2)) < 8.0 and obj.neurarig.walk.live and not obj.neurarig.walk.error


def test_what_cannot_be_looked_at_is_refused_in_one_sentence(capsys):
    obj = build(biped(), "Hero")
    at = thing(3.0, -2.0, 1.5)
    at.parent = obj
    bpy.context.view_layer.update()
    with refuses("is parented to 'Hero', which cannot look at it"):
        api.generate_walk(obj, use_network=False, look_at=at)
    assert not obj.neurarig.attachment and obj.neurarig.walk.look_at is None
    assert capsys.readouterr().out.count("is parented to") <= 1, "it is not tried again and again"
    with refuses("needs an object"):
        api.generate_walk(obj, look_at="Thing")


def test_the_command_line_looks_at_an_object():
    build(biped(), "Hero")
    thing(4.0, -4.0, 1.5)
    assert run("walk", "--look-at", "Thing", "--speed", 1.0, "--frames", 1, 20) == 0
    assert turned(bpy.data.objects["Hero"], 1) == pytest.approx(45.0, abs=8.0)
    assert run("walk", "--set", "head_tilt=20", "--set", "look_around=1", "--frames", 1, 20) == 0


def test_a_head_is_held_and_looks_around_live_keyed_and_baked_in_a_loop():
    obj = walker(speed=1.2, head_turn=30.0, use_network=False)
    assert turned(obj, 1) == pytest.approx(30.0, abs=2.0)
    obj.neurarig.walk.head_turn, obj.neurarig.walk.look_around = 0.0, 1.0
    ways = [turned(obj, frame) for frame in range(1, 400, 4)]
    assert max(map(abs, ways)) > 10.0 and turned(obj, 41) == pytest.approx(ways[10], abs=1e-4)
    obj.neurarig.walk.idle_seed = 1
    assert (
        max(abs(turned(obj, frame) - way) for frame, way in zip(range(1, 400, 40), ways[::10], strict=True))
        > 3.0
    )
    obj.neurarig.walk.variation_strides = 4
    action = api.bake_walk(obj, loop=True)
    assert action.frame_end - action.frame_start == pytest.approx(4 * action["cycle_frames"], abs=1.0)
    assert turned(obj, action.frame_end) == pytest.approx(turned(obj, action.frame_start), abs=1e-3)
