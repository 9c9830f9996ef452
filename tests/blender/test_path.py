"""A walk along a curve object: planted, turned with it by object or root bone, dragged, baked, and refused in
one sentence."""

import bpy
import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.blender import api
from tests.blender import leading
from tests.blender.command_line import run
from tests.blender.walking import played, seen, walker
from tests.refusals import refuses
from tests.rigs import biped, build

BEND = [(0.0, 0.0), (0.0, -4.0), (3.0, -6.0), (7.0, -6.0)]


def curve(
    points: list[tuple[float, float]] = BEND, kind: str = "POLY", is_closed: bool = False
) -> bpy.types.Object:
    """Return a curve object through points on the floor; the character faces -Y."""
    return leading.curve(points, kind, is_closed)


def facing(obj: bpy.types.Object, frame: float) -> np.ndarray:
    """Return where the hips face `(2,)`: from the right thigh to the left one, turned back by a right
    angle."""
    left, right = (seen(obj, frame, [f"{side}UpLeg"])[0, 0] for side in ("Left", "Right"))
    across = (left - right)[:2]
    return np.array([across[1], -across[0]]) / np.linalg.norm(across)


@pytest.mark.parametrize("carrier", ["OBJECT", "BONE"])
@pytest.mark.parametrize("kind", ["POLY", "BEZIER"])
def test_a_character_walks_along_a_curve_and_turns_with_it(carrier, kind):
    obj = walker(mode="PATH", path=curve(kind=kind), travel_with=carrier, speed=1.2)
    report = api.contact_report(obj, (1, 150))
    assert max(side["max"] for side in report["slip_mm"].values()) < 0.5
    assert report["penetration_mm"] < 1.0 and report["past_limits"] == []
    assert facing(obj, 20) @ [0.0, -1.0] > 0.95
    assert facing(obj, 130) @ np.array([3.0, -2.0]) / np.hypot(3.0, 2.0) > 0.9 or kind == "BEZIER"
    assert facing(obj, 400) @ [1.0, 0.0] > 0.95
    hips = seen(obj, 400, ["Hips"])[0, 0]
    assert np.linalg.norm(hips[:2] - [7.0, -6.0]) < 0.15, "it stops at the end"
    assert np.ptp(played(obj, (400, 420, 440), ["LeftFoot", "RightFoot"]), axis=0).max() < 1e-4, (
        "and idles there"
    )
    assert np.ptp(played(obj, (400, 420, 440), ["Hips"]), axis=0).max() > 1e-3


def test_it_sets_off_from_standing_or_in_stride():
    path = curve()
    standing, entering = (
        walker(str(starts), mode="PATH", path=path, start_standing=starts) for starts in (True, False)
    )
    gone = [
        np.linalg.norm(seen(obj, 12, ["Hips"])[0, 0, :2] - seen(obj, 1, ["Hips"])[0, 0, :2])
        for obj in (standing, entering)
    ]
    assert gone[0] < 0.1 and gone[1] > 0.4
    feet = played(standing, (-20, 1, 8), ["LeftFoot", "RightFoot"])[:, :, 0]
    assert np.ptp(feet, axis=0).max() < 1e-4 and abs(feet[0, 0, 1] - feet[0, 1, 1]) < 1e-4, "side by side"


def test_who_stands_idles_by_its_seed_and_a_loop_of_it_is_baked():
    obj = walker(speed=0.0, idle_seed=3)
    hips = played(obj, (1, 100, 200, 300), ["Hips"])
    assert np.ptp(hips, axis=0).max() > 5e-3
    obj.neurarig.walk.idle_seed = 4
    assert np.abs(played(obj, (1, 100, 200, 300), ["Hips"]) - hips).max() > 5e-3
    action = api.bake_walk(obj, frame_start=1, frame_end=2, loop=True)
    assert np.ptp(action.frame_range) == pytest.approx(32 * 24, abs=24)
    first, last = (seen(obj, frame, ["Hips", "Head"]) for frame in action.frame_range)
    assert_allclose(first, last, atol=1e-5)
    with refuses("needs a whole number"):
        api.generate_walk(obj, idle_seed=0.5)
    api.resume_walk(obj)
    obj.neurarig.walk.idle = 0.0
    with refuses("Set a speed or Idle above 0"):
        api.bake_walk(obj, frame_start=1, frame_end=2, loop=True)


def test_the_path_leads_wherever_the_character_stood_and_it_goes_back_there():
    obj = build(biped(), "Hero")
    obj.location, obj.rotation_euler.z = (5.0, 2.0, 0.0), 0.7
    bpy.context.view_layer.update()
    before = obj.matrix_basis.copy()
    api.generate_walk(obj, use_network=False, mode="PATH", path=curve())
    assert np.linalg.norm(seen(obj, 1, ["Hips"])[0, 0][:2]) < 0.15
    seen(obj, 80)
    api.remove_walk(obj)
    assert_allclose(np.array(obj.matrix_basis), np.array(before), atol=1e-5)


def test_another_mode_gives_back_place_and_turn():
    obj = walker(mode="PATH", path=curve())
    seen(obj, 120)
    obj.neurarig.walk.mode = "IN_PLACE"
    assert obj.location.length < 1e-5 and abs(obj.rotation_euler.z) < 1e-5
    obj.neurarig.walk.mode = "TRAVEL"
    start, end = seen(obj, 1, ["Hips"])[0, 0], seen(obj, 25, ["Hips"])[0, 0]
    assert end[1] < start[1] - 0.9 and abs(end[0] - start[0]) < 0.1


def test_a_curve_that_is_edited_is_followed_at_once():
    path = curve()
    obj = walker(mode="PATH", path=path, travel_with="OBJECT")
    seen(obj, 60)
    before = np.array(obj.matrix_world.translation)
    path.location.x += 1.0
    bpy.context.view_layer.update()
    assert_allclose(np.array(obj.location) - before, [1.0, 0.0, 0.0], atol=1e-3)
    path.data.splines[0].points[1].co.y = -2.0
    path.data.update_tag()
    bpy.context.view_layer.update()
    assert abs(obj.location.y - before[1]) > 1e-3


def test_a_closed_curve_is_walked_lap_by_lap():
    angle = np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False)
    obj = walker(
        mode="PATH",
        path=curve([(2.0 - 2.0 * np.cos(a), -2.0 * np.sin(a)) for a in angle], is_closed=True),
        speed=1.2,
    )
    report = api.contact_report(obj, (1, 100))
    assert max(side["max"] for side in report["slip_mm"].values()) < 0.5
    for frame in (200, 700):
        away = np.linalg.norm(seen(obj, frame, ["Hips"])[0, 0][:2] - [2.0, 0.0])
        assert 1.8 < away < 2.0, "on the circle but for how far they lean in"


def test_what_is_no_path_is_refused_in_one_sentence_and_nothing_is_lost():
    obj = build(biped(), "Hero")
    short, lamp = curve([(0.0, 0.0), (0.0, -0.1)]), bpy.data.objects.new("Lamp", None)
    for settings, sentence in (
        ({"path": None}, "has no path"),
        ({"path": short}, "shorter than a step"),
        (
            {"path": bpy.data.objects.new("Bare", bpy.data.curves.new("Bare", "CURVE"))},
            "has no curve with two points",
        ),
        ({"path": lamp}, "it is not a curve, has no chain of empties"),
    ):
        with refuses(sentence):
            api.generate_walk(obj, mode="PATH", **settings)
        assert not obj.neurarig.attachment
    path = curve()
    api.generate_walk(obj, use_network=False, mode="PATH", path=path)
    seen(obj, 30)
    bpy.data.objects.remove(path)
    seen(obj, 31)
    assert obj.neurarig.walk.live and not obj.neurarig.walk.error, "it walks on the spot until it has another"
    assert obj.location.length < 1e-5 and abs(obj.rotation_euler.z) < 1e-5
    obj.neurarig.walk.path = curve()
    assert np.linalg.norm(np.array(seen(obj, 60, ["Hips"])[0, 0])[:2]) > 1.0


def test_the_mode_may_be_chosen_before_the_path():
    obj = walker()
    obj.neurarig.walk.mode = "PATH"
    assert obj.neurarig.walk.live and not obj.neurarig.walk.error
    assert bpy.ops.neurarig.generate_walk() == {"FINISHED"} and obj.neurarig.walk.live, (
        "the button does as the walk does"
    )
    obj.neurarig.walk.path = curve()
    assert np.linalg.norm(seen(obj, 60, ["Hips"])[0, 0][:2]) > 1.0
    with refuses("has no path"):
        api.generate_walk(obj, path=None)
    assert obj.neurarig.walk.path is not None


def test_the_command_line_walks_along_a_curve():
    build(biped(), "Hero")
    curve()
    hill(0.1)
    assert run("walk", "--path", "Way", "--ground", "Hill", "--frames", 1, 60, "--bake") == 0
    obj = bpy.data.objects["Hero"]
    assert obj.neurarig.walk.mode == "PATH" and abs(seen(obj, 60, ["Hips"])[0, 0][1]) > 1.4


def hill(height: float = 0.4) -> bpy.types.Object:
    """Return a mesh that waves, with faces of a quarter metre."""
    return leading.sheet("Hill", lambda x, y: height * np.sin(0.5 * x) * np.cos(0.6 * y))


def test_the_buttons_mean_who_walks_along_the_curve_that_is_edited():
    path = curve()
    assert not bpy.ops.neurarig.remove_walk.poll()
    obj = walker(mode="PATH", path=path)
    bpy.context.view_layer.objects.active = path
    obj.select_set(False)
    assert bpy.ops.neurarig.remove_walk.poll()
    bpy.ops.neurarig.remove_walk()
    assert not obj.neurarig.attachment
