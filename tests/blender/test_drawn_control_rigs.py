"""Control rigs of other makes than people's: drawn at random, their truth known by construction, names
without meaning."""

import json

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.animation import compat
from neurarig_addon.blender.character import controls
from neurarig_addon.blender.character.controls.attachment import CONTROLS, CONTROLS_FK
from neurarig_addon.blender.character.controls.probing import paths
from neurarig_addon.blender.character.controls.probing.read_rig import probe
from neurarig_addon.blender.character.read_armature import read_skeleton
from neurarig_addon.blender.character.roles import store_roles
from neurarig_addon.core.character.integrity import integrity
from neurarig_addon.core.skeleton.anatomy import anatomy
from tests.blender.controlling import evaluated, settled, state
from tests.drawn_rigs import Make, draw_rig

# The first seeds of each kind: solvers on the deforming bones and saved in IK; bones that stretch; Armature
# constraints; pivots.
SEEDS = (3, 1, 20, 0, 15, 9)


def test_the_seeds_are_of_every_kind() -> None:
    makes = [Make.drawn(seed) for seed in SEEDS]
    assert any(make.one_chain and make.saved == "IK" for make in makes)
    assert any(make.one_chain and make.stretch for make in makes)
    assert any(not make.one_chain and make.stretch for make in makes)
    assert {make.copies for make in makes} == {"COPY_TRANSFORMS", "COPY_ROTATION", "ARMATURE"}
    assert {make.reverse for make in makes} == {make.shaped for make in makes} == {True, False}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_drawn_rig_rests_where_its_bones_rest(seed: int) -> None:
    rig = draw_rig(seed)
    seen = evaluated(rig.obj)
    for bone in rig.roles.values():
        np.testing.assert_allclose(seen[bone], np.array(rig.obj.data.bones[bone].matrix_local), atol=1e-4)


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", SEEDS)
def test_controls_and_switches_are_found(seed: int) -> None:
    rig = draw_rig(seed)
    assert rig.missed(probe(rig.obj, read_skeleton(rig.obj, bpy.context.scene), rig.role_map)) == []


def test_an_action_that_plays_hides_no_control() -> None:
    rig = draw_rig(SEEDS[0])
    skeleton = read_skeleton(rig.obj, bpy.context.scene)
    for frame, bent in ((1, 0.0), (10, 0.6)):
        for bone in rig.obj.pose.bones:
            bone.rotation_mode = "XYZ"
            bone.rotation_euler = bent, 0.0, bent
            for prop in ("location", "rotation_euler"):
                bone.keyframe_insert(prop, frame=frame)
    bpy.context.scene.frame_set(10)
    assert rig.missed(probe(rig.obj, skeleton, rig.role_map)) == []
    assert rig.obj.animation_data.action is not None


SWITCHES = {
    'pose.bones["Foot \\"L\\""]["IK"]': ('Foot "L"', "", "IK"),
    'pose.bones["Shin"].constraints["IK \\\\ \\"A\\""].influence': ("Shin", 'IK \\ "A"', "influence"),
    'pose.bones["Shin"].constraints["IK"].target': None,
    '["Legs"]': ("", "", "Legs"),
    "location": None,
}


@pytest.mark.parametrize("path", SWITCHES)
def test_only_a_path_of_a_switch_has_the_parts_of_one(path: str) -> None:
    assert paths.parts(path) == SWITCHES[path]


@pytest.mark.parametrize(
    "parts", [("spine",), ("spine", "neck", "head", "clavicle"), ("hand", "upper_arm", "forearm", "elbow")]
)
@pytest.mark.parametrize("seed", [seed for seed in SEEDS if Make.drawn(seed).shaped])
def test_parts_whose_controls_have_no_shape_are_found_and_driven(seed: int, parts: tuple[str, ...]) -> None:
    rig = draw_rig(seed)
    plain = {
        bone
        for role, bone in rig.controls.items()
        if role.split(".")[0].split("_")[0] in {part.split("_")[0] for part in parts}
    }
    assert plain and any(rig.obj.pose.bones[bone].custom_shape for bone in plain)
    for bone in plain | ({rig.controls["chest"]} if "spine" in parts else set()):
        rig.obj.pose.bones[bone].custom_shape = None
    obj = settled(rig.obj)
    assert rig.missed(probe(obj, read_skeleton(obj, bpy.context.scene), rig.role_map)) == []
    store_roles(obj, rig.role_map)
    report = api.generate_walk(obj)
    made = json.loads(obj.neurarig.attachment)
    assert made["kind"] == CONTROLS and report["open_joints"] == []


@pytest.mark.parametrize("kind", ["AUTO", "FK"])
@pytest.mark.parametrize("seed", SEEDS)
def test_it_walks_by_its_own_controls_in_one_piece_and_is_given_back(seed: int, kind: str) -> None:
    rig = draw_rig(seed)
    obj = settled(rig.obj)
    store_roles(obj, rig.role_map)
    skeleton = read_skeleton(obj, bpy.context.scene)
    before = driven_state(obj)
    report = api.generate_walk(obj, controls=kind)
    made = json.loads(obj.neurarig.attachment)
    assert made["kind"] == (CONTROLS if kind == "AUTO" else CONTROLS_FK), made["why"]
    # a thousandth of the leg
    assert all(side["max"] < report["leg_length_m"] for side in report["slip_mm"].values())
    poses = []
    for frame in range(1, 40, 3):
        bpy.context.scene.frame_set(frame)
        seen = evaluated(obj)
        poses.append([seen[name] for name in skeleton.names])
    bpy.context.scene.frame_set(1)
    assert integrity(anatomy(skeleton, rig.role_map), np.array(poses)).whole
    assert api.remove_walk(obj) == []
    assert driven_state(obj) == before


def test_a_keyed_pose_holds_switches_on_the_armatures_data() -> None:
    rig = draw_rig(3)
    store_roles(rig.obj, rig.role_map)
    api.pose_targets(rig.obj, ["wrist.L"])
    for frame in (3, 7):
        bpy.context.scene.frame_set(frame)
        action = api.key_pose(rig.obj)
    keyed = {
        curve.data_path: curve
        for curve in compat.find_channels(action, compat.suitable_slot(action, rig.obj))
    }
    set_by_us = dict(controls.switches(json.loads(rig.obj.neurarig.attachment)))
    assert set_by_us and set_by_us.keys() <= keyed.keys()
    for path, value in set_by_us.items():
        assert [tuple(point.co) for point in keyed[path].keyframe_points] == [(3.0, value), (7.0, value)]
        assert keyed[path].group.name == "Switches"


def driven_state(obj: bpy.types.Object) -> dict:
    """Return what a walk might have changed, once the rig's own drivers have had their say."""
    obj.update_tag()
    bpy.context.view_layer.update()
    return state(obj)
