"""Legs of other builds than people's: each walks in one piece, planted, facing as its feet point, or is refused with the remedy."""

import json
from dataclasses import replace

import bpy
import pytest
from mathutils import Vector

from neurarig_addon.blender import api
from neurarig_addon.blender.interface import report_text
from neurarig_addon.blender.rig.control_text import posed_by
from neurarig_addon.core.errors import NeuraRigError
from tests.blender.retargeting import actor
from tests.blender.walking import state_of
from tests.rigs import LEFT_ARM, LEFT_LEG, TRUNK, Bone, Point, build, split, with_mirror

THIGH, SHIN, FOOT, TOE = LEFT_LEG
HIP = THIGH.head


def person(leg: list[Bone], arm: tuple[Bone, ...] = LEFT_ARM, trunk: tuple[Bone, ...] = TRUNK) -> list[Bone]:
    return [*trunk, *with_mirror(leg), *with_mirror(arm)]


def chain(names: str, parent: str, *points: Point) -> list[Bone]:
    """Return bones from point to point, each below the one before."""
    found = []
    for name, head, tail in zip(names.split(), points, points[1:], strict=False):
        found.append(Bone(name, parent, head, tail))
        parent = name
    return found


def aside(x: float, *points: tuple[float, float]) -> list[Point]:
    """Return points of a left leg, so far aside, at y and z."""
    return [(x, y, z) for y, z in points]


BIRD = chain(
    "LeftUpLeg LeftLeg LeftMeta LeftToe", "Hips", *aside(0.09, (0.0, 0.925), (-0.22, 0.62), (0.1, 0.3), (-0.02, 0.04), (-0.15, 0.01))
)
MECH = [
    Bone("LeftHip", "Hips", (0.05, 0.0, 0.95), (0.15, 0.0, 0.92)),
    *chain("LeftA LeftB LeftC LeftPad", "LeftHip", *aside(0.15, (0.0, 0.92), (-0.25, 0.6), (0.15, 0.3), (0.0, 0.06), (-0.15, 0.02))),
]
BACKWARD_KNEES = chain("LeftA LeftB LeftPad", "Hips", *aside(0.15, (0.0, 0.92), (0.25, 0.6), (-0.05, 0.06), (-0.15, 0.02)))
HEELS = [
    *chain("LeftA LeftB LeftC LeftPad", "Hips", *aside(0.15, (0.0, 0.92), (-0.2, 0.7), (0.2, 0.4), (0.05, 0.06), (-0.15, 0.02))),
    Bone("LeftHeel", "LeftPad", (0.15, 0.05, 0.06), (0.15, 0.2, 0.02)),
]
ONE_BONE = chain("LeftUpLeg LeftFoot", "Hips", HIP, (0.09, 0.0, 0.08), (0.09, -0.125, 0.025))
DOUBLE_KNEE = [
    *chain("LeftUpLeg LeftKnee LeftLeg", "Hips", *aside(0.09, (0.0, 0.925), (-0.01, 0.52), (-0.015, 0.46), (0.0, 0.08))),
    FOOT,
    TOE,
]
HIP_LINK = [Bone("LeftHipLink", "Hips", (0.02, 0.0, 0.98), HIP), replace(THIGH, parent="LeftHipLink"), SHIN, FOOT, TOE]
TWISTS = [
    *LEFT_LEG,
    Bone("LeftUpLegTwist", "LeftUpLeg", (0.09, -0.0075, 0.71), SHIN.head),
    Bone("LeftLegTwist", "LeftLeg", (0.09, -0.007, 0.29), FOOT.head),
]
PEGS = [THIGH, replace(SHIN, tail=(0.09, 0.0, 0.0))]
SHORT_ARM = tuple(
    chain("LeftArm LeftForeArm LeftHand", "Spine2", (0.12, 0.0, 1.4), (0.16, -0.05, 1.35), (0.17, -0.1, 1.33), (0.17, -0.13, 1.32))
)
ARMOUR = (*TRUNK, *chain("Plate Plate1", "Hips", (0.0, 0.05, 1.05), (0.0, 0.06, 1.2), (0.0, 0.06, 1.45)))
WALKING = {
    "three segments, as a bird": person(BIRD),
    "three segments and a hip, as a mech": person(MECH),
    "knees that bend backward": person(BACKWARD_KNEES),
    "three segments with heels": person(HEELS),
    "one bone and a foot": person(ONE_BONE),
    "feet on the hips": person([THIGH, SHIN, replace(FOOT, parent="Hips"), TOE]),
    "feet on nothing": person([THIGH, SHIN, replace(FOOT, parent=None), TOE]),
    "double knees": person(DOUBLE_KNEE),
    "hip links": person(HIP_LINK),
    "halves": person(split(LEFT_LEG, {"LeftUpLeg", "LeftLeg"})),
    "twist bones": person(TWISTS),
    "peg legs": person(PEGS),
    "one peg leg": [*TRUNK, *LEFT_LEG, *(bone for bone in with_mirror(PEGS) if bone.name.startswith("Right")), *with_mirror(LEFT_ARM)],
    "short arms": person([*LEFT_LEG], SHORT_ARM),
    "no arms": [*TRUNK, *with_mirror(LEFT_LEG)],
    "a spine of armour beside its own": person([*LEFT_LEG], trunk=ARMOUR),
}
REFUSED = {
    "feet from in front of the shin to the ankle": (
        person([THIGH, SHIN, Bone("LeftFoot", "LeftLeg", (0.09, -0.15, 0.32), FOOT.head)]),
        "Switch Direction",
    ),
    "single bones to the floor": (person([Bone("LeftUpLeg", "Hips", HIP, (0.09, 0.0, 0.0))]), "subdivide both legs"),
}


ELSEWHERE = {
    "LeftUpLeg": ("Hips", person([replace(THIGH, parent="Spine1"), SHIN, FOOT, TOE])),
    "LeftShoulder": ("Spine2", person([*LEFT_LEG], arm=(replace(LEFT_ARM[0], parent="Hips"), *LEFT_ARM[1:]))),
}


@pytest.mark.parametrize("controls", ["IK", "FK"])
@pytest.mark.parametrize("bone", ELSEWHERE)
def test_thighs_on_the_spine_stay_at_the_hips_and_arms_on_the_hips_at_the_chest(addon: None, bone: str, controls: str) -> None:
    """As those of 3ds Max Bipeds hang: a bow would take thighs along, a quarter of the leg off the pelvis, and leave arms behind."""
    carrier, table = ELSEWHERE[bone]
    obj = build(table, "Hero")
    rest = {one.name: one.matrix_local.copy() for one in obj.data.bones}
    api.pose_targets(obj, "FULL", controls=controls)
    head = next(item.object for item in obj.neurarig.neural_pose.targets if item.point == "head")
    head.location = head.location + Vector((0.0, -0.4, -0.3))
    bpy.context.view_layer.update()
    pose = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
    assert pose["Spine1"].matrix.to_quaternion().rotation_difference(rest["Spine1"].to_quaternion()).angle > 0.2
    carried = pose[carrier].matrix @ rest[carrier].inverted() @ rest[bone].translation
    assert (pose[bone].head - carried).length < 1e-3


@pytest.mark.parametrize("controls", ["IK", "FK"])
def test_a_bone_above_the_hips_that_somebody_has_posed_parts_no_foot_from_its_leg(addon: None, controls: str) -> None:
    """Feet hang on the root beside it: what is tried stands as the character does."""
    body = Bone("Body", "root", (0.0, 0.0, 0.9), (0.0, 0.1, 0.9))
    trunk = (Bone("root", None, (0.0, 0.0, 0.0), (0.0, 0.1, 0.0)), body, replace(TRUNK[0], parent="Body"), *TRUNK[1:])
    obj = build(person([THIGH, SHIN, replace(FOOT, parent="root"), TOE], trunk=trunk), "Hero")
    obj.pose.bones["Body"].location = (0.0, 0.05, -0.06)
    api.pose_targets(obj, "FULL", controls=controls)
    assert obj.neurarig.neural_pose.live and not obj.neurarig.neural_pose.error


def nameless(table: list[Bone]) -> list[Bone]:
    names = {bone.name: f"b{number}" for number, bone in enumerate(table)}
    return [replace(bone, name=names[bone.name], parent=names.get(bone.parent or "")) for bone in table]


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("kind", WALKING)
def test_it_walks_in_one_piece_the_way_its_feet_point(addon: None, kind: str, named: bool) -> None:
    table = WALKING[kind]
    obj = build(table if named else nameless(table), "Hero")
    report = api.generate_walk(obj, mode="TRAVEL")
    assert report["past_limits"] == [] and report["left_behind"] == [] and report["integrity_percent"] < 0.05
    assert max(side["max"] for side in report["slip_mm"].values()) < 0.1
    bpy.context.scene.frame_set(25)
    assert obj.location.y < -0.5 and abs(obj.location.x) < 0.05
    left = next(item.bone for item in obj.neurarig.roles if item.role == "thigh.L")
    assert obj.data.bones[left].head_local.x > 0.0


@pytest.mark.parametrize("mode", ["TRAVEL", "IN_PLACE"])
@pytest.mark.parametrize("speed", [0.7, 1.3])
def test_in_fk_legs_without_knees_walk_planted_and_the_panel_says_how(addon: None, mode: str, speed: float) -> None:
    """They cannot change their length there: the hips rise over them, and a swinging leg goes outward."""
    obj = build(WALKING["one bone and a foot"], "Hero")
    report = api.generate_walk(obj, controls="FK", mode=mode, speed=speed)
    assert report["past_limits"] == [] and report["open_joints"] == [] and report["integrity_percent"] < 0.05
    assert max(side["max"] for side in report["slip_mm"].values()) < 0.01 and report["penetration_mm"] < 0.01
    assert "cure" not in report and "'LeftUpLeg' is a single bone: it walks stiffly" in posed_by(obj)


def test_in_fk_legs_without_knees_say_the_remedy_where_they_cannot_stay(addon: None) -> None:
    """A run leaves them no time to swing outward: report, warning and panel say why feet slip, and what helps."""
    obj = build(WALKING["one bone and a foot"], "Hero")
    report = api.generate_walk(obj, controls="FK", gait="RUN", speed=3.0)
    assert "slip_mm" in report["past_limits"]
    for said in (report["cure"], report_text.warning("Hero", report)):
        assert "'LeftUpLeg' is a single bone" in said and "Choose IK Controls" in said and "subdivide" in said
    assert "or try FK" not in report_text.warning("Hero", report)
    api.remove_walk(obj)
    report = api.generate_walk(obj, controls="AUTO")  # the remedy
    assert report["past_limits"] == [] and "cure" not in report and "single bone" not in posed_by(obj)


def test_a_clip_on_legs_without_knees_says_the_remedy_in_fk_too(addon: None) -> None:
    obj = build(WALKING["one bone and a foot"], "Hero")
    api.retarget(obj, source=actor("Actor")[0], controls="FK")
    assert "'LeftUpLeg' is a single bone" in json.loads(obj.neurarig.retarget.report)["cure"]
    api.retarget(obj, source=actor("Actor")[0], controls="IK")
    assert "cure" not in json.loads(obj.neurarig.retarget.report)


def test_a_foot_that_is_there_but_not_assigned_is_no_peg_leg(addon: None) -> None:
    obj = build(person([*LEFT_LEG]), "Hero")
    api.detect_rig(obj)
    for item in obj.neurarig.roles:
        item.bone = "" if item.role in ("foot.R", "toe.R") else item.bone
    with pytest.raises(NeuraRigError, match=r"^'Hero': Only one leg has a foot \('LeftFoot'\): assign foot.R in Rig > Bones too\."):
        api.generate_walk(obj)


@pytest.mark.parametrize("kind", REFUSED)
def test_it_is_refused_with_what_to_do_and_nothing_is_touched(addon: None, kind: str) -> None:
    table, words = REFUSED[kind]
    obj = build(table, "Hero")
    before = state_of(obj)
    with pytest.raises(NeuraRigError, match=f"^'Hero': .*{words}"):
        api.generate_walk(obj)
    assert state_of(obj) == before
