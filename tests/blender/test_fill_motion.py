"""Frames that are missing within a motion, made anew in Blender: own actions, clips, live, by script, button
and command line."""

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api, cli
from neurarig_addon.blender.animation import compat
from tests.blender.continuing import hips, walker
from tests.blender.retargeting import LAST, actor, hero, report_of, rig_state
from tests.refusals import refuses

FIRST, THEN = LAST - 40, LAST - 24


def left_out(obj: bpy.types.Object, action: bpy.types.Action) -> None:
    """Remove the keys between FIRST and THEN from an action."""
    for curve in compat.find_channels(action, compat.assigned(obj.animation_data)[1]):
        for key in reversed(curve.keyframe_points):
            if FIRST < key.co.x < THEN:
                curve.keyframe_points.remove(key)
    bpy.context.scene.frame_set(bpy.context.scene.frame_current)


def knees(obj: bpy.types.Object) -> np.ndarray:
    """Return where the left foot is, seen from the hips, on the frames between FIRST and THEN."""
    found = []
    for frame in range(FIRST + 1, THEN):
        bpy.context.scene.frame_set(frame)
        found.append(
            obj.matrix_world @ obj.pose.bones["LeftFoot"].head
            - obj.matrix_world @ obj.pose.bones["Hips"].head
        )
    return np.array(found)


def test_missing_steps_are_walked_and_all_else_stays() -> None:
    obj, action = walker()
    whole = knees(obj)
    left_out(obj, action)
    gone, state = knees(obj), rig_state(obj)
    before = {frame: hips(obj, frame) for frame in (FIRST - 20, FIRST, THEN, LAST)}
    made = api.fill_motion(obj, FIRST, THEN)
    assert made is not action and made.frame_range[1] == pytest.approx(LAST)
    assert np.abs(knees(obj) - whole).mean() < 0.75 * np.abs(gone - whole).mean()
    assert all(np.abs(hips(obj, frame) - place).max() < 0.03 for frame, place in before.items())
    report = report_of(obj)
    assert max(report["slip_mm"][side]["max"] for side in "LR") < 0.5
    api.remove_retarget(obj)
    hips(obj, THEN - 1)
    assert {**rig_state(obj), "data": state["data"]} == state and obj.animation_data.action == action


def test_live_and_baked_are_the_same() -> None:
    source, action = actor()
    obj = hero()
    api.link_retarget(obj, source=source, action=action, fill=True, fill_start=FIRST, fill_end=THEN)
    live = {frame: hips(obj, frame) for frame in (FIRST - 5, FIRST + 6, THEN + 5)}
    obj.neurarig.retarget.fill = False
    assert np.abs(hips(obj, FIRST + 6) - live[FIRST + 6]).max() > 1e-5
    obj.neurarig.retarget.fill = True
    api.retarget(obj)
    assert all(np.abs(hips(obj, frame) - place).max() < 1e-5 for frame, place in live.items())


def test_the_button_and_the_command_line() -> None:
    obj, _ = walker()
    assert bpy.ops.neurarig.fill_motion(frame_start=FIRST, frame_end=THEN) == {"FINISHED"}
    assert obj.neurarig.retarget.fill and obj.neurarig.retarget.fill_end == THEN
    assert bpy.ops.neurarig.continue_motion(seconds=1.0) == {"FINISHED"}
    assert obj.animation_data.action.frame_range[1] == pytest.approx(LAST + bpy.context.scene.render.fps)
    api.remove_retarget(obj)
    assert (
        cli.main(
            [
                "continue",
                "--armature",
                "Hero",
                "--seconds",
                "1",
                "--fill",
                "--fill-start",
                str(FIRST),
                "--fill-end",
                str(THEN),
            ]
        )
        == 0
    )


def test_what_cannot_be_filled_is_refused_and_nothing_changes() -> None:
    obj, action = walker()
    hips(obj, FIRST)
    state = rig_state(obj)
    with refuses(f"Frames {THEN} to {FIRST} cannot be filled: 'Hero Walk' has frames 5 to {LAST}"):
        api.fill_motion(obj, THEN, FIRST)
    with refuses("cannot be filled"):
        api.fill_motion(obj, LAST - 5, LAST + 5)
    with refuses("Up to 2 seconds"):
        api.fill_motion(obj, 9, 62)
    obj.animation_data.action = None
    with refuses("plays no action that could be filled"):
        api.fill_motion(obj, FIRST, THEN)
    obj.animation_data.action = action
    hips(obj, FIRST)
    assert rig_state(obj) == state and not obj.neurarig.retarget.fill
