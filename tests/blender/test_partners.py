"""A character of two armatures: one that would stay behind is told, one that follows is no obstacle."""

import bpy
import pytest

from neurarig_addon.blender import api
from neurarig_addon.core.errors import NeuraRigError
from tests.blender.walking import state_of
from tests.rigs import LEFT_LEG, TRUNK, biped, build, make_active, with_mirror


@pytest.fixture
def halves(addon: None) -> tuple[bpy.types.Object, bpy.types.Object]:
    """Return trunk with legs, and a whole body for its arms, which deform one mesh."""
    legs, upper = build([*TRUNK, *with_mirror(LEFT_LEG)], "Legs"), build(biped(), "Upper")
    mesh = bpy.data.objects.new("Skin", bpy.data.meshes.new("Skin"))
    bpy.context.scene.collection.objects.link(mesh)
    for obj in (legs, upper):
        mesh.modifiers.new(obj.name, "ARMATURE").object = obj
    make_active(legs)
    return legs, upper


def test_one_that_would_stay_behind_is_refused(halves: tuple) -> None:
    legs, _ = halves
    before = state_of(legs)
    with pytest.raises(NeuraRigError, match=r"'Legs' and 'Upper' deform 'Skin' together.*join them"):
        api.generate_walk(legs)
    assert state_of(legs) == before


def test_one_that_is_parented_or_constrained_or_muted_is_no_obstacle(halves: tuple) -> None:
    legs, upper = halves
    upper.parent, upper.parent_type, upper.parent_bone = legs, "BONE", "Spine2"
    api.generate_walk(legs)
    api.remove_walk(legs)
    upper.parent = None
    constraint = upper.pose.bones["Spine2"].constraints.new("COPY_TRANSFORMS")
    constraint.target, constraint.subtarget = legs, "Spine2"
    api.generate_walk(legs)
    api.remove_walk(legs)
    upper.pose.bones["Spine2"].constraints.remove(constraint)
    muted = bpy.data.objects["Skin"].modifiers["Upper"]
    muted.show_viewport = muted.show_render = False
    api.generate_walk(legs)
