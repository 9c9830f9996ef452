"""The rest pose and the soles are read the same whatever the armature is doing."""

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Quaternion
from numpy.testing import assert_allclose

from neurarig_addon.blender.character import read_armature
from neurarig_addon.blender.character.read_armature import read_skeleton, read_soles
from neurarig_addon.core.character.measure import measure
from neurarig_addon.core.detection.detect import detect
from tests.refusals import refuses

from .. import rigs


def read(obj: bpy.types.Object):
    bpy.context.view_layer.update()
    return read_skeleton(obj, bpy.context.scene)


def assert_same(first, second):
    assert first.names == second.names
    for name in ("parents", "rest", "lengths", "deform", "to_world"):
        assert_allclose(getattr(first, name), getattr(second, name), atol=1e-4, err_msg=name)


def test_reading_gives_blenders_own_matrices():
    obj = rigs.build(rigs.biped(), matrix=rigs.fbx_matrix(30.0))
    skeleton = read(obj)
    for row, name in enumerate(skeleton.names):
        bone = obj.data.bones[name]
        assert_allclose(skeleton.rest[row], np.array(bone.matrix_local), atol=1e-4)
        assert skeleton.lengths[row] == pytest.approx(bone.length, rel=1e-5)
        assert (skeleton.names[skeleton.parents[row]] if skeleton.parents[row] >= 0 else None) == (
            bone.parent.name if bone.parent else None
        )
    assert_allclose(
        skeleton.heads[skeleton.index["LeftUpLeg"]],
        obj.matrix_world @ obj.data.bones["LeftUpLeg"].head_local,
        atol=1e-5,
    )


def test_parents_come_first():
    skeleton = read(rigs.build(rigs.split_limb_biped()))
    assert (skeleton.parents < np.arange(len(skeleton.names))).all()


def test_pose_action_and_pose_position_do_not_matter():
    obj = rigs.build(rigs.biped())
    before = read(obj)
    for bone in obj.pose.bones:
        bone.rotation_mode = "QUATERNION"
        bone.rotation_quaternion = Quaternion((0.3, 1.0, 0.5), 0.8)
        bone.keyframe_insert("rotation_quaternion", frame=1)
    bpy.context.scene.frame_set(1)
    assert_same(before, read(obj))
    obj.data.pose_position = "REST"
    assert_same(before, read(obj))


@pytest.mark.parametrize("mode", ["EDIT", "POSE"])
def test_mode_does_not_matter(mode):
    obj = rigs.build(rigs.biped(), matrix=rigs.fbx_matrix())
    before = read(obj)
    bpy.ops.object.mode_set(mode=mode)
    assert_same(before, read(obj))


def test_edit_mode_shows_what_is_being_edited():
    obj = rigs.build(rigs.biped())
    bpy.ops.object.mode_set(mode="EDIT")
    obj.data.edit_bones["LeftFoot"].head.z += 0.02
    skeleton = read(obj)
    assert skeleton.heads[skeleton.index["LeftFoot"], 2] == pytest.approx(0.10, abs=1e-5)


def test_scene_units_make_metres():
    obj = rigs.build(rigs.biped(), matrix=Matrix.Scale(2.0, 4))
    bpy.context.scene.unit_settings.scale_length = 0.01
    skeleton = read(obj)
    assert skeleton.heads[skeleton.index["Head"], 2] == pytest.approx(0.0154)


def shoe(obj: bpy.types.Object, side: float) -> np.ndarray:
    """Return the world corners of a box around a foot, sole at z = 0."""
    return np.array([(side * x, y, z) for x in (0.05, 0.13) for y in (-0.22, 0.07) for z in (0.0, 0.1)])


def skinned_shoes(obj: bpy.types.Object, matrix: Matrix) -> None:
    """Add one mesh with both shoes, skinned to foot and toe, and a cloak skinned to the spine."""
    points = np.concatenate([shoe(obj, 1.0), shoe(obj, -1.0), [(0.0, 0.0, -1.0)]])
    mesh = bpy.data.meshes.new("Shoes")
    to_mesh = matrix.inverted()
    mesh.from_pydata([to_mesh @ Matrix.Translation(point).to_translation() for point in points], [], [])
    shoes = bpy.data.objects.new("Shoes", mesh)
    bpy.context.scene.collection.objects.link(shoes)
    shoes.matrix_world = matrix
    shoes.modifiers.new("Armature", "ARMATURE").object = obj
    for name, vertices in (("LeftFoot", range(8)), ("RightFoot", range(8, 16)), ("Spine", [16])):
        shoes.vertex_groups.new(name=name).add(list(vertices), 0.8, "REPLACE")
    shoes.vertex_groups.new(name="Hips").add(list(range(17)), 0.2, "REPLACE")


@pytest.mark.parametrize("matrix", [Matrix(), rigs.fbx_matrix()], ids=["plain", "fbx"])
@pytest.mark.parametrize("mesh_matrix", [Matrix(), Matrix.Scale(3.0, 4)], ids=["mesh", "scaled mesh"])
def test_soles_are_read_from_skinned_meshes_in_any_pose(matrix, mesh_matrix):
    obj = rigs.build(rigs.biped(), matrix=matrix)
    skinned_shoes(obj, mesh_matrix)
    skeleton = read(obj)
    roles = detect(skeleton)
    obj.pose.bones["LeftUpLeg"].rotation_mode = "XYZ"
    obj.pose.bones["LeftUpLeg"].rotation_euler.x = 1.0
    bpy.context.view_layer.update()
    soles = read_soles(obj, roles)
    for side, sign in (("L", 1.0), ("R", -1.0)):
        assert_allclose(skeleton.in_world(soles[side]), shoe(obj, sign), atol=1e-5)
    body = measure(skeleton, roles, soles)
    assert_allclose(body.heel[:, 2], 0.0, atol=1e-6)
    assert_allclose(body.toe[:, 0] - body.heel[:, 0], 0.29, atol=1e-5)


def test_soles_are_read_from_meshes_carried_on_bones():
    obj = rigs.build(rigs.biped())
    box = bpy.data.meshes.new("Boot")
    box.from_pydata(shoe(obj, 1.0).tolist(), [], [])
    boot = bpy.data.objects.new("Boot", box)
    bpy.context.scene.collection.objects.link(boot)
    boot.parent, boot.parent_type, boot.parent_bone = obj, "BONE", "LeftFoot"
    bpy.context.view_layer.update()
    boot.matrix_world = Matrix()
    bpy.context.view_layer.update()
    soles = read_soles(obj, detect(read(obj)))
    assert_allclose(soles["L"], shoe(obj, 1.0), atol=1e-5)
    assert "R" not in soles


def test_a_rig_without_mesh_has_no_soles():
    obj = rigs.build(rigs.biped())
    assert read_soles(obj, detect(read(obj))) == {}


@pytest.mark.parametrize("rest", [np.zeros((4, 4)), np.diag([1.0, 0.0, 1.0, 1.0]), np.full((4, 4), np.nan)])
def test_a_bone_without_axes_is_named(monkeypatch, rest):
    """Damaged files that Blender imports have such bones."""
    obj = rigs.build(rigs.biped(), "Hero")
    row = obj.data.bones.find("LeftLeg")
    sound = read_armature._rest_matrices

    def damaged(bones, editing):
        found = sound(bones, editing)
        found[row] = rest
        return found

    monkeypatch.setattr(read_armature, "_rest_matrices", damaged)
    with refuses("'LeftLeg' of 'Hero' has no axes"):
        read_skeleton(obj, bpy.context.scene)
