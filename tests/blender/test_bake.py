"""Baked is what was live: in new actions, for controls and deform bones, as a range or a loop."""

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from neurarig_addon.blender import api
from neurarig_addon.blender.animation import compat
from neurarig_addon.blender.animation.keyframes import GENERATED
from tests.blender import retargeting
from tests.blender.walking import deform_bones, driven_bones, played, seen, walker
from tests.rigs import biped, build, fbx_matrix, rigify_human
from tests.rolling_feet import rolling_rig

FRAMES = list(range(1, 31))
SAME = 1e-5  # metres


def curves_of(obj: bpy.types.Object) -> dict[tuple[str, int], bpy.types.FCurve]:
    """Return the curves of the active action."""
    found = compat.find_channels(*compat.assigned(obj.animation_data))
    return {(curve.data_path, curve.array_index): curve for curve in found}


def keys_of(curve: bpy.types.FCurve, name: str = "co") -> np.ndarray:
    """Return one property of a curve's keys."""
    if name == "co":
        return np.array([tuple(point.co) for point in curve.keyframe_points])
    return np.array([getattr(point, name) for point in curve.keyframe_points])


@pytest.mark.few(2)
@pytest.mark.parametrize("target", ["CONTROLS", "DEFORM"])
@pytest.mark.parametrize(
    ("mode", "travel_with"), [("IN_PLACE", "OBJECT"), ("TRAVEL", "OBJECT"), ("TRAVEL", "BONE")]
)
def test_baked_is_live(target, mode, travel_with):
    obj = walker(mode=mode, travel_with=travel_with)
    bones = deform_bones(obj)
    before = played(obj, FRAMES, bones)
    api.bake_walk(obj, frame_start=1, frame_end=30, target=target)
    assert not obj.neurarig.walk.live
    assert np.abs(played(obj, FRAMES, bones) - before).max() < SAME


@pytest.mark.parametrize("mode", ["IN_PLACE", "TRAVEL"])
def test_baked_is_live_on_an_fbx_rig(mode):
    obj = build(biped(), "Fbx", fbx_matrix(30.0))
    api.generate_walk(obj, use_network=False, mode=mode)
    bones = deform_bones(obj)
    before = played(obj, FRAMES, bones)
    for target in ("CONTROLS", "DEFORM"):
        api.bake_walk(obj, frame_start=1, frame_end=30, target=target)
        assert np.abs(played(obj, FRAMES, bones) - before).max() < SAME
        api.resume_walk(obj)


@pytest.mark.parametrize("travel_with", ["OBJECT", "BONE"])
@pytest.mark.parametrize("target", ["CONTROLS", "DEFORM"])
def test_baked_is_live_on_rigify(target, travel_with):
    obj = rigify_human()
    api.generate_walk(obj, use_network=False, mode="TRAVEL", travel_with=travel_with)
    bones = deform_bones(obj)
    before = played(obj, FRAMES[:20], bones)
    api.bake_walk(obj, frame_start=1, frame_end=20, target=target)
    # Rigify's stretched feet shear the bent toes a little, which no bone's own channels can hold.
    assert np.abs(played(obj, FRAMES[:20], bones) - before).max() < (
        2.0 * SAME if target == "DEFORM" else SAME
    )
    api.resume_walk(obj)
    assert np.abs(played(obj, FRAMES[:20], bones) - before).max() < SAME


@pytest.mark.parametrize("make", [rigify_human, lambda: build(biped())])
def test_a_bake_to_both_plays_on_the_controls_and_leaves_the_deform_bones_beside_it(make):
    obj = make()
    api.generate_walk(obj, use_network=False, mode="TRAVEL")
    bones = deform_bones(obj)
    before = played(obj, FRAMES[:12], bones)
    alone = values_of(api.bake_walk(obj, frame_start=1, frame_end=12, target="DEFORM"), obj)
    api.resume_walk(obj)
    action = api.bake_walk(obj, frame_start=1, frame_end=12, target="BOTH")
    assert obj.animation_data.action == action and action["deform_action"].use_fake_user
    assert np.abs(played(obj, FRAMES[:12], bones) - before).max() < SAME
    both = values_of(action["deform_action"], obj)
    for curve in both.keys() ^ alone.keys():  # what Blender's rounding alone moves may be keyed or not
        assert np.ptp((both | alone)[curve]) < 1e-5
    # the others are below controls
    on_bones = [bone for bone in bones if (above := obj.data.bones[bone].parent) and above.use_deform]
    for curve in both.keys() & alone.keys():
        if any(f'"{bone}"' in curve[0] for bone in on_bones):
            np.testing.assert_allclose(both[curve], alone[curve], atol=1e-4)
    thigh = next(bone for bone in bones if "thigh" in bone.lower() or "UpLeg" in bone)
    assert any(thigh in path for path, _ in both)


def values_of(action, obj):
    """Return the values of an action's keys by path and index."""
    return {(path, index): np.array(keys)[:, 1] for path, index, keys in retargeting.keys_of(action, obj)}


@pytest.mark.parametrize("make", [lambda: rolling_rig(True), rigify_human])
def test_the_deform_bones_of_both_play_on_a_skeleton_without_controls(make):
    """Bones that hang below a control take its motion: there, nothing moves the control."""
    obj = make()
    api.generate_walk(obj, use_network=False)
    bones = deform_bones(obj)
    before = played(obj, FRAMES[:12], bones)
    bpy.context.scene.frame_set(9)  # the controls are posed
    engine = api.bake_walk(obj, frame_start=1, frame_end=12, target="BOTH")["deform_action"]
    assert api.remove_walk(obj) == []
    for bone in obj.pose.bones:
        bone.matrix_basis = Matrix()
        for constraint in list(bone.constraints):
            bone.constraints.remove(constraint)
    data = obj.animation_data_create()
    for driver in list(data.drivers):
        data.drivers.remove(driver)
    compat.assign(data, engine, compat.suitable_slot(engine, obj))
    # float32 keys, one bone below the other
    assert np.abs(played(obj, FRAMES[:12], bones) - before).max() < 5 * SAME


def test_a_bake_to_both_that_is_cancelled_leaves_nothing():
    obj = walker()
    before = len(bpy.data.actions)
    steps = api.bake_steps(obj, frame_start=1, frame_end=30, target="BOTH")
    for share in steps:
        if share == 1.0:
            break
    steps.close()
    assert len(bpy.data.actions) == before and obj.neurarig.walk.live


@pytest.mark.few(2)
@pytest.mark.parametrize("target", ["CONTROLS", "DEFORM"])
@pytest.mark.parametrize(
    ("mode", "travel_with"), [("IN_PLACE", "OBJECT"), ("TRAVEL", "OBJECT"), ("TRAVEL", "BONE")]
)
def test_a_loop_goes_on_for_ever(target, mode, travel_with):
    obj = walker(mode=mode, travel_with=travel_with)
    bones = deform_bones(obj)
    frames = [1, 13, 60, 200]
    before = played(obj, frames, bones)
    baked = api.bake_walk(obj, frame_start=1, loop=True, target=target)
    assert baked.use_cyclic and baked.use_frame_range
    assert baked.frame_range[1] - baked.frame_range[0] == pytest.approx(baked["cycle_frames"], abs=1e-4)
    # float32 keys, repeated over eight strides
    assert np.abs(played(obj, frames, bones) - before).max() < 5 * SAME
    for (path, _), curve in curves_of(obj).items():
        values = keys_of(curve)[:, 1]
        ahead = abs(values[-1] - values[0]) > 0.1
        assert ahead or values[-1] == values[0]
        assert curve.modifiers[0].mode_after == ("REPEAT_OFFSET" if ahead else "REPEAT"), path


def test_every_nth_frame_and_the_last():
    obj = walker()
    before = played(obj, [1, 5, 9, 30], deform_bones(obj))
    api.bake_walk(obj, frame_start=1, frame_end=30, step=4)
    moving = [curve for curve in curves_of(obj).values() if len(curve.keyframe_points) > 1]
    assert moving
    for curve in moving:
        assert list(keys_of(curve)[:, 0]) == [1, 5, 9, 13, 17, 21, 25, 29, 30]
        assert set(keys_of(curve, "interpolation")) == {"BEZIER"}
        assert set(keys_of(curve, "handle_left_type")) == {"AUTO_CLAMPED"}
    assert np.abs(played(obj, [1, 5, 9, 30], deform_bones(obj)) - before).max() < SAME


def test_keys_are_generated_linear_and_grouped_by_bone():
    obj = walker()
    api.bake_walk(obj, frame_start=1, frame_end=30)
    generated = bpy.types.Keyframe.bl_rna.properties["type"].enum_items["GENERATED"]
    assert generated.value == GENERATED
    for (path, _), curve in curves_of(obj).items():
        assert set(keys_of(curve, "type")) == {"GENERATED"}
        assert set(keys_of(curve, "interpolation")) == {"LINEAR"}
        assert curve.group.name in path or curve.group.name == "Switches"
        assert "scale" not in path


def test_curves_that_do_not_move_have_one_key():
    obj = walker()
    api.bake_walk(obj, frame_start=1, frame_end=30)
    for curve in curves_of(obj).values():
        values = keys_of(curve)[:, 1]
        quaternion = curve.data_path.endswith("rotation_quaternion")
        assert len(values) == 1 or np.ptp(values) > 0.0 or quaternion


def test_quaternions_do_not_jump():
    obj = walker(twist=3.0, arm_swing=3.0)
    api.bake_walk(obj, frame_start=1, frame_end=60)
    for (path, _), curve in curves_of(obj).items():
        if "rotation" in path and len(curve.keyframe_points) > 1:
            assert np.abs(np.diff(keys_of(curve)[:, 1])).max() < 0.5


@pytest.mark.parametrize("make", [walker, rigify_human])
def test_bones_of_a_deform_bake_are_as_they_were_when_it_goes(make):
    obj = make()
    if not obj.neurarig.attachment:
        api.generate_walk(obj, use_network=False, mode="TRAVEL", travel_with="BONE")
    free = [bone for bone in deform_bones(obj) if bone not in driven_bones(obj)]
    before = [obj.pose.bones[name].matrix_basis.copy() for name in free]
    for _ in range(2):
        api.bake_walk(obj, frame_start=1, frame_end=9, target="DEFORM")
    seen(obj, 5)
    assert before != [obj.pose.bones[name].matrix_basis for name in free]
    api.resume_walk(obj)
    assert before == [obj.pose.bones[name].matrix_basis for name in free]
