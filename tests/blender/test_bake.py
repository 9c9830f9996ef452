"""Baked is what was live: in new actions, for controls and deform bones, as a range or a loop."""

import bpy
import numpy as np
import pytest
from mathutils import Euler

from neurarig_addon.blender import api
from neurarig_addon.blender.animation import compat
from neurarig_addon.blender.animation.keyframes import GENERATED
from neurarig_addon.blender.character import bakes
from neurarig_addon.blender.walk import source as walk_source
from neurarig_addon.blender.walk.bake import bake
from neurarig_addon.blender.walk.bake.bake import BakeOptions, bake_steps
from neurarig_addon.core.errors import NeuraRigError
from neurarig_addon.core.posing.channels import rotation_path
from tests.blender import retargeting
from tests.blender.walking import deform_bones, driven_bones, key_speed, played, seen, walker
from tests.rigs import biped, build, fbx_matrix, rigify_human

pytestmark = pytest.mark.usefixtures("addon")

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


@pytest.mark.parametrize("target", ["CONTROLS", "DEFORM"])
@pytest.mark.parametrize(("mode", "travel_with"), [("IN_PLACE", "OBJECT"), ("TRAVEL", "OBJECT"), ("TRAVEL", "BONE")])
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
    assert np.abs(played(obj, FRAMES[:20], bones) - before).max() < (2.0 * SAME if target == "DEFORM" else SAME)
    api.resume_walk(obj)
    assert np.abs(played(obj, FRAMES[:20], bones) - before).max() < SAME


def test_a_bake_of_controls_plays_on_a_rigify_rig_that_never_met_us():
    obj = rigify_human()
    api.generate_walk(obj, use_network=False)
    bones = deform_bones(obj)
    before = played(obj, FRAMES[:20], bones)
    baked = api.bake_walk(obj, frame_start=1, frame_end=20)
    slot = compat.assigned(obj.animation_data)[1]
    api.remove_walk(obj)
    compat.assign(obj.animation_data_create(), baked, slot)
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
    for curve in both.keys() & alone.keys():
        np.testing.assert_allclose(both[curve], alone[curve], atol=1e-4)
    thigh = next(bone for bone in bones if "thigh" in bone.lower() or "UpLeg" in bone)
    assert any(thigh in path for path, _ in both)


def values_of(action, obj):
    """Return the values of an action's keys by path and index."""
    return {(path, index): np.array(keys)[:, 1] for path, index, keys in retargeting.keys_of(action, obj)}


def test_a_bake_to_both_that_is_cancelled_leaves_nothing():
    obj = walker()
    before = len(bpy.data.actions)
    steps = api.bake_steps(obj, frame_start=1, frame_end=30, target="BOTH")
    for share in steps:
        if share == 1.0:
            break
    steps.close()
    assert len(bpy.data.actions) == before and obj.neurarig.walk.live


@pytest.mark.parametrize("target", ["CONTROLS", "DEFORM"])
@pytest.mark.parametrize(("mode", "travel_with"), [("IN_PLACE", "OBJECT"), ("TRAVEL", "OBJECT"), ("TRAVEL", "BONE")])
def test_a_loop_goes_on_for_ever(target, mode, travel_with):
    obj = walker(mode=mode, travel_with=travel_with)
    bones = deform_bones(obj)
    frames = [1, 13, 60, 200]
    before = played(obj, frames, bones)
    baked = api.bake_walk(obj, frame_start=1, loop=True, target=target)
    assert baked.use_cyclic and baked.use_frame_range
    assert baked.frame_range[1] - baked.frame_range[0] == pytest.approx(baked["cycle_frames"], abs=1e-4)
    assert np.abs(played(obj, frames, bones) - before).max() < 5 * SAME  # float32 keys, repeated over eight strides
    for (path, _), curve in curves_of(obj).items():
        values = keys_of(curve)[:, 1]
        ahead = abs(values[-1] - values[0]) > 0.1
        assert ahead or values[-1] == values[0]
        assert curve.modifiers[0].mode_after == ("REPEAT_OFFSET" if ahead else "REPEAT"), path


def test_a_loop_of_a_fractional_cycle_ends_on_it():
    obj = walker(whole_frames=False, speed=1.13)
    before = played(obj, [1, 40.25, 90], deform_bones(obj))
    baked = api.bake_walk(obj, frame_start=1, loop=True)
    assert baked["cycle_frames"] % 1 > 1e-3
    assert baked.frame_range[1] == pytest.approx(1 + baked["cycle_frames"], abs=1e-4)
    assert np.abs(played(obj, [1, 40.25, 90], deform_bones(obj)) - before).max() < 0.02  # between keys, linear


def test_a_keyed_walk_cannot_loop():
    obj = walker()
    for frame, speed in ((1, 0.6), (60, 1.8)):
        obj.neurarig.walk.speed = speed
        obj.neurarig.walk.keyframe_insert("speed", frame=frame)
    with pytest.raises(NeuraRigError, match="speed"):
        api.bake_walk(obj, frame_start=1, loop=True)
    assert obj.neurarig.walk.live


@pytest.mark.parametrize("options", [{"frame_start": 9, "frame_end": 3}, {"frame_start": 1, "frame_end": 9, "step": 0}])
def test_impossible_options_leave_the_file_alone(options):
    obj = walker()
    actions = len(bpy.data.actions)
    with pytest.raises(NeuraRigError):
        api.bake_walk(obj, **options)
    assert obj.neurarig.walk.live and len(bpy.data.actions) == actions


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


def test_markers_name_the_key_poses():
    obj = walker()
    baked = api.bake_walk(obj, frame_start=1, loop=True)
    markers = [(marker.name, marker.frame) for marker in baked.pose_markers]
    steps = [f"{side} {pose}" for side in "LR" for pose in ("Contact", "Down", "Passing", "Up")]
    assert {name for name, _ in markers} == set(steps)
    assert min(markers, key=lambda marker: marker[1]) in [("L Contact", 1), ("L Down", 1)]
    assert all(1 <= frame <= baked.frame_range[1] for _, frame in markers)


def test_every_step_of_a_long_bake_has_its_markers():
    """A contact of each foot every cycle, from the first frame to the last, and between two of one foot one of the other."""
    baked = api.bake_walk(walker(), frame_start=1, frame_end=150)
    contacts = sorted((marker.frame, marker.name) for marker in baked.pose_markers if marker.name.endswith("Contact"))
    cycle = baked["cycle_frames"]
    assert [name for _, name in contacts] == [("L Contact", "R Contact")[number % 2] for number in range(len(contacts))]
    assert contacts[0][0] <= 1 + cycle / 2.0 and contacts[-1][0] >= 150 - cycle / 2.0 - 1.0
    assert np.diff([frame for frame, _ in contacts]) == pytest.approx(cycle / 2.0, abs=1.0)
    for step in ("Down", "Passing", "Up"):
        assert len([marker for marker in baked.pose_markers if marker.name.endswith(step)]) == pytest.approx(len(contacts), abs=1)


def test_an_action_tells_the_speed_that_it_begins_with():
    obj = walker()
    key_speed(obj)
    assert api.bake_walk(obj, frame_start=1, frame_end=40)["ground_speed"] == pytest.approx(0.6, abs=2e-3)
    assert api.bake_walk(obj, frame_start=70, frame_end=90)["ground_speed"] == pytest.approx(1.8, abs=2e-3)


def test_actions_tell_a_game_engine_the_speed():
    obj = walker(mode="TRAVEL")
    baked = api.bake_walk(obj, frame_start=1, loop=True)
    assert baked["ground_speed"] * baked["cycle_frames"] / 24.0 == pytest.approx(baked["stride"], rel=1e-5)
    assert -obj.location.y >= 0.0
    advance = keys_of(curves_of(obj)["location", 1])[:, 1]
    assert advance[0] - advance[-1] == pytest.approx(baked["stride"], rel=1e-4)


def test_each_bake_is_a_new_action():
    obj = walker()
    first = api.bake_walk(obj, frame_start=1, frame_end=20)
    count = len(curves_of(obj))
    second = api.bake_walk(obj, frame_start=5, frame_end=20)
    assert first != second and first.use_fake_user and second.use_fake_user
    assert obj.animation_data.action == second and len(curves_of(obj)) == count


def test_pushed_to_the_nla():
    obj = walker(mode="TRAVEL")
    before = played(obj, FRAMES, deform_bones(obj))
    api.bake_walk(obj, frame_start=1, frame_end=30, push_nla=True)
    assert obj.animation_data.action is None
    assert [track.name for track in obj.animation_data.nla_tracks] == [bakes.BAKE_TRACK]
    assert np.abs(played(obj, FRAMES, deform_bones(obj)) - before).max() < SAME


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


def test_a_loop_on_the_nla_goes_on_to_the_end_of_the_scene():
    obj = walker(mode="TRAVEL")
    bones = deform_bones(obj)
    frames = [1, 20, 100, 250]
    before = played(obj, frames, bones)
    api.bake_walk(obj, frame_start=1, loop=True, push_nla=True)
    assert np.abs(played(obj, frames, bones) - before).max() < 5 * SAME


@pytest.mark.parametrize("push_nla", [False, True])
def test_live_again_the_bake_makes_way(push_nla):
    obj = walker()
    baked = api.bake_walk(obj, frame_start=1, frame_end=30, push_nla=push_nla)
    obj.neurarig.walk.crouch = 0.2
    api.resume_walk(obj)
    crouched = seen(obj, 8)
    obj.neurarig.walk.crouch = 0.0
    assert np.abs(seen(obj, 8) - crouched).max() > 0.05
    assert baked.name in bpy.data.actions


@pytest.mark.parametrize("make", [walker, rigify_human])
def test_bakes_follow_one_another(make):
    obj = make()
    if not obj.neurarig.attachment:
        api.generate_walk(obj, use_network=False)
    bones = deform_bones(obj)
    before = played(obj, FRAMES[:9], bones)
    for target in ("DEFORM", "CONTROLS", "DEFORM", "DEFORM", "CONTROLS"):
        api.bake_walk(obj, frame_start=1, frame_end=9, target=target)
        assert np.abs(played(obj, FRAMES[:9], bones) - before).max() < 2 * SAME, target


def test_keyed_sliders_are_kept_for_later():
    obj = walker(mode="TRAVEL")
    for frame, speed in ((1, 0.6), (60, 1.8)):
        obj.neurarig.walk.speed = speed
        obj.neurarig.walk.keyframe_insert("speed", frame=frame)
    own = obj.animation_data.action
    before = played(obj, FRAMES, deform_bones(obj))
    api.bake_walk(obj, frame_start=1, frame_end=30)
    assert np.abs(played(obj, FRAMES, deform_bones(obj)) - before).max() < SAME
    api.resume_walk(obj)
    assert np.abs(played(obj, FRAMES, deform_bones(obj)) - before).max() < SAME
    api.remove_walk(obj)
    assert obj.animation_data.action == own


@pytest.mark.parametrize("make", [walker, rigify_human])
def test_a_cancelled_bake_leaves_nothing(make):
    obj = make()
    if not obj.neurarig.attachment:
        api.generate_walk(obj, use_network=False)
    bpy.context.scene.frame_set(7)
    actions = len(bpy.data.actions)
    before = seen(obj, 7)
    steps = bake_steps(bpy.context, obj, BakeOptions(1, 30, target="DEFORM"))
    for _, _ in zip(range(2), steps, strict=False):
        pass
    steps.close()
    assert len(bpy.data.actions) == actions and obj.neurarig.walk.live
    assert bpy.context.scene.frame_current == 7
    assert np.abs(seen(obj, 7) - before).max() < SAME


def test_a_rig_that_stands_still_has_nothing_to_loop():
    obj = walker(speed=0.0, idle=0.0)
    with pytest.raises(NeuraRigError, match="speed"):
        api.bake_walk(obj, frame_start=1, loop=True)
    api.bake_walk(obj, frame_start=1, frame_end=10)


def test_constraints_work_again_when_the_walk_is_removed():
    obj = rigify_human()
    muted = {(bone.name, c.name): c.mute for bone in obj.pose.bones for c in bone.constraints}
    api.generate_walk(obj, use_network=False)
    api.bake_walk(obj, frame_start=1, frame_end=3, target="DEFORM")
    assert muted != {(bone.name, c.name): c.mute for bone in obj.pose.bones for c in bone.constraints}
    api.remove_walk(obj)
    bpy.context.view_layer.update()  # the rig's own drivers mute some
    assert muted == {(bone.name, c.name): c.mute for bone in obj.pose.bones for c in bone.constraints}


ODD_FRAMES = [float("nan"), float("inf"), "a", None, 2_000_000, [], True]


@pytest.mark.parametrize("odd", ODD_FRAMES)
@pytest.mark.parametrize("which", ["frame_start", "frame_end"])
def test_a_frame_that_is_none_is_a_sentence(which, odd):
    obj = walker()
    with pytest.raises(NeuraRigError, match="frame"):
        api.bake_walk(obj, **{"frame_start": 1, "frame_end": 9, which: odd})
    assert not bpy.data.actions and obj.neurarig.walk.live


@pytest.mark.parametrize("options", [{"step": 2.5}, {"step": "2"}, {"loop": "x"}, {"push_nla": []}])
def test_an_option_of_the_wrong_kind_is_a_sentence(options):
    obj = walker()
    with pytest.raises(NeuraRigError):
        api.bake_walk(obj, frame_start=1, frame_end=9, **options)
    assert not bpy.data.actions


def test_a_bake_costs_its_frames_however_many_a_second_has():
    """What lies around the keys is looked at in seconds, not in frames: 120 / 0.001 a second were 240 000 poses for five keys."""
    obj = walker()
    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base = 120, 0.001
    source = walk_source.source_of(obj, scene)
    known = bake.Known(source, np.arange(1.0, 6.0))
    assert len(known.pose.frames) < 2_000
    assert api.bake_walk(obj, frame_start=1, frame_end=5).frame_end == 5


def test_overlap_is_baked_as_it_is_live():
    obj = walker(mode="TRAVEL")
    plain = played(obj, range(1, 30), ["LeftFoot", "LeftHand"])
    for slider, frames in (("drag_hips", 1.0), ("drag_chest", 2.0), ("drag_arms", 1.5), ("drag_hands", 2.0), ("slow_in", 0.5)):
        setattr(obj.neurarig.walk, slider, frames)
    live = played(obj, range(1, 30), ["LeftFoot", "LeftHand"])
    assert np.abs(live[:, 0] - plain[:, 0]).max() < 1e-4  # metres: feet are never late
    assert np.abs(live[:, 1] - plain[:, 1]).max() > 0.02
    api.bake_walk(obj, frame_start=1, frame_end=30)
    assert played(obj, range(1, 30), ["LeftFoot", "LeftHand"]) == pytest.approx(live, abs=1e-5)


@pytest.mark.parametrize("make", [walker, rigify_human])
def test_a_wave_keyed_over_a_bake_on_the_nla_lasts_as_long_as_its_keys(make):
    obj = make()
    if not obj.neurarig.attachment:
        api.generate_walk(obj, use_network=False, mode="TRAVEL")
    arm = next(name for name in ("upper_arm_fk.L", "LeftArm", "upper_arm.L") if name in obj.pose.bones)
    api.bake_walk(obj, frame_start=1, frame_end=60, push_nla=True)
    frames, bones = range(1, 61), deform_bones(obj)
    walking = played(obj, frames, bones)
    _wave(obj, arm, 24, 40)
    wave = obj.animation_data.action
    _assert_waves(obj, walking, bones)
    strip = obj.animation_data.nla_tracks.new().strips.new("Wave", 24, wave)  # as Push Down does
    strip.extrapolation, obj.animation_data.action = obj.animation_data.action_extrapolation, None
    _assert_waves(obj, walking, bones)
    api.remove_walk(obj)
    assert obj.animation_data.action_extrapolation == "HOLD"


def test_a_wave_that_was_keyed_before_a_bake_is_pushed_comes_back_as_it_was():
    obj = build(biped(), "Hero")
    _wave(obj, "LeftArm", 24, 40)
    obj.animation_data.action_extrapolation, wave = "HOLD_FORWARD", obj.animation_data.action
    api.generate_walk(obj, use_network=False)
    for _ in range(2):
        api.bake_walk(obj, frame_start=1, frame_end=10, push_nla=True)
    assert obj.animation_data.action_extrapolation == "NOTHING"
    api.remove_walk(obj)
    assert (obj.animation_data.action, obj.animation_data.action_extrapolation) == (wave, "HOLD_FORWARD")


def _wave(obj: bpy.types.Object, name: str, first: int, last: int) -> None:
    """Key a bone on two frames, as an animator does."""
    bone = obj.pose.bones[name]
    for frame, angle in ((first, 1.0), (last, 1.4)):
        bpy.context.scene.frame_set(frame)
        bone.matrix_basis = Euler((angle, 0.3, 0.0)).to_matrix().to_4x4()
        bone.keyframe_insert(rotation_path(bone.rotation_mode), frame=frame)


def _assert_waves(obj: bpy.types.Object, walking: np.ndarray, bones: list[str]) -> None:
    off = np.abs(played(obj, range(1, 61), bones) - walking).reshape(60, -1).max(axis=1)
    assert off[:22].max() < SAME and off[41:].max() < SAME and off[24:39].min() > 0.1
