"""A character of two armatures: one that would stay behind is told, one that follows is no obstacle."""

import random

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.character import record
from tests.blender.controlling import assert_given_back, evaluated, settled, state
from tests.blender.walking import state_of
from tests.refusals import refuses
from tests.rigs import LEFT_LEG, TRUNK, Bone, biped, build, make_active, with_mirror

WAYS = ("COPY_TRANSFORMS", "ARMATURE", "COPY_LOCATION COPY_ROTATION")
PARTS = {"clothes": ("Hips", "Spine", "UpLeg", "Leg", "Foot"), "face": ("Neck", "Head"), "whole": ("",)}


@pytest.fixture
def halves() -> tuple[bpy.types.Object, bpy.types.Object]:
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
    with refuses(r"'Legs' and 'Upper' deform 'Skin' together.*join them"):
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


def follow(other: bpy.types.Object, obj: bpy.types.Object, part: str, way: str) -> list[str]:
    """Have the bones of a part follow those of another armature, and return their names."""
    names = [bone.name for bone in other.pose.bones if any(word in bone.name for word in PARTS[part])]
    if way == "ARMATURE":  # which adds to what a parent does
        make_active(other)
        bpy.ops.object.mode_set(mode="EDIT")
        for name in names:
            other.data.edit_bones[name].parent = None
        bpy.ops.object.mode_set(mode="OBJECT")
    for name in names:
        for kind in way.split():
            constraint = other.pose.bones[name].constraints.new(kind)
            held = constraint.targets.new() if kind == "ARMATURE" else constraint
            held.target, held.subtarget = obj, name
    return names


def skin(obj: bpy.types.Object) -> None:
    mesh = bpy.data.objects.new(f"{obj.name} Skin", bpy.data.meshes.new("Skin"))
    bpy.context.scene.collection.objects.link(mesh)
    mesh.modifiers.new("Armature", "ARMATURE").object = obj


def away(obj: bpy.types.Object, other: bpy.types.Object, names: list[str]) -> float:
    """Return how far bones of one armature are from those of the same names of another, metres."""
    here, there = evaluated(obj), evaluated(other)
    places = [
        np.array(thing.matrix_world) @ bones[name]
        for thing, bones in ((obj, here), (other, there))
        for name in names
    ]
    return float(
        np.abs(np.array(places[: len(names)])[:, :3, 3] - np.array(places[len(names) :])[:, :3, 3]).max()
    )


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(6))
def test_armatures_that_follow_come_along_live_and_baked(seed: int) -> None:
    draw = random.Random(seed)
    body, other = build(biped(toes=draw.random() < 0.5), "Body"), build(biped(toes=False), "Partner")
    way = draw.choice(WAYS)
    names = follow(other, body, draw.choice(list(PARTS)), way)
    if way == "ARMATURE":  # which carries a bone by as much as the other has moved
        other.parent = body
    else:
        other.location = [draw.uniform(-0.5, 0.5) for _ in range(3)]
    for obj in (body, other):
        skin(obj)
    body.rotation_euler.z = draw.uniform(-3.0, 3.0)
    make_active(body)
    bpy.context.view_layer.update()
    assert away(body, other, names) < 1e-5
    api.generate_walk(
        body, mode=draw.choice(("TRAVEL", "IN_PLACE")), travel_with=draw.choice(("OBJECT", "BONE"))
    )
    for baked in (False, True):
        if baked:
            api.bake_walk(body)
        for frame in (1, 7, 18, 33):
            bpy.context.scene.frame_set(frame)
            assert away(body, other, names) < 1e-4, (baked, frame)


@pytest.mark.parametrize("way", WAYS)
def test_one_that_follows_a_body_with_a_skin_is_refused_and_told_whom_to_select(way: str) -> None:
    body, clothes = build(biped(), "Body"), build(biped(), "Clothes")
    names = follow(clothes, body, "clothes", way)
    skin(body)
    make_active(clothes)
    before = state_of(clothes)
    with refuses(r"'Clothes' follows 'Body', which would stay behind\. Select 'Body'"):
        api.generate_walk(clothes)
    assert state_of(clothes) == before
    for name in names:
        for constraint in clothes.pose.bones[name].constraints:
            constraint.mute = True
    api.generate_walk(clothes)


def test_one_that_follows_bare_controls_walks_alone_and_says_so() -> None:
    controls, deform = build(biped(), "Controls"), build(biped(), "Deform")
    follow(deform, controls, "whole", "COPY_TRANSFORMS")
    skin(deform)
    make_active(deform)
    for kind, wanted in (("AUTO", "LAYER"), ("FK", "FK")):
        api.generate_walk(deform, controls=kind)
        made = record.attachment(deform)
        assert made["kind"] == wanted and "Select 'Controls' to move both" in made["why"]
        places = []
        for frame in (1, 10):
            bpy.context.scene.frame_set(frame)
            places.append(evaluated(deform)["LeftFoot"][:3, 3])
        assert np.abs(places[0] - places[1]).max() > 0.05
        assert api.remove_walk(deform) == []


def test_one_whose_controls_are_in_another_armature_walks_without_them_and_is_given_back() -> None:
    deform = build(biped(), "Deform")
    feet = [
        Bone(f"{side} Control", None, (x, 0.0, 0.1), (x, -0.1, 0.1))
        for side, x in (("Left", 0.1), ("Right", -0.1))
    ]
    controls = build(feet, "Controls")
    for side in ("Left", "Right"):
        solver = deform.pose.bones[f"{side}Leg"].constraints.new("IK")
        solver.target, solver.subtarget, solver.chain_count = controls, f"{side} Control", 2
    make_active(deform)
    before = state(settled(deform))
    for kind, wanted in (("AUTO", "LAYER"), ("FK", "FK")):
        report = api.generate_walk(deform, controls=kind)
        made = record.attachment(deform)
        assert made["kind"] == wanted and "in another armature, 'Controls'" in made["why"]
        assert (
            report["integrity_percent"] < 0.1
            and max(side["max"] for side in report["slip_mm"].values()) < 0.1
        )
        assert api.remove_walk(deform) == []
        assert_given_back(deform, before)
