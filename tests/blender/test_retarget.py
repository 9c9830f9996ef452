"""A clip of one character on another: planted, in a new action, and without a trace where it fails or is
removed."""

import bpy
import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.blender.retarget import api
from tests.blender.retargeting import FIRST, LAST, actor, hero, keys_of, report_of, rig_state
from tests.blender.walking import played, walker
from tests.refusals import refuses
from tests.rigs import rigify_human

SHOWN = (1, FIRST, 20, 33.5, LAST, 12)
SAME = 1e-5  # metres between a link and its bake
ROOTS, CONTROLS = ("PELVIS", "OBJECT", "BONE", "IN_PLACE"), ("FK", "IK")


@pytest.mark.few(2)
@pytest.mark.parametrize("controls", CONTROLS)
@pytest.mark.parametrize("root", ROOTS)
def test_a_clip_is_planted_whoever_takes_it(root: str, controls: str) -> None:
    source, action = actor()
    obj = hero()
    before = keys_of(action, source), keys_of(bpy.data.actions["Wave"], obj)
    made = api.retarget(obj, source=source, action=action, root=root, controls=controls)
    report = report_of(obj)
    assert (
        report["past_limits"] == [] and report["slip_mm"]["L"]["max"] is not None and report["reach"] <= 1.0
    )
    assert (
        made not in (action, bpy.data.actions["Wave"])
        and obj.animation_data.action == made
        and made.use_fake_user
    )
    assert tuple(made.frame_range) == (FIRST, LAST)
    assert (keys_of(action, source), keys_of(bpy.data.actions["Wave"], obj)) == before
    assert source.animation_data.action == action


@pytest.mark.few(2)
@pytest.mark.parametrize("controls", CONTROLS)
@pytest.mark.parametrize("root", ROOTS)
def test_the_link_shows_what_the_bake_keys(root: str, controls: str) -> None:
    source, action = actor()
    obj = hero()
    api.link_retarget(obj, source=source, action=action, root=root, controls=controls)
    linked = played(obj, SHOWN)
    assert np.abs(linked - played(obj, SHOWN)).max() == 0.0
    api.retarget(obj, check=False)
    assert not obj.neurarig.retarget.live
    assert np.abs(played(obj, SHOWN) - linked).max() < SAME


def test_what_moves_the_source_now_can_be_a_walk() -> None:
    source = walker("Actor", mode="TRAVEL")
    bpy.context.scene.frame_end = 40
    bpy.context.scene.frame_set(9)
    obj = hero()
    made = api.retarget(obj, source=source)
    assert tuple(made.frame_range) == (1.0, 40.0) and bpy.context.scene.frame_current == 9
    assert report_of(obj)["past_limits"] == [] and source.neurarig.walk.live


def test_a_clip_begins_where_it_is_told_to() -> None:
    source, action = actor()
    obj = hero()
    shown = api.retarget(obj, source=source, action=action, check=False).frame_range[0]
    made = api.retarget(obj, frame_start=101, check=False)
    assert (shown, *made.frame_range) == (FIRST, 101.0, 101.0 + LAST - FIRST)


@pytest.mark.parametrize("mode", ["XYZ", "ZXY", "QUATERNION", "AXIS_ANGLE"])
def test_what_carries_the_travel_does_not_change_where_it_goes(mode: str) -> None:
    """The object moves under a turned, scaled parent, in any rotation mode."""
    source, action = actor()
    obj = hero()
    parent = bpy.data.objects.new("Ship", None)
    bpy.context.scene.collection.objects.link(parent)
    parent.rotation_euler.z, parent.location.x, parent.scale = 1.0, 4.0, (1.5, 1.5, 1.5)
    obj.parent, obj.rotation_mode = parent, mode
    bpy.context.view_layer.update()
    by_hips = played(obj, SHOWN) if api.retarget(obj, source=source, action=action, check=False) else None
    api.retarget(obj, root="OBJECT")
    assert report_of(obj)["past_limits"] == []
    assert np.abs(played(obj, SHOWN[::2]) - by_hips[::2]).max() < 1e-4
    assert np.abs(played(obj, (33.5,)) - by_hips[3]).max() < 2e-3  # between keys the parts turn on other arcs


def test_a_path_begins_where_the_target_stands() -> None:
    source, action = actor()
    obj = hero()
    api.retarget(obj, source=source, action=action, start_here=True, check=False)
    hips, later = (played(obj, (frame,), ["Hips"])[0, 0, 0] for frame in (FIRST, LAST))
    assert np.abs(hips[:2]).max() < 1e-3  # where it stands at rest, wherever its object is
    way = (later - hips)[:2]
    assert -way[1] > 0.97 * np.linalg.norm(way) > 0.3


@pytest.mark.parametrize("controls", CONTROLS)
def test_a_generated_rigify_rig_takes_it_on_its_own_controls(controls: str) -> None:
    source, action = actor()
    obj = rigify_human()
    before = rig_state(obj)
    api.retarget(obj, source=source, action=action, controls=controls)
    assert report_of(obj)["past_limits"] == []
    api.remove_retarget(obj)
    after = rig_state(obj)
    assert {name: after[name] for name in ("bones", "constraints", "pose")} == {
        name: before[name] for name in ("bones", "constraints", "pose")
    }


def test_mirrored_the_left_does_what_the_right_did() -> None:
    source, action = actor(asymmetry=1.0)  # a limp: left and right differ
    obj = hero()

    names = ("LeftHand", "LeftFoot", "Head", "RightFoot", "RightHand")

    def heads(**choices: bool) -> np.ndarray:
        api.link_retarget(obj, source=source, action=action, start_here=True, **choices)
        return played(obj, (FIRST, 20, 31, LAST), names)[:, :, 0]

    plain, mirrored = heads(), heads(mirror=True)
    assert_allclose(mirrored[:, ::-1], plain * (-1.0, 1.0, 1.0), atol=1e-4)
    assert np.abs(mirrored - plain)[..., 2].max() > 0.01
    api.retarget(obj, check=False)
    assert_allclose(played(obj, (FIRST, 20, 31, LAST), names)[:, :, 0], mirrored, atol=SAME)


def test_the_scene_s_range_is_the_clip_s_where_that_is_wished() -> None:
    source, action = actor()
    obj, scene = hero(), bpy.context.scene
    scene.frame_start, scene.frame_end = 3, 999
    api.retarget(obj, source=source, action=action, check=False)
    assert (scene.frame_start, scene.frame_end) == (3, 999)
    api.retarget(obj, source=source, action=action, check=False, fit_range=True, frame_start=20)
    assert (scene.frame_start, scene.frame_end) == (20, 20 + LAST - FIRST)
    scene.frame_start, scene.frame_end = 3, 999
    with refuses():
        api.retarget(obj, file="nowhere.bvh", fit_range=True)
    assert (scene.frame_start, scene.frame_end) == (3, 999) and obj.neurarig.retarget.fit_range
