"""Control rigs of productions: controls are found by moving them, and the walk is on them, with the character
in one piece."""

import json
import re

import bpy
import numpy as np
import pytest
from mathutils import Vector

from neurarig_addon.blender import api
from neurarig_addon.blender.animation.steps import finish
from neurarig_addon.blender.character.controls.attachment import (
    CONTROLS,
    CONTROLS_FK,
    RIGIFY,
    RIGIFY_FK,
    RIGIFY_REACH,
    read,
)
from neurarig_addon.blender.character.controls.probing.read_rig import probe
from neurarig_addon.blender.character.ledger import BAKE_MARK
from neurarig_addon.blender.character.read_armature import read_skeleton, skin_bones
from neurarig_addon.blender.character.roles import store_roles
from neurarig_addon.blender.neural_pose import live
from neurarig_addon.core.character.integrity import integrity
from neurarig_addon.core.controls.control_map import FK, IK, ControlMap
from neurarig_addon.core.neural.plain_poses import POSES, joint_turns
from neurarig_addon.core.neural.points import INDEX
from neurarig_addon.core.skeleton.anatomy import anatomy
from tests import control_rigs
from tests.blender.controlling import settled, state
from tests.cases import chosen, some
from tests.shared_data import shared_path

ROWS = pytest.mark.parametrize("row", control_rigs.ROWS, ids=lambda row: row["file"].removesuffix(".blend"))
SLIP = 0.1  # percent of the leg
# What the skin between two controls does apart.
OTHERWISE = {
    "takes_a_clip": {"conv_fk_armature_constraint": ("IK", "FK")},
    "follows_targets": {"conv_fk_armature_constraint": ("IK", "FK")},
}
pytestmark = [
    pytest.mark.skipif(not control_rigs.ROWS, reason="the shared control rigs are not here"),
]


def found_on(row: dict[str, str], scramble: bool = False) -> tuple[ControlMap, dict[str, str]]:
    """Return the map that probing finds on a rig, and what its bones are called."""
    obj = control_rigs.load(row)
    names = control_rigs.scramble(obj) if scramble else {bone.name: bone.name for bone in obj.data.bones}
    roles = control_rigs.called(control_rigs.true_roles(row), names)
    return finish(probe.steps(obj, read_skeleton(obj, bpy.context.scene), roles)), names


@ROWS
@pytest.mark.parametrize("scramble", [False, True], ids=["named", "scrambled"])
def test_controls_and_switches_are_found_by_what_they_do(row: dict[str, str], scramble: bool) -> None:
    if not control_rigs.is_readable(row):
        pytest.skip("saved by a newer Blender")
    found = control_rigs.score(row, *found_on(row, scramble))
    assert found.found >= 0.85 * found.asked, found


@pytest.mark.parametrize("name", ["lasercrabs", "mmd_english"])
def test_limbs_without_a_switch_are_in_fk_with_all_their_solvers_off(name: str) -> None:
    """Two solvers to a leg, and on one rig a limit of the knee that is the solvers' alone; there is nothing
    else to switch."""
    row = next(row for row in control_rigs.ROWS if name in row["file"])
    found, _ = found_on(row, scramble=True)
    for limb in ("leg.L", "leg.R"):
        assert len(found.switches[limb][FK]) >= 2
        assert all(
            path.endswith(".influence") and value == 0.0 for path, value in found.switches[limb][FK].items()
        )
        assert found.switches[limb][IK] == dict.fromkeys(found.switches[limb][FK], 1.0)
        assert all(found.get(f"{part}_fk.{limb[-1]}") for part in ("thigh", "shin", "foot"))


@pytest.mark.few(3)
@ROWS
def test_probing_leaves_no_trace(row: dict[str, str]) -> None:
    if not control_rigs.is_readable(row):
        pytest.skip("saved by a newer Blender")
    obj = control_rigs.load(row)
    roles, skeleton = control_rigs.true_roles(row), read_skeleton(obj, bpy.context.scene)
    before = everything(obj)
    finish(probe.steps(obj, skeleton, roles))
    assert everything(obj) == before
    steps = probe.steps(obj, skeleton, roles)  # Esc in the middle
    for _ in range(9):
        next(steps)
    steps.close()
    assert everything(obj) == before


@ROWS
@pytest.mark.parametrize("kind", ["AUTO", "FK"])
def test_a_control_rig_walks_in_one_piece(row: dict[str, str], kind: str) -> None:
    if not control_rigs.is_readable(row):
        pytest.skip("saved by a newer Blender")
    obj = control_rigs.load(row)
    roles = control_rigs.true_roles(row)
    store_roles(obj, roles)
    skeleton = read_skeleton(obj, bpy.context.scene)
    before = everything(obj)
    report = api.generate_walk(obj, controls=kind)
    made = read(obj.neurarig.attachment)
    own = (CONTROLS, RIGIFY) if kind == "AUTO" else (CONTROLS_FK, RIGIFY_FK)
    assert made["kind"] in own, made["why"]
    assert integrity(anatomy(skeleton, roles), walked(obj, skeleton.names)).whole
    leg = 1e3 * report["leg_length_m"]
    assert all(side["max"] < SLIP / 100.0 * leg for side in report["slip_mm"].values())
    assert report["penetration_mm"] < SLIP / 100.0 * leg
    assert api.remove_walk(obj) == []
    assert everything(obj) == before


def takes_a_clip(obj: bpy.types.Object, controls: str) -> None:
    api.retarget(
        obj, file=shared_path("data", "mocap", "walk", "cmu_02_01.bvh"), controls=controls, check=False
    )


def follows_targets(obj: bpy.types.Object, controls: str) -> None:
    api.pose_targets(obj, "FULL", controls=controls)
    leg = 0.5 * obj.dimensions.z
    for point, move in (
        ("wrist.L", (0.0, -0.2, 0.2)),
        ("ankle.R", (0.0, -0.2, 0.15)),
        ("head", (0.05, -0.1, -0.1)),
    ):
        target = next(item.object for item in obj.neurarig.neural_pose.targets if item.point == point)
        target.location = target.location + leg * Vector(move)
    bpy.context.view_layer.update()
    assert not obj.neurarig.neural_pose.error


@ROWS
@pytest.mark.parametrize("controls", ["IK", "FK"])
@pytest.mark.parametrize("pose", [takes_a_clip, follows_targets])
def test_clips_and_poses_go_to_the_controls_in_one_piece_and_all_comes_back(
    row: dict[str, str], pose, controls: str
) -> None:
    if not control_rigs.is_readable(row):
        pytest.skip("saved by a newer Blender")
    obj = settled(control_rigs.load(row))
    roles = control_rigs.true_roles(row)
    store_roles(obj, roles)
    skeleton = read_skeleton(obj, bpy.context.scene)
    before = everything(obj)
    pose(obj, controls)
    made = read(obj.neurarig.attachment)
    own = (CONTROLS, RIGIFY, RIGIFY_REACH) if controls == "IK" else (CONTROLS_FK, RIGIFY_FK)
    others = OTHERWISE[pose.__name__].get(row["file"].removesuffix(".blend").removeprefix("ctl_"), ())
    assert (made["kind"] in own) == (controls not in others), (made["kind"], made["why"])
    assert made["kind"] in own or made["why"]
    assert integrity(anatomy(skeleton.deforming(skin_bones(obj)), roles), walked(obj, skeleton.names)).whole
    assert (api.remove_retarget if pose is takes_a_clip else api.remove_targets)(obj) == []
    for action in [action for action in bpy.data.actions if BAKE_MARK in action]:
        bpy.data.actions.remove(action)  # made actions stay in the file
    assert everything(obj) == before


def walked(obj: bpy.types.Object, names: tuple[str, ...]) -> np.ndarray:
    """Return the evaluated matrices `(f, bones, 4, 4)` of a cycle and more."""
    found = []
    for frame in range(1, 40, 2):
        bpy.context.scene.frame_set(frame)
        bones = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
        found.append([np.array(bones[name].matrix) for name in names])
    bpy.context.scene.frame_set(1)
    return np.array(found)


def everything(obj: bpy.types.Object) -> str:
    """Return all that probing or a walk that was removed might have changed, once the rig's own drivers have
    had their say."""
    obj.update_tag()
    bpy.context.view_layer.update()
    own = {key: value for key, value in obj.items() if isinstance(value, int | float)}
    influences = [[constraint.influence for constraint in bone.constraints] for bone in obj.pose.bones]
    seen = [tuple(map(tuple, bone.matrix_basis)) for bone in obj.pose.bones]
    scenes = [(scene.name, scene.frame_current) for scene in bpy.data.scenes]
    text = json.dumps(
        [state(obj), own, influences, seen, scenes], default=lambda value: getattr(value, "name", str(value))
    )
    return re.sub(r"-0\.0(?=[,\]])", "0.0", text)  # a driver's zero has a sign


@pytest.mark.parametrize("controls", ["IK", "FK"])
@pytest.mark.parametrize("name", ["ctl_conv_rigify_legacy26.blend", "ctl_gamerig_human.blend"])
def test_locked_hands_are_where_they_are_locked_though_one_control_bends_the_whole_spine(
    name: str, controls: str
) -> None:
    """Its chest goes up to 7 % of the leg off the place where a chest of its own joint would be."""
    row = next(row for row in control_rigs.ROWS if row["file"] == name)
    obj = control_rigs.load(row)
    roles = control_rigs.true_roles(row)
    store_roles(obj, roles)
    api.pose_targets(obj, "FULL", controls=controls)
    found = {item.point: item.object for item in obj.neurarig.neural_pose.targets}
    for item in obj.neurarig.neural_pose.targets:
        if item.point.startswith(("wrist", "ankle")):
            item.lock = True
    rig = live.follower_of(obj).rig(obj, bpy.context.scene)
    assert rig.trunk is not None
    to_world, leg = rig.walk_to_world(obj, 1.0), float(row["leg_length_L"])
    for name, plain in ((name, POSES[name]) for name in chosen(list(POSES), some(len(POSES)))):
        away = rig.body.role_turns(joint_turns(plain.degrees)[None])
        points = (
            rig.body.tree.points(away, rig.trunk.heads(away, rig.body.rest[:1]))[0] @ to_world[:3, :3].T
            + to_world[:3, 3]
        )
        for point, target in found.items():
            target.location = points[INDEX[point]]
        bpy.context.view_layer.update()
        pose = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
        for point, role in (
            ("wrist.L", "hand.L"),
            ("wrist.R", "hand.R"),
            ("ankle.L", "foot.L"),
            ("ankle.R", "foot.R"),
        ):
            place = obj.matrix_world @ pose[roles.bones[role]].head
            assert (place - found[point].location).length < 5e-4 * leg, (name, point)
