"""A walk that goes over into an action of the user's, and back: live, scrubbed, baked, refused, and gone with
no trace."""

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.animation import compat
from neurarig_addon.blender.walk.source import memory
from neurarig_addon.blender.walk.source import source as walk_source
from neurarig_addon.core.blend.blend import Blend
from tests.blender.walking import played, state_of
from tests.refusals import refuses
from tests.rigs import Bone, biped, build, rigify_human

PROP = Bone("Prop", "LeftHand", (0.88, 0.015, 1.42), (1.0, 0.015, 1.42))
BONES = [
    "Hips",
    "Spine2",
    "Head",
    "LeftUpLeg",
    "LeftLeg",
    "LeftFoot",
    "LeftToeBase",
    "RightFoot",
    "RightToeBase",
    "LeftHand",
    "Prop",
]
LENGTH = 48  # frames of the action


def hero() -> tuple[bpy.types.Object, bpy.types.Action]:
    """Return a character and an action of its own: a slow walk in a crouch that moves the object too, with a
    prop in the hand."""
    obj = build([*biped(), PROP], "Hero")
    api.generate_walk(
        obj, use_network=False, controls="FK", mode="TRAVEL", speed=0.5, crouch=0.6, start_frame=-20.0
    )
    action = api.bake_walk(obj, frame_start=1, frame_end=1 + LENGTH, target="DEFORM")
    api.remove_walk(obj)
    obj.neurarig.walk.speed, obj.neurarig.walk.crouch = 1.3, 0.0
    action.name, action.use_fake_user = "Sneak", True
    curves, _ = compat.ensure_channels(action, compat.suitable_slot(action, obj))
    slide = curves.new('pose.bones["Prop"].location', index=1)
    for frame, value in ((1, 0.0), (20, 0.1), (1 + LENGTH, 0.05)):
        slide.keyframe_points.insert(frame, value)
    if obj.animation_data is not None:
        obj.animation_data.action = None
    obj.location = (0.4, -0.2, 0.0)
    return obj, action


def blend_of(obj: bpy.types.Object) -> Blend:
    found = walk_source.source_of(obj, bpy.context.scene).blend
    assert found is not None
    return found


def on_its_own(obj: bpy.types.Object, action: bpy.types.Action) -> np.ndarray:
    """Return the action as the free character plays it, on all its frames."""
    basis = obj.matrix_basis.copy()
    data = obj.animation_data or obj.animation_data_create()
    compat.assign(data, action, compat.suitable_slot(action, obj))
    seen = played(obj, range(1, LENGTH + 2), BONES)
    data.action = None
    for bone in obj.pose.bones:
        bone.matrix_basis.identity()
    obj.matrix_basis = basis
    return seen


def off_after_a_move(points: np.ndarray, others: np.ndarray) -> tuple[float, float]:
    """Return metres by which points are off others after the best rigid move, and how far from upright that
    is."""
    a, b = points.reshape(-1, 3), others.reshape(-1, 3)
    left, _, right = np.linalg.svd((a - a.mean(axis=0)).T @ (b - b.mean(axis=0)))
    turn = (left @ np.diag([1.0, 1.0, np.linalg.det(left @ right)]) @ right).T
    return float(np.abs((a - a.mean(axis=0)) @ turn.T + b.mean(axis=0) - b).max()), float(1.0 - turn[2, 2])


@pytest.mark.parametrize(
    "settings", [{"controls": "AUTO"}, {"controls": "FK", "travel_with": "OBJECT"}], ids=["layer", "bones"]
)
def test_the_action_takes_over_the_walk_goes_on_and_a_bake_holds_it(settings: dict) -> None:
    obj, action = hero()
    alone = on_its_own(obj, action)
    before = state_of(obj)
    report = api.generate_walk(
        obj,
        use_network=False,
        mode="TRAVEL",
        blend_action=action,
        blend_frame=40,
        blend_seconds=0.3,
        blend_back=True,
        **settings,
    )
    assert not report["past_limits"] and not obj.neurarig.walk.error
    blend = blend_of(obj)
    assert blend.back is not None
    first, lasts = int(blend.joint.frame), int(np.ceil(0.3 * blend.fps))
    frames = np.arange(first - 12, int(blend.back.frame) + 30)
    live = played(obj, frames, BONES)
    own = np.arange(first + lasts, int(blend.back.frame))
    rows = (own - first + blend.first - 1).astype(int)
    assert len(own) > 20 and max(off_after_a_move(alone[rows], live[own - frames[0]])) < 1e-3
    for joint in (blend.joint, blend.back):
        slips = api.contact_report(obj, (int(joint.frame), int(joint.frame) + lasts))["slip_mm"]
        assert slips["LR"[joint.foot]]["max"] < 1.0
    shuffled = np.random.default_rng(3).permutation(len(frames))
    assert np.array_equal(played(obj, frames[shuffled], BONES), live[shuffled])
    after = live[frames >= blend.back.frame + lasts][:, 0, 0]
    # it walks
    assert np.linalg.norm(np.diff(after, axis=0), axis=-1).min() > 0.5 * obj.neurarig.walk.speed / blend.fps
    for options, most in (
        ({"keys": "DENSE", "target": "LAYER"}, 1e-5),
        ({"keys": "EDITABLE"}, 6e-3),
        ({"target": "DEFORM"}, 2e-4),
    ):
        api.bake_walk(obj, frame_start=int(frames[0]), frame_end=int(frames[-1]), **options)
        assert np.abs(played(obj, frames, BONES) - live).max() < most, options
    bpy.context.scene.frame_set(before["mode"][-1])
    api.remove_walk(obj)
    found = state_of(obj)
    assert {name: found[name] for name in ("bones", "constraints", "pose", "place", "attachment")} == {
        name: before[name] for name in ("bones", "constraints", "pose", "place", "attachment")
    }


def test_without_the_action_the_walk_is_as_before_and_the_prop_where_it_was() -> None:
    obj, action = hero()
    obj.pose.bones["Prop"].location.y = 0.03
    api.generate_walk(obj, use_network=False, mode="TRAVEL", controls="FK")
    plain = played(obj, (30, 60, 90), BONES)
    obj.neurarig.walk.blend_frame = 40.0
    obj.neurarig.walk.blend_action = action
    assert np.abs(played(obj, (60,), BONES) - plain[1]).max() > 0.1
    assert abs(obj.pose.bones["Prop"].location.y - 0.1) < 0.03
    bpy.context.scene.frame_set(20)
    assert abs(obj.pose.bones["Prop"].location.y - 0.03) < 1e-6
    bpy.context.scene.frame_set(60)
    obj.neurarig.walk.blend_action = None
    assert np.abs(played(obj, (30, 60, 90), BONES) - plain).max() < 1e-6
    assert abs(obj.pose.bones["Prop"].location.y - 0.03) < 1e-6


def test_an_edited_action_and_an_opened_file_are_followed(tmp_path) -> None:
    obj, action = hero()
    api.generate_walk(
        obj, use_network=False, mode="TRAVEL", controls="FK", blend_action=action, blend_frame=40
    )
    before = played(obj, (75,), BONES)
    curves, _ = compat.ensure_channels(action, compat.suitable_slot(action, obj))
    turn = curves.find('pose.bones["Head"].rotation_quaternion', index=1) or curves.new(
        'pose.bones["Head"].rotation_quaternion', index=1
    )
    for key in turn.keyframe_points:
        key.co.y += 0.3
    if not len(turn.keyframe_points):
        turn.keyframe_points.insert(1, 0.3)
    turn.update()
    action.update_tag()
    bpy.context.view_layer.update()
    after = played(obj, (75,), BONES)
    head = BONES.index("Head")
    assert np.abs(after[:, head, 1] - before[:, head, 1]).max() > 0.02
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "blend.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "blend.blend"))
    assert np.abs(played(bpy.data.objects["Hero"], (75,), BONES) - after).max() < 1e-5


def test_what_cannot_be_is_refused_in_a_sentence_and_changes_nothing() -> None:
    obj, action = hero()
    other = bpy.data.actions.new("Lamp")
    for settings, sentence in (
        ({"mode": "IN_PLACE", "blend_action": action}, "A walk in place cannot blend"),
        ({"mode": "TRAVEL", "blend_action": other}, "'Lamp' moves no bone of 'Hero'"),
        ({"mode": "TRAVEL", "blend_action": "Sneak"}, "needs an action"),
    ):
        before = state_of(obj)
        with refuses(sentence):
            api.generate_walk(obj, use_network=False, **settings)
        assert state_of(obj) == before
    path = bpy.data.curves.new("Path", "CURVE")
    path.splines.new("POLY").points.add(1)
    path.splines[0].points[1].co = (0.0, -9.0, 0.0, 1.0)
    way = bpy.data.objects.new("Path", path)
    bpy.context.collection.objects.link(way)
    with refuses("Where 'Sneak' ends is not on the path"):
        api.generate_walk(obj, use_network=False, mode="PATH", path=way, blend_action=action, blend_back=True)
    api.generate_walk(obj, use_network=False, mode="PATH", path=way, blend_action=action)
    assert blend_of(obj).place.rotation[0, 1, 0] != 0.0
    api.generate_walk(obj, mode="TRAVEL")
    with refuses("blends into an action does not repeat"):
        api.bake_walk(obj, frame_start=1, frame_end=2, loop=True)


def test_rigify_plays_it_by_controls_that_bring_every_bone_to_its_place() -> None:
    obj = rigify_human()
    for frame, bend in ((1, 0.0), (20, 0.4), (40, 0.1)):
        for name in ("chest", "spine_fk.002", "head"):
            obj.pose.bones[name].rotation_mode = "XYZ"
            obj.pose.bones[name].rotation_euler.x = bend
            obj.pose.bones[name].keyframe_insert("rotation_euler", frame=frame)
    action = obj.animation_data.action
    bones = [
        "DEF-spine.002",
        "DEF-spine.003",
        "DEF-spine.006",
        "DEF-shoulder.L",
        "DEF-shin.R",
        "DEF-foot.L",
        "DEF-toe.R",
    ]
    alone = played(obj, range(1, 41), bones)
    obj.animation_data.action = None
    for bone in obj.pose.bones:
        bone.matrix_basis.identity()
    api.generate_walk(obj, use_network=False, mode="TRAVEL")
    obj.neurarig.walk.blend_action = action
    assert "Click Generate Walk again" in memory.refusal(obj)
    api.generate_walk(obj, use_network=False, blend_frame=20)
    blend = blend_of(obj)
    own = blend.joint.frame + np.arange(11, 30)
    live = played(obj, own, bones)
    rows = (own - blend.joint.frame + blend.first - 1).astype(int)
    assert max(off_after_a_move(alone[rows], live)) < 1e-3
