"""Time Stretching: what is baked, fitted and exported over the scene's range plays as it does live."""

from pathlib import Path

import bpy
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.blender import api
from neurarig_addon.blender.animation.frame_range import played_range
from neurarig_addon.blender.live import stand_in
from tests.blender.retargeting import actor, hero
from tests.blender.walking import deform_bones, played, walker

STRETCHES = ((100, 200), (200, 100), (100, 150))


@pytest.fixture(params=STRETCHES, ids=str)
def scene(request: pytest.FixtureRequest) -> bpy.types.Scene:
    """A scene of 40 frames with Time Stretching."""
    scene = bpy.context.scene
    scene.render.frame_map_old, scene.render.frame_map_new = request.param
    scene.frame_start, scene.frame_end = 1, 40
    return scene


def test_a_bake_of_the_scenes_range_is_the_walk_that_was_live(scene: bpy.types.Scene) -> None:
    obj = walker(mode="TRAVEL", travel_with="OBJECT")
    shown = (6, 12, 24, 36)  # there the timeline meets whole frames of keys
    live = played(obj, shown)
    api.bake_walk(obj, target="LAYER")
    assert_allclose(played(obj, shown), live, atol=1e-4)


@pytest.mark.parametrize("keys", ["DENSE", "EDITABLE"])
def test_frames_that_are_given_are_those_of_the_timeline(scene: bpy.types.Scene, keys: str) -> None:
    obj = walker(mode="TRAVEL")
    shown, bones = (6, 9.5, 12, 20, 33), deform_bones(obj)
    live = played(obj, shown, bones)
    api.bake_walk(obj, frame_start=4, frame_end=33, keys=keys)
    # dense keys are straight between frames of keys
    assert_allclose(played(obj, shown, bones), live, atol=2e-2)


def test_what_stands_in_for_a_live_walk_goes_as_far_as_it(scene: bpy.types.Scene) -> None:
    obj = walker(mode="TRAVEL", travel_with="OBJECT")
    live = played(obj, (1, 20, 40))
    with stand_in.standing_in(scene):
        curve = next(
            curve
            for curve in obj.animation_data.action.layers[0].strips[0].channelbags[0].fcurves
            if curve.array_index == 1
        )
        pace = scene.render.frame_map_old / scene.render.frame_map_new
        assert curve.evaluate(40 * pace) - curve.evaluate(pace) == pytest.approx(
            (live[2] - live[0])[0, 0, 1], abs=0.02
        )


def test_a_file_begins_when_the_scene_does(scene: bpy.types.Scene, tmp_path: Path) -> None:
    source, action = actor()
    api.encode_action(source, tmp_path / "walk.npz", action)
    scene.frame_start, scene.frame_end = 90, 150
    made = api.retarget(hero(), file=tmp_path / "walk.npz", check=False)
    assert made.frame_range[0] == played_range(scene)[0]


def test_a_range_fitted_to_a_clip_plays_all_of_it(scene: bpy.types.Scene) -> None:
    source, action = actor()
    made = api.retarget(hero(), source=source, action=action, fit_range=True, check=False)
    first, last = made.frame_range
    assert played_range(scene)[0] <= first and last <= played_range(scene)[1]
