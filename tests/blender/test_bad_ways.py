"""Paths and grounds as they should not be: each is walked as well as legs can, or refused in one sentence,
and nothing is lost."""

import bpy
import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.blender import api
from neurarig_addon.blender.walk.ui.ground_words import ground_words
from neurarig_addon.core.errors import NeuraRigError
from tests.blender.leading import curve, linked, mesh, sheet, slab
from tests.blender.walking import played, seen, walker
from tests.refusals import refuses
from tests.rigs import biped, build

AHEAD = [(0.0, 0.0), (0.0, -8.0)]
FRAMES = range(1, 200, 6)
FLOOR, WALL = ((-4.0, 4.0), (-10.0, 2.0), 0.0), ((-4.0, 4.0), (-4.2, -4.0), 3.0, 3.0)


def together(*things: bpy.types.Object) -> bpy.types.Collection:
    found = bpy.data.collections.new("World")
    bpy.context.scene.collection.children.link(found)
    for thing in things:
        found.objects.link(thing)
    bpy.context.view_layer.update()
    return found


def hips(obj: bpy.types.Object) -> np.ndarray:
    return played(obj, FRAMES, ["Hips"])[:, 0, 0]


def test_a_path_through_a_wall_on_a_floor_goes_through_it():
    free = hips(walker("Free", mode="PATH", path=curve(AHEAD), ground=slab("Floor", *FLOOR)))
    obj = walker(mode="PATH", path=curve(AHEAD), ground=together(slab("Ground", *FLOOR), slab("Wall", *WALL)))
    assert_allclose(hips(obj)[:, 2], free[:, 2], atol=0.1)
    assert ground_words(obj) == (
        "Something solid is in the way after 4.0 m; the character walks through it. Lead the path around it.",
    )


def test_a_wall_without_thickness_is_told():
    screen = sheet("Screen", lambda x, y: 0.0)
    screen.rotation_euler.x, screen.location.y = np.pi / 2.0, -4.0
    bpy.context.view_layer.update()
    obj = walker(mode="PATH", path=curve(AHEAD), ground=together(slab("Ground", *FLOOR), screen))
    assert np.isfinite(hips(obj)).all()
    assert ground_words(obj) == (
        "A wall is in the way after 4.0 m; the character walks through it. Lead the path around it.",
    )


@pytest.mark.parametrize(("height", "sentence"), [(3.0, "goes up 3.0 m"), (-2.0, "goes down 2.0 m")])
@pytest.mark.parametrize("upright", [True, False], ids=["wall", "steep"])
@pytest.mark.parametrize("mode", ["PATH", "TRAVEL"])
def test_ground_that_is_a_wall_is_told(mode: str, upright: bool, height: float, sentence: str):
    if upright:
        ground = together(
            slab("Here", (-4.0, 4.0), (-4.0, 2.0), 0.0), slab("There", (-4.0, 4.0), (-12.0, -4.0), height)
        )
    else:
        ground = sheet("Cliff", lambda x, y: np.where(y < -4.0, height, 0.0), cells=200)
    obj = walker(mode=mode, path=curve(AHEAD), ground=ground)
    assert np.isfinite(hips(obj)).all() and obj.neurarig.walk.live
    (words,) = ground_words(obj)
    assert sentence in words and float(words.split(" after ")[1].split()[0]) == pytest.approx(4.0, abs=0.2)


def test_nothing_is_in_the_way_under_a_bridge_up_stairs_or_over_hills():
    stairs = [
        slab(f"Stair {number}", (-4.0, 4.0), (-9.0, -1.0 - 0.3 * number), 0.17 * (number + 1))
        for number in range(3)
    ]
    arch, hill = (
        slab("Arch", (-4.0, 4.0), (-5.0, -4.0), 3.4),
        sheet("Hill", lambda x, y: 0.2 * np.sin(y), reach=12.0),
    )
    for ground in (together(slab("Floor", *FLOOR), *stairs, arch), hill):
        obj = walker(mode="PATH", path=curve([(0.0, 0.0), (1.0, -8.0)]), ground=ground)
        hips(obj)
        assert not ground_words(obj)


def test_a_hidden_ground_is_walked_on_and_told_until_it_is_shown():
    floor = slab("Floor", *FLOOR)
    obj = walker(mode="PATH", path=curve(AHEAD), ground=floor)
    before = seen(obj, 20)
    floor.hide_set(True)
    assert np.array_equal(seen(obj, 20), before)
    assert ground_words(obj) == ("'Floor' is hidden; the walk still goes over it. Show it, or clear Ground.",)
    floor.hide_set(False)
    assert not ground_words(obj)


@pytest.mark.parametrize(("height", "said"), [(5.0, 1), (0.3, 0)])
def test_a_path_drawn_too_steep_is_told(height: float, said: int):
    obj = walker(mode="PATH", path=curve([(0.0, 0.0, 0.0), (0.0, -1.5, height)]))
    seen(obj, 20)
    words = ground_words(obj)
    assert len(words) == said and all("The ground slopes by 73°" in each for each in words)


def test_the_character_itself_is_no_ground():
    obj = build(biped(), "Hero")
    body, crate = (slab(name, (-0.3, 0.3), (-0.3, 0.3), 0.0) for name in ("Body", "Crate"))
    body.modifiers.new("Armature", "ARMATURE").object = obj
    crate.parent, crate.parent_type, crate.parent_bone = obj, "BONE", "Head"
    api.generate_walk(obj, mode="TRAVEL")
    before = played(obj, (1, 30))
    for ground in (body, crate):
        with refuses(f"'{ground.name}' is carried by 'Hero' and cannot lead it") as told:
            api.generate_walk(obj, ground=ground)
        assert "\n" not in str(told.value) and obj.neurarig.walk.ground is None and obj.neurarig.walk.live
    assert np.array_equal(played(obj, (1, 30)), before)


def test_who_walks_on_ground_that_loses_its_faces_goes_on_as_before_and_tells():
    ground = sheet("Sheet", lambda x, y: 0.3)
    obj = walker(mode="PATH", path=curve(AHEAD), ground=ground)
    before, data = hips(obj), ground.data
    ground.data = bpy.data.meshes.new("Nothing")
    bpy.context.view_layer.update()
    require_going_on(obj, "'Sheet' has no faces to walk on", before)
    ground.data = data
    bpy.context.view_layer.update()
    assert not obj.neurarig.walk.error and np.array_equal(hips(obj), before)


@pytest.mark.parametrize("how", ["paused", "removed"])
def test_a_ground_and_a_path_that_are_edited_while_nobody_walks_there_are_read_again(how: str):
    path, ground = curve(AHEAD), sheet("Sheet", lambda x, y: 0.0)
    obj = walker(mode="PATH", path=path, ground=ground)
    before = hips(obj)
    obj.neurarig.walk.live = False
    if how == "removed":
        api.remove_walk(obj)
    for vertex in ground.data.vertices:
        vertex.co.z = 0.5
    ground.data.update_tag()
    path.data.splines[0].points[1].co.x = 4.0
    path.data.update_tag()
    bpy.context.view_layer.update()
    api.generate_walk(obj, use_network=False) if how == "removed" else setattr(
        obj.neurarig.walk, "live", True
    )
    after = hips(obj)
    assert np.median(after[:, 2] - before[:, 2]) == pytest.approx(0.5, abs=0.03) and after[-1, 0] > 1.0


def test_a_path_that_is_drawn_wrong_in_mid_play_is_told_until_it_is_right():
    path = curve(AHEAD)
    obj = walker(mode="PATH", path=path)
    before, end = hips(obj), path.data.splines[0].points[1]
    for wrong, sentence in (
        ((0.0, -0.1, 0.0, 1.0), "shorter than a step"),
        ((float("nan"), 0.0, 0.0, 1.0), "not finite"),
    ):
        end.co = wrong
        path.data.update_tag()
        bpy.context.view_layer.update()
        require_going_on(obj, sentence, before)
        with refuses(sentence):
            api.bake_walk(obj, frame_start=1, frame_end=10)
        end.co = (*AHEAD[1], 0.0, 1.0)
        path.data.update_tag()
        bpy.context.view_layer.update()
        assert not obj.neurarig.walk.error and np.array_equal(hips(obj), before)


def test_a_time_that_cannot_be_kept_is_told_as_it_is_typed_until_it_can():
    obj = walker(mode="PATH", path=curve(AHEAD), arrive=200)
    before, settings = hips(obj), obj.neurarig.walk
    settings.arrive = 12
    require_going_on(obj, "frame 12", before)
    obj.pose.bones["Spine"].rotation_mode = "XYZ"
    bpy.context.view_layer.update()
    require_going_on(obj, "frame 12", before)
    with refuses("frame 12"):
        api.contact_report(obj, (1, 20))
    settings.arrive = 120
    assert not settings.error and hips(obj)[-1, 1] != before[-1, 1]
    settings.live = False
    settings.arrive = 12
    settings.live = True
    assert settings.live and "frame 12" in settings.error
    settings.arrive = 200
    assert not settings.error and np.array_equal(hips(obj), before)


def require_going_on(obj: bpy.types.Object, sentence: str, before: np.ndarray) -> None:
    """Require that a character walks as before, and tells why it does not walk as it is set."""
    assert np.array_equal(hips(obj), before)
    told = obj.neurarig.walk.error
    assert (
        obj.neurarig.walk.live
        and sentence in told
        and "Until then it keeps its last valid motion." in told
        and "\n" not in told
    )


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(6))
def test_drawn_grounds_and_paths_never_end_in_a_traceback_or_a_number_that_is_none(seed: int):
    draw = np.random.default_rng(seed)
    points = draw.normal(size=(40, 3)) * [6.0, 6.0, 2.0]
    soup = mesh("Soup", points, draw.integers(0, 40, (60, 3))[:, :3])
    bumps = sheet("Bumps", lambda x, y: draw.normal(size=x.shape) * draw.choice([0.02, 0.2, 2.0]), cells=30)
    way = curve(
        [
            tuple(place)
            for place in draw.normal(size=(draw.integers(2, 6), 2)) * draw.choice([0.3, 3.0, 10.0])
        ],
        str(draw.choice(["POLY", "BEZIER"])),
    )
    obj = build(biped(), "Hero")
    linked("Bystander", None)
    try:
        api.generate_walk(
            obj, use_network=False, mode="PATH", path=way, ground=soup if draw.random() < 0.5 else bumps
        )
    except NeuraRigError as error:
        assert "\n" not in str(error) and not obj.neurarig.attachment
    else:
        assert np.isfinite(played(obj, FRAMES)).all() and obj.neurarig.walk.live, obj.neurarig.walk.error
        assert all("\n" not in words for words in ground_words(obj))
