"""Re-bake: the same action with the sliders of now, and what the animator has touched stays."""

import json

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api
from neurarig_addon.blender.animation import compat
from neurarig_addon.blender.walk.api.bake import kept_keys, rebake_walk
from tests.blender.walking import deform_bones, played, state_of, walker
from tests.refusals import refuses
from tests.rigs import make_active

FRAMES = range(1, 41)


def baked(**options: object) -> tuple[bpy.types.Object, bpy.types.Action]:
    """Return a walker and its bake with few keys."""
    obj = walker(mode="TRAVEL")
    return obj, api.bake_walk(obj, frame_start=1, frame_end=40, **{"keys": "EDITABLE", **options})


def curve_of(action: bpy.types.Action, bone: str, prop: str, index: int) -> bpy.types.FCurve:
    path = f'pose.bones["{bone}"].{prop}'
    return next(
        curve
        for curve in compat.all_channels(action)
        if (curve.data_path, curve.array_index) == (path, index)
    )


def raise_key(curve: bpy.types.FCurve, at: int, by: float) -> tuple[float, float, float]:
    """Move a key and its handles as in the Graph Editor; return its frame and those of its neighbours."""
    point = curve.keyframe_points[at]
    point.co_ui.y += by
    curve.update()
    return point.co.x, curve.keyframe_points[at - 1].co.x, curve.keyframe_points[at + 1].co.x


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "options",
    [
        {"keys": "EDITABLE"},
        {"keys": "EDITABLE", "target": "LAYER"},
        {"keys": "DENSE"},
        {"keys": "DENSE", "step": 3},
    ],
    ids=["few", "layer", "dense", "every third"],
)
def test_untouched_it_is_what_a_new_bake_would_be(options):
    obj, action = baked(**options)
    obj.neurarig.walk.step_height = 1.6
    assert api.rebake_walk(obj) == action
    assert kept_keys(action) == 0
    again = played(obj, FRAMES, deform_bones(obj))
    fresh = api.bake_walk(obj, frame_start=1, frame_end=40, **options)
    assert fresh != action
    assert played(obj, FRAMES, deform_bones(obj)) == pytest.approx(again, abs=1e-5)


@pytest.mark.parametrize(
    ("bone", "prop", "index"),
    [("NR-knee.L", "location", 0), ("NR-foot.R", "location", 2), ("LeftArm", "rotation_quaternion", 1)],
    ids=["knee", "print", "arm"],
)
def test_a_touched_key_stays_and_only_its_neighbourhood(bone, prop, index):
    obj, action = baked(target="LAYER")
    curve = curve_of(action, bone, prop, index)
    frame, before, after = raise_key(curve, len(curve.keyframe_points) // 2, 0.05)
    value = curve.evaluate(frame)
    obj.neurarig.walk.step_height = 1.3
    api.rebake_walk(obj)
    curve = curve_of(action, bone, prop, index)
    assert curve.evaluate(frame) == pytest.approx(value, abs=1e-6)
    assert kept_keys(action) >= 1
    mine = {
        (each.data_path, each.array_index): [each.evaluate(at) for at in FRAMES]
        for each in compat.all_channels(action)
    }
    fresh = api.bake_walk(obj, frame_start=1, frame_end=40, keys="EDITABLE", target="LAYER")
    rows = np.array([at for at in FRAMES if at <= before or at >= after]) - 1
    path = curve.data_path
    for other in compat.all_channels(fresh):
        values = np.array([other.evaluate(at) for at in FRAMES])
        outside = rows if other.data_path == path else np.arange(len(FRAMES))
        assert np.array(mine[other.data_path, other.array_index])[outside] == pytest.approx(
            values[outside], abs=1e-5
        )


def test_baked_again_twice_the_edit_is_still_there():
    obj, action = baked(target="LAYER")
    curve = curve_of(action, "NR-foot.R", "location", 2)
    frame, *_ = raise_key(curve, len(curve.keyframe_points) // 2, 0.05)
    value = curve.evaluate(frame)
    for height in (1.5, 0.7, 1.0):
        obj.neurarig.walk.step_height = height
        api.rebake_walk(obj)
        assert curve_of(action, "NR-foot.R", "location", 2).evaluate(frame) == pytest.approx(value, abs=1e-6)


def test_a_retimed_stride_stays_retimed():
    """From each curve's first moved key on; before it, keys that are made anew may bend the curve."""
    obj, action = baked(target="LAYER")
    since = {}
    for curve in compat.all_channels(action):
        moved = [point for point in curve.keyframe_points if point.co.x > 20.5]
        for point in moved:
            point.co_ui.x += 3.0
        curve.update()
        if moved:
            since[curve.data_path, curve.array_index] = int(moved[0].co.x)
    late = {which: _values(action, which, start) for which, start in since.items()}
    all_late = range(max(start for start in since.values() if start < 43), 43)
    poses = played(obj, all_late, deform_bones(obj))
    obj.neurarig.walk.step_height = 1.4
    api.rebake_walk(obj)
    assert len(since) > 40 and min(since.values()) < 30
    for which, start in since.items():
        assert _values(action, which, start) == pytest.approx(late[which], abs=1e-5), which
    assert len(all_late) > 2
    assert played(obj, all_late, deform_bones(obj)) == pytest.approx(poses, abs=2e-3)


def _values(action, which, start):
    """Return a curve's values from a frame to the end of the retimed walk."""
    curve = next(
        curve for curve in compat.all_channels(action) if (curve.data_path, curve.array_index) == which
    )
    return [curve.evaluate(frame) for frame in range(start, 44)]


def test_live_again_the_bake_is_taken_up_again():
    obj, action = baked(target="LAYER")
    api.resume_walk(obj)
    obj.neurarig.walk.step_height = 1.5
    assert api.rebake_walk(obj) == action == obj.animation_data.action
    assert not obj.neurarig.walk.live


def test_without_a_bake_or_closed_early_all_is_as_it_was():
    obj = walker()
    before = state_of(obj)
    with refuses("no bake"):
        api.rebake_walk(obj)
    assert state_of(obj) == before
    _, action = obj, api.bake_walk(obj, frame_start=1, frame_end=40)
    keys = [[tuple(point.co) for point in curve.keyframe_points] for curve in compat.all_channels(action)]
    before = state_of(obj)
    steps = rebake_walk.steps(obj)
    next(steps)
    next(steps)
    steps.close()
    assert state_of(obj) == before
    assert [
        [tuple(point.co) for point in curve.keyframe_points] for curve in compat.all_channels(action)
    ] == keys


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '{"options": {}, "curves": {}}',
        '{"options": {"keys": 3}, "curves": {"a|x": [[1], [2]]}}',
    ],
)
def test_a_damaged_memory_is_no_memory(text):
    obj, action = baked(target="LAYER")
    action["neurarig_made"] = text
    with refuses("no bake"):
        api.rebake_walk(obj)


def test_the_operator_says_what_stays():
    obj, action = baked(target="LAYER")
    make_active(obj)
    curve = curve_of(action, "NR-knee.L", "location", 0)
    raise_key(curve, len(curve.keyframe_points) // 2, 0.05)
    assert bpy.ops.neurarig.rebake_walk.poll()
    assert bpy.ops.neurarig.rebake_walk() == {"FINISHED"}
    assert kept_keys(action) == 1


@pytest.mark.parametrize("rows", ["", "7:", "7:####", "7:AAAA", "3:AAAAAAAAAAAAAAAA", "x"])
def test_what_is_remembered_of_a_curve_may_be_damaged_then_all_of_it_stays(rows):
    obj, action = baked(target="LAYER")
    curve = curve_of(action, "NR-foot.R", "location", 2)
    values = [curve.evaluate(frame) for frame in FRAMES]
    stored = json.loads(action["neurarig_made"])
    stored["curves"][f"{curve.data_path}|2"] = rows
    action["neurarig_made"] = json.dumps(stored)
    obj.neurarig.walk.step_height = 1.5
    api.rebake_walk(obj)
    assert [
        curve_of(action, "NR-foot.R", "location", 2).evaluate(frame) for frame in FRAMES
    ] == pytest.approx(values, abs=1e-6)
