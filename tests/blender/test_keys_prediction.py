"""Few keys are judged without an evaluation only where the prediction is what Blender shows."""

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.animation import compat
from neurarig_addon.blender.animation.curve_pose import split_path
from neurarig_addon.blender.character.controls.probing.bench import bench
from neurarig_addon.blender.character.read_character import read_character
from neurarig_addon.blender.keys.api import _channels, _curves
from neurarig_addon.blender.keys.carriers import read_carrying, read_prediction
from neurarig_addon.blender.keys.trial import KeyTrial, Steps
from neurarig_addon.core.keys.deviation import Seen
from tests.blender.walking import walker

pytestmark = pytest.mark.usefixtures("addon")

FRAMES = np.arange(1.0, 31.0)
BOUND = 0.005, np.radians(0.5)


def baked(controls: str) -> bpy.types.Object:
    """Return a character of its own that plays a key a frame."""
    obj = walker(mode="IN_PLACE", controls=controls)
    action = api.bake_walk(obj, frame_start=1, frame_end=30, keys="DENSE")
    if controls == "FK":
        api.remove_walk(obj)
        compat.assign(obj.animation_data or obj.animation_data_create(), action, compat.suitable_slot(action, obj))
    return obj


def ended(steps: Steps) -> Seen:
    """Return what steps return."""
    while True:
        try:
            next(steps)
        except StopIteration as last:
            return last.value


def compared(obj: bpy.types.Object) -> float | None:
    """Return how far the prediction is off what is evaluated with other values, metres; None if there is no prediction."""
    channels, _ = _channels(obj, _curves(obj, None), FRAMES)
    character, dense = read_character(obj, bpy.context.scene), [channel.values for channel in channels]
    random = np.random.default_rng(3)
    with bench(obj) as copy:
        trial = KeyTrial(copy, obj, character, {channel.group for channel in channels})
        wanted = ended(trial.play(channels, dense))
        planted = np.zeros((len(FRAMES), 2, 3), dtype=bool)
        carrying = read_carrying(obj, character, channels, (trial.bones, wanted), planted, BOUND)
        prediction = read_prediction(obj, carrying, trial, wanted, channels)
        if prediction is None:
            return None
        moved = [each + random.normal(0.0, 0.02, each.shape) for each in dense]
        seen, foreseen = ended(trial.play(channels, moved)), prediction.seen(moved)
    assert np.linalg.norm(seen.heads - wanted.heads, axis=-1).max() > 0.01
    return max(float(np.abs(getattr(seen, name) - getattr(foreseen, name)).max()) for name in ("heads", "tails", "turns", "feet"))


def test_on_bones_that_are_turned_by_keys_it_is_what_is_evaluated():
    off = compared(baked("FK"))
    assert off is not None and off < 1e-5


def test_where_keys_do_not_turn_bones_nothing_is_predicted():
    obj = baked("FK")
    for bone in obj.pose.bones:
        bone.rotation_mode = "ZXY"  # its keys are quaternions
    assert compared(obj) is None


def test_where_constraints_move_bones_nothing_is_predicted():
    assert compared(baked("AUTO")) is None


def test_an_object_that_is_keyed_is_not_predicted():
    obj = baked("FK")
    for frame, place in ((1, 0.0), (30, 2.0)):
        obj.location.x = place
        obj.keyframe_insert("location", index=0, frame=frame)
    assert compared(obj) is None


def test_of_a_leg_that_stands_the_shin_is_nearest_to_the_foot():
    obj = baked("FK")
    channels, _ = _channels(obj, _curves(obj, None), FRAMES)
    character, planted = read_character(obj, bpy.context.scene), np.zeros((len(FRAMES), 2, 3), dtype=bool)
    planted[:10, 0] = True
    with bench(obj) as copy:
        trial = KeyTrial(copy, obj, character, {channel.group for channel in channels})
        seen = ended(trial.play(channels, [channel.values for channel in channels]))
    joints = read_carrying(obj, character, channels, (trial.bones, seen), planted, BOUND).joints
    above = {split_path(channels[max(joint.place, joint.turn)].path)[0]: joint for joint in joints}
    roles = character.roles
    assert [above[roles.get(role)].above_foot for role in ("shin.L", "thigh.L", "shin.R", "thigh.R", "upper_arm.L")] == [0, 1, 0, 1, -1]
    reach = above[roles.get("shin.L")].reach
    assert reach[:10].max() < reach[10:].min(), "as close as feet must stay while they stand"


def test_a_switch_that_a_rig_no_longer_has_is_passed_over():
    obj = walker(controls="FK")
    obj.pose.bones[0]["IK_FK"] = 0.0
    path = f'pose.bones["{obj.pose.bones[0].name}"]["IK_FK"]'
    with bench(obj) as copy:
        copy.switch({path: 1.0, 'pose.bones["gone"]["IK_FK"]': 1.0})
        assert copy.obj.path_resolve(path) == 1.0
        copy.switch({})
        assert copy.obj.path_resolve(path) == 0.0
