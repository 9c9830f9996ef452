"""Reduce Keys on any action of a character: few keys, seen where it was, feet that stand stay."""

import bpy
import numpy as np

from neurarig_addon.blender import api
from neurarig_addon.blender.animation import compat
from neurarig_addon.blender.keys import figures
from neurarig_addon.blender.keys.api import reduce_keys
from tests.blender.walking import deform_bones, played, state_of, walker
from tests.refusals import refuses
from tests.rigs import biped, build

FRAMES = range(1, 41)


def keys_of(action: bpy.types.Action) -> list:
    """Return all keys of an action as they are."""
    return [
        [(*point.co, *point.handle_left, point.type) for point in curve.keyframe_points]
        for curve in compat.all_channels(action)
    ]


def dense(last: int = FRAMES[-1]) -> tuple[bpy.types.Object, bpy.types.Action]:
    """Return a character of its own, NeuraRig's off it, that plays a key a frame."""
    obj = walker(controls="FK", mode="TRAVEL")
    action = api.bake_walk(obj, frame_start=FRAMES[0], frame_end=last)
    api.remove_walk(obj)
    compat.assign(
        obj.animation_data or obj.animation_data_create(), action, compat.suitable_slot(action, obj)
    )
    return obj, action


def test_an_action_that_never_met_us_keeps_its_motion_with_few_keys():
    obj, action = dense()
    bones = deform_bones(obj)
    before, many = played(obj, FRAMES, bones), sum(map(len, keys_of(action)))
    assert api.reduce_keys(obj, action, tolerance=0.005) == action
    assert np.linalg.norm(played(obj, FRAMES, bones) - before, axis=-1).max() <= 0.005
    assert action["slip_mm"] <= 5.0
    assert sum(map(len, keys_of(action))) < 0.5 * many


def test_a_trembling_walk_has_ten_keys_a_stride():
    obj, action = dense()
    stride, tremble = action["cycle_frames"], np.random.default_rng(7)
    for curve in compat.all_channels(action):
        for point in curve.keyframe_points if "rotation" in curve.data_path else ():
            point.co.y += tremble.normal(0.0, 0.0005)
        curve.update()
    bones, halves = deform_bones(obj), [frame + 0.5 for frame in FRAMES[:-1]]
    before, between = played(obj, FRAMES, bones)[:, :, 0], played(obj, halves, bones)[:, :, 0]
    api.reduce_keys(obj, action, tolerance=0.005)
    assert np.linalg.norm(played(obj, FRAMES, bones)[:, :, 0] - before, axis=-1).max() <= 0.005
    assert np.linalg.norm(played(obj, halves, bones)[:, :, 0] - between, axis=-1).max() <= 0.02
    moving = [len(keys) for keys in keys_of(action) if len(keys) > 1]
    assert np.mean(moving) - 1.0 <= 10.0 * (len(FRAMES) - 1) / stride


def test_feet_that_stand_stay():
    obj, _ = dense()
    toes = [name for name in deform_bones(obj) if "Foot" in name]
    before = played(obj, FRAMES, toes)
    slow = np.linalg.norm(np.diff(before, axis=0), axis=-1).max(axis=-1) < 1e-6
    assert slow.any()
    assert api.reduce_keys(obj)[figures.SLIP_MM] <= 5.0
    after = played(obj, FRAMES, toes)
    moved = np.linalg.norm(np.diff(after - before, axis=0), axis=-1).max(axis=-1)[slow]
    assert moved.max() <= 0.004  # between two frames


def test_refused_or_closed_early_the_action_is_as_it_was():
    obj, action = dense()
    before, state = keys_of(action), state_of(obj)
    with refuses("tolerance"):
        api.reduce_keys(obj, action, tolerance=-1.0)
    steps = reduce_keys.steps(obj, action)
    for _ in range(40):
        next(steps)
    steps.close()
    assert keys_of(action) == before
    assert state_of(obj) == state


def test_what_cannot_be_reduced_is_refused_in_a_sentence():
    obj = build(biped(), "Still")
    with refuses("plays no action"):
        api.reduce_keys(obj)
    with refuses("no keys of bones"):
        api.reduce_keys(obj, bpy.data.actions.new("Empty"))


def test_the_operator_does_it():
    _, action = dense()
    many = sum(map(len, keys_of(action)))
    assert bpy.ops.neurarig.reduce_keys() == {"FINISHED"}
    assert sum(map(len, keys_of(action))) < many


def test_a_tolerance_that_needs_most_keys_is_reported_with_the_remedy():
    _, action = dense(8)
    for curve in compat.all_channels(action):
        # trembles by the frame, so that no two frames share a curve
        for number, point in enumerate(curve.keyframe_points):
            point.co.y += 0.01 * (-1) ** number
    found = {
        metres: figures.sentence(api.reduce_keys(bpy.context.object, tolerance=metres))
        for metres in (0.0001, 0.1)
    }
    assert "raise Tolerance" in found[0.0001] and "raise Tolerance" not in found[0.1], found
