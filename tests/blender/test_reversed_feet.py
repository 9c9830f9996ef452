"""Feet whose bones run from the toes to the ankle walk, follow clips and pose exactly as usual feet do."""

from dataclasses import replace

import bpy
import numpy as np
import pytest
from mathutils import Vector
from numpy.testing import assert_allclose

from neurarig_addon.blender import api
from neurarig_addon.blender.character.read_character import read_character
from tests.blender.retargeting import actor
from tests.blender.walking import played, seen_now, state_of
from tests.rigs import LEFT_ARM, LEFT_LEG, TRUNK, Bone, build, with_mirror

THIGH, SHIN, FOOT, TOE = LEFT_LEG
ANKLE, BALL, TIP = FOOT.head, FOOT.tail, TOE.tail
BACK = replace(FOOT, head=BALL, tail=ANKLE)
FEET = {
    "toes on the foot": [BACK, TOE],
    "toes on the shin": [BACK, replace(TOE, parent="LeftLeg")],
    "feet on the toes": [
        replace(TOE, parent="LeftLeg", head=TIP, tail=BALL),
        replace(BACK, parent="LeftToeBase"),
    ],
    "reversed toes": [FOOT, replace(TOE, head=TIP, tail=BALL)],
}
HEEL, SOLE = (0.09, 0.05, 0.0), (0.09, -0.19, 0.0)
ONE_BONE = {
    "from the tip to the ankle": (TIP, ANKLE),
    "from the tip to the heel": (TIP, HEEL),
    "from the tip to below the ankle": (SOLE, (0.09, 0.0, 0.0)),
}


def table(feet: list[Bone]) -> list[Bone]:
    """Return a person's bones, with such a left foot, mirrored."""
    return [*TRUNK, *with_mirror([THIGH, SHIN, *feet]), *with_mirror(LEFT_ARM)]


def person(feet: list[Bone], named: bool = True) -> bpy.types.Object:
    """Return a person with such feet; without names its bones are `b0`, `b1` ..."""
    obj = build(table(feet), "Hero")
    for number, bone in enumerate(obj.data.bones):
        bone.name = bone.name if named else f"b{number}"
    return obj


def joints(ends: np.ndarray, obj: bpy.types.Object) -> np.ndarray:
    """Return hips, knees, ankles, balls and tips `(..., 5, 3)` of the left leg from heads and tails `(...,
    bones, 2, 3)`."""
    found, bones = [], [bone.name for bone in obj.pose.bones]
    rest = {bone.name: (bone.head_local, bone.tail_local) for bone in obj.data.bones}
    for point in (THIGH.head, SHIN.head, ANKLE, BALL, TIP):
        owner = (
            "LeftToeBase"
            if point == TIP
            else "LeftFoot"
            if point in (ANKLE, BALL)
            else "LeftUpLeg"
            if point == THIGH.head
            else "LeftLeg"
        )
        end = int((rest[owner][1] - Vector(point)).length < 1e-4)
        found.append(ends[..., bones.index(owner), end, :])
    return np.stack(found, axis=-2)


FRAMES = range(1, 40, 3)
WALKS = {"AUTO": {}, "FK": {"controls": "FK"}}


@pytest.mark.few(2)
@pytest.mark.parametrize("controls", WALKS)
@pytest.mark.parametrize("kind", FEET)
def test_it_walks_as_with_usual_feet(kind: str, controls: str) -> None:
    usual, other = person([FOOT, TOE]), person(FEET[kind])
    reports = [api.generate_walk(obj, mode="TRAVEL", **WALKS[controls]) for obj in (usual, other)]
    assert reports[1]["past_limits"] == [] and reports[1]["integrity_percent"] < 0.05
    seen = [joints(played(obj, FRAMES), obj) for obj in (usual, other)]
    assert np.ptp(seen[0], axis=0).max() > 0.5
    assert_allclose(seen[1], seen[0], atol=2e-4)


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("kind", ONE_BONE)
def test_a_foot_of_one_bone_drawn_backward_walks_planted_and_forward(kind: str, named: bool) -> None:
    head, tail = ONE_BONE[kind]
    obj = person([replace(FOOT, head=head, tail=tail)], named)
    before = state_of(obj)
    report = api.generate_walk(obj, mode="TRAVEL", travel_with="OBJECT")
    assert report["past_limits"] == [] and report["integrity_percent"] < 0.05
    assert max(side["max"] for side in report["slip_mm"].values()) < 0.1
    bpy.context.scene.frame_set(25)
    assert obj.location.y < -0.5
    bpy.context.scene.frame_set(1)
    api.remove_walk(obj)
    after = state_of(obj)
    assert {key: after[key] for key in ("bones", "constraints", "collections")} == {
        key: before[key] for key in ("bones", "constraints", "collections")
    }


@pytest.mark.parametrize("controls", ["IK", "FK"])
@pytest.mark.parametrize("kind", FEET)
def test_it_follows_a_clip_as_with_usual_feet(kind: str, controls: str) -> None:
    source, _ = actor()
    made = []
    for feet in ([FOOT, TOE], FEET[kind]):
        obj = person(feet)
        action = api.retarget(obj, source=source, controls=controls)
        frames = np.linspace(*action.frame_range, 9).round()
        made.append(joints(played(obj, frames), obj))
        obj.name = "Other"
    assert np.ptp(made[0], axis=0).max() > 0.5
    assert_allclose(made[1], made[0], atol=5e-4)


@pytest.mark.parametrize("kind", FEET)
def test_its_walk_is_a_clip_for_others(kind: str) -> None:
    """The motion is read from its bones: the same as that of usual feet."""
    made = []
    for feet in ([FOOT, TOE], FEET[kind]):
        source, action = actor("Source", table(feet))
        target = person([FOOT, TOE])
        api.retarget(target, source=source, controls="FK")
        made.append(joints(played(target, np.linspace(*action.frame_range, 9).round()), target))
        source.name, target.name = "Old", "Other"
    assert np.ptp(made[0], axis=0).max() > 0.5
    assert_allclose(made[1], made[0], atol=1e-3)


@pytest.mark.few(2)
@pytest.mark.parametrize("controls", ["IK", "FK"])
@pytest.mark.parametrize("kind", FEET)
def test_its_feet_are_posed_as_usual_ones(kind: str, controls: str) -> None:
    made = []
    for feet in ([FOOT, TOE], FEET[kind]):
        obj = person(feet)
        api.pose_targets(obj, "FULL", controls=controls)
        ankle = next(item.object for item in obj.neurarig.neural_pose.targets if item.point == "ankle.L")
        ankle.location = ankle.location + Vector((0.05, -0.2, 0.15))
        bpy.context.view_layer.update()
        assert not obj.neurarig.neural_pose.error
        made.append(joints(seen_now(obj), obj))
        obj.name = "Other"
    assert_allclose(made[1], made[0], atol=1e-3)


def shod(obj: bpy.types.Object) -> None:
    """Give a person shoes: a box round each sole, which follows the foot."""
    feet = [bone.name for bone in obj.data.bones if not bone.children and bone.tail_local.z < 0.1]
    for name in feet:
        side = np.sign(obj.data.bones[name].head_local.x)
        corners = [(side * 0.09 + x, y, z) for x in (-0.04, 0.04) for y in (0.06, -0.2) for z in (0.0, 0.06)]
        mesh = bpy.data.meshes.new("Shoe")
        mesh.from_pydata(corners, [], [])
        shoe = bpy.data.objects.new("Shoe", mesh)
        bpy.context.collection.objects.link(shoe)
        shoe.parent = obj
        shoe.vertex_groups.new(name=name).add(range(len(corners)), 1.0, "REPLACE")
        shoe.modifiers.new("Armature", "ARMATURE").object = obj


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("heel", [0.05, 0.12])
def test_a_foot_drawn_to_its_heel_points_as_names_knees_and_elbows_or_as_its_sole(
    heel: float, named: bool
) -> None:
    """Without names, and with a heel as far behind as toes would be ahead, only the sole shows where the
    front is."""
    obj = person([replace(FOOT, tail=(0.09, heel, 0.0))], named)
    shod(obj)
    report = api.generate_walk(obj, mode="TRAVEL", travel_with="OBJECT")
    assert report["past_limits"] == []
    bpy.context.scene.frame_set(25)
    assert obj.location.y < -0.5
    body = read_character(obj, bpy.context.scene).body
    assert (body.toe - body.ankle)[:, 0] == pytest.approx(0.2, abs=0.01)
    assert (body.heel - body.ankle)[:, 0] == pytest.approx(-0.06, abs=0.01)
