"""Facing apart from travel: on the evaluated character no standing point slips; kept in any order, baked,
looped; from the command line."""

import random

import bpy
import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.blender import api
from tests.blender.command_line import run
from tests.blender.leading import curve, linked
from tests.blender.planted import require_planted
from tests.blender.walking import deform_bones, played, seen, walker
from tests.refusals import refuses
from tests.rigs import biped, build

FRAMES = range(30, 110)
SOLES = 0.02  # metres above the floor on which the biped is at rest


def thing(*place: float) -> bpy.types.Object:
    obj = linked("Thing", None)
    obj.location = place
    bpy.context.view_layer.update()
    return obj


def key_facing(obj: bpy.types.Object, *keys: tuple[float, float]) -> None:
    """Key the facing of a character: frames and degrees."""
    for frame, degrees in keys:
        obj.neurarig.walk.facing = degrees
        obj.neurarig.walk.keyframe_insert("facing", frame=frame)


def aims(obj: bpy.types.Object, frame: float, way: tuple[float, float] = (0.0, -1.0)) -> float:
    """Return degrees from a way over the ground to where the hips face, left positive; the character rests
    facing -Y."""
    seen(obj, frame)
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    bone = evaluated.pose.bones["Hips"]
    turn = np.array(evaluated.matrix_world @ bone.matrix) @ np.linalg.inv(np.array(bone.bone.matrix_local))
    faces = turn[:3, :3] @ [0.0, -1.0, 0.0]
    return float(
        np.degrees(np.arctan2(way[0] * faces[1] - way[1] * faces[0], way[0] * faces[0] + way[1] * faces[1]))
    )


def gone(obj: bpy.types.Object, first: float, last: float) -> np.ndarray:
    """Return how far the hips go over the ground between two frames `(2,)`."""
    return np.subtract(*(seen(obj, frame, ["Hips"])[0, 0, :2] for frame in (last, first)))


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(6))
def test_where_it_is_drawn_and_keyed_feet_stand(seed):
    draw = random.Random(seed)
    obj = walker(use_network=True, mode="TRAVEL", speed=draw.uniform(0.5, 1.2))
    key_facing(obj, (30, draw.uniform(-180.0, 180.0)), (draw.uniform(31, 80), draw.uniform(-180.0, 180.0)))
    require_planted(obj, FRAMES, height=SOLES)


@pytest.mark.parametrize("degrees", [0.0, 90.0, 180.0, -60.0])
def test_who_travels_stays_as_it_is_turned_and_goes_another_way(degrees):
    obj = walker(mode="TRAVEL", speed=1.0, facing=degrees)
    for frame in (1, 40):
        assert aims(obj, frame) == pytest.approx(0.0, abs=25.0)
    way = gone(obj, 1, 97)
    assert np.linalg.norm(way) == pytest.approx(4.0, abs=0.15)
    turned = np.radians(-degrees)
    assert way @ [np.sin(turned), -np.cos(turned)] == pytest.approx(4.0, abs=0.15)
    assert tuple(obj.rotation_euler) == (0.0, 0.0, 0.0)


def test_in_place_it_stays_where_it_is():
    obj = walker(speed=1.0, facing=180.0)
    assert np.linalg.norm(gone(obj, 1, 60)) < 0.05 and abs(aims(obj, 20)) < 15.0


def test_keyed_it_turns_while_it_goes_straight_on():
    obj = walker(mode="TRAVEL", speed=0.8)
    key_facing(obj, (1, 0.0), (40, 0.0), (60, 180.0))
    assert abs(aims(obj, 20)) < 15.0 and abs(abs(aims(obj, 120)) - 180.0) < 15.0
    assert gone(obj, 1, 121) == pytest.approx([0.0, -4.0], abs=0.15)


@pytest.mark.parametrize("mode", ["TRAVEL", "PATH"])
def test_an_object_is_faced_where_it_is_and_where_it_is_dragged(mode):
    at = thing(3.0, -3.0, 1.0)
    obj = walker(use_network=True, mode=mode, path=curve([(0.0, 0.0), (0.0, -6.0)]), face=at, speed=0.8)

    def off(frame: float) -> float:
        here = seen(obj, frame, ["Hips"])[0, 0, :2]
        return abs(aims(obj, frame, tuple(np.array(at.location[:2]) - here)))

    assert max(off(frame) for frame in (60, 90, 120)) < 30.0
    require_planted(obj, range(40, 100), height=SOLES if mode == "TRAVEL" else 0.0)
    at.location = (-3.0, -2.0, 1.0)
    bpy.context.view_layer.update()
    assert max(off(frame) for frame in (60, 90, 120)) < 30.0
    bpy.data.objects.remove(at)
    bpy.context.view_layer.update()
    assert abs(aims(obj, 60)) < 15.0 and obj.neurarig.walk.live


@pytest.mark.parametrize("mode", ["IN_PLACE", "TRAVEL"])
def test_a_backward_walk_loops(mode):
    obj = walker(use_network=True, mode=mode, facing=180.0)
    action = api.bake_walk(obj, frame_start=1, frame_end=2, loop=True)
    cycle = round(action["cycle_frames"])
    once, again = (played(obj, (5 + later, 12 + later), deform_bones(obj)) for later in (0, 2 * cycle))
    way = 2.0 * action["stride"] if mode == "TRAVEL" else 0.0
    assert_allclose(again, once + [0.0, way, 0.0], atol=1e-4)


def test_what_cannot_be_faced_is_refused_in_one_sentence():
    obj = build(biped(), "Hero")
    at = thing(3.0, -2.0, 1.5)
    at.parent = obj
    bpy.context.view_layer.update()
    with refuses("is parented to 'Hero', which cannot face it"):
        api.generate_walk(obj, use_network=False, mode="TRAVEL", face=at)
    assert not obj.neurarig.attachment and obj.neurarig.walk.face is None
    with refuses("needs an object"):
        api.generate_walk(obj, face="Thing")


def test_the_command_line_faces_an_object_and_walks_backward():
    build(biped(), "Hero")
    thing(-4.0, 0.0, 1.5)
    assert run("walk", "--facing", 180, "--mode", "travel", "--speed", 0.8, "--frames", 1, 20) == 0
    obj = bpy.data.objects["Hero"]
    assert gone(obj, 1, 49) == pytest.approx([0.0, 1.6], abs=0.1)
    assert (
        run("walk", "--face", "Thing", "--facing", 0, "--mode", "travel", "--speed", 0.8, "--frames", 1, 20)
        == 0
    )
    assert aims(obj, 1) == pytest.approx(-90.0, abs=20.0)
