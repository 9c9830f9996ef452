"""Every kind of ground: in all modes, collections, many floors, holes, modifiers, hidden and moving meshes,
and bad input."""

import bpy
import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.blender import api
from neurarig_addon.blender.walk.source import memory
from neurarig_addon.blender.walk.source import source as walk_source
from neurarig_addon.blender.walk.ui.ground_words import ground_words
from neurarig_addon.blender.walk.way import ground as walk_ground
from neurarig_addon.blender.walk.way import meshes
from tests.blender.leading import curve, linked, mesh, sheet, slab
from tests.blender.walking import played, seen, walker
from tests.refusals import refuses
from tests.rigs import biped, build

AHEAD = [(0.0, 0.0), (0.0, -8.0)]


def hips(obj: bpy.types.Object, frame: float) -> np.ndarray:
    return seen(obj, frame, ["Hips"])[0, 0]


def level_hips() -> float:
    """Return how high the hips are on average on level ground."""
    return float(played(walker("Level", mode="TRAVEL"), range(1, 60, 4), ["Hips"])[:, 0, 0, 2].mean())


def collection(*objects: bpy.types.Object) -> bpy.types.Collection:
    found = bpy.data.collections.new("World")
    bpy.context.scene.collection.children.link(found)
    for obj in objects:
        bpy.context.scene.collection.objects.unlink(obj)
        found.objects.link(obj)
    bpy.context.view_layer.update()
    return found


@pytest.mark.parametrize("carrier", ["OBJECT", "BONE"])
def test_who_travels_walks_on_the_ground_too(carrier):
    hill = sheet("Hill", lambda x, y: -0.2 * y)
    obj = walker(mode="TRAVEL", ground=hill, travel_with=carrier, speed=1.0)
    report = api.contact_report(obj, (1, 120))
    assert max(side["max"] for side in report["slip_mm"].values()) < 0.5 and report["penetration_mm"] < 1.0
    start, end = hips(obj, 1), hips(obj, 120)
    assert end[2] - start[2] == pytest.approx(0.2 * (start[1] - end[1]), abs=0.03) and start[1] - end[1] > 3.0
    if carrier == "OBJECT":
        again = played(obj, (120, 30, 75), ["Hips"])
        api.bake_walk(obj, frame_start=1, frame_end=120)
        assert_allclose(played(obj, (120, 30, 75), ["Hips"]), again, atol=1e-4)


def test_a_collection_of_meshes_is_one_ground():
    floor, step = slab("Floor", (-3.0, 3.0), (-3.0, 3.0), 0.0), slab("Step", (-3.0, 3.0), (-9.0, -3.0), 0.15)
    ground = collection(floor, step)
    obj = walker(mode="PATH", path=curve(AHEAD), ground=ground, speed=1.0)
    report = api.contact_report(obj, (1, 170))
    assert max(side["max"] for side in report["slip_mm"].values()) < 0.5 and report["penetration_mm"] < 1.5
    low, high = played(obj, range(10, 40, 5), ["Hips"])[:, 0, 0, 2].mean(), hips(obj, 500)[2]
    assert high - low == pytest.approx(0.15, abs=0.03)
    step.hide_viewport = True
    bpy.context.view_layer.update()
    assert hips(obj, 500)[2] == pytest.approx(high - 0.15, abs=0.03), (
        "what is hidden is no ground by accident"
    )
    step.hide_viewport = False
    bpy.context.view_layer.update()
    assert hips(obj, 500)[2] == pytest.approx(high, abs=1e-4)
    bpy.data.objects.remove(step)
    bpy.context.view_layer.update()
    assert obj.neurarig.walk.live and hips(obj, 500)[2] == pytest.approx(high - 0.15, abs=0.03)


@pytest.mark.parametrize("kind", ["CURVE", "FONT", "SURFACE"])
def test_what_has_no_faces_yet_is_no_ground(kind: str) -> None:
    """Blender has no mesh at all for an empty curve, and one without points for an empty text or surface."""
    hill, data = sheet("Hill", lambda x, y: -0.2 * y), bpy.data.curves.new("Empty", kind)
    if kind == "FONT":
        data.body = ""
    empty = linked("Empty", data)
    obj = walker(mode="TRAVEL", ground=collection(hill, empty))
    among = played(obj, (1, 40, 90), ["Hips"])
    bpy.data.objects.remove(empty)
    bpy.context.view_layer.update()
    assert obj.neurarig.walk.live and among[0, 0, 0, 2] < among[2, 0, 0, 2]
    assert_allclose(played(obj, (1, 40, 90), ["Hips"]), among, atol=1e-6)


def test_a_collection_may_hold_the_characters_that_walk_on_it():
    crowd = [walker(name, mode="IN_PLACE") for name in ("Hero", "Villain")]
    bodies = []
    for obj in crowd:
        body = slab(f"{obj.name} Body", (-0.5, 0.5), (-5.0, 0.5), 1.5, 1.4)
        body.modifiers.new("Armature", "ARMATURE").object = obj
        bodies.append(body)
    ground = collection(slab("Floor", (-9.0, 9.0), (-9.0, 9.0), 0.0), *bodies)
    for obj in crowd:
        api.generate_walk(obj, mode="TRAVEL", ground=ground)
        assert abs(hips(obj, 50)[2] - hips(obj, 1)[2]) < 0.1
    with refuses("'Hero Body' is carried by 'Hero'"):
        api.generate_walk(crowd[0], ground=bodies[0])
    assert crowd[0].neurarig.walk.ground_collection == ground and crowd[0].neurarig.walk.live


def test_under_a_bridge_and_over_it():
    floor, bridge = (
        slab("Floor", (-9.0, 9.0), (-20.0, 9.0), 0.0),
        slab("Bridge", (-9.0, 9.0), (-4.0, -2.0), 3.0),
    )
    ground, level = collection(floor, bridge), level_hips()
    under = walker("Under", mode="PATH", path=curve(AHEAD), ground=ground)
    assert max(played(under, range(1, 160, 6), ["Hips"])[:, 0, 0, 2]) < level + 0.1
    over = walker("Over", mode="PATH", path=curve([(-5.0, -3.0, 3.0), (5.0, -3.0, 3.0)]), ground=ground)
    assert hips(over, 60)[2] == pytest.approx(level + 3.0, abs=0.1)


def test_a_level_path_climbs_stairs_over_a_floor():
    treads = [
        slab(f"Tread {n}", (-2.0, 2.0), (-2.3 - 0.3 * n, -2.0 - 0.3 * n), 0.16 * (n + 1), 0.16)
        for n in range(8)
    ]
    landing = slab("Landing", (-2.0, 2.0), (-9.0, -2.0 - 0.3 * 8), 0.16 * 8, 0.1)
    ground = collection(slab("Floor", (-9.0, 9.0), (-20.0, 9.0), 0.0), landing, *treads)
    obj = walker(mode="PATH", path=curve(AHEAD), ground=ground, speed=0.6)
    assert hips(obj, 900)[2] == pytest.approx(level_hips() + 0.16 * 8, abs=0.1), (
        "nobody falls through onto the floor below"
    )
    assert max(side["max"] for side in api.contact_report(obj, (1, 200))["slip_mm"].values()) < 0.5


def test_the_height_is_kept_over_a_hole_and_the_panel_says_where():
    ground = collection(
        slab("Near", (-3.0, 3.0), (-3.0, 3.0), 0.3), slab("Far", (-3.0, 3.0), (-9.0, -5.0), 0.3)
    )
    obj = walker(mode="PATH", path=curve(AHEAD), ground=ground)
    heights = played(obj, range(1, 200, 5), ["Hips"])[:, 0, 0, 2]
    assert np.isfinite(heights).all() and np.ptp(heights) < 0.16
    (words,) = ground_words(obj)
    assert float(words.removeprefix("No ground under the path after ").split()[0]) == pytest.approx(
        3.0, abs=0.1
    )
    whole = walker("Other", mode="PATH", path=curve(AHEAD), ground=sheet("Whole", lambda x, y: 0.0 * x))
    assert not ground_words(whole)


def test_modifiers_of_the_ground_count_also_when_they_change():
    ground = sheet("Sheet", lambda x, y: 0.0 * x)
    obj = walker(mode="PATH", path=curve(AHEAD), ground=ground)
    low = hips(obj, 50)[2]
    push = ground.modifiers.new("Up", "DISPLACE")
    push.direction, push.strength, push.mid_level = "Z", 0.4, 0.0
    bpy.context.view_layer.update()
    assert hips(obj, 50)[2] == pytest.approx(low + 0.4, abs=1e-3)
    push.strength = 0.1
    bpy.context.view_layer.update()
    assert hips(obj, 50)[2] == pytest.approx(low + 0.1, abs=1e-3)


def test_keyed_ground_is_as_it_is_on_each_frame_in_any_order():
    ground = sheet("Sheet", lambda x, y: 0.0 * x)
    for frame, height in ((1, 0.2), (60, 1.0)):
        ground.location.z = height
        ground.keyframe_insert("location", index=2, frame=frame)
    bpy.context.scene.frame_set(60)
    obj = walker(mode="PATH", path=curve(AHEAD), ground=ground)
    forward = played(obj, (1, 30, 60))
    assert_allclose(played(obj, (60, 30, 1))[::-1], forward, atol=1e-6)
    assert hips(obj, 60)[2] == pytest.approx(level_hips() + 1.0, abs=0.12)
    assert ground_words(obj) == (
        "'Sheet' moves; feet go with it while they stand. To be carried along by it, choose it as Stand On.",
    )
    api.generate_walk(obj, stand_on=ground)
    assert not ground_words(obj), "who rides on it is relative to it"


def test_a_hidden_ground_that_was_chosen_is_walked_on():
    ground = sheet("Proxy", lambda x, y: 0.5 + 0.0 * x)
    ground.hide_render = True
    ground.hide_set(True)
    obj = walker(mode="PATH", path=curve(AHEAD), ground=ground)
    assert hips(obj, 50)[2] == pytest.approx(level_hips() + 0.5, abs=0.1)


def test_what_becomes_of_the_ground_in_mid_play():
    ground = sheet("Sheet", lambda x, y: 0.5 + 0.0 * x)
    obj = walker(mode="PATH", path=curve(AHEAD), ground=ground)
    high = hips(obj, 40)[2]
    ground.hide_set(True)
    assert hips(obj, 41)[2] == pytest.approx(high, abs=0.05)
    bpy.data.objects.remove(ground)
    assert hips(obj, 42)[2] == pytest.approx(high - 0.5, abs=0.05)
    assert obj.neurarig.walk.live and not obj.neurarig.walk.error


def test_what_is_no_ground_is_refused_in_one_sentence_and_nothing_is_lost():
    obj = build(biped(), "Hero")
    lamp, empty = linked("Lamp", None), bpy.data.collections.new("Empty")
    wall = mesh(
        "Wall", np.array([[0, 0, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1]], float), np.array([[0, 1, 2, 3]])
    )
    point = sheet("Point", lambda x, y: 0.0 * x)
    point.scale = (0.0, 0.0, 0.0)
    bpy.context.view_layer.update()
    for ground, sentence in (
        (lamp, "'Lamp' cannot be ground: it has no faces"),
        (empty, "The collection 'Empty' has no visible faces"),
        (wall, "'Wall' has no faces to walk on"),
        (point, "'Point' has no faces to walk on"),
        ("Hill", "needs an object or a collection"),
    ):
        with refuses(sentence) as told:
            api.generate_walk(obj, mode="TRAVEL", ground=ground)
        assert (
            "\n" not in str(told.value) and not obj.neurarig.attachment and obj.neurarig.walk.ground is None
        )


def test_the_rim_of_a_mesh_is_where_faces_end_or_turn_over():
    def rim(thing: bpy.types.Object) -> int:
        return len(meshes.read_ground(thing.evaluated_get(bpy.context.evaluated_depsgraph_get())).rim)

    floor = sheet("Floor", lambda x, y: 0.0, cells=8)
    assert rim(floor) == 4 * 8 and not rim(slab("Slab", (0.0, 1.0), (0.0, 1.0), 1.0))
    floor.data.polygons[27].flip()
    floor.data.update()
    assert rim(floor) == 4 * 8 + 4


def test_an_edited_ground_is_read_once(monkeypatch: pytest.MonkeyPatch):
    hill = sheet("Hill", lambda x, y: 0.1 * np.sin(x))
    obj = walker(mode="TRAVEL", ground=hill)
    read = []
    monkeypatch.setattr(
        walk_ground, "read_ground", lambda thing: read.append(thing.name) or meshes.read_ground(thing)
    )
    hill.data.vertices[0].co.z += 0.5
    hill.data.update_tag()
    memory.forget(obj)
    walk_source.source_of(obj, bpy.context.scene)
    bpy.context.view_layer.update()
    assert read == ["Hill"]
