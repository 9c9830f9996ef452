"""Rigify's generated animals: they walk by their own controls, planted by their paws, with hocks where the
walk has them."""

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.character.controls import attachment
from neurarig_addon.blender.character.roles import role_map
from neurarig_addon.blender.walk.source.source import source_of
from neurarig_addon.core.skeleton.roles import FEET, SIDES, sided
from tests import rigs
from tests.blender.controlling import degrees, evaluated, mess_up_pose, rest, state, wanted

# the metatarsus and the metacarpus by Rigify's names
ANIMALS = {
    "basic_quadruped": ("foot", "front_foot"),
    "wolf": ("foot", "front_foot"),
    "cat": ("foot", "hand"),
    "horse": ("hind_foot", "forefoot"),
}
FRAMES = np.arange(1.0, 31.0, 3.0)
OFF = 1.0  # degrees that a hock or wrist may be off
PLANTED = 0.0002  # of the leg


def worst_slip(obj: bpy.types.Object) -> float:
    """Return how far planted feet slip, in legs."""
    report = api.contact_report(obj, (1, 40))
    assert tuple(report["slip_mm"]) == FEET
    return max(side["max"] for side in report["slip_mm"].values()) / (1e3 * report["leg_length_m"])


@pytest.mark.parametrize(("gait", "crouch"), [("WALK", 0.0), ("WALK", 0.35), ("GALLOP", 0.0)])
@pytest.mark.parametrize("kind", ANIMALS)
def test_hocks_and_wrists_are_where_the_walk_has_them(kind: str, gait: str, crouch: float) -> None:
    obj = rigs.rigify_animal(kind)
    api.generate_walk(obj, gait=gait, crouch=crouch)
    made, source = attachment.read(obj.neurarig.attachment), source_of(obj, bpy.context.scene)
    assert made["kind"] == "RIGIFY_REACH" and not made["why"]
    moved = {bone for bone, _, location, _ in made["drives"] if location and not bone.endswith((".L", ".R"))}
    assert moved == {"root", "torso"}, "the spine and the tail only turn"
    pose, roles = source.pose(FRAMES), role_map(obj)
    assert {"toe.L", "fingers.R", "tail.1"} < roles.bones.keys()
    for foot in ANIMALS[kind]:
        assert {f"{foot}_ik.L", f"{foot}_heel_ik.L"} < {bone for bone, *_ in made["drives"]}
    for row, frame in enumerate(FRAMES):
        bpy.context.scene.frame_set(int(frame))
        matrices = evaluated(obj)
        for role in (sided(part, side) for part in ("foot", "hand") for side in SIDES):
            bone = roles.bones[role]
            axes, _ = wanted(source.body, pose.motions[role], rest(obj, bone), row, 0.0)
            assert degrees(matrices[bone][:3, :3], axes) < OFF, (role, frame)


@pytest.mark.parametrize("gait", ["WALK", "TROT"])
@pytest.mark.parametrize("kind", ANIMALS)
@pytest.mark.parametrize(("controls", "keys"), [("AUTO", "EDITABLE"), ("FK", "DENSE")])
def test_paws_are_planted_live_and_baked(kind: str, gait: str, controls: str, keys: str) -> None:
    obj = rigs.rigify_animal(kind)
    api.generate_walk(obj, gait=gait, controls=controls)
    assert worst_slip(obj) < PLANTED
    api.bake_walk(obj, frame_start=1, frame_end=40, keys=keys)
    assert worst_slip(obj) < PLANTED


@pytest.mark.parametrize("controls", ["AUTO", "FK"])
@pytest.mark.parametrize("kind", ANIMALS)
def test_what_was_before_is_given_back(kind: str, controls: str) -> None:
    obj = rigs.rigify_animal(kind)
    mess_up_pose(obj)
    before = state(obj)
    api.generate_walk(obj, controls=controls)
    api.bake_walk(obj, frame_start=1, frame_end=10)
    api.remove_walk(obj)
    bpy.context.view_layer.update()  # the rig's own drivers mute and unmute constraints
    after = state(obj)
    for key, value in before.items():
        assert after[key] == value or key == "file", key
