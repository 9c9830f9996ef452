"""Every kind of path: NURBS, bevelled, modified and animated curves, chains of empties, the keys of an
object; drawn at any height."""

from itertools import pairwise

import bpy
import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.blender import api
from neurarig_addon.blender.animation import compat
from neurarig_addon.blender.walk.way.path import chain as hanging
from neurarig_addon.core.errors import NeuraRigError
from tests.blender.leading import curve, linked, sheet
from tests.blender.walking import played, seen, walker
from tests.refusals import refuses
from tests.rigs import biped, build

AHEAD = [(0.0, 0.0), (0.0, -3.0), (0.0, -6.0)]


def hips(obj: bpy.types.Object, frame: float) -> np.ndarray:
    return seen(obj, frame, ["Hips"])[0, 0]


def slip_and_penetration(obj: bpy.types.Object, last: int = 120) -> tuple[float, float]:
    report = api.contact_report(obj, (1, last))
    return max(side["max"] for side in report["slip_mm"].values()), report["penetration_mm"]


def key(obj: bpy.types.Object, keys: dict[int, tuple[float, float, float]], linear: bool = True) -> None:
    """Key an object's place, evenly from key to key."""
    for frame, place in keys.items():
        obj.location = place
        obj.keyframe_insert("location", frame=frame)
    if linear:
        for action, slot in compat.all_actions(obj):
            for each in compat.find_channels(action, slot):
                for point in each.keyframe_points:
                    point.interpolation = "LINEAR"


@pytest.mark.parametrize("bevel", [0.0, 0.05])
@pytest.mark.parametrize("is_closed", [False, True])
def test_a_nurbs_curve_is_followed(is_closed, bevel):
    path = curve([(0.0, 0.0), (0.0, -4.0), (4.0, -4.0), (4.0, 0.0)], "NURBS", is_closed)
    path.data.splines[0].order_u, path.data.bevel_depth = 3, bevel
    obj = walker(mode="PATH", path=path, speed=1.2)
    slip, penetration = slip_and_penetration(obj)
    assert slip < 0.5 and penetration < 1.0
    way = played(obj, range(1, 120, 10), ["Hips"])[:, 0, 0]
    assert np.ptp(way[:, 0]) > 0.5
    assert np.linalg.norm(way[0, :2] - (0.0, -2.0)) < 0.1, "half way between its first two control points"


def test_modifiers_of_a_curve_count():
    path = curve([(0.0, -0.1 * n) for n in range(61)])
    before = walker("Plain", mode="PATH", path=path)
    bend = path.modifiers.new("Aside", "SIMPLE_DEFORM")
    bend.deform_method, bend.deform_axis, bend.angle = "BEND", "Z", np.radians(60.0)
    bpy.context.view_layer.update()
    obj = walker(mode="PATH", path=path)
    depsgraph = bpy.context.evaluated_depsgraph_get()
    held = path.evaluated_get(depsgraph)
    line = np.array([path.matrix_world @ vertex.co for vertex in held.to_mesh().vertices])
    held.to_mesh_clear()
    way = played(obj, range(20, 120, 20), ["Hips"])[:, 0, 0]
    assert all(np.linalg.norm(line[:, :2] - place[:2], axis=1).min() < 0.25 for place in way)
    assert_allclose(hips(before, 60), hips(obj, 60), atol=1e-4)


def test_a_chain_of_empties_is_a_path_from_one_to_the_next():
    chain = [linked(f"Mark {n}", None) for n in range(3)]
    chain[1].parent, chain[2].parent = chain[0], chain[1]
    chain[1].location, chain[2].location = (0.0, -4.0, 0.0), (4.0, 0.0, 0.0)
    bpy.context.view_layer.update()
    obj = walker(mode="PATH", path=chain[0], speed=1.2)
    slip, penetration = slip_and_penetration(obj)
    assert slip < 0.5 and penetration < 1.0
    assert np.linalg.norm(hips(obj, 600)[:2] - (4.0, -4.0)) < 0.15
    chain[2].location.x = 6.0
    bpy.context.view_layer.update()
    assert np.linalg.norm(hips(obj, 600)[:2] - (6.0, -4.0)) < 0.15


def test_a_chain_may_be_as_long_as_anybody_hangs_up():
    chain = [linked(f"Mark {n}", None) for n in range(1500)]
    for number, (above, below) in enumerate(pairwise(chain)):
        below.parent, below.location = above, (0.0, -1.0, 0.1 * (number % 2))
    assert hanging(chain[0]) == chain


def test_a_path_drawn_up_and_down_is_its_own_ground():
    rise = [(0.0, 0.0, 0.0), (0.0, -1.5, 0.0), (0.0, -5.0, 0.6), (0.0, -8.0, 0.6)]
    obj = walker(mode="PATH", path=curve(rise), speed=1.0)
    slip, _ = slip_and_penetration(obj, 200)
    assert slip < 0.5
    low, high = hips(obj, 10)[2], hips(obj, 800)[2]
    assert high - low == pytest.approx(0.6, abs=0.02)
    sole = seen(obj, 800, ["LeftFoot", "LeftToeBase"])[..., 2].min()
    assert sole == pytest.approx(seen(obj, 1, ["LeftFoot", "LeftToeBase"])[..., 2].min() + 0.6, abs=0.05)


@pytest.mark.parametrize("height", [-0.7, 2.0])
def test_a_level_path_is_walked_at_the_height_at_which_it_is_drawn(height):
    low = walker("Low", mode="PATH", travel_with="OBJECT", path=curve(AHEAD))
    high = walker("High", mode="PATH", travel_with="OBJECT", path=curve([(x, y, height) for x, y in AHEAD]))
    for frame in (1, 33.5, 70):
        assert_allclose(seen(high, frame), seen(low, frame) + (0.0, 0.0, height), atol=2e-5)


def test_a_curve_that_moves_is_taken_as_it_is_on_the_first_frame():
    path = curve(AHEAD)
    key(path, {1: (0.0, 0.0, 0.0), 100: (5.0, 0.0, 0.0)})
    bpy.context.scene.frame_set(80)
    obj = walker(mode="PATH", path=path)
    for frame in (80, 30, 1, 120):
        assert abs(hips(obj, frame)[0]) < 0.1
    obj.neurarig.walk.start_frame = 100.0
    assert hips(obj, 120)[0] == pytest.approx(5.0, abs=0.1)
    alone = hips(obj, 130)
    bpy.context.scene.frame_set(7)
    assert_allclose(hips(obj, 130), alone, atol=1e-6)


def test_the_keys_of_an_object_are_walked_at_their_speed():
    block = linked("Block", None)
    key(
        block,
        {
            1: (0.0, 0.0, 0.0),
            25: (0.0, 0.0, 0.0),
            97: (0.0, -3.0, 0.0),
            121: (0.0, -3.0, 0.0),
            193: (3.0, -3.0, 0.0),
        },
    )
    obj = walker(mode="PATH", path=block)
    slip, penetration = slip_and_penetration(obj, 200)
    assert slip < 0.5 and penetration < 1.0
    for frame, place in ((10, (0.0, 0.0)), (61, (0.0, -1.5)), (110, (0.0, -3.0)), (193, (3.0, -3.0))):
        assert np.linalg.norm(hips(obj, frame)[:2] - place) < 0.2, frame
    assert np.ptp(played(obj, (105, 110, 115), ["Hips"])[:, 0, 0], axis=0).max() < 0.1, (
        "it stands where the keys rest"
    )


@pytest.mark.parametrize("carrier", ["OBJECT", "BONE"])
def test_a_character_walks_its_own_keys_and_gets_them_back(carrier):
    obj = build(biped(), "Hero")
    key(obj, {1: (1.0, 0.0, 0.0), 73: (1.0, -3.6, 0.0)})
    blocked = [tuple(seen(obj, frame)[0, 0]) for frame in (1, 40, 73)]
    api.generate_walk(obj, use_network=False, mode="PATH", path=obj, travel_with=carrier)
    assert slip_and_penetration(obj, 73)[0] < 0.5
    for frame in (1, 37, 73):
        assert np.linalg.norm(hips(obj, frame)[:2] - (1.0, -0.05 * (frame - 1))) < 0.15
    again = played(obj, (60, 20))
    assert_allclose(played(obj, (20, 60))[::-1], again, atol=1e-6, err_msg="its own output is never read")
    api.remove_walk(obj)
    assert_allclose([tuple(seen(obj, frame)[0, 0]) for frame in (1, 40, 73)], blocked, atol=1e-5)


def test_add_path_puts_a_curve_in_front_of_the_character():
    obj = build(biped(), "Hero")
    obj.location, obj.rotation_euler.z = (3.0, 1.0, 0.5), np.radians(90.0)
    bpy.context.view_layer.update()
    assert bpy.ops.neurarig.add_path() == {"FINISHED"}
    path = obj.neurarig.walk.path
    assert bpy.context.view_layer.objects.active == path and path.select_get() and not obj.select_get()
    assert_allclose(path.data.splines[0].bezier_points[0].co[:2], (3.0, 1.0), atol=0.05)
    assert bpy.ops.neurarig.generate_walk() == {"FINISHED"}
    assert hips(obj, 60)[0] > 4.0 and abs(hips(obj, 60)[1] - 1.0) < 0.1
    path.data.splines[0].bezier_points[2].co.y += 3.0
    path.data.update_tag()
    bpy.context.view_layer.update()
    assert hips(obj, 400)[1] > 3.5


def test_a_new_path_lies_on_the_chosen_ground():
    obj = walker("Hero", mode="TRAVEL", ground=sheet("Hill", lambda x, y: -0.2 * y))
    points = [point.co for point in api.add_path(obj).data.splines[0].bezier_points]
    assert len(points) > 6
    assert_allclose([point.z for point in points], [0.2 * -point.y for point in points], atol=0.02)


def test_paths_that_lead_nowhere_are_refused_in_one_sentence():
    obj = build(biped(), "Hero")
    still, nan = linked("Still", None), curve([(0.0, 0.0), (float("nan"), -2.0)])
    key(still, {1: (0.0, 0.0, 0.0), 40: (0.0, 0.0, 0.0)})
    hung = curve(AHEAD)
    hung.parent = obj
    for path, sentence in (
        (still, "shorter than a step"),
        (nan, "not finite"),
        (curve([(0.0, 0.0), (0.0, -0.2)]), "shorter than a step"),
        (curve([(0.0, 0.0), (0.0, 0.0)]), "shorter than a step"),
        (curve([(0.0, 0.0, 0.0), (0.0, -0.01, 5.0)]), "straight up"),
        (hung, "is carried by 'Hero'"),
    ):
        with refuses(sentence) as told:
            api.generate_walk(obj, mode="PATH", path=path)
        assert "\n" not in str(told.value) and not obj.neurarig.attachment


def test_a_kink_is_walked_or_refused_never_a_jump():
    obj = build(biped(), "Hero")
    path = curve([(0.0, 0.0), (0.0, -4.0), (0.02, 0.0)])
    try:
        api.generate_walk(obj, use_network=False, mode="PATH", path=path, speed=1.0)
    except NeuraRigError as error:
        assert "turns back" in str(error)
    else:
        way = played(obj, range(1, 240, 2), ["Hips"])[:, 0, 0]
        assert np.linalg.norm(np.diff(way, axis=0), axis=1).max() < 0.2
