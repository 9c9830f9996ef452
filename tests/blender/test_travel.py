"""A walk that goes through the scene: by the object or the root bone, from wherever the user puts it, and
back."""

import bpy
import numpy as np
import pytest
from mathutils import Euler
from numpy.testing import assert_allclose

from neurarig_addon.blender import api
from neurarig_addon.blender.character.carry import own_turn
from tests.blender.acting import box, program_of
from tests.blender.walking import deform_bones, played, seen, walker
from tests.rigs import biped, build, rigify_human

SAME = 1e-5  # metres


def test_a_resized_object_keeps_walking_in_metres():
    obj = walker(mode="TRAVEL", travel_with="OBJECT", whole_frames=False)
    obj.scale = (2.0, 2.0, 2.0)
    bpy.context.view_layer.update()
    seen(obj, 25)
    assert obj.location.y == pytest.approx(-obj.neurarig.walk.speed, rel=0.01)


@pytest.mark.parametrize("by_script", [False, True])
def test_an_object_moved_in_mid_travel_goes_on_from_there(by_script):
    obj = walker(mode="TRAVEL")
    path = np.array([seen(obj, frame)[0, 0] for frame in (5, 20)])
    seen(obj, 5)
    obj.location.x += 3.0
    if not by_script:
        bpy.context.view_layer.update()
    assert seen(obj, 20)[0, 0] == pytest.approx(path[1] + [3.0, 0.0, 0.0], abs=1e-4)
    assert seen(obj, 5)[0, 0] == pytest.approx(path[0] + [3.0, 0.0, 0.0], abs=1e-4)


def _turning_by_keys(obj):
    for frame, degrees in ((1, 0.0), (30, 50.0)):
        obj.neurarig.walk.facing = degrees
        obj.neurarig.walk.keyframe_insert("facing", frame=frame)


def _faced(obj):
    obj.neurarig.walk.face = box("Ball", (2.0, -3.0, 1.0), (0.2, 0.2, 0.2))


def _picking_up(obj):
    api.add_act(obj, "PICK_UP", thing=box("Ball", (-0.1, -2.5, 0.1), (0.2, 0.2, 0.2)))


@pytest.mark.parametrize("frame", [1, 20])
@pytest.mark.parametrize("by_script", [False, True])
@pytest.mark.parametrize(
    "turn", [_turning_by_keys, _faced, _picking_up, lambda obj: api.add_act(obj, "JUMP", at=1.5)]
)
def test_who_turns_on_the_way_and_is_moved_goes_on_from_there(turn, by_script, frame):
    obj = walker(mode="TRAVEL", travel_with="OBJECT")
    turn(obj)
    seen(obj, frame)
    begins = np.array(obj.location)
    for moved in ((0.1, 0.0, 0.0), (0.2, 0.1, 0.0)):  # as a drag goes on from where it began
        obj.location = begins + moved
        if not by_script:
            bpy.context.view_layer.update()
    seen(obj, frame)
    assert tuple(obj.location) == pytest.approx(tuple(begins + moved), abs=1e-3)
    for other in (60, frame):
        seen(obj, other)
    assert tuple(obj.location) == pytest.approx(tuple(begins + moved), abs=1e-3)
    if turn is _picking_up:  # it takes the thing where that is
        takes = next(touch for touch in program_of(obj).spans[0].touches if touch.on == "object")
        hand = {"hand_l": "LeftHand", "hand_r": "RightHand"}[takes.part]
        assert np.linalg.norm(played(obj, [np.ceil(takes.begin)], [hand])[0, 0, 1] - [-0.1, -2.5, 0.1]) < 0.15
    api.remove_walk(obj)
    assert tuple(obj.location) == pytest.approx(moved, abs=1e-5)


def test_travel_is_in_the_space_of_a_turned_parent():
    obj = build(biped(), "Hero")
    parent = bpy.data.objects.new("Ship", None)
    bpy.context.scene.collection.objects.link(parent)
    parent.rotation_euler.z, parent.location.x = np.pi / 2, 4.0
    obj.parent = parent
    bpy.context.view_layer.update()
    api.generate_walk(obj, use_network=False, mode="TRAVEL")
    start, end = seen(obj, 1)[0, 0], seen(obj, 25)[0, 0]
    assert (end - start)[:2] == pytest.approx([obj.neurarig.walk.speed, 0.0], abs=0.15)


@pytest.mark.parametrize("make", [lambda: build(biped(), "Hero"), rigify_human], ids=["layer", "rigify"])
def test_whatever_travels_the_character_is_seen_at_the_same_places(make):
    obj = make()
    api.generate_walk(obj, mode="TRAVEL", travel_with="OBJECT")
    bones = deform_bones(obj)
    seen_before = played(obj, (1, 20, 40), bones)
    for carrier in ("CONTROLS", "BONE", "CONTROLS", "OBJECT", "AUTO"):
        obj.neurarig.walk.travel_with = carrier
        assert np.abs(played(obj, (1, 20, 40), bones) - seen_before).max() < SAME, carrier
        assert (obj.location.length > 1.0) == (carrier == "OBJECT")


def test_controls_do_not_travel_by_themselves_where_something_would_stay_behind():
    obj = build(biped(), "Hero")
    lamp = bpy.data.objects.new("Lamp", bpy.data.lights.new("Lamp", "POINT"))
    bpy.context.scene.collection.objects.link(lamp)
    lamp.parent = obj
    api.generate_walk(obj, use_network=False, mode="TRAVEL")
    start, end = (seen(obj, frame) is not None and lamp.matrix_world.translation.y for frame in (1, 40))
    assert start - end > 1.0, "the object travels and takes the lamp along"


def test_a_delta_of_the_objects_place_is_neither_lost_nor_counted_twice():
    obj = walker(mode="TRAVEL", whole_frames=False)
    plain = played(obj, (1, 20, 40))
    api.remove_walk(obj)
    obj.delta_location = (1.0, -2.0, 0.5)
    bpy.context.view_layer.update()
    api.generate_walk(obj)
    live = played(obj, (1, 20, 40))
    assert_allclose(live, plain + obj.delta_location, atol=SAME)
    api.bake_walk(obj, frame_start=1, frame_end=40, target="LAYER")
    assert_allclose(played(obj, (1, 20, 40)), live, atol=SAME)


@pytest.mark.parametrize("mode", ["QUATERNION", "XYZ", "ZYX"])
def test_what_turns_an_object_beside_its_delta_rotation_is_found(mode):
    obj = build(biped(), "Hero")
    own, delta = Euler((0.3, -0.5, 1.1)), Euler((-0.2, 0.4, 0.7))
    obj.rotation_mode, obj.scale = mode, (1.0, 2.0, 3.0)
    if mode == "QUATERNION":
        obj.rotation_quaternion, obj.delta_rotation_quaternion = own.to_quaternion(), delta.to_quaternion()
    else:
        obj.rotation_euler, obj.delta_rotation_euler = (
            own.to_matrix().to_euler(mode),
            delta.to_matrix().to_euler(mode),
        )
    bpy.context.view_layer.update()
    assert_allclose(own_turn(obj, np.array(obj.matrix_basis)), np.array(own.to_matrix()), atol=1e-6)
