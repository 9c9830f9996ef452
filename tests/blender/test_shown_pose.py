"""A walk stands where the character is shown: on the floor of the pose on screen, at its place, and as it faces."""

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Quaternion, Vector

from neurarig_addon.blender import api
from neurarig_addon.core.errors import NeuraRigError
from tests import cases
from tests.rigs import biped, build, make_active

FLOOR_M, PLACE_M, FACING = 0.005, 0.04, np.radians(3.0)  # the pelvis sways about its place


def shown(obj):
    """Return the hips' place, the lowest foot and the direction across the hips, evaluated in the world."""
    bones = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    at = {bone.name: (bones.matrix_world @ bone.head, bones.matrix_world @ bone.tail) for bone in bones.pose.bones}
    left, right = at["LeftUpLeg"][0], at["RightUpLeg"][0]
    feet = [point.z for name in ("LeftFoot", "RightFoot", "LeftToeBase", "RightToeBase") for point in at[name]]
    return (left + right) / 2.0, min(feet), left - right


@pytest.mark.parametrize("seed", range(cases.some(12)))
def test_a_walk_keeps_place_floor_and_facing_of_the_pose_that_is_shown(addon, seed):
    draw = np.random.default_rng(seed)
    size = float(draw.choice([0.3, 1.0, 2.5]))
    turn = Quaternion((0, 0, 1), draw.uniform(-3, 3)).to_matrix().to_4x4()
    matrix = Matrix.Translation(draw.uniform(-2, 2, 3)) @ turn @ Matrix.Scale(size, 4)
    obj = build(biped(), matrix=matrix)
    obj.matrix_world = Matrix.Translation(draw.uniform(-2, 2, 3)) @ obj.matrix_world
    make_active(obj)
    hips = obj.pose.bones["Hips"]
    hips.rotation_mode = "QUATERNION"
    moved = Matrix.Translation(Vector(draw.uniform(-1, 1, 3)) / size) @ Matrix.Rotation(draw.uniform(-3, 3), 4, hips.bone.y_axis)
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
    assert abs(min(floor for _, floor, _ in seen) - before[1]) < FLOOR_M
    away = np.mean([place for place, *_ in seen], axis=0) - np.array(before[0])
    assert np.hypot(*away[:2]) < PLACE_M
    across = Vector(np.mean([line for *_, line in seen], axis=0))
    assert across.xy.angle(before[2].xy) < FACING
    api.remove_walk(obj)
    scene.frame_set(1)
    np.testing.assert_allclose(hips.matrix_basis, basis, atol=1e-5)


def test_an_armature_in_rest_position_is_refused_with_the_remedy(addon):
    obj = build(biped())
    make_active(obj)
    obj.data.pose_position = "REST"
    with pytest.raises(NeuraRigError, match="Pose Position"):
        api.generate_walk(obj)
    assert not obj.neurarig.attachment
