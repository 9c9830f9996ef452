"""Paths over meshes: followed, edited, left, and baked."""

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from tests.blender import leading
from tests.blender.walking import played, seen, walker
from tests.refusals import refuses
from tests.rigs import biped, build

BEND = [(0.0, 0.0), (0.0, -4.0), (3.0, -6.0), (7.0, -6.0)]


def curve(
    points: list[tuple[float, float]] = BEND, kind: str = "POLY", is_closed: bool = False
) -> bpy.types.Object:
    """Return a curve object through points on the floor; the character faces -Y."""
    return leading.curve(points, kind, is_closed)


def hill(height: float = 0.4) -> bpy.types.Object:
    """Return a mesh that waves, with faces of a quarter metre."""
    return leading.sheet("Hill", lambda x, y: height * np.sin(0.5 * x) * np.cos(0.6 * y))


@pytest.mark.parametrize("carrier", ["OBJECT", "BONE"])
def test_a_path_leads_over_a_mesh(carrier):
    ground = hill()
    ground.rotation_euler.z, ground.scale = 0.3, (1.5, 1.5, 1.5)
    bpy.context.view_layer.update()
    obj = walker(mode="PATH", path=curve(), ground=ground, travel_with=carrier, speed=1.0)
    report = api.contact_report(obj, (1, 200))
    assert max(side["max"] for side in report["slip_mm"].values()) < 0.5
    assert report["penetration_mm"] < 3.0, "where flat faces meet under a sole"
    hips = played(obj, range(1, 200, 20), ["Hips"])[:, 0, 0]
    assert np.ptp(hips[:, 2]) > 0.08
    for x, y, z in hips:
        hit, place, *_ = bpy.context.scene.ray_cast(
            bpy.context.evaluated_depsgraph_get(), (x, y, 10.0), (0.0, 0.0, -1.0)
        )
        assert hit and 0.75 < z - place[2] < 1.15


def test_a_ground_that_is_edited_is_followed():
    ground = hill(0.0)
    obj = walker(mode="PATH", path=curve(), ground=ground)
    low = seen(obj, 40, ["Hips"])[0, 0, 2]
    ground.location.z = 0.5
    bpy.context.view_layer.update()
    assert seen(obj, 40, ["Hips"])[0, 0, 2] == pytest.approx(low + 0.5, abs=1e-3)
    for vertex in ground.data.vertices:
        vertex.co.z = 0.25
    ground.data.update()
    bpy.context.view_layer.update()
    assert seen(obj, 40, ["Hips"])[0, 0, 2] == pytest.approx(low + 0.75, abs=1e-3)


def test_a_ground_without_faces_is_refused_and_none_is_level():
    obj = build(biped(), "Hero")
    empty = bpy.data.objects.new("Nothing", bpy.data.meshes.new("Nothing"))
    bpy.context.scene.collection.objects.link(empty)
    with refuses("'Nothing' has no faces"):
        api.generate_walk(obj, mode="PATH", path=curve(), ground=empty)
    api.generate_walk(obj, use_network=False, mode="PATH", travel_with="OBJECT", path=curve(), ground=None)
    assert obj.location.z == pytest.approx(-0.02, abs=1e-4), (
        "its soles, 2 cm over its origin, are on the path"
    )
