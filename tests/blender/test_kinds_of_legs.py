"""Legs of other builds than people's: each walks in one piece, planted, facing as its feet point, or is
refused with the remedy."""

import json
from dataclasses import replace

import bpy
import pytest
from mathutils import Vector

from neurarig_addon.blender import api
from neurarig_addon.blender.interface import report_text
from neurarig_addon.blender.rig.control_text import posed_by
from tests.blender.retargeting import actor
from tests.blender.walking import state_of
from tests.kinds_of_legs import FOOT, HIP, SHIN, THIGH, TOE, WALKING, person
from tests.refusals import refuses
from tests.rigs import LEFT_ARM, LEFT_LEG, TRUNK, Bone, build

REFUSED = {
    "feet from in front of the shin to the ankle": (
        person([THIGH, SHIN, Bone("LeftFoot", "LeftLeg", (0.09, -0.15, 0.32), FOOT.head)]),
        "Switch Direction",
    ),
    "single bones to the floor": (
        person([Bone("LeftUpLeg", "Hips", HIP, (0.09, 0.0, 0.0))]),
        "subdivide both legs",
    ),
}


ELSEWHERE = {
    "LeftUpLeg": ("Hips", person([replace(THIGH, parent="Spine1"), SHIN, FOOT, TOE])),
    "LeftShoulder": ("Spine2", person([*LEFT_LEG], arm=(replace(LEFT_ARM[0], parent="Hips"), *LEFT_ARM[1:]))),
}


@pytest.mark.parametrize("controls", ["IK", "FK"])
@pytest.mark.parametrize("bone", ELSEWHERE)
def test_thighs_on_the_spine_stay_at_the_hips_and_arms_on_the_hips_at_the_chest(
    bone: str, controls: str
) -> None:
    """As those of 3ds Max Bipeds hang: a bow would take thighs along, a quarter of the leg off the pelvis,
    and leave arms behind."""
    carrier, table = ELSEWHERE[bone]
    obj = build(table, "Hero")
    rest = {one.name: one.matrix_local.copy() for one in obj.data.bones}
    api.pose_targets(obj, "FULL", controls=controls)
    head = next(item.object for item in obj.neurarig.neural_pose.targets if item.point == "head")
    head.location = head.location + Vector((0.0, -0.4, -0.3))
    bpy.context.view_layer.update()
    pose = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
    assert (
        pose["Spine1"].matrix.to_quaternion().rotation_difference(rest["Spine1"].to_quaternion()).angle > 0.2
    )
    carried = pose[carrier].matrix @ rest[carrier].inverted() @ rest[bone].translation
    assert (pose[bone].head - carried).length < 1e-3


@pytest.mark.parametrize("controls", ["IK", "FK"])
def test_a_bone_above_the_hips_that_somebody_has_posed_parts_no_foot_from_its_leg(controls: str) -> None:
    """Feet hang on the root beside it: what is tried stands as the character does."""
    body = Bone("Body", "root", (0.0, 0.0, 0.9), (0.0, 0.1, 0.9))
    trunk = (
        Bone("root", None, (0.0, 0.0, 0.0), (0.0, 0.1, 0.0)),
        body,
        replace(TRUNK[0], parent="Body"),
        *TRUNK[1:],
    )
    obj = build(person([THIGH, SHIN, replace(FOOT, parent="root"), TOE], trunk=trunk), "Hero")
    obj.pose.bones["Body"].location = (0.0, 0.05, -0.06)
    api.pose_targets(obj, "FULL", controls=controls)
    assert obj.neurarig.neural_pose.live and not obj.neurarig.neural_pose.error


def nameless(table: list[Bone]) -> list[Bone]:
    names = {bone.name: f"b{number}" for number, bone in enumerate(table)}
    return [replace(bone, name=names[bone.name], parent=names.get(bone.parent or "")) for bone in table]


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("kind", WALKING)
def test_it_walks_in_one_piece_the_way_its_feet_point(kind: str, named: bool) -> None:
    table = WALKING[kind]
    obj = build(table if named else nameless(table), "Hero")
    report = api.generate_walk(obj, mode="TRAVEL", travel_with="OBJECT")
    assert report["past_limits"] == [] and report["left_behind"] == [] and report["integrity_percent"] < 0.05
    assert max(side["max"] for side in report["slip_mm"].values()) < 0.1
    bpy.context.scene.frame_set(25)
    assert obj.location.y < -0.5 and abs(obj.location.x) < 0.05
    left = next(item.bone for item in obj.neurarig.roles if item.role == "thigh.L")
    assert obj.data.bones[left].head_local.x > 0.0


@pytest.mark.parametrize("mode", ["TRAVEL", "IN_PLACE"])
@pytest.mark.parametrize("speed", [0.7, 1.3])
def test_in_fk_legs_without_knees_walk_planted_and_the_panel_says_how(mode: str, speed: float) -> None:
    """They cannot change their length there: the hips rise over them, and a swinging leg goes outward."""
    obj = build(WALKING["one bone and a foot"], "Hero")
    report = api.generate_walk(obj, controls="FK", mode=mode, speed=speed)
    assert report["past_limits"] == [] and report["open_joints"] == [] and report["integrity_percent"] < 0.05
    assert max(side["max"] for side in report["slip_mm"].values()) < 0.01 and report["penetration_mm"] < 0.01
    assert "cure" not in report and "'LeftUpLeg' is a single bone: it walks stiffly" in posed_by(obj)


def test_in_fk_legs_without_knees_say_the_remedy_where_they_cannot_stay() -> None:
    """A run leaves them no time to swing outward: report, warning and panel say why feet slip, and what
    helps."""
    obj = build(WALKING["one bone and a foot"], "Hero")
    report = api.generate_walk(obj, controls="FK", gait="RUN", speed=3.0)
    assert "slip_mm" in report["past_limits"]
    for said in (report["cure"], report_text.warning("Hero", report)):
        assert "'LeftUpLeg' is a single bone" in said and "Choose IK Controls" in said and "subdivide" in said
    assert "or try FK" not in report_text.warning("Hero", report)
    api.remove_walk(obj)
    report = api.generate_walk(obj, controls="AUTO")  # the remedy
    assert report["past_limits"] == [] and "cure" not in report and "single bone" not in posed_by(obj)


def test_a_clip_on_legs_without_knees_says_the_remedy_in_fk_too() -> None:
    obj = build(WALKING["one bone and a foot"], "Hero")
    api.retarget(obj, source=actor("Actor")[0], controls="FK")
    assert "'LeftUpLeg' is a single bone" in json.loads(obj.neurarig.retarget.report)["cure"]
    api.retarget(obj, source=actor("Actor")[0], controls="IK")
    assert "cure" not in json.loads(obj.neurarig.retarget.report)


def test_a_foot_that_is_there_but_not_assigned_is_no_peg_leg() -> None:
    obj = build(person([*LEFT_LEG]), "Hero")
    api.detect_rig(obj)
    for item in obj.neurarig.roles:
        item.bone = "" if item.role in ("foot.R", "toe.R") else item.bone
    with refuses(
        r"^'Hero': Only one leg has a foot \('LeftFoot'\): assign foot.R in Rig > Bones too\.",
    ):
        api.generate_walk(obj)


@pytest.mark.parametrize("kind", REFUSED)
def test_it_is_refused_with_what_to_do_and_nothing_is_touched(kind: str) -> None:
    table, words = REFUSED[kind]
    obj = build(table, "Hero")
    before = state_of(obj)
    with refuses(f"^'Hero': .*{words}"):
        api.generate_walk(obj)
    assert state_of(obj) == before
