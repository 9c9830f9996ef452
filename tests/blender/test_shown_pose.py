"""A walk stands where the character is shown: on the floor of the pose on screen, at its place, as it faces
and leans."""

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Quaternion, Vector
from numpy.testing import assert_allclose

from neurarig_addon.blender import api
from tests.refusals import refuses
from tests.rigs import biped, build, make_active, rigify_human, split_limb_biped

ACROSS, AHEAD = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
# the pelvis sways about its place
FLOOR_M, PLACE_M, FACING, LEAN = 0.005, 0.04, np.radians(3.0), np.radians(3.0)


def shown(obj):
    """Return the hips' place, the lowest foot, the direction across the hips and the trunk's, evaluated in
    the world."""
    bones = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    at = {
        bone.name: (bones.matrix_world @ bone.head, bones.matrix_world @ bone.tail)
        for bone in bones.pose.bones
    }
    left, right = at["LeftUpLeg"][0], at["RightUpLeg"][0]
    feet = [
        point.z for name in ("LeftFoot", "RightFoot", "LeftToeBase", "RightToeBase") for point in at[name]
    ]
    trunk = at["LeftArm"][0] + at["RightArm"][0] - left - right
    return (left + right) / 2.0, min(feet), left - right, trunk.normalized()


def turned(obj, bone, degrees, axis):
    """Turn a bone about its head and an axis of the world."""
    posed = obj.pose.bones[bone]
    bpy.context.view_layer.update()
    to_head = Matrix.Translation(posed.matrix.translation)
    along = obj.matrix_world.inverted().to_3x3() @ Vector(axis)
    posed.matrix = (
        to_head @ Matrix.Rotation(np.radians(degrees), 4, along) @ to_head.inverted() @ posed.matrix
    )


@pytest.mark.parametrize("seed", range(12))
def test_a_walk_keeps_place_floor_and_facing_of_the_pose_that_is_shown(seed):
    draw = np.random.default_rng(seed)
    size = float(draw.choice([0.3, 1.0, 2.5]))
    turn = Quaternion((0, 0, 1), draw.uniform(-3, 3)).to_matrix().to_4x4()
    matrix = Matrix.Translation(draw.uniform(-2, 2, 3)) @ turn @ Matrix.Scale(size, 4)
    obj = build(biped(), matrix=matrix)
    obj.matrix_world = Matrix.Translation(draw.uniform(-2, 2, 3)) @ obj.matrix_world
    make_active(obj)
    hips = obj.pose.bones["Hips"]
    hips.rotation_mode = "QUATERNION"
    facing = draw.choice([np.pi, draw.uniform(-3, 3)])
    moved = Matrix.Translation(Vector(draw.uniform(-1, 1, 3)) / size) @ Matrix.Rotation(
        facing, 4, hips.bone.y_axis
    )
    rest = hips.bone.matrix_local.copy()
    about = Matrix.Translation(rest.translation)
    hips.matrix = about @ moved @ about.inverted() @ rest
    if draw.random() < 0.7:  # as an action has it, else as the user has posed it
        hips.keyframe_insert("location", frame=1)
        hips.keyframe_insert("rotation_quaternion", frame=1)
    bpy.context.view_layer.update()
    before = shown(obj)
    basis = hips.matrix_basis.copy()
    api.generate_walk(obj, mode="IN_PLACE")
    scene, seen = bpy.context.scene, []
    for frame in range(1, 40, 2):
        scene.frame_set(frame)
        seen.append(shown(obj))
    assert abs(min(floor for _, floor, *_ in seen) - before[1]) < FLOOR_M
    away = np.mean([place for place, *_ in seen], axis=0) - np.array(before[0])
    assert np.hypot(*away[:2]) < PLACE_M
    across = Vector(np.mean([line for _, _, line, _ in seen], axis=0))
    assert across.xy.angle(before[2].xy) < FACING
    assert Vector(np.mean([trunk for *_, trunk in seen], axis=0)).angle(before[3]) < LEAN
    api.remove_walk(obj)
    scene.frame_set(1)
    assert_allclose(hips.matrix_basis, basis, atol=1e-5)


@pytest.mark.few(4)
@pytest.mark.parametrize(
    "make",
    [
        lambda: build(biped(), matrix=Matrix.Rotation(2.0, 4, "Z")),
        lambda: build(split_limb_biped()),
        rigify_human,
    ],
)
@pytest.mark.parametrize("hips", [0, 25, 60])
@pytest.mark.parametrize("back", [(ACROSS, -12), (ACROSS, 35), (AHEAD, 12)])
def test_a_walk_leans_as_the_pose_that_is_shown(make, hips, back):
    obj = make()
    make_active(obj)
    axis, degrees = back
    if "torso" in obj.pose.bones:
        bends = [("torso", hips, ACROSS), ("chest", degrees, axis)]
        ends = [f"DEF-{part}.{side}" for part in ("thigh", "upper_arm") for side in "LR"]
    else:
        bends = [
            ("Hips", hips, ACROSS),
            *((leg, -hips, ACROSS) for leg in ("LeftUpLeg", "RightUpLeg")),
            ("Spine1", degrees, axis),
        ]
        ends = ["LeftUpLeg", "RightUpLeg", "LeftArm", "RightArm"]
    for bone, angle, about in bends:
        turned(obj, bone, angle, about)

    def trunk():
        bones = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
        heads = [bones[bone].head for bone in ends]
        return (heads[2] + heads[3] - heads[0] - heads[1]).normalized()

    bpy.context.view_layer.update()
    before, basis = trunk(), {bone.name: bone.matrix_basis.copy() for bone in obj.pose.bones}
    api.generate_walk(obj, mode="IN_PLACE")
    seen = []
    for frame in range(1, 40, 2):
        bpy.context.scene.frame_set(frame)
        seen.append(trunk())
    assert Vector(np.mean(seen, axis=0)).angle(before) < LEAN
    api.remove_walk(obj)
    for bone in obj.pose.bones:
        assert_allclose(bone.matrix_basis, basis[bone.name], atol=1e-5)


def test_an_armature_in_rest_position_is_refused_with_the_remedy():
    obj = build(biped())
    make_active(obj)
    obj.data.pose_position = "REST"
    with refuses("Pose Position"):
        api.generate_walk(obj)
    assert not obj.neurarig.attachment
