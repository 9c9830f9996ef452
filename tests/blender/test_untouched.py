"""Playback asks little of a walk that nothing has touched, and still sees whatever a script changes between
two frames."""

from collections.abc import Callable

import bpy
import numpy as np
import pytest
from numpy.testing import assert_allclose

from neurarig_addon.blender import api
from neurarig_addon.blender.walk.source import memory
from neurarig_addon.blender.walk.source import source as walk_source
from neurarig_addon.core.posing.channels import Channels, Property
from tests.blender import leading
from tests.blender.reaching import misses, target_of
from tests.blender.walking import key_speed, played, seen, walker
from tests.rigs import biped, build

SAME = 1e-6  # metres


def _turned(obj: bpy.types.Object) -> None:
    obj.rotation_mode, obj.rotation_euler = "XYZ", (0.0, 0.2, 0.9)


def _parented(obj: bpy.types.Object) -> None:
    above = bpy.data.objects.new("Above", None)
    bpy.context.scene.collection.objects.link(above)
    above.rotation_euler = 0.3, 0.0, 0.5
    obj.parent = above


def _driven(obj: bpy.types.Object) -> None:
    obj.driver_add("neurarig.walk.crouch").driver.expression = "0.15"


def _other_rate(_obj: bpy.types.Object) -> None:
    bpy.context.scene.render.fps = 50


def _other_units(_obj: bpy.types.Object) -> None:
    bpy.context.scene.unit_settings.scale_length = 0.5


def _slid(obj: bpy.types.Object) -> None:
    obj.neurarig.walk.crouch = 0.2


def _resized(obj: bpy.types.Object) -> None:
    obj.scale = 1.5, 1.5, 1.5


def _moved(obj: bpy.types.Object) -> None:
    obj.location = 0.4, -0.2, 0.0


def _unmarked(obj: bpy.types.Object) -> None:
    obj.neurarig.walk.markers.clear()


def _slower(obj: bpy.types.Object) -> None:
    obj.neurarig.walk.slow_in_bends = False


def _without_ground(obj: bpy.types.Object) -> None:
    """Of what is hidden Blender reports nothing."""
    ground = obj.neurarig.walk.ground
    ground.hide_set(True)
    played(obj, (5, 6, 7))
    bpy.data.objects.remove(ground)


CHANGES = (_turned, _parented, _driven, _other_rate, _other_units, _slid, _resized, key_speed)


def test_playback_of_an_untouched_walk_looks_nothing_up(monkeypatch: pytest.MonkeyPatch):
    obj = walker()
    expected = played(obj, range(1, 30))
    monkeypatch.setattr(walk_source, "row_at", lambda *_: pytest.fail("it was looked at closely"))
    assert_allclose(played(obj, range(1, 30)), expected, atol=SAME)


def _led(travel_with: str = "OBJECT") -> bpy.types.Object:
    """Return a character on a path with a bend, over ground that is not even."""
    hill = leading.sheet("Hill", lambda x, y: 0.05 * np.sin(x) * np.cos(y), 12.0, 40)
    path = leading.curve([(0.0, 0.0), (0.0, -3.0), (2.0, -6.0)], "BEZIER")
    obj = walker(mode="PATH", path=path, ground=hill, travel_with=travel_with)
    marker = obj.neurarig.walk.markers.add()
    marker.distance, marker.pause = 0.3, 2.0
    return obj


def test_playback_of_an_untouched_walk_on_a_path_over_ground_looks_nothing_up(
    monkeypatch: pytest.MonkeyPatch,
):
    obj = _led()
    expected = played(obj, range(1, 30))
    monkeypatch.setattr(walk_source, "row_at", lambda *_: pytest.fail("it was looked at closely"))
    assert_allclose(played(obj, range(1, 30)), expected, atol=SAME)


@pytest.mark.parametrize("travel_with", ["OBJECT", "BONE"])
@pytest.mark.parametrize(
    "change",
    [*(change for change in CHANGES if change != _parented), _moved, _unmarked, _slower, _without_ground],
    ids=lambda change: change.__name__,
)
def test_what_a_script_changes_of_a_walk_on_a_path_is_seen_on_the_next_frame(
    change: Callable, travel_with: str
):
    # where a new parent is, of which a path hangs, only Blender's evaluation of the frame says
    obj = _led(travel_with)
    played(obj, (5, 6, 7))
    change(obj)
    at_once = seen(obj, 6)
    memory.forget()
    bpy.context.scene.frame_set(7)
    assert_allclose(at_once, seen(obj, 6), atol=SAME)


@pytest.mark.parametrize("mode", ["IN_PLACE", "TRAVEL"])
@pytest.mark.parametrize("change", CHANGES)
def test_what_a_script_changes_between_two_frames_is_seen_on_the_second(change: Callable, mode: str):
    obj = walker(mode=mode)
    played(obj, (5, 6, 7))
    change(obj)  # nobody is told of an edit before the next frame
    at_once = seen(obj, 8)
    memory.forget()
    bpy.context.scene.frame_set(7)
    assert_allclose(at_once, seen(obj, 8), atol=SAME)


def _turn_on(obj: bpy.types.Object) -> None:
    obj.neurarig.neural_pose.live = True


def _drive_on(obj: bpy.types.Object) -> None:
    obj.driver_add("neurarig.neural_pose.live").driver.expression = "frame >= 8"


@pytest.mark.parametrize("turn_on", [_turn_on, _drive_on])
def test_targets_that_go_live_between_two_frames_are_reached_on_the_second(turn_on: Callable):
    obj = walker()
    api.pose_targets(obj, ["wrist.L"])
    target_of(obj, "wrist.L").location.z += 0.2
    obj.neurarig.neural_pose.live = False
    played(obj, (5, 6, 7))
    assert misses(obj)["wrist.L"] > 0.1
    turn_on(obj)
    seen(obj, 8)
    assert misses(obj)["wrist.L"] < 1e-5
    seen(obj, 7)
    assert (misses(obj)["wrist.L"] < 1e-5) == obj.neurarig.neural_pose.live


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "name", ['Left "Thigh"', "Left\\Thigh", "Left\tThigh", 'a"].location', "Schenkel \u00e4\u00f6", "[0]"]
)
def test_bones_of_any_name_are_posed(name: str):
    twin, obj = walker("Twin"), build(biped(), "Odd")
    obj.data.bones["LeftUpLeg"].name = name
    api.generate_walk(obj, use_network=False)
    assert_allclose(seen(obj, 9), seen(twin, 9), atol=SAME)


def test_paths_say_what_blender_says():
    names = ['a"b', "a\\b", "a\nb", "a\tb", "\a\b\f\r"]
    channels = Channels(
        tuple(Property(name, "location", "", slice(0, 3)) for name in names), np.zeros((1, 3))
    )
    assert [path for path, _ in channels.paths] == [
        f'bones["{bpy.utils.escape_identifier(name)}"].location' for name in names
    ]
