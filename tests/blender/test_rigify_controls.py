"""The generated Rigify human: its own controls, and what they do to its ORG bones."""

import json

import bpy
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.character import controls
from neurarig_addon.blender.character.controls import rigify
from neurarig_addon.blender.character.read_armature import read_skeleton
from neurarig_addon.core.detection.detect import detect
from tests import rigs
from tests.blender.controlling import RIGIFY_BONES, SHOWN, Walker, mess_up_pose, state


@pytest.fixture
def human() -> bpy.types.Object:
    return rigs.rigify_human()


def assert_follows(walker: Walker, travel: bool = False) -> None:
    for row in SHOWN:
        matrices = walker.show(row)
        for role, bone in RIGIFY_BONES.items():
            distance, angle = walker.errors(
                role, matrices, row, bone, walker.pose.root.position[row, 0] if travel else 0.0
            )
            if role.split(".")[0] in ("pelvis", "thigh", "shin", "foot", "toe"):
                assert distance < 0.2, (role, row, distance)
            assert angle < 0.2, (role, row, angle)


def test_bones_follow(human: bpy.types.Object) -> None:
    walker = Walker(human)
    assert walker.attachment["kind"] == "RIGIFY"
    assert_follows(walker)


def test_travel(human: bpy.types.Object) -> None:
    assert_follows(Walker(human, root_bone=True), travel=True)


def test_bones_follow_from_any_pose_and_switches(human: bpy.types.Object) -> None:
    for name in (
        "torso",
        "hips",
        "chest",
        "foot_ik.L",
        "foot_heel_ik.R",
        "spine_fk.001",
        "upper_arm_fk.L",
        "head",
    ):
        bone = human.pose.bones[name]
        bone.location, bone.rotation_quaternion, bone.rotation_euler = (
            (0.1, 0.2, 0.0),
            (0.9, 0.3, 0.1, 0.0),
            (0.3, 0.0, 0.2),
        )
    for end in ("L", "R"):
        human.pose.bones[f"thigh_parent.{end}"]["IK_FK"] = 1.0
        human.pose.bones[f"thigh_parent.{end}"]["IK_parent"] = 2
        human.pose.bones[f"upper_arm_parent.{end}"]["FK_limb_follow"] = 1.0
    human.update_tag()
    assert_follows(Walker(human))


@pytest.mark.parametrize("end", ["L", "R"])
@pytest.mark.parametrize("switch", ["IK_FK", "IK_parent", "pole_vector"])
def test_a_rig_that_has_lost_a_switch_of_one_leg_is_not_posed_as_rigify(
    human: bpy.types.Object, end: str, switch: str
) -> None:
    roles = detect(read_skeleton(human, bpy.context.scene))
    assert rigify.is_generated(human, roles)
    del human.pose.bones[f"thigh_parent.{end}"][switch]
    assert not rigify.is_generated(human, roles)


def test_detach_leaves_no_trace(human: bpy.types.Object) -> None:
    mess_up_pose(human)
    before = state(human)
    walker = Walker(human)
    walker.show(7)
    assert state(human)["bones"] == before["bones"]
    assert controls.detach(human, walker.attachment) == []
    bpy.context.view_layer.update()  # the rig's own drivers mute and unmute constraints
    after = state(human)
    for key, value in before.items():
        assert after[key] == value, key


def test_switches_can_be_keyed(human: bpy.types.Object) -> None:
    walker = Walker(human)
    paths = dict(controls.switches(walker.attachment))
    assert paths['pose.bones["thigh_parent.L"]["IK_Stretch"]'] == 0.0
    for path, value in paths.items():
        # an enumeration is read by name, and keyed by number
        assert human.path_resolve(path) in (value, f"P{value}")


@pytest.mark.parametrize(
    ("legs", "wanted", "kind"),
    [
        ("limbs.paw", "AUTO", "RIGIFY"),
        ("limbs.rear_paw", "AUTO", "RIGIFY_FK"),
        ("limbs.paw", "FK", "RIGIFY_FK"),
        ("limbs.front_paw", "AUTO", "RIGIFY_FK"),
    ],
)
def test_paws_are_planted(legs: str, wanted: str, kind: str) -> None:
    """Paws have one control for the toes, dogs' legs an IK that bends the foot: it is not what stands."""
    obj = rigs.rigify_human(legs)
    obj.neurarig.walk.controls = wanted
    api.generate_walk(obj)
    report = api.contact_report(obj)
    assert json.loads(obj.neurarig.attachment)["kind"] == kind
    assert report["past_limits"] == [] and max(side["max"] for side in report["slip_mm"].values()) < 0.1
