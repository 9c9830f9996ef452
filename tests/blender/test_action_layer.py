"""An action of the user's over a walk: live, in bakes, keyed, edited, refused, and gone with no trace."""

import bpy
import numpy as np
from mathutils import Quaternion

from neurarig_addon.blender import api
from neurarig_addon.blender.animation import compat
from tests.blender.walking import played, seen, state_of, walker
from tests.refusals import refuses
from tests.rigs import biped, build, rigify_human

LEGS = ("LeftFoot", "RightFoot", "Hips")
ARM = ("LeftForeArm", "LeftHand")
TURN = Quaternion((0.8, 0.1, 0.5, -0.3)).normalized()


def waving(bone: str = "LeftArm") -> tuple[bpy.types.Object, bpy.types.Action]:
    """Return a character with a wave over one second, from frame 10 to 34, that has been made to walk."""
    obj = build(biped(), "Hero")
    pose = obj.pose.bones[bone]
    for frame, turn in ((10, Quaternion()), (22, TURN), (34, Quaternion())):
        pose.rotation_quaternion = turn
        pose.keyframe_insert("rotation_quaternion", frame=frame)
    pose.rotation_quaternion = Quaternion()
    action = obj.animation_data.action
    action.name = "Wave"
    api.generate_walk(obj, use_network=False)
    return obj, action


def test_a_wave_is_seen_while_it_lasts_and_the_walk_goes_on() -> None:
    obj, wave = waving()
    frames = (1, 22, 60)
    before, legs = played(obj, frames, ARM), played(obj, frames, LEGS)
    api.layer_action(obj, wave, ease=6.0)
    after = played(obj, frames, ARM)
    assert np.abs(after[1] - before[1]).max() > 0.1
    assert np.abs(after[[0, 2]] - before[[0, 2]]).max() < 1e-6 and np.array_equal(
        played(obj, frames, LEGS), legs
    )
    seen(obj, 22)
    shown = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
    rest = obj.data.bones["LeftArm"].parent.matrix_local.inverted() @ obj.data.bones["LeftArm"].matrix_local
    basis = (
        rest.inverted() @ shown["LeftArm"].parent.matrix.inverted() @ shown["LeftArm"].matrix
    ).to_quaternion()
    assert basis.rotation_difference(TURN).angle < 1e-3  # as it was keyed


def against_holder(obj: bpy.types.Object, bone: str, holder: str) -> Quaternion:
    shown = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
    return (shown[holder].matrix.inverted() @ shown[bone].matrix).to_quaternion()


def test_keys_on_the_rigs_own_controls_are_as_they_were_keyed() -> None:
    obj = rigify_human()
    for limb in "LR":
        obj.pose.bones[f"upper_arm_parent.{limb}"]["IK_FK"] = 1.0
    for name in ("upper_arm_fk.L", "forearm_fk.L"):
        control = obj.pose.bones[name]
        control.rotation_mode = "QUATERNION"
        control.rotation_quaternion = TURN
        control.keyframe_insert("rotation_quaternion", frame=5)
    obj.update_tag()
    bpy.context.scene.frame_set(5)
    keyed = against_holder(obj, "DEF-forearm.L", "DEF-upper_arm.L").angle
    wave = obj.animation_data.action
    api.generate_walk(obj, use_network=False)
    api.layer_action(obj, wave, parts=["LEFT_ARM"])
    own = played(obj, (9,), ("DEF-foot.L", "DEF-foot.R"))
    assert keyed > 1.0 and abs(
        against_holder(obj, "DEF-forearm.L", "DEF-upper_arm.L").angle - keyed
    ) < np.radians(1.0)
    api.layer_action(obj, None)
    assert np.abs(played(obj, (9,), ("DEF-foot.L", "DEF-foot.R")) - own).max() < 1e-5


def test_a_bake_holds_it() -> None:
    obj, wave = waving()
    api.layer_action(obj, wave, blend="ADD", weight=0.7)
    live = played(obj, range(1, 45, 6), ARM)
    api.bake_walk(obj, frame_start=1, frame_end=45, target="BOTH")
    assert np.abs(played(obj, range(1, 45, 6), ARM) - live).max() < 1e-5


def test_its_weight_is_keyed() -> None:
    obj, wave = waving()
    plain = played(obj, (22,), ARM)
    api.layer_action(obj, wave)
    whole = played(obj, (22,), ARM)
    for frame, weight in ((1, 1.0), (22, 0.0)):
        obj.neurarig.walk.layer_weight = weight
        obj.neurarig.walk.keyframe_insert("layer_weight", frame=frame)
    assert np.abs(played(obj, (22,), ARM) - plain).max() < 1e-6 < np.abs(whole - plain).max()


def test_parts_that_are_not_chosen_walk_on() -> None:
    obj, wave = waving()
    before = played(obj, (22,), ARM)
    with refuses("'Wave' turns no bone of the chosen parts of 'Hero'"):
        api.layer_action(obj, wave, parts=["HEAD"])
    assert obj.neurarig.walk.layer_action is None and obj.neurarig.walk.live and not obj.neurarig.walk.error
    assert np.array_equal(played(obj, (22,), ARM), before)
    for given in ({"parts": ["LEGS"]}, {"parts": []}, {"blend": "MIX"}):
        with refuses():
            api.layer_action(obj, wave, **given)


def test_taken_off_the_walk_is_as_before() -> None:
    obj, wave = waving()
    before = played(obj, (10, 22), ARM)
    api.layer_action(obj, wave)
    api.layer_action(obj, None)
    assert np.array_equal(played(obj, (10, 22), ARM), before)
    api.remove_walk(obj)
    assert obj.animation_data.action == wave


def test_an_action_that_is_deleted_is_gone() -> None:
    obj, wave = waving()
    before = played(obj, (22,), ARM)
    api.layer_action(obj, wave.copy())
    bpy.data.actions.remove(obj.neurarig.walk.layer_action)
    assert np.array_equal(played(obj, (22,), ARM), before) and obj.neurarig.walk.live


def test_a_cycle_repeats_under_a_pose_and_not_under_a_wave() -> None:
    obj, wave = waving()
    api.layer_action(obj, wave)
    with refuses("A walk with an action over it does not repeat"):
        api.bake_walk(obj, frame_start=1, frame_end=2, loop=True)
    pose, slot = compat.new_action("Pose", obj)
    curves, _ = compat.ensure_channels(pose, slot)
    for index, value in enumerate(TURN):
        curves.new('pose.bones["LeftArm"].rotation_quaternion', index=index).keyframe_points.insert(1, value)
    api.layer_action(obj, pose)
    held = played(obj, (50,), ARM)
    api.layer_action(obj, None)
    assert np.abs(played(obj, (50,), ARM) - held).max() > 0.1  # on every frame
    api.layer_action(obj, pose)
    api.bake_walk(obj, frame_start=1, frame_end=2, loop=True)


def test_without_an_action_nothing_is_asked() -> None:
    obj = walker()
    before = state_of(obj)
    api.layer_action(obj, None)
    assert state_of(obj) == before


def keyed(obj: bpy.types.Object, bone: str, frames: dict[int, Quaternion], *also: str) -> None:
    """Key a bone of a live walk as an animator does; `also`: other properties."""
    for frame, turn in frames.items():
        bpy.context.scene.frame_set(frame)
        obj.pose.bones[bone].rotation_quaternion = turn
        for prop in ("rotation_quaternion", *also):
            obj.pose.bones[bone].keyframe_insert(prop, frame=frame)


def turned(obj: bpy.types.Object, bone: str, frame: int) -> Quaternion:
    """Return how a bone is turned relative to its parent, as shown."""
    seen(obj, frame)
    shown = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
    rest = obj.data.bones[bone].parent.matrix_local.inverted() @ obj.data.bones[bone].matrix_local
    return (rest.inverted() @ shown[bone].parent.matrix.inverted() @ shown[bone].matrix).to_quaternion()


WAVE = {20: TURN, 24: Quaternion((0.9, -0.1, 0.4, -0.1)).normalized(), 28: TURN}
OTHERS = (*LEGS, "Spine", "Spine2", "Head", "RightArm", "RightHand")


def test_keys_on_a_live_walk_become_a_layer_and_the_walk_goes_on() -> None:
    obj = walker()
    frames = (1, 15, 20, 26, 33, 60)
    before, plain = played(obj, frames, OTHERS), played(obj, frames, ARM)
    keyed(obj, "LeftArm", WAVE, "location", "scale")
    assert turned(obj, "LeftArm", 1).rotation_difference(turned(obj, "LeftArm", 60)).angle < 0.1, (
        "it is frozen"
    )
    own = obj.animation_data.action.name
    layer = api.use_as_layer(obj)
    assert (
        own not in bpy.data.actions
        and obj.animation_data.action is None
        and obj.neurarig.walk.layer_action == layer
    )
    assert obj.neurarig.walk.layer_parts == {"LEFT_ARM"} and obj.neurarig.walk.live
    for frame, turn in WAVE.items():
        assert turned(obj, "LeftArm", frame).rotation_difference(turn).angle < 1e-3
    assert np.array_equal(played(obj, frames, OTHERS), before)
    after = played(obj, frames, ARM)
    assert np.abs(after[[0, -1]] - plain[[0, -1]]).max() < 1e-6 and np.abs(after[2] - plain[2]).max() > 0.1
    api.layer_action(obj, None)
    assert np.array_equal(played(obj, frames, ARM), plain)


def test_keys_of_a_layer_can_be_added_and_others_stay() -> None:
    obj = walker()
    keyed(obj, "LeftArm", WAVE)
    first = api.use_as_layer(obj)
    nod = Quaternion((0.95, 0.2, 0.0, 0.0)).normalized()
    keyed(obj, "LeftArm", {36: nod})
    second = api.use_as_layer(obj)
    assert (
        second != first
        and [turned(obj, "LeftArm", frame).rotation_difference(WAVE[frame]).angle < 1e-3 for frame in WAVE]
        == [True] * 3
    )
    assert turned(obj, "LeftArm", 36).rotation_difference(nod).angle < 1e-3
    keyed(obj, "Head", {10: nod})
    with refuses("choose all parts"):
        api.use_as_layer(obj)
    assert obj.neurarig.walk.layer_action == second and obj.animation_data.action is not None
    obj.neurarig.walk.layer_parts = {"HEAD", "LEFT_ARM"}
    obj.neurarig.walk.keyframe_insert("speed", frame=1)
    kept = obj.animation_data.action
    api.use_as_layer(obj)
    assert [curve.data_path for curve in compat.all_channels(kept)] == ["neurarig.walk.speed"]
    assert obj.animation_data.action == kept


def test_removed_the_walk_leaves_no_trace_of_a_layer() -> None:
    obj = build(biped(), "Hero")
    before = played(obj, (1, 24), (*ARM, *LEGS))
    api.generate_walk(obj, use_network=False)
    keyed(obj, "LeftArm", WAVE)
    api.use_as_layer(obj)
    api.remove_walk(obj)
    assert np.array_equal(played(obj, (1, 24), (*ARM, *LEGS)), before) and obj.animation_data is None
