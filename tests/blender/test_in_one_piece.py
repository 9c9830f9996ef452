"""Who is posed stays in one piece, whoever poses it: reports say so, another way is taken where it does not,
else it is refused."""

import json
from dataclasses import replace

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.character import integrity, record
from neurarig_addon.blender.character.read_character import read_character
from neurarig_addon.blender.interface import report_text
from neurarig_addon.blender.rig.control_text import posed_by
from neurarig_addon.core.character.integrity import integrity as integrity_of
from neurarig_addon.core.skeleton.anatomy import anatomy
from tests import rigs
from tests.blender.retargeting import actor, report_of
from tests.blender.walking import state_of
from tests.refusals import refuses
from tests.rigs import make_active


def with_a_loose_shin_half():
    """Return a character whose left shin's lower half hangs on the hips."""
    return [
        replace(bone, parent="Hips") if bone.name == "LeftLeg.001" else bone
        for bone in rigs.split_limb_biped()
    ]


@pytest.mark.parametrize("bones", [rigs.biped, rigs.split_limb_biped])
@pytest.mark.parametrize("controls", ["AUTO", "FK"])
def test_a_character_in_one_piece_walks_and_the_report_says_so(bones, controls):
    report = api.generate_walk(rigs.build(bones()), controls=controls)
    assert report["integrity_percent"] < 0.01 and report["open_joints"] == report["left_behind"] == []
    assert "integrity_percent" in report["limits"] and report["past_limits"] == []


def with_a_scarf():
    """Return a character whose scarf touches the head and hangs on nothing."""
    bones = rigs.biped()
    head = next(bone.head for bone in bones if bone.name == "Head")
    return [*bones, rigs.Bone("Scarf", None, head, (head[0], head[1] - 0.1, head[2]))]


def with_a_pinned_waist():
    """Return a character whose waist carries the spine, hangs on nothing, and is pinned down by the user."""
    bones = rigs.biped()
    start = next(bone.head for bone in bones if bone.name == "Spine")
    carried = [replace(bone, parent="Waist") if bone.name == "Spine" else bone for bone in bones]
    return [rigs.Bone("Waist", None, start, (start[0], start[1] - 0.05, start[2])), *carried]


def pinned(obj, bone):
    """Return an object with one of its bones held where it is."""
    pin = bpy.data.objects.new("Pin", None)
    pin.location = obj.matrix_world @ obj.data.bones[bone].head_local
    bpy.context.scene.collection.objects.link(pin)
    obj.pose.bones[bone].constraints.new("COPY_LOCATION").target = pin
    return obj


def walks(obj, controls):
    return api.generate_walk(obj, controls="AUTO" if controls == "IK" else "FK")


def takes_a_clip(obj, controls):
    return api.retarget(obj, source=actor("Actor")[0], controls=controls, check=False)


def follows_a_clip(obj, controls):
    api.link_retarget(obj, source=actor("Actor")[0], controls=controls)


def follows_targets(obj, controls):
    return api.pose_targets(obj, "MAIN", controls=controls)


HOLDERS = pytest.mark.parametrize("pose", [walks, takes_a_clip, follows_a_clip, follows_targets])
CONTROLS = pytest.mark.parametrize("controls", ["IK", "FK"])


@pytest.mark.few(2)
@HOLDERS
@CONTROLS
def test_a_shin_half_that_hangs_elsewhere_is_taken_along(pose, controls):
    obj = rigs.build(with_a_loose_shin_half(), "Hero")
    character = read_character(obj, bpy.context.scene)
    body = anatomy(character.skeleton, character.roles)
    pose(obj, controls)
    seen = []
    for frame in (8, 20, 33):
        bpy.context.scene.frame_set(frame)
        evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
        seen.append([np.array(evaluated.pose.bones[name].matrix) for name in character.skeleton.names])
    assert integrity_of(body, np.array(seen)).whole
    assert "LeftLeg.001" in body.names and any(body.names[row] == "LeftLeg.001" for row in body.members[:, 0])


@HOLDERS
@CONTROLS
def test_what_nothing_can_hold_together_is_refused_by_name_and_nothing_changes(pose, controls):
    obj = pinned(rigs.build(with_a_pinned_waist(), "Hero"), "Waist")
    actor("Another")
    make_active(obj)
    before = state_of(obj)
    with refuses(r"'Hero' does not stay in one piece: .*'Waist'"):
        pose(obj, controls)
    after = state_of(obj)
    for key in ("data", "mode"):  # the source of the clip is new, and active
        del before[key], after[key]
    del before["settings"]["controls"], after["settings"]["controls"]
    assert after == before
    assert not obj.neurarig.attachment and not obj.neurarig.neural_pose.targets


@HOLDERS
@CONTROLS
def test_what_only_hangs_on_the_body_never_refuses_it(pose, controls):
    obj = pinned(rigs.build(with_a_scarf(), "Hero"), "Scarf")
    pose(obj, controls)
    assert record.attachment(obj)["lenient"] and record.attachment(obj)["kind"] == (
        "FK" if controls == "FK" else "LAYER"
    )


def test_the_report_names_what_stays_behind_and_the_remedy():
    obj = pinned(rigs.build(with_a_scarf(), "Hero"), "Scarf")
    report = api.generate_walk(obj)
    assert not report["broken"] and "integrity_percent" in report["past_limits"]
    assert (
        "'Scarf' come apart" in (said := report_text.warning("Hero", report))
        and "Parent what stays behind" in said
    )
    assert "feet" not in said


@pytest.mark.parametrize("controls", ["AUTO", "FK"])
def test_what_touches_the_body_and_hangs_on_nothing_comes_along(controls):
    """A scarf, and a pocket below a bone of its own."""
    pocket = [
        rigs.Bone("Anchor", None, (0.0, 0.0, 0.96), (0.0, 0.1, 0.96)),
        rigs.Bone("Pocket", "Anchor", (0.0, 0.0, 0.96), (0.05, 0.0, 1.02)),
    ]
    obj = rigs.build([*with_a_scarf(), *pocket], "Hero")
    obj.data.bones["Anchor"].use_deform = False
    assert api.generate_walk(obj, controls=controls)["integrity_percent"] < 0.01
    assert {"Scarf", "Pocket"} <= {bone for bone, *_ in record.attachment(obj)["deform"]}


@pytest.mark.parametrize("controls", ["AUTO", "FK"])
def test_a_skeleton_exported_flat_stays_together(controls):
    """Twist bones, fingers and eyes included, each of which hangs on nothing."""
    obj = rigs.build([replace(bone, parent=None) for bone in rigs.split_limb_biped()], "Hero")
    report = api.generate_walk(obj, controls=controls)
    assert report["integrity_percent"] < 0.01 and report["left_behind"] == []
    api.remove_walk(obj)
    assert not any(bone.location.length for bone in obj.pose.bones)


def test_what_the_user_took_apart_does_not_count():
    """A prop that touches the hand at rest, and that was put down."""
    bones = rigs.biped()
    hand = next(bone for bone in bones if bone.name == "LeftHand")
    obj = rigs.build(
        [*bones, rigs.Bone("Prop", "LeftHand", hand.tail, (hand.tail[0] + 0.3, hand.tail[1], hand.tail[2]))],
        "Hero",
    )
    obj.pose.bones["Prop"].location = (0.4, -0.3, 0.2)
    bpy.context.view_layer.update()
    assert api.generate_walk(obj)["open_joints"] == []


def test_the_next_way_is_taken_where_the_first_comes_apart_and_the_panel_says_why(monkeypatch):
    obj, looked = rigs.build(rigs.biped(), "Hero"), []
    judged = integrity.DeformingBones.judged

    def first_apart(self):
        looked.append(json.loads(obj.neurarig.attachment)["kind"])
        found = judged(self)
        return replace(found, open_joints=(("Head", "Neck"),)) if len(looked) == 1 else found

    monkeypatch.setattr(integrity.DeformingBones, "judged", first_apart)
    api.generate_walk(obj)
    assert looked == ["LAYER", "FK"] and obj.neurarig.walk.controls == "AUTO"
    assert "'Head' and 'Neck' come apart" in posed_by(obj)


def test_a_clip_has_the_row_in_its_report():
    obj = rigs.build(rigs.biped(), "Hero")
    api.retarget(obj, source=actor("Actor")[0])
    report = report_of(obj)
    assert report["integrity_percent"] < 0.01 and report["limits"]["integrity_percent"] == 1.0
    assert "Gap in Rig" in [line.name for line in report_text.read(json.dumps(report)).lines]


def test_an_open_joint_is_a_line_of_the_report():
    lines = report_text.read('{"past_limits": ["integrity_percent"], "integrity_percent": 12.5}').lines
    assert [(line.name, line.value, line.past_limit) for line in lines] == [
        ("Gap in Rig", "12.50 % of leg", True)
    ]


@pytest.mark.parametrize(
    ("joints", "left", "sentence"),
    [
        ([["Thigh", "Shin"], ["Shin", "Foot"]], [], "'Thigh' and 'Shin' come apart by 4.2 % of the leg"),
        ([["Shin", "Foot"]], [], "'Shin' and 'Foot' come apart by 4.2 %"),
        ([["Thigh", "Shin"]], ["Twist", "Other"], "'Twist' does not follow its limb"),
    ],
)
def test_a_walk_that_comes_apart_is_refused_by_the_widest_joint(joints, left, sentence):
    obj = rigs.build(rigs.biped(), "Hero")
    report = {"left_behind": left, "open_joints": joints, "integrity_percent": 4.2, "broken": True}
    with pytest.raises(integrity.CameApartError, match=f"'Hero' does not stay in one piece: {sentence}"):
        integrity.require(obj, report)
    integrity.require(obj, report | {"left_behind": [], "open_joints": []})
