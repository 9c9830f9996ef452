"""The contact report says whether a character stays in one piece, and Generate Walk refuses one that does not."""

from dataclasses import replace

import bpy
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.interface import report_text
from neurarig_addon.blender.walk import requirements
from neurarig_addon.core.errors import NeuraRigError
from tests import rigs

pytestmark = pytest.mark.usefixtures("addon")


def with_a_loose_shin_half():
    """Return a character whose left shin's lower half hangs on the hips."""
    return [replace(bone, parent="Hips") if bone.name == "LeftLeg.001" else bone for bone in rigs.split_limb_biped()]


@pytest.mark.parametrize("bones", [rigs.biped, rigs.split_limb_biped])
@pytest.mark.parametrize("controls", ["AUTO", "FK"])
def test_a_character_in_one_piece_walks_and_the_report_says_so(bones, controls):
    report = api.generate_walk(rigs.build(bones()), controls=controls)
    assert report["integrity_percent"] < 0.01 and report["open_joints"] == report["left_behind"] == []
    assert "integrity_percent" in report["limits"] and report["past_limits"] == []


def test_a_shin_half_that_stays_behind_is_refused_by_name_and_nothing_changes():
    obj = rigs.build(with_a_loose_shin_half())
    before = {bone.name: (bone.matrix_basis.copy(), len(bone.constraints)) for bone in obj.pose.bones}
    with pytest.raises(NeuraRigError, match=r"one piece.*LeftLeg\.001"):
        api.generate_walk(obj)
    assert {bone.name: (bone.matrix_basis, len(bone.constraints)) for bone in obj.pose.bones} == before
    assert not obj.neurarig.attachment and not obj.neurarig.walk.live and obj.neurarig.walk.controls == "AUTO"


def test_bones_without_weights_do_not_count_where_there_is_a_skin():
    obj = rigs.build(with_a_loose_shin_half())
    mesh = bpy.data.objects.new("Skin", bpy.data.meshes.new("Skin"))
    mesh.data.from_pydata([bone.head_local for bone in obj.data.bones], [], [])
    bpy.context.scene.collection.objects.link(mesh)
    for row, bone in enumerate(obj.data.bones):
        mesh.vertex_groups.new(name=bone.name).add([row], 0.0 if bone.name == "LeftLeg.001" else 1.0, "REPLACE")
    mesh.modifiers.new("Armature", "ARMATURE").object = obj
    assert api.generate_walk(obj)["past_limits"] == []


def test_an_open_joint_is_a_line_of_the_report():
    lines = report_text.read('{"past_limits": ["integrity_percent"], "integrity_percent": 12.5}').lines
    assert [(line.name, line.value, line.past_limit) for line in lines] == [("Widest Gap", "12.50 % of leg", True)]


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
    report = {"reach": 0.99, "left_behind": left, "past_limits": ["integrity_percent"], "open_joints": joints, "integrity_percent": 4.2}
    with pytest.raises(requirements.CameApartError, match=f"'Hero' does not stay in one piece: {sentence}"):
        requirements.require_one_piece(obj, report)
    requirements.require_one_piece(obj, report | {"left_behind": [], "past_limits": ["slip_mm"]})
    requirements.require_one_piece(obj, report | {"reach": None})
