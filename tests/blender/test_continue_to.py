"""Motion that goes on to where it is led in Blender: along a curve, to an object and after it, live and
baked, and until the scene ends."""

import bpy
import numpy as np
import pytest

from neurarig_addon.blender import api, cli
from neurarig_addon.blender.retarget import live
from tests.blender.continuing import ahead, ball, curve, hips, walker, way_of
from tests.blender.retargeting import LAST, actor, hero, report_of, rig_state
from tests.refusals import refuses


@pytest.mark.parametrize("root", ["PELVIS", "OBJECT", "BONE"])
def test_an_own_action_goes_to_an_object_whatever_carries_it(root: str) -> None:
    obj, action = walker()
    place = ahead(obj, [[5.0, 2.0]])[0]
    door = ball(place)
    hips(obj, LAST)
    state = rig_state(obj)
    api.continue_motion(obj, 8.0, to=door, root=root)
    assert np.linalg.norm(way_of(obj, 8.0) - place, axis=1).min() < 0.3
    report = report_of(obj)
    assert max(report["slip_mm"][side]["max"] for side in "LR") < 0.5 and report["penetration_mm"] < 1.0
    api.remove_retarget(obj)
    hips(obj, LAST)
    assert {**rig_state(obj), "data": state["data"]} == state and obj.animation_data.action == action


def test_a_clip_on_another_build_goes_along_a_curve_live_and_baked() -> None:
    source, action = actor()
    obj = hero()
    api.link_retarget(obj, source=source, action=action)
    x = np.linspace(0.0, 6.0, 40)
    bends = ahead(obj, np.column_stack([x, 0.5 * np.sin(2.0 * np.pi * x / 4.0) * (1.0 - np.exp(-x / 0.75))]))
    own = obj.neurarig.retarget
    own.continue_for, own.continue_to = 14.0, curve(bends)
    way = way_of(obj, 14.0)
    arrived = int(np.argmax(np.linalg.norm(way - bends[-1], axis=1) < 0.3))
    fine = np.linspace(0.0, 39.0, 1000)
    dense = np.column_stack([np.interp(fine, np.arange(40), column) for column in bends.T])
    assert arrived > 0 and np.min(np.linalg.norm(way[:arrived, None] - dense, axis=2), axis=1).max() < 0.15
    api.retarget(obj)
    assert np.abs(way_of(obj, 14.0) - way).max() < 1e-5


def test_a_moved_object_changes_what_comes_after_alone_and_only_once(monkeypatch: pytest.MonkeyPatch) -> None:
    solved, solve = [], live.solve_clip
    monkeypatch.setattr(live, "solve_clip", lambda *given: solved.append(1) or solve(*given))
    source, action = actor()
    obj = hero()
    api.link_retarget(obj, source=source, action=action)
    left, right = ahead(obj, [[2.0, 2.0], [2.0, -2.0]])
    door = ball(left)
    own = obj.neurarig.retarget
    own.continue_for, own.continue_to = 6.0, door
    begins, to_left = [hips(obj, frame) for frame in (LAST - 30, LAST)], hips(obj, LAST + 100)
    count = len(solved)
    door.location[:2] = right
    bpy.context.view_layer.update()
    bpy.context.view_layer.update()
    assert len(solved) == count + 1, "it is solved anew once"
    to_right = hips(obj, LAST + 100)
    assert np.linalg.norm(to_right[:2] - right) < np.linalg.norm(to_left[:2] - right) - 1.0
    assert all(
        np.abs(hips(obj, frame) - place).max() < 5e-3
        for frame, place in zip((LAST - 30, LAST), begins, strict=True)
    )
    door.location[:2] = left
    bpy.context.view_layer.update()
    assert np.array_equal(hips(obj, LAST + 100), to_left), "the same place, the same way"


@pytest.mark.parametrize("by", ["keys", "a constraint", "a parent"])
def test_an_object_that_moves_is_followed_and_nothing_is_known_before(by: str) -> None:
    source, action = actor()
    obj = hero()
    api.link_retarget(obj, source=source, action=action)
    first, then = ahead(obj, [[2.0, 0.0], [2.0, 3.0]])
    door = ball(first)
    own = obj.neurarig.retarget
    own.continue_for, own.continue_to = 12.0, door
    still = way_of(obj, 12.0)
    moved = door
    if by != "keys":
        moved = ball(first, "Carrier")
        if by == "a parent":
            door.location, door.parent = (0.0, 0.0, 0.0), moved
        else:
            door.constraints.new("COPY_LOCATION").target = moved
    for frame, place in ((LAST + 96, first), (LAST + 168, then)):
        moved.location[:2] = place
        moved.keyframe_insert("location", frame=frame)
    bpy.context.view_layer.update()
    way = way_of(obj, 12.0)
    assert np.abs(way[:16] - still[:16]).max() < 1e-4 and np.abs(way[-1] - still[-1]).max() > 0.3
    assert np.linalg.norm(way - then, axis=1).min() < 0.3
    api.retarget(obj)
    assert np.abs(way_of(obj, 12.0) - way).max() < 1e-5


def test_what_cannot_lead_is_refused_and_nothing_changes() -> None:
    obj, _ = walker()
    child = ball(np.zeros(2), "Hat")
    child.parent = obj
    dot = curve(np.array([[0.0, 0.0], [0.1, 0.0]]), "Dot")
    hips(obj, LAST)
    state = rig_state(obj)
    with refuses(r"'Hat' is moved by 'Hero', which cannot go there\. Free it"):
        api.continue_motion(obj, 4.0, to=child)
    with refuses("'Hero' cannot go to itself"):
        api.continue_motion(obj, 4.0, to=obj)
    with refuses(r"'Hero' cannot go along 'Dot'\. The path is 0\.1 m long, shorter than a step"):
        api.continue_motion(obj, 4.0, to=dot)
    assert rig_state(obj) == state and obj.neurarig.retarget.continue_to is None


def test_a_curve_that_becomes_impossible_leaves_the_way_as_it_was_until_it_is_mended() -> None:
    source, action = actor()
    obj = hero()
    api.link_retarget(obj, source=source, action=action)
    way = curve(ahead(obj, [[0.0, 0.0], [2.0, 1.0], [4.0, 0.0]]))
    own = obj.neurarig.retarget
    own.continue_for, own.continue_to = 4.0, way
    before = hips(obj, LAST + 90)
    points = [tuple(point.co) for point in way.data.splines[0].points]
    for point in way.data.splines[0].points:
        point.co = points[0]
    bpy.context.view_layer.update()
    assert (
        own.live
        and "'Hero' cannot go along 'Way'" in own.error
        and np.array_equal(hips(obj, LAST + 90), before)
    )
    with refuses("'Hero' cannot go along 'Way'"):
        api.retarget(obj)
    for point, place in zip(way.data.splines[0].points, points, strict=True):
        point.co = place
    bpy.context.view_layer.update()
    assert own.live and not own.error and np.array_equal(hips(obj, LAST + 90), before)


def test_the_button_and_the_command_line_lead_it_too() -> None:
    obj, _ = walker()
    door = ball(ahead(obj, [[3.0, 0.0]])[0])
    bpy.context.scene.frame_end = LAST + 72
    assert bpy.ops.neurarig.continue_motion(continue_until_end=True, continue_to="Ball") == {"FINISHED"}
    own = obj.neurarig.retarget
    assert (
        own.continue_until_end
        and own.continue_to == door
        and obj.animation_data.action.frame_range[1] == pytest.approx(LAST + 72)
    )
    assert bpy.ops.neurarig.continue_motion(seconds=2.0) == {"FINISHED"}
    assert not own.continue_until_end and own.continue_to == door, "it stays chosen"
    with pytest.raises(RuntimeError, match="There is no object named 'Nobody'"):
        bpy.ops.neurarig.continue_motion(continue_to="Nobody")
    api.remove_retarget(obj)
    assert cli.main(["continue", "--armature", "Hero", "--until-scene-end", "--to", "Ball"]) == 0
    assert np.linalg.norm(hips(obj, LAST + 72)[:2] - np.array(door.location)[:2]) < 1.5
    assert cli.main(["continue", "--armature", "Hero", "--seconds", "2", "--to", "Nobody"]) == 1
    with pytest.raises(SystemExit):
        cli.main(["continue", "--armature", "Hero", "--seconds", "2", "--until-scene-end"])
