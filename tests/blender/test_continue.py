"""Motion that goes on by itself in Blender: from a clip or an own action, live, baked, driven by keys, and
taken off again."""

import json

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api, cli
from tests.blender.continuing import hips, walker
from tests.blender.retargeting import LAST, actor, hero, report_of, rig_state
from tests.refusals import refuses
from tests.rigs import rigify_human


def test_an_own_action_goes_on_and_comes_back() -> None:
    obj, action = walker()
    before, state = hips(obj, LAST), rig_state(obj)
    made = api.continue_motion(obj, 5.0)
    seconds = 5.0 * bpy.context.scene.render.fps
    assert made is not action and made.frame_range[1] == pytest.approx(LAST + seconds)
    assert np.abs(hips(obj, LAST) - before).max() < 1e-5, "its own frames stay"
    assert np.linalg.norm(hips(obj, LAST + seconds) - before) > 3.0
    report = report_of(obj)
    assert max(report["slip_mm"][side]["max"] for side in "LR") < 0.5 and report["penetration_mm"] < 1.0
    api.remove_retarget(obj)
    hips(obj, LAST)
    assert {**rig_state(obj), "data": state["data"]} == state and obj.animation_data.action == action


def test_it_turns_to_the_left_and_ends_standing() -> None:
    obj, _ = walker()
    way = hips(obj, LAST)[:2] - hips(obj, LAST - 20)[:2]
    last = api.continue_motion(obj, 10.0, turn=30.0, stand=True).frame_range[1]
    after = hips(obj, last - 150)[:2] - hips(obj, LAST)[:2]
    assert way[0] * after[1] - way[1] * after[0] > 0.0
    assert np.linalg.norm(hips(obj, last) - hips(obj, last - 5)) < 0.03


def test_live_and_baked_are_the_same_and_a_slider_changes_what_comes_after_alone() -> None:
    source, action = actor()
    obj = hero()
    api.link_retarget(obj, source=source, action=action, continue_for=6.0)
    live = {frame: hips(obj, frame) for frame in (LAST - 30, LAST, LAST + 40, LAST + 130)}
    obj.neurarig.retarget.continue_speed = 0.5
    assert np.abs(hips(obj, LAST - 30) - live[LAST - 30]).max() < 5e-3
    assert np.linalg.norm(hips(obj, LAST + 130) - live[LAST]) < 0.8 * np.linalg.norm(
        live[LAST + 130] - live[LAST]
    )
    obj.neurarig.retarget.continue_speed = 1.0
    assert np.array_equal(hips(obj, LAST + 130), live[LAST + 130]), "the same settings, the same pose"
    api.retarget(obj)
    assert all(np.abs(hips(obj, frame) - place).max() < 1e-5 for frame, place in live.items())


def test_keys_drive_it_and_nothing_happens_before_them() -> None:
    source, action = actor()
    obj = hero()
    own = obj.neurarig.retarget
    for frame, speed in ((LAST + 60, 1.0), (LAST + 61, 0.0)):
        own.continue_speed = speed
        own.keyframe_insert("continue_speed", frame=frame)
    api.link_retarget(obj, source=source, action=action, continue_for=11.0)
    stops = {frame: hips(obj, frame) for frame in (LAST + 30, LAST + 58, LAST + 200, LAST + 250)}
    assert np.linalg.norm(stops[LAST + 250] - stops[LAST + 200]) < 0.08, "it stands"
    until_told = np.linalg.norm(stops[LAST + 58] - stops[LAST + 30]) / 28.0
    assert until_told == pytest.approx(np.linalg.norm(stops[LAST + 30] - hips(obj, LAST)) / 30.0, rel=0.15), (
        "it walks on until told"
    )


def test_a_control_rig_goes_on_from_its_own_action() -> None:
    obj = rigify_human()
    api.generate_walk(obj, mode="TRAVEL", travel_with="BONE")
    action = api.bake_walk(obj, frame_start=20, frame_end=70, target="CONTROLS")
    api.remove_walk(obj)
    obj.animation_data_create().action = action
    own = {
        (frame, bone): hips(obj, frame, bone)
        for frame in (20, 45, 70)
        for bone in ("DEF-spine", "DEF-forehead.R", "DEF-hand.L", "DEF-toe.L")
    }
    with refuses("cannot be live"):
        api.link_retarget(obj, source=obj, action=action)
    made = api.continue_motion(obj, 3.0)
    assert made.frame_range[1] == pytest.approx(70 + 3 * bpy.context.scene.render.fps)
    assert all(np.abs(hips(obj, *seen) - place).max() < 1e-4 for seen, place in own.items()), "nothing moves"
    api.remove_retarget(obj)


def test_what_cannot_go_on_is_refused_and_nothing_changes() -> None:
    obj = hero()
    state = rig_state(obj)
    obj.animation_data.action = None
    with refuses("'Hero' plays no action that could go on"):
        api.continue_motion(obj, 5.0)
    obj.animation_data.action = bpy.data.actions["Wave"]
    with refuses():
        api.continue_motion(obj, 5.0)
    with refuses("both source and target"):
        api.retarget(obj, source=obj)
    assert rig_state(obj) == state


def test_the_button_and_the_command_line(tmp_path) -> None:
    obj, action = walker()
    assert bpy.ops.neurarig.continue_motion(seconds=2.0) == {"FINISHED"}
    assert obj.neurarig.retarget.source_kind == "OWN" and obj.neurarig.retarget.action == action
    assert bpy.ops.neurarig.continue_motion(seconds=3.0) == {"FINISHED"}, (
        "again, longer, from the same action"
    )
    assert obj.animation_data.action.frame_range[1] == pytest.approx(
        LAST + 3.0 * bpy.context.scene.render.fps
    )
    api.remove_retarget(obj)
    out = tmp_path / "report.json"
    assert (
        cli.main(
            [
                "continue",
                "--armature",
                "Hero",
                "--seconds",
                "2",
                "--continue-turn",
                "20",
                "--report",
                str(out),
            ]
        )
        == 0
    )
    assert json.loads(out.read_text())["slip_mm"]["L"]["max"] < 0.5
    with pytest.raises(SystemExit):
        cli.main(["continue", "--armature", "Hero", "--seconds", "0"])
