"""An uneven or mirrored scale: refused with the button that mends it, and once that is clicked the character
walks."""

import bpy
import numpy as np
import pytest
from mathutils import Vector
from numpy.testing import assert_allclose

from neurarig_addon.blender import api
from tests.blender.walking import seen_now, state_of
from tests.refusals import refuses
from tests.rigs import biped, build, make_active


def scaled(*scale: float) -> bpy.types.Object:
    obj = build(biped(), "Hero")
    obj.rotation_euler, obj.location = (0.0, 0.0, 0.6), (1.0, 2.0, 0.0)
    obj.scale = scale
    return obj


def below_a_parent(*scale: float) -> bpy.types.Object:
    """Return a character that a parent, turned against it, scales: its axes are not square to each other."""
    obj, holder = build(biped(), "Hero"), bpy.data.objects.new("Holder", None)
    bpy.context.scene.collection.objects.link(holder)
    obj.parent, obj.rotation_euler = holder, (0.0, 0.0, 0.6)
    holder.rotation_euler, holder.scale, holder.location = (0.0, 0.0, -0.3), scale, (0.5, 0.0, 0.0)
    return obj


def by_its_delta(*scale: float) -> bpy.types.Object:
    obj = build(biped(), "Hero")
    obj.delta_scale, obj.delta_location, obj.delta_rotation_euler = scale, (0.0, 0.3, 0.0), (0.0, 0.0, 0.2)
    return obj


def with_skin(obj: bpy.types.Object) -> bpy.types.Object:
    """Return a mesh of one box that the left shin carries along, a child of the character."""
    mesh = bpy.data.meshes.new("Skin")
    points = [Vector((0.09, 0.0, 0.3)) + Vector(corner) for corner in np.ndindex(2, 2, 2)]
    mesh.from_pydata(points, [], [(0, 1, 3, 2), (4, 5, 7, 6)])
    skin = bpy.data.objects.new("Skin", mesh)
    bpy.context.scene.collection.objects.link(skin)
    skin.parent = obj
    skin.vertex_groups.new(name="LeftLeg").add(range(8), 1.0, "REPLACE")
    skin.modifiers.new("Armature", "ARMATURE").object = obj
    return skin


def hung_on_a_hand(obj: bpy.types.Object) -> bpy.types.Object:
    held = bpy.data.objects.new("Cup", None)
    bpy.context.scene.collection.objects.link(held)
    held.parent, held.parent_type, held.parent_bone = obj, "BONE", "LeftHand"
    held.location = (0.1, 0.0, 0.05)
    return held


def skin_points(skin: bpy.types.Object) -> np.ndarray:
    evaluated = skin.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array([evaluated.matrix_world @ vertex.co for vertex in evaluated.data.vertices])


CASES = {
    "tall": lambda: scaled(1.0, 1.0, 1.3),
    "broad": lambda: scaled(1.4, 1.0, 1.0),
    "mirrored": lambda: scaled(-1.0, 1.0, 1.0),
    "mirrored front to back": lambda: scaled(1.0, -1.0, 1.0),
    "through its origin": lambda: scaled(-1.0, -1.0, -1.0),
    "by a parent": lambda: below_a_parent(1.2, 0.9, 1.1),
    "mirrored by a parent": lambda: below_a_parent(1.0, -1.0, 1.0),
    "by its delta": lambda: by_its_delta(1.0, 1.2, 1.0),
}


@pytest.mark.few(3)
@pytest.mark.parametrize("case", CASES)
def test_bones_take_over_the_scale_and_nothing_moves(case: str) -> None:
    obj = CASES[case]()
    skin, cup = with_skin(obj), hung_on_a_hand(obj)
    make_active(obj)
    bpy.context.view_layer.update()
    before = state_of(obj)
    with refuses(r"'Hero': .*Apply Scale"):
        api.generate_walk(obj)
    assert state_of(obj) == before
    bones, points, place = seen_now(obj), skin_points(skin), cup.matrix_world.copy()
    assert bpy.ops.neurarig.apply_scale() == {"FINISHED"}
    bpy.context.view_layer.update()
    assert_allclose(seen_now(obj), bones, atol=2e-5)
    assert_allclose(skin_points(skin), points, atol=2e-5)
    assert_allclose(cup.matrix_world, place, atol=2e-5)
    assert_allclose(obj.matrix_world.to_scale(), (1.0, 1.0, 1.0), atol=1e-5)
    report = api.generate_walk(obj)
    assert report["past_limits"] == []


def test_posed_bones_stay_where_they_are_moved_to() -> None:
    obj = scaled(1.0, 1.0, 1.3)
    obj.pose.bones["Hips"].location = (0.1, 0.05, -0.2)
    bpy.context.view_layer.update()
    bones = seen_now(obj)
    api.apply_scale(obj)
    bpy.context.view_layer.update()
    assert_allclose(seen_now(obj), bones, atol=2e-5)


def test_what_holds_the_scale_is_said_and_nothing_changed() -> None:
    obj = scaled(1.0, 1.0, 1.3)
    other = bpy.data.objects.new("Twin", obj.data)
    before = state_of(obj)
    with refuses("Make Single User"):
        api.apply_scale(obj)
    bpy.data.objects.remove(other)
    obj.keyframe_insert("scale", frame=1)
    with refuses("keys, drivers or constraints"):
        api.apply_scale(obj)
    obj.animation_data_clear()
    obj.scale = (1.0, 0.0, 1.0)
    bpy.context.view_layer.update()
    with refuses("scale of 0"):
        api.apply_scale(obj)
    obj.scale = (1.0, 1.0, 1.3)
    bpy.context.view_layer.update()
    after = state_of(obj)
    assert {key: after[key] for key in ("bones", "pose", "place")} == {
        key: before[key] for key in ("bones", "pose", "place")
    }
